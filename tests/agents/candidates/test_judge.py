"""A model judges asks and answers: verdicts as JSON, asked for again where they are none."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.agents.scripted import COMPLETION, script, settings_for, status
from wildtool.agents.candidates.judge import Question, judge_all
from wildtool.agents.prompts import prompt
from wildtool.schemas.vocabulary import Language


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    yield


QUESTION = Question(kind="ask", language=Language.EN, asked={"question": "Which city?"})


def says(content: str) -> Response:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return Response(json.dumps({**COMPLETION, "choices": [choice]}), content_type="application/json")


def sent(request: Request) -> list[str]:
    return [message["content"] for message in json.loads(request.get_data())["messages"]]


def test_a_verdict_comes_with_its_reason(httpserver: HTTPServer) -> None:
    seen = script(httpserver, lambda _: says('{"ok": false, "reason": "vague"}'))
    assert judge_all([QUESTION], settings_for(httpserver)) == [(False, "vague")]
    assert sent(seen[0]) == [prompt(Language.EN, "judge/ask"), json.dumps(QUESTION.asked)]


def test_what_is_no_verdict_is_asked_for_again(httpserver: HTTPServer) -> None:
    answers = ("sure", '{"ok": "yes"}', '```json\n{"ok": true}\n```')
    seen = script(httpserver, *[lambda _, text=text: says(text) for text in answers])
    assert judge_all([QUESTION], settings_for(httpserver)) == [(True, "")]
    assert len(seen) == 3 and "again" in sent(seen[1])[1]


def test_a_model_that_never_gives_a_verdict_gives_none(httpserver: HTTPServer) -> None:
    seen = script(httpserver, lambda _: says("hm"))
    assert judge_all([QUESTION], settings_for(httpserver)) == [None]
    assert len(seen) == 3


def test_an_endpoint_that_refuses_gives_none(httpserver: HTTPServer) -> None:
    script(httpserver, status(400))
    assert judge_all([QUESTION, QUESTION], settings_for(httpserver)) == [None, None]

"""A model picks for worlds over a real endpoint: one request a list, cached, strange answers dropped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.worlds.cinema import SPEC
from tests.worlds.test_picks import OPEN, TOOLS
from wildtool.agents import Endpoint, GatewaySettings, pick_all
from wildtool.schemas.tool import ToolList

LISTED = ToolList.of(
    slug="cinema",
    title="Cinema",
    description="Films.",
    language="en",
    category="c",
    subcategory="s",
    source="core",
    licence="CC0",
    version="1",
    tools=TOOLS,
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def answering(server: HTTPServer, *contents: str) -> tuple[GatewaySettings, list[Any]]:
    """Settings for a server that gives these answers in turn, and what it was asked."""
    asked: list[Any] = []

    def answer(request: Request) -> Response:
        asked.append(json.loads(request.get_json()["messages"][1]["content"]))
        message = {"role": "assistant", "content": contents[min(len(asked), len(contents)) - 1]}
        body = {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        return Response(json.dumps(body), content_type="application/json")

    server.expect_request("/v1/chat/completions").respond_with_handler(answer)
    return GatewaySettings(endpoint=Endpoint(model="m", base_url=server.url_for("/v1")), attempts=1), asked


def test_one_request_a_list_and_the_second_time_none(httpserver: HTTPServer, tmp_path: Path) -> None:
    settings, asked = answering(
        httpserver, json.dumps({"picks": {"findFilms.era": "at_least:year", "findFilms.lang": "drop table"}})
    )
    for _ in range(2):
        (made,) = pick_all([(LISTED, OPEN)], settings, cache=tmp_path / "worlds.sqlite")
        assert made.tools["findFilms"].parameters["era"].role == "range"
        assert made.tools["findFilms"].parameters["lang"].role == "unsupported", "not among the choices"
    assert len(asked) == 1
    assert set(asked[0]["questions"]) == {"findFilms.era", "findFilms.lang"} and list(asked[0]["tools"]) == [
        "findFilms"
    ]


def test_a_list_without_open_questions_is_not_asked_about(httpserver: HTTPServer) -> None:
    settings, asked = answering(httpserver, "{}")
    assert pick_all([(LISTED, SPEC)], settings) == [SPEC] and not asked


@pytest.mark.parametrize("content", ["no JSON", '{"picks": []}', '{"picks": {"findFilms.era": 7}}'])
def test_strange_answers_leave_the_spec_as_it_is(httpserver: HTTPServer, content: str) -> None:
    settings, asked = answering(httpserver, content)
    assert pick_all([(LISTED, OPEN)], settings) == [OPEN] and asked

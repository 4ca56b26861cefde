"""Pushing against an endpoint that fails where a real one rarely does."""

from __future__ import annotations

import json
from types import ModuleType

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from wildtool.annotation import connect, push_drafts

TOKEN = "0" * 40


def _json(value: object, status: int = 200) -> Response:
    return Response(json.dumps(value), status, content_type="application/json")


def test_an_import_that_fails_after_it_was_done_is_not_repeated(httpserver: HTTPServer, drafts: ModuleType) -> None:
    """The first import stores two of three tasks, one without its prediction, and then answers 500."""
    stored: list[dict[str, object]] = []
    imports: list[int] = []
    predictions: list[object] = []

    def take(request: Request) -> Response:
        sent = request.get_json()
        imports.append(len(sent))
        taken = sent[:2] if len(imports) == 1 else sent
        first = len(stored) + 1
        for offset, task in enumerate(taken):
            stored.append(
                {"id": first + offset, "data": task["data"], "total_predictions": int(len(stored) != 1), "overlap": 2}
            )
        return (
            _json({}, 500) if len(imports) == 1 else _json({"task_ids": [task["id"] for task in stored[first - 1 :]]})
        )

    def predict(request: Request) -> Response:
        predictions.append(request.get_json()["task"])
        return _json({}, 201)

    httpserver.expect_request("/api/current-user/whoami").respond_with_json({"id": 1})
    httpserver.expect_request("/api/projects", method="GET").respond_with_json({"results": []})
    httpserver.expect_request("/api/projects", method="POST").respond_with_json({"id": 7}, status=201)
    httpserver.expect_request("/api/projects/7", method="PATCH").respond_with_json({})
    httpserver.expect_request("/api/projects/7/import").respond_with_handler(take)
    httpserver.expect_request("/api/predictions/").respond_with_handler(predict)
    httpserver.expect_request("/api/tasks").respond_with_handler(lambda _: _json({"tasks": stored}))
    three = [drafts.draft(index) for index in range(3)]
    with connect(httpserver.url_for(""), TOKEN, sleep=lambda _: None) as connection:
        result = push_drafts(three, connection, project="fails once")
    assert imports == [3, 1]
    assert predictions == [2]
    assert sorted(str(task["data"]["uid"]) for task in stored) == sorted(draft.id for draft in three)  # type: ignore[index]
    assert [entry.task_id for entry in result.pushed] == [1, 2, 3]

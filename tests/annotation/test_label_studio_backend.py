"""Label Studio's side of the Protocol, against an endpoint that fails where a real one rarely does."""

from __future__ import annotations

import json
from types import ModuleType

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from wildtool.annotation import LabelStudioBackend, connect, push_drafts
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError, ServiceError

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
        result = push_drafts(three, LabelStudioBackend(connection), project="fails once")
    assert imports == [3, 1]
    assert predictions == [2]
    assert sorted(str(task["data"]["uid"]) for task in stored) == sorted(draft.id for draft in three)  # type: ignore[index]
    assert [entry.task_id for entry in result.pushed] == [1, 2, 3]


def test_an_import_that_is_refused_is_not_repeated(httpserver: HTTPServer, draft: Draft) -> None:
    httpserver.expect_request("/api/current-user/whoami").respond_with_json({"id": 1})
    httpserver.expect_request("/api/projects", method="GET").respond_with_json({"results": []})
    httpserver.expect_request("/api/projects", method="POST").respond_with_json({"id": 7}, status=201)
    httpserver.expect_request("/api/projects/7/import").respond_with_json({"detail": "no"}, status=400)
    httpserver.expect_request("/api/tasks").respond_with_json({"tasks": []})
    with connect(httpserver.url_for(""), TOKEN, sleep=lambda _: None) as connection:
        with pytest.raises(ServiceError, match="400"):
            push_drafts([draft], LabelStudioBackend(connection), project="refused")
        assert sum("/import" in request.path for request, _ in httpserver.log) == 1


def test_titles_that_label_studio_refuses_are_refused_first(httpserver: HTTPServer, draft: Draft) -> None:
    httpserver.expect_request("/api/current-user/whoami").respond_with_json({"id": 1})
    with connect(httpserver.url_for(""), TOKEN) as connection, pytest.raises(InputError, match="project title 'x'"):
        push_drafts([draft], LabelStudioBackend(connection), project="x")


def test_annotations_are_read_by_task_with_their_people(httpserver: HTTPServer, draft: Draft) -> None:
    """Finished ones alone; a task that a change moved to the next page is read once; unknown people stay apart."""

    def annotation(id: int, user: object, **more: object) -> dict[str, object]:
        return {"id": id, "completed_by": user, "updated_at": "2024-07-12T10:00:00Z", "result": [], **more}

    task = {
        "id": 5,
        "data": {"uid": draft.id, "round": 2},
        "updated_at": "2024-07-12T10:00:01Z",
        "annotations": [
            annotation(1, 3),
            annotation(2, {"id": 8}),
            annotation(4, None),
            annotation(6, 3, draft={"id": 1}),
        ],
    }
    httpserver.expect_request("/api/current-user/whoami").respond_with_json({"id": 1})
    httpserver.expect_request("/api/projects").respond_with_json({"results": [{"id": 7, "title": "p"}]})
    httpserver.expect_request("/api/users/").respond_with_json([{"id": 3, "email": "anna@example.org"}])
    queries: list[dict[str, object]] = []

    def listed(request: Request) -> Response:
        queries.append(json.loads(request.args["query"]))
        return _json({"tasks": [task, task]})

    httpserver.expect_request("/api/tasks").respond_with_handler(listed)
    with connect(httpserver.url_for(""), TOKEN) as connection:
        backend = LabelStudioBackend(connection)
        project = backend.find_project("p")
        assert project is not None
        changes = backend.changes(project, "2024-07-12T11:00:00+02:00")
        assert changes.until == "2024-07-12T10:00:01+00:00"
        (read,) = changes.tasks
    assert (read.draft, read.round, read.task_id) == (draft.id, 2, 5)
    assert [(each.id, each.author) for each in read.annotations] == [(1, "anna@example.org"), (2, "user 8"), (4, "")]
    assert queries[1]["filters"]["items"][0]["value"] == "2024-07-12T09:00:00.000000Z"  # type: ignore[index]
    assert project.interface is None

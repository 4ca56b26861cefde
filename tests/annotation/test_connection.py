from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from wildtool.annotation import connect
from wildtool.annotation.label_studio.server import free_port
from wildtool.schemas.errors import ServiceError

LEGACY = "0123456789abcdef0123456789abcdef01234567"
PERSONAL = "head.body.signature"


@pytest.fixture
def server(httpserver: HTTPServer) -> Iterator[HTTPServer]:
    """What a Label Studio says to a probe: the legacy token and the access token ``fresh`` are right."""

    def whoami(request: Request) -> Response:
        right = request.headers.get("Authorization") in (f"Token {LEGACY}", "Bearer fresh")
        return Response(json.dumps({"id": 1}), 200 if right else 401, content_type="application/json")

    def refresh(request: Request) -> Response:
        right = request.get_json()["refresh"] == PERSONAL
        return Response(
            json.dumps({"access": "fresh"} if right else {}), 200 if right else 401, content_type="application/json"
        )

    httpserver.expect_request("/api/current-user/whoami").respond_with_handler(whoami)
    httpserver.expect_request("/api/token/refresh/", method="POST").respond_with_handler(refresh)
    yield httpserver


@pytest.mark.parametrize("token", [LEGACY, PERSONAL])
def test_both_kinds_of_token_are_probed(server: HTTPServer, token: str) -> None:
    with connect(server.url_for(""), token) as connection:
        assert connection.get("/api/current-user/whoami") == {"id": 1}


@pytest.mark.parametrize("token", ["wrong", "", "a.b.c"])
def test_a_wrong_token_has_a_remedy_and_is_not_told(server: HTTPServer, token: str) -> None:
    with pytest.raises(ServiceError) as caught:
        connect(server.url_for(""), token)
    assert "LABEL_STUDIO_API_KEY" in caught.value.remedy
    assert not token or token not in str(caught.value)


def test_nobody_there_and_somebody_else_there(httpserver: HTTPServer) -> None:
    with pytest.raises(ServiceError, match="no Label Studio answers"):
        connect(f"http://127.0.0.1:{free_port()}", LEGACY)
    httpserver.expect_request("/api/current-user/whoami").respond_with_data("<html>", content_type="text/html")
    with pytest.raises(ServiceError, match="is not Label Studio"):
        connect(httpserver.url_for(""), LEGACY)
    with pytest.raises(ServiceError, match="not an http address"):
        connect("ftp://x", LEGACY)


def test_credentials_in_the_address_are_dropped(server: HTTPServer) -> None:
    with connect(f"http://me:secret@127.0.0.1:{server.port}/", LEGACY) as connection:
        assert connection.url == f"http://127.0.0.1:{server.port}"


def test_5xx_is_tried_again_and_nothing_secret_is_logged(server: HTTPServer, caplog: pytest.LogCaptureFixture) -> None:
    waits: list[float] = []
    answers = iter([500, 503, 200])
    server.expect_request("/api/x").respond_with_handler(lambda _: Response("{}", next(answers)))
    with caplog.at_level(logging.DEBUG), connect(server.url_for(""), LEGACY, sleep=waits.append) as connection:
        assert connection.get("/api/x") == {}
    assert waits == [0.5, 1.0]
    assert LEGACY not in caplog.text


def test_what_must_not_happen_twice_is_not_tried_again(server: HTTPServer) -> None:
    calls = []
    server.expect_request("/api/x").respond_with_handler(lambda request: calls.append(request) or Response("", 500))
    with connect(server.url_for(""), LEGACY) as connection, pytest.raises(ServiceError, match="500"):
        connection.post("/api/x", {}, retry=False)
    assert len(calls) == 1


def test_an_access_token_that_ran_out_is_renewed(server: HTTPServer) -> None:
    answers = iter([401, 200])
    server.expect_request("/api/x").respond_with_handler(lambda _: Response("{}", next(answers)))
    with connect(server.url_for(""), PERSONAL) as connection:
        assert connection.get("/api/x") == {}


def test_pages_end_at_a_short_one_or_a_404(server: HTTPServer) -> None:
    def page(request: Request) -> Response:
        number = int(request.args["page"])
        return Response(json.dumps({"tasks": [{"id": number}] * 2}) if number < 3 else "", 200 if number < 3 else 404)

    server.expect_request("/api/tasks").respond_with_handler(page)
    with connect(server.url_for(""), LEGACY) as connection:
        assert [task["id"] for task in connection.tasks(1, page_size=2)] == [1, 1, 2, 2]

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from wildtool.annotation import LabelStudioServer, connect, push_drafts
from wildtool.annotation.label_studio.install import VENV_VARIABLE, pinned_version, pins
from wildtool.annotation.label_studio.server import _postgres_environment, free_port
from wildtool.schemas.errors import HomeError, InputError, ServiceError, SettingsError

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
    with pytest.raises(ServiceError, match="is no Label Studio"):
        connect(httpserver.url_for(""), LEGACY)
    with pytest.raises(ServiceError, match="no http address"):
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


def test_titles_that_label_studio_refuses_are_refused_first(server: HTTPServer, draft) -> None:  # type: ignore[no-untyped-def]
    with connect(server.url_for(""), LEGACY) as connection, pytest.raises(InputError, match="no title"):
        push_drafts([draft], connection, project="x")


def test_credentials_are_private_and_stay(tmp_path: Path) -> None:
    server = LabelStudioServer(tmp_path / "home")
    made = server.credentials()
    path = tmp_path / "home" / "labelstudio" / "credentials.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert (len(made.token), int(made.token, 16) > 0) == (40, True)
    assert LabelStudioServer(tmp_path / "home").credentials() == made
    assert made.password not in repr(made)
    assert LabelStudioServer(tmp_path / "other").credentials().token != made.token


def test_a_stale_pid_file_is_no_running_server(tmp_path: Path) -> None:
    server = LabelStudioServer(tmp_path)
    server.credentials()
    # Process 1 lives, but we did not start it then.
    recorded = {"pid": 1, "born": "0", "port": 1, "url": "http://127.0.0.1:1"}
    (server.folder / "server.json").write_text(json.dumps(recorded), encoding="utf-8")
    assert not server.status().running
    assert server.stop() is False
    (server.folder / "server.json").write_text("{broken", encoding="utf-8")
    assert server.running() is None


def test_a_home_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("", encoding="utf-8")
    with pytest.raises(HomeError, match="cannot be written"):
        LabelStudioServer(tmp_path / "home").credentials()


def test_a_named_environment_without_label_studio(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=VENV_VARIABLE):
        LabelStudioServer(tmp_path, environ={VENV_VARIABLE: str(tmp_path / "none")}).start()


def test_pins_are_names_and_versions_alone() -> None:
    lines = [line for line in pins().splitlines() if not line.startswith("#")]
    assert all(len(line.split("==")) == 2 and "/" not in line and " " not in line for line in lines)
    assert f"label-studio=={pinned_version()}" in lines


def test_the_servers_environment_holds_no_key_of_ours(tmp_path: Path) -> None:
    server = LabelStudioServer(tmp_path, environ={"OPENAI_API_KEY": "sk-x", "PATH": "/bin"})
    environment = server._environment(server.credentials(), 8080, None)
    assert "sk-x" not in environment.values()
    assert environment["COLLECT_ANALYTICS"] == "false"


def test_postgres_addresses() -> None:
    found = _postgres_environment("postgresql://me:p%40ss@db.example:5433/labels")
    assert (found["POSTGRE_PASSWORD"], found["POSTGRE_PORT"], found["POSTGRE_NAME"]) == ("p@ss", "5433", "labels")
    with pytest.raises(SettingsError) as caught:
        _postgres_environment("mysql://me:secret@x/y")
    assert "secret" not in str(caught.value)

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wildtool.annotation import LabelStudioServer
from wildtool.annotation.label_studio.server import _postgres_environment
from wildtool.schemas.errors import HomeError, SettingsError


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
    with pytest.raises(HomeError, match="cannot write"):
        LabelStudioServer(tmp_path / "home").credentials()


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

"""Keys are nowhere after the whole pipeline: home, Prefect's own files, Label Studio's tasks, what commands say.

The endpoint says the model's key in each of its answers, so every record could hold it. Label Studio's token is that of
a real server, which lies elsewhere.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.mock_endpoint import Actor, MockEndpoint
from tests.flows.test_secrets import HOOK_KEY, MODEL_KEY, PREFECT_KEY, holds, texts
from wildtool.annotation import Connection, RunningServer
from wildtool.flows.rules import release_rules
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft
from wildtool.schemas.plan import SessionPlan
from wildtool.warehouse import Store

pytestmark = pytest.mark.e2e

PROJECT = "planted keys"
DRAFT = ("draft", "--profile", "demo", "--sessions", "1")


class Commands:
    """Commands of a user who has all keys in the environment; keeps what they say."""

    def __init__(self, server: RunningServer) -> None:
        self.said = ""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "LABEL_STUDIO_", "PREFECT_"))}
        self.environment = {
            **kept, "OPENAI_API_KEY": MODEL_KEY, "WILDTOOL_HOOK_SECRET": HOOK_KEY, "PREFECT_API_KEY": PREFECT_KEY,
            "LABEL_STUDIO_URL": server.url, "LABEL_STUDIO_API_KEY": server.token, "WILDTOOL_DOUBLE_SHARE": "1",
        }  # fmt: skip

    def __call__(self, home: Path, *arguments: str, url: str = "") -> None:
        line = [sys.executable, "-c", "from wildtool.flows.cli import main; main()", *arguments, "--home", str(home)]
        environment = {**self.environment, **({"OPENAI_BASE_URL": url} if url else {})}
        ran = subprocess.run(line, capture_output=True, text=True, env=environment, timeout=600, check=False)
        self.said += ran.stdout + ran.stderr
        assert ran.returncode == 0, ran.stderr[-3000:]


def test_no_key_is_anywhere(
    label_studio: RunningServer, connection: Connection, tmp_path: Path, repository: Path
) -> None:
    home, offline = tmp_path / "home", tmp_path / "offline"
    wildtool = Commands(label_studio)
    wildtool(home, "catalog", "build", "core")
    wildtool(home, "mine", str(repository / "examples" / "logs"))
    shutil.copytree(home, offline)
    wildtool(offline, *DRAFT, "--model", "offline")
    actor = Actor(
        Store(offline / "warehouse.duckdb").read(SessionPlan),
        lambda: Store(home / "warehouse.duckdb").read(SessionPlan),
    )

    def quoting(body: JsonObject) -> JsonObject:
        message = actor(body)
        content = message.get("content")
        quotes = isinstance(content, str) and content and not content.startswith(("{", "["))
        return {**message, "content": f"{content} {MODEL_KEY}"} if quotes else message

    endpoint = MockEndpoint(quoting)
    with endpoint.serve() as url:
        wildtool(home, *DRAFT, "--model", "mock", "--flow", url=url)
        assert Store(home / "warehouse.duckdb").count(Draft)
        wildtool(home, "annotate", "push", "--project", PROJECT)
        wildtool(home, "annotate", "simulate", "--project", PROJECT)
        wildtool(home, "annotate", "pull", "--project", PROJECT)
        wildtool(home, "annotate", "adjudicate", "--simulate", "--project", PROJECT)
        wildtool(
            home,
            "release",
            "freeze",
            "1.0.0",
            *(word for gate in release_rules().rules for word in ("--allow", gate.id)),
        )
        wildtool(home, "evaluate", "run", "--release", "1.0.0", "--model", "mock", "--flow", url=url)
        wildtool(home, "quarantine")
        wildtool(home, "status", "--json")
    assert endpoint.keys == {MODEL_KEY}

    keys = (MODEL_KEY, HOOK_KEY, PREFECT_KEY, label_studio.token)
    tasks = [
        connection.get(f"/api/projects/{one['id']}/export", exportType="JSON", download_all_tasks="true")
        for one in connection.get("/api/projects/", page_size=1000)["results"]
        if one["title"].startswith(PROJECT)
    ]
    shown = json.dumps(tasks, ensure_ascii=False)
    assert "[key]" in shown, "the endpoint's words came as far as this"
    for key in keys:
        assert key not in shown
        assert key not in wildtool.said
        assert holds(home, key) == []
    looked_at = {path.relative_to(home).parts[0] for path in home.rglob("*") if path.is_file()}
    assert {"warehouse.duckdb", "log.jsonl", "cache", "catalog", "prefect", "releases", "reports"} <= looked_at
    assert any(b"[key]" in text for text in texts(home / "warehouse.duckdb"))
    assert any("prefect.db" in path.name for path in (home / "prefect").rglob("*"))
    assert stat.S_IMODE(home.stat().st_mode) == 0o700

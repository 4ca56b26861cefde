"""The flows as Prefect's users run them: a real server on loopback, deployments, a process worker, artifacts."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.e2e

LIMIT_SECONDS = 240
"""A server starts in 10 s on an idle machine, in a minute on a busy one."""

FLOWS = {"build", "catalog", "mine", "draft", "annotate", "release", "evaluate"}


class Prefect:
    """A running server, and commands against it."""

    def __init__(self, url: str, folder: Path, repository: Path) -> None:
        self.url = url
        self.repository = repository
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "PREFECT_", "WILDTOOL_"))}
        self.environment = {
            **kept,
            "PREFECT_API_URL": url,
            "PREFECT_HOME": str(folder / "prefect"),
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }

    def start(self, *command: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            cwd=self.repository,
            env=self.environment,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.repository, env=self.environment, text=True, capture_output=True, timeout=LIMIT_SECONDS
        )

    def ask(self, path: str, **body: Any) -> Any:
        request = urllib.request.Request(
            f"{self.url}{path}",
            data=json.dumps(body).encode() if body else None,
            headers={"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


def until(true: Callable[[], Any]) -> Any:
    """What ``true`` gives, once it gives something."""
    end = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < end:
        try:
            if found := true():
                return found
        except OSError:
            pass
        time.sleep(0.5)
    raise AssertionError("this did not happen in time")


@pytest.fixture(scope="module")
def prefect(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Iterator[Prefect]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Prefect(f"http://127.0.0.1:{port}/api", tmp_path_factory.mktemp("prefect"), repository)
    process = server.start("prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port), "--no-ui")
    try:
        until(lambda: server.ask("/health"))
        yield server
    finally:
        process.terminate()
        process.wait(timeout=60)


@pytest.fixture(scope="module")
def deployed(prefect: Prefect) -> dict[str, Any]:
    """The deployments of ``prefect.yaml``, by name."""
    assert prefect.run("prefect", "work-pool", "create", "local", "--type", "process").returncode == 0
    ran = prefect.run("prefect", "--no-prompt", "deploy", "--all")
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return {each["name"]: each for each in prefect.ask("/deployments/filter", limit=50)}


def test_each_flow_is_deployed_with_typed_and_described_parameters(deployed: dict[str, Any]) -> None:
    assert set(deployed) == FLOWS
    for name, deployment in deployed.items():
        properties = deployment["parameter_openapi_schema"]["properties"]
        assert {"home", "seed", "model"} <= set(properties), name
        for parameter, schema in properties.items():
            assert schema.get("description"), f"{name}: {parameter} is not described"
            assert {"type", "anyOf", "enum"} & set(schema), f"{name}: {parameter} has no type"
        assert set(deployment["parameters"]) <= set(properties)
        assert deployment["description"]


def test_a_worker_runs_a_deployment_and_shows_its_counts(
    prefect: Prefect, deployed: dict[str, Any], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    logs = str(prefect.repository / "examples" / "logs")
    made = prefect.ask(
        f"/deployments/{deployed['mine']['id']}/create_flow_run",
        parameters={"logs": [logs], "home": str(home), "seed": 0, "model": "offline"},
    )
    worker = prefect.start("prefect", "worker", "start", "--pool", "local", "--run-once")
    try:
        ended = until(lambda: _ended(prefect, made["id"]))
    finally:
        worker.terminate()
        worker.wait(timeout=60)
    assert ended["state"]["type"] == "COMPLETED", ended["state"]
    artifacts = prefect.ask("/artifacts/filter", flow_runs={"id": {"any_": [made["id"]]}}, limit=20)
    (table,) = [each for each in artifacts if each["key"] == "mine-steps"]
    steps = json.loads(table["data"])
    assert all(step["rows_in"] == step["rows_out"] + step["quarantined"] for step in steps)
    assert steps[0]["rows_in"] > 300
    log = prefect.ask("/logs/filter", logs={"flow_run_id": {"any_": [made["id"]]}}, limit=200)
    assert any("seed scenarios" in line["message"] for line in log)


def test_a_command_is_a_flow_run_where_a_server_is_named(prefect: Prefect, tmp_path: Path) -> None:
    before = prefect.ask("/flow_runs/count", flows={"name": {"any_": ["catalog"]}})
    ran = prefect.run("wildtool", "catalog", "build", "core", "--json", "-q", "--home", str(tmp_path / "home"))
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert json.loads(ran.stdout)["lists"] > 20
    assert prefect.ask("/flow_runs/count", flows={"name": {"any_": ["catalog"]}}) == before + 1


def test_flows_are_served_without_a_work_pool(prefect: Prefect, tmp_path: Path) -> None:
    home = tmp_path / "home"
    server = prefect.start("wildtool", "serve", "catalog", "--home", str(home))
    try:
        served = until(lambda: [d for d in prefect.ask("/deployments/filter", limit=50) if d["name"] == "served"])[0]
        assert served["parameters"]["home"] == str(home)
        made = prefect.ask(
            f"/deployments/{served['id']}/create_flow_run",
            parameters={"sources": ["core"], "home": str(home), "model": "offline"},
        )
        assert until(lambda: _ended(prefect, made["id"]))["state"]["type"] == "COMPLETED"
    finally:
        server.terminate()
        server.wait(timeout=60)
    assert (home / "catalog").is_dir()


def test_a_users_mistake_fails_the_run_with_its_cause(prefect: Prefect, tmp_path: Path) -> None:
    ran = prefect.run("wildtool", "draft", "--model", "offline", "-q", "--home", str(tmp_path / "home"))
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: there is no seed scenario")
    assert "Traceback" not in ran.stderr
    (newest,) = prefect.ask(
        "/flow_runs/filter", flows={"name": {"any_": ["draft"]}}, sort="EXPECTED_START_TIME_DESC", limit=1
    )
    assert newest["state"]["type"] == "FAILED"
    assert "no seed scenario" in newest["state"]["message"]


def _ended(prefect: Prefect, run: str) -> Any:
    found = prefect.ask(f"/flow_runs/{run}")
    return found if found["state"] and found["state"]["type"] in {"COMPLETED", "FAILED", "CRASHED"} else None

"""Shards on a real Dask cluster: a scheduler and two worker processes, joined over loopback, one killed in the middle."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wildtool.annotation import RunningServer

pytest.importorskip("distributed", reason="the extra dask is not installed")
pytestmark = pytest.mark.e2e

LIMIT_SECONDS = 240
"""Nothing here takes longer on a busy machine; what does hangs."""

DRAFT = ("draft", "--profile", "demo", "--model", "offline", "--json", "-q")


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "PREFECT_"))}
    # Small shards: the 16 sessions of the profile are four of them.
    return {**kept, "WILDTOOL_SHARD": "4", **more}


def wildtool(*arguments: str, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", "from wildtool.flows.cli import main; main()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**more),
    )


def finished(process: subprocess.Popen[str]) -> Any:
    out, err = process.communicate(timeout=LIMIT_SECONDS)
    assert process.returncode == 0, err[-3000:]
    return json.loads(out)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a scheduler with two workers of one thread."""
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    command = [sys.executable, "-m", "dask"]
    processes = [
        subprocess.Popen(
            [*command, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    ]
    try:
        processes += [
            subprocess.Popen(
                [*command, "worker", "--scheduler-file", file, "--host", "127.0.0.1", "--nworkers", "1", "--nthreads",
                 "1", "--no-dashboard", "--local-directory", folder],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment(),
            )
            for _ in range(2)
        ]  # fmt: skip
        until = time.monotonic() + LIMIT_SECONDS
        while not file.exists():
            assert time.monotonic() < until
            time.sleep(0.2)
        yield json.loads(file.read_text(encoding="utf-8"))["address"]
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=30)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """A home with a catalogue and seeds, to be copied."""
    home = tmp_path_factory.mktemp("ready") / "home"
    finished(wildtool("catalog", "build", "core", "--json", "-q", "--home", str(home)))
    finished(wildtool("mine", str(repository / "examples" / "logs"), "--json", "-q", "--home", str(home)))
    return home


@pytest.fixture
def homes(ready: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Two homes of equal content."""
    import shutil

    for name in ("threads", "dask"):
        shutil.copytree(ready, tmp_path / name)
    return tmp_path / "threads", tmp_path / "dask"


def drafts(home: Path) -> dict[str, str]:
    from wildtool.schemas.draft import Draft
    from wildtool.warehouse import Store

    # What a killed worker had asked comes from the cache: the same words, marked so.
    return {
        draft.id: draft.model_dump_json(exclude={"trace": {"__all__": {"cached"}}})
        for draft in Store(home / "warehouse.duckdb").read(Draft)
    }


def test_a_worker_killed_in_the_middle_costs_nothing(scheduler: str, homes: tuple[Path, Path]) -> None:
    from distributed import Client

    threads, dask = homes
    run = wildtool(*DRAFT, "--home", str(dask), "--runner", "dask", "--dask-address", scheduler, "--workers", "2")
    with Client(scheduler, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=LIMIT_SECONDS)
        pids = client.run(os.getpid)
        until = time.monotonic() + LIMIT_SECONDS
        while True:
            # A worker that is in the middle of a shard.
            busy = [address for address, keys in client.processing().items() if any("draft_shard" in k for k in keys)]
            if busy:
                break
            assert run.poll() is None, run.communicate()
            assert time.monotonic() < until
            time.sleep(0.05)
        os.kill(pids[busy[0]], signal.SIGKILL)
        on_dask = finished(run)
    on_threads = finished(wildtool(*DRAFT, "--home", str(threads)))
    assert on_dask["steps"] == on_threads["steps"]
    assert on_dask["drafts"] == 16
    assert drafts(dask) == drafts(threads)


def test_mining_on_a_cluster_finds_what_it_finds_here(
    scheduler: str, ready: Path, repository: Path, tmp_path: Path
) -> None:
    from wildtool.schemas.conversation import ConversationBehaviour
    from wildtool.schemas.seed import SeedScenario
    from wildtool.warehouse import Store

    home = tmp_path / "home"
    finished(wildtool("mine", str(repository / "examples" / "logs"), "--json", "-q", "--home", str(home), "--runner", "dask",
                      "--dask-address", scheduler, "--workers", "2"))  # fmt: skip
    for kind in (SeedScenario, ConversationBehaviour):
        there, here = (
            {one.id: one.to_json() for one in Store(folder / "warehouse.duckdb").read(kind)} for folder in (home, ready)
        )
        assert there == here and there


def test_a_cluster_that_is_not_there_is_said_in_one_line(ready: Path) -> None:
    run = wildtool("draft", "--model", "offline", "--sessions", "1", "--home", str(ready), "--runner", "dask",
                   "--dask-address", "tcp://127.0.0.1:9", "-q")  # fmt: skip
    _, err = run.communicate(timeout=LIMIT_SECONDS)
    assert run.returncode == 2
    assert "no Dask cluster with a worker answers at tcp://127.0.0.1:9" in err
    assert "Traceback" not in err


def test_a_worker_without_the_key_is_named_before_any_work(scheduler: str, ready: Path) -> None:
    run = wildtool("draft", "--model", "some-model", "--base-url", "http://127.0.0.1:9/v1", "--sessions", "1", "--home",
                   str(ready), "--runner", "dask", "--dask-address", scheduler, "-q",
                   OPENAI_API_KEY="sk-only-here")  # fmt: skip
    _, err = run.communicate(timeout=LIMIT_SECONDS)
    assert run.returncode == 2
    assert "has no key for the model" in err
    assert "sk-only-here" not in err


def test_a_release_made_on_a_cluster_is_that_made_on_threads(
    scheduler: str, label_studio: RunningServer, repository: Path, tmp_path: Path
) -> None:
    """All of the pipeline, from logs to scores; every file of the two releases is equal, byte by byte."""
    engines = {"cluster": ("--runner", "dask", "--dask-address", scheduler, "--workers", "2"), "threads": ()}
    for name, engine in engines.items():
        built = finished(
            wildtool(
                "build", str(repository / "examples" / "logs"), "--profile", "demo", "--model", "offline", "--catalog",
                "core", "--auto-label", "--release", "0.1.0", "--project", f"made on {name}", "--json", "-q", "--home",
                str(tmp_path / name), *engine,
                LABEL_STUDIO_URL=label_studio.url, LABEL_STUDIO_API_KEY=label_studio.token,
            )
        )  # fmt: skip
        assert built["evaluate"][0]["score"]["task_accuracy"]["value"] == 1.0
    cluster, threads = (digests(tmp_path / name / "releases" / "0.1.0") for name in engines)
    assert len(cluster) > 10
    assert cluster == threads


def digests(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}

"""``wildtool draft`` against an endpoint that fails at every third request, killed at ten random moments."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.agents.mock_endpoint import Actor, MockEndpoint
from wildtool.agents.gateway.faults import Faults
from wildtool.schemas.draft import Draft
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import Stage
from wildtool.warehouse import Store

pytestmark = pytest.mark.e2e

KILLS = 10
IN_FLIGHT = 6
SESSIONS = 5
"""A language."""
KEY = "sk-planted-0123456789"


def _wildtool(*arguments: object, home: Path, **environment: str) -> subprocess.Popen[bytes]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "WILDTOOL_"))}
    return subprocess.Popen(
        [Path(sys.executable).with_name("wildtool"), *map(str, arguments), "--home", str(home), "--json"],
        env={**clean, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=home.parent,
    )


def _ran(*arguments: object, home: Path, **environment: str) -> Any:
    out, err = (process := _wildtool(*arguments, home=home, **environment)).communicate(timeout=300)
    assert process.returncode == 0, err.decode()
    return json.loads(out)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> tuple[Path, list[SessionPlan], list[Draft]]:
    """A home with seeds and a catalogue; the sessions that will be planned on it, and their drafts without a fault."""
    folder = tmp_path_factory.mktemp("killed")
    home, other = folder / "home", folder / "other"
    _ran("mine", repository / "examples" / "logs", home=home)
    _ran("catalog", "build", "core", home=home)
    shutil.copytree(home, other)
    _ran("draft", "--profile", "demo", "--sessions", SESSIONS, "--model", "offline", home=other)
    store = Store(other / "warehouse.duckdb")
    return home, store.read(SessionPlan), store.read(Draft)


@pytest.mark.parametrize("batch", [False, True], ids=["live", "batch"])
def test_no_call_is_paid_twice(
    prepared: tuple[Path, list[SessionPlan], list[Draft]], tmp_path: Path, batch: bool
) -> None:
    template, plans, clean = prepared
    home = tmp_path / "home"
    shutil.copytree(template, home)
    store = Store(home / "warehouse.duckdb")
    endpoint = MockEndpoint(
        Actor(plans, lambda: store.read(SessionPlan)),
        latency=0.0 if batch else 0.02,
        faults=Faults(share=0.3, seed=2, retry_after=0.05),
        polls=2,
    )
    gateway = {
        "backoff_seconds": 0.01,
        "attempts": 12,
        "timeout_seconds": 1.5,
        "batch": {"poll_seconds": 0.1, "linger_seconds": 0.3},
    }
    how = {"OPENAI_API_KEY": KEY, "WILDTOOL_GATEWAY": json.dumps(gateway)}
    rng = Random(7)
    with endpoint.serve() as base_url:
        command = ["draft", "--profile", "demo", "--sessions", SESSIONS, "--model", "mock", "--base-url", base_url]
        command += ["--in-flight", IN_FLIGHT, *(["--batch"] if batch else [])]
        cuts: list[tuple[int, int]] = []
        for _ in range(KILLS):
            process = _wildtool(*command, home=home, **how)
            asked = sum(endpoint.requests.values())
            goal = asked + rng.randrange(3, 25 if batch else 40)
            while sum(endpoint.requests.values()) < goal and process.poll() is None:
                time.sleep(0.002)
            before = len(endpoint.served)
            assert process.poll() is None, process.communicate()[1].decode()
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
            cuts.append((before - IN_FLIGHT, len(endpoint.served) + IN_FLIGHT))
        summary = _ran(*command, home=home, **how)
        served = list(endpoint.served)
        again = _ran(*command, home=home, **how)
        assert again["unchanged"] and endpoint.served == served

    drafts, rows = _held(store)
    # Sessions that failed may have been planned anew: then both plans are accounted for.
    every = store.read(SessionPlan)
    assert {plan.id for plan in plans} <= {plan.id for plan in every}
    assert {draft.plan.id for draft in drafts} | {row.source for row in rows} == {plan.id for plan in every}
    assert len(drafts) + len(rows) == len(every) == summary["steps"][0]["rows_in"]
    assert all(row.reason and row.raw for row in rows)
    untouched = {draft.plan.id: draft.session.tasks for draft in clean}
    same = [draft for draft in drafts if draft.session.tasks == untouched.get(draft.plan.id)]
    assert len(drafts) >= len(plans) / 2 and same

    if batch:
        assert not endpoint.paid_twice()
    else:
        assert sum(endpoint.paid_twice().values()) <= KILLS * IN_FLIGHT
    last: dict[str, int] = {}
    for place, digest in enumerate(served):
        # Paid again: then the answer before was under way at a kill. A connection has one request under way, so what
        # was answered before the last few had reached the client.
        assert digest not in last or any(start <= last[digest] < end for start, end in cuts), (last[digest], place)
        last[digest] = place

    assert endpoint.keys == {KEY}
    for path in home.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


def _held(store: Store) -> tuple[list[Draft], list[Quarantined]]:
    drafts = store.read(Draft)
    drafted = {draft.plan.id for draft in drafts}
    return drafts, [row for row in store.read(Quarantined, stage=Stage.DRAFT) if row.source not in drafted]

"""A home and a release made by wildtool 0.1.0 still open, verify, score as before, and can be extended.

``tests/data/home-0.1.0.tar.xz`` was made by 0.1.0's ``make demo`` on our own examples, with most quarantined rows left out
and three built-in candidates played besides.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import duckdb
import pytest

from tests.flows.conftest import Wildtool

CANDIDATES = ("gold", "null", "greedy", "sequential", "always-ask")


@pytest.fixture
def old_home(repository: Path, tmp_path: Path) -> Path:
    """A copy of the home of 0.1.0."""
    with tarfile.open(repository / "tests" / "data" / "home-0.1.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "home"


def test_status_and_release_verify_read_what_0_1_0_wrote(wildtool: Wildtool, old_home: Path) -> None:
    held = wildtool("status", "--json", "--home", old_home).json
    assert held["counts"]["Session"] == 16
    assert held["counts"]["Label"] == 41
    verified = wildtool("release", "verify", "0.1.0", "--json", "--home", old_home)
    assert verified.code == 0
    assert (verified.json["sessions"], verified.json["problems"]) == (16, [])
    assert not [gate for gate in verified.json["gates"] if gate["failures"]]


@pytest.mark.parametrize("rules", ["exact", "original"])
def test_trajectories_of_0_1_0_score_as_before(wildtool: Wildtool, old_home: Path, rules: str) -> None:
    with duckdb.connect(str(old_home / "warehouse.duckdb"), read_only=True) as connection:
        before = dict(
            connection.execute(
                "SELECT candidate, body::JSON FROM score_reports WHERE rules = ? ORDER BY seq", [rules]
            ).fetchall()
        )
    compared = 0
    for name in CANDIDATES:
        candidate = f"builtin:{name}"
        if candidate not in before:
            continue
        ran = wildtool(
            "evaluate",
            "score",
            "--release",
            "0.1.0",
            "--model",
            candidate,
            "--rules",
            rules,
            "--json",
            "--home",
            old_home,
        )
        old = json.loads(before[candidate])
        for figure in ("task_accuracy", "session_accuracy", "optimal_path_rate", "accomplish_progress_rate"):
            assert ran.json["score"][figure]["value"] == old[figure]["value"], (candidate, figure)
        assert ran.json["score"]["errors"] == old["errors"], candidate
        compared += 1
    assert compared >= 3


def test_a_release_of_0_1_0_can_be_followed_by_a_major_one(wildtool: Wildtool, old_home: Path) -> None:
    """Scoring rules have another number since: scores of the two releases are not comparable."""
    refused = wildtool("release", "freeze", "0.2.0", "--parent", "0.1.0", "--json", "--home", old_home)
    assert (refused.code, refused.json["remedy"]) == (2, "freeze it as 1.0.0 or later")
    ran = wildtool("release", "freeze", "1.0.0", "--parent", "0.1.0", "--json", "--home", old_home)
    assert ran.code == 0, ran.err
    assert wildtool("release", "verify", "1.0.0", "--home", old_home).code == 0

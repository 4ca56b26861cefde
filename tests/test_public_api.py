"""``import wildtool``: a small API, loaded lazily, each name documented."""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import sys
import typing

import pytest

import wildtool
from tests.fuzz.corpus import small_release

PROMISED = {
    "Session", "Store", "build_catalogue", "compare_runs", "draft_all", "freeze", "load_catalogue", "load_profile", "load_release",
    "mine", "plan_sessions", "sample", "score_session", "summarise", "verify_release", "write_report",
}  # fmt: skip

MODULES = "import json, sys, wildtool; dir(wildtool); print(json.dumps([name.split('.')[0] for name in sys.modules]))"


def test_importing_costs_nothing() -> None:
    ran = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, text=True, check=True)
    loaded = set(json.loads(ran.stdout))
    assert not {"duckdb", "pyarrow", "openai", "pydantic", "numpy", "prefect", "sklearn", "typer"} & loaded


def test_what_was_promised_is_there_and_no_name_stands_twice() -> None:
    assert set(wildtool.__all__) >= PROMISED
    assert len(wildtool.__all__) == len(set(wildtool.__all__))


@pytest.mark.parametrize("name", sorted(wildtool.__all__))
def test_every_name_resolves_and_is_documented(name: str) -> None:
    found = getattr(wildtool, name)
    assert found.__doc__ and not found.__doc__.startswith(f"{name}(")  # not what `dataclass` writes
    assert found.__module__.startswith("wildtool.")
    if not inspect.isfunction(found):
        return
    text = inspect.getdoc(found) or ""
    assert "Returns:" in text or "Returns " in text
    assert "Source: ``" in text
    parameters = list(inspect.signature(found).parameters)
    assert len(parameters) < 2 or all(one in text for one in parameters), "an argument is not described"
    assert typing.get_type_hints(found, vars(sys.modules[found.__module__]) | _types(found))["return"] is not None


@pytest.fixture(scope="module")
def small_session(tmp_path_factory: pytest.TempPathFactory) -> wildtool.Session:
    return wildtool.load_release(small_release(tmp_path_factory.mktemp("release") / "1.0.0")).sessions[0]


def test_it_works_where_a_loop_runs_already_as_in_a_notebook(small_session: wildtool.Session) -> None:
    async def cell() -> list[wildtool.Trajectory]:
        attempt = wildtool.Attempt(release="1.0.0", release_digest="d", candidate="builtin:gold")
        return wildtool.play([small_session], wildtool.builtin("builtin:gold"), wildtool.referee_for, attempt)

    (trajectory,) = asyncio.run(cell())
    assert all(score.correct for score in wildtool.score_session(small_session, trajectory))


def _types(function: typing.Any) -> dict[str, typing.Any]:
    """Names that a module imports for type checkers only."""
    import wildtool.agents
    import wildtool.evaluation
    import wildtool.warehouse

    return {
        name: getattr(room, name)
        for room in (wildtool.agents, wildtool.evaluation, wildtool.warehouse)
        for name in room.__all__
        if name
        in ("DraftChecks", "DraftResult", "FreezeRequest", "GatewaySettings", "Referee", "ReleaseRules", "VerifyResult")
    }

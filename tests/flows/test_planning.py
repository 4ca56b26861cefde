"""Many sessions are planned in rounds: quotas hold over all of them, and a killed run goes on to the same plans."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.agents.planning import seeds
from wildtool.agents import load_profile
from wildtool.api_catalog import build_catalogue, save_catalogue
from wildtool.flows.run import Run, open_run
from wildtool.flows.settings import load_settings
from wildtool.flows.stages import planning
from wildtool.schemas.plan import Profile, SessionPlan
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse import Store


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("catalogue")
    result = build_catalogue(["core"], cache=folder / "sources")
    save_catalogue(result, folder)
    from wildtool.api_catalog import load_catalogue

    return load_catalogue(folder)


@pytest.fixture
def small_rounds(monkeypatch: pytest.MonkeyPatch, catalogue: Any) -> Profile:
    monkeypatch.setattr(planning, "PLANNED_AT_ONCE", 4)
    monkeypatch.setattr(planning, "_catalogue", lambda run: catalogue)
    profile = load_profile("default")
    return profile.model_copy(update={"sessions": {Language.EN: 10, Language.ZH: 3}})


def prepared(folder: Path) -> tuple[Run, Store]:
    run = open_run(load_settings(home=folder))
    store = run.store()
    store.put(seeds())
    return run, store


def test_rounds_make_as_many_as_the_profile_wants(small_rounds: Profile, tmp_path: Path) -> None:
    run, store = prepared(tmp_path)
    plans = planning.planned(run, store, small_rounds)
    assert Counter(plan.language for plan in plans) == small_rounds.sessions
    assert sorted(plan.index for plan in plans if plan.language is Language.EN) == list(range(10))
    assert Counter(task.type for plan in plans for task in plan.tasks if plan.language is Language.EN) == dict.fromkeys(
        ("single", "multi", "clarify", "chat"), 10
    )
    assert {plan.id for plan in planning.planned(run, store, small_rounds)} == {plan.id for plan in plans}


def test_a_run_killed_between_rounds_goes_on_to_the_same_plans(
    small_rounds: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {plan.id for plan in planning.planned(*prepared(tmp_path / "whole"), small_rounds)}
    run, store = prepared(tmp_path / "killed")
    keep, kept = Store.put, []

    def put(self: Store, records: Any) -> int:
        if kept:
            raise KeyboardInterrupt
        kept.append(records)
        return keep(self, records)

    monkeypatch.setattr(Store, "put", put)
    with pytest.raises(KeyboardInterrupt):
        planning.planned(run, store, small_rounds)
    monkeypatch.setattr(Store, "put", keep)
    assert 0 < len(store.ids(SessionPlan)) < len(whole)
    assert {plan.id for plan in planning.planned(run, store, small_rounds)} == whole

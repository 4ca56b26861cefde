"""Functions for notebooks: rooms joined, with the default rules or others."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.agents.planning import choose, seeds
from tests.warehouse.conftest import accepted, make_session
from wildtool.agents import load_profile, plan_sessions
from wildtool.agents.drafting.checks import NoChecks
from wildtool.evaluation import RULES_VERSION
from wildtool.flows.library import draft_all, freeze, verify_release
from wildtool.flows.rules import draft_rules, release_rules
from wildtool.flows.versions import code_version
from wildtool.schemas.errors import GateError
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse import FreezeRequest, NoRules


@cache
def plans() -> tuple[SessionPlan, ...]:
    profile = load_profile("demo").model_copy(update={"sessions": {Language.EN: 1, Language.ZH: 1}})
    return tuple(plan_sessions(profile, seeds(), choose, seed=7))


def test_drafts_are_judged_by_the_default_rules_or_by_others() -> None:
    judged = draft_all(plans(), cache=None, offline=True)
    assert len(judged.drafts) == 2 and set(draft_rules().ids) <= set(judged.tallies[0].checks)
    others = draft_all(plans(), cache=None, offline=True, checks=NoChecks())
    assert len(others.drafts) == 2 and not set(draft_rules().ids) & set(others.tallies[0].checks)


def broken() -> Session:
    session = make_session(1)
    call = session.tasks[0].actions[0].model_copy(update={"arguments": {"city": 7}})
    task = session.tasks[0].model_copy(update={"actions": (call, *session.tasks[0].actions[1:])})
    return session.model_copy(update={"tasks": (task, *session.tasks[1:])})


def test_a_release_is_frozen_and_verified_by_the_default_rules(tmp_path: Path) -> None:
    sessions = [make_session(number) for number in range(3)]
    manifest = freeze(FreezeRequest(sessions, "1.0.0", tmp_path / "r", labels=accepted(sessions)))
    assert (manifest.code_version, manifest.rules_version) == (code_version(), RULES_VERSION)
    assert [gate.gate for gate in manifest.gates] == [rule.id for rule in release_rules().rules]
    assert manifest.gates[-1].gate == "gold"
    assert verify_release(tmp_path / "r").ok


def test_other_rules_may_be_passed_in(tmp_path: Path) -> None:
    request = FreezeRequest([broken()], "1.0.0", tmp_path / "r", labels=accepted([broken()]))
    with pytest.raises(GateError, match="arguments"):
        freeze(request)
    assert freeze(request, rules=NoRules()).gates == ()
    assert not verify_release(tmp_path / "r").ok
    assert verify_release(tmp_path / "r", rules=NoRules()).ok

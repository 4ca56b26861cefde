"""Drafting offline, end to end: plans in, drafts and quarantine out."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from tests.agents.planning import choose, seeds
from wildtool.agents.drafting.drafts import DraftResult
from wildtool.agents.drafting.pass_counts import prompt_version
from wildtool.agents.gateway.faults import Fault, Faults
from wildtool.agents.gateway.gateway import GatewaySettings
from wildtool.agents.planning.plan import plan_sessions
from wildtool.agents.profiles import load_profile
from wildtool.agents.prompts import prompt_hashes
from wildtool.agents.simulator.drafter import SIMULATOR
from wildtool.flows.library import draft_all
from wildtool.flows.rules import draft_rules, release_rules
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import Language, TaskType

QUICK = GatewaySettings(backoff_seconds=0.0, breaker_pause_seconds=0.0, breaker_trips=10_000)
"""Retries without pauses, and a breaker that lets an endpoint fail on."""


@cache
def plans() -> tuple[SessionPlan, ...]:
    profile = load_profile("demo").model_copy(update={"sessions": {Language.EN: 4, Language.ZH: 4}})
    return tuple(plan_sessions(profile, seeds(), choose, seed=11, drafter=SIMULATOR))


@cache
def result() -> DraftResult:
    return draft_all(plans(), cache=None, offline=True)


def test_every_plan_becomes_a_draft_that_no_rule_doubts() -> None:
    assert [draft.plan.id for draft in result().drafts] == [plan.id for plan in plans()]
    assert not result().quarantined and not result().left
    for draft in result().drafts:
        assert draft.offline and draft.session.provenance.offline
        assert len(draft.session.tasks) == len(draft.plan.tasks)
        assert [task.type for task in draft.session.tasks] == [task.type for task in draft.plan.tasks]
        assert not [v for v in draft.verdicts if v.by == "rule"]


def test_drafts_pass_the_gates_of_a_release() -> None:
    for outcome in release_rules()([draft.session for draft in result().drafts]):
        # Whether people judged a session is not for a draft.
        assert outcome.gate == "judged" or not (outcome.failures or outcome.doubts), outcome


def test_same_plans_same_bytes() -> None:
    again = draft_all(plans(), cache=None, offline=True)
    assert [d.model_dump_json() for d in again.drafts] == [d.model_dump_json() for d in result().drafts]


def test_values_are_traced_and_dependencies_follow() -> None:
    calls = [a for d in result().drafts for t in d.session.tasks for a in t.actions if a.kind == "call"]
    assert calls
    for call in calls:
        assert {source.argument for source in call.trace} == set(call.arguments)
        assert "unknown" not in {source.kind for source in call.trace}


def test_a_clarify_task_asks_first() -> None:
    tasks = [t for d in result().drafts for t in d.session.tasks if t.type is TaskType.CLARIFY]
    assert tasks
    for task in tasks:
        ask, call = task.actions[0], task.actions[1]
        assert ask.kind == "ask" and ask.question and ask.reply
        assert call.kind == "call" and set(ask.slots) <= set(call.arguments) and 0 in call.depends_on


def test_a_repeat_is_served_from_the_cache(tmp_path: Path) -> None:
    cache_file = tmp_path / "responses.sqlite"
    first = draft_all(plans()[:2], cache=cache_file, offline=True)
    second = draft_all(plans()[:2], cache=cache_file, offline=True)
    assert first.figures["cached"] == 0
    assert second.figures["cached"] == second.figures["calls"] == first.figures["calls"]
    assert [d.session for d in second.drafts] == [d.session for d in first.drafts]


def test_injected_faults_end_as_drafts_or_in_quarantine() -> None:
    faults = Faults(share=0.3, seed=5, times=None, retry_after=0.0)
    found = draft_all(plans(), QUICK, cache=None, offline=True, faults=faults)
    assert len(found.drafts) + len(found.quarantined) == len(plans()) and not found.left
    assert set(faults.counts) == set(Fault)
    drafted = {draft.plan.id for draft in found.drafts}
    assert drafted | {row.source for row in found.quarantined} == {plan.id for plan in plans()}
    clean = {draft.plan.id: draft.session.tasks for draft in result().drafts}
    untouched = [d for d in found.drafts if d.repairs == 0]
    assert untouched and all(d.session.tasks == clean[d.plan.id] for d in untouched)


def test_a_dead_endpoint_is_an_error_of_the_model() -> None:
    faults = Faults(share=1.0, kinds=(Fault.SERVER_ERROR,), times=None)
    found = draft_all(plans()[:2], QUICK, cache=None, offline=True, faults=faults)
    assert not found.drafts
    for row, plan in zip(found.quarantined, plans()[:2], strict=True):
        assert isinstance(row, Quarantined)
        assert (row.source, row.reason) == (plan.id, "model_error")
        assert json.loads(row.raw)["plan"] == plan.id
    assert found.figures["quarantined.model_error"] == 2


def test_every_check_is_tallied_on_every_try() -> None:
    tallies = {tally.plan: tally for tally in result().tallies}
    assert set(tallies) == {plan.id for plan in plans()}
    for draft in result().drafts:
        tally = tallies[draft.plan.id]
        tries = len(draft.session.tasks) + draft.repairs
        assert tally.drafted and tally.repairs == draft.repairs
        assert tally.checks["usable"].tries == tries
        assert set(draft_rules().ids) <= set(tally.checks)
        assert tally.checks["arguments"].passed == tally.checks["arguments"].tries <= tries
        assert tally.checks["review"].tries == len(draft.session.tasks)
        assert "environment.json" not in tally.checks  # the world answers every call


def test_repairs_show_in_the_tallies() -> None:
    faults = Faults(share=0.3, kinds=(Fault.REFUSAL, Fault.INVALID_TOOL), seed=5, times=2)
    found = draft_all(plans(), QUICK, cache=None, offline=True, faults=faults)
    assert len(found.tallies) == len(plans())
    drafted = {draft.plan.id: draft.repairs for draft in found.drafts}
    assert {tally.plan: tally.repairs for tally in found.tallies if tally.drafted} == drafted
    usable = [tally.checks["usable"] for tally in found.tallies]
    tries, passed = sum(count.tries for count in usable), sum(count.passed for count in usable)
    firsts, right = sum(count.first_tries for count in usable), sum(count.first_passed for count in usable)
    assert right < firsts and passed < tries
    assert tries - firsts == sum(tally.repairs for tally in found.tallies)


def test_another_prompt_is_another_version() -> None:
    hashes = prompt_hashes(Language.EN)
    assert prompt_version(hashes) == prompt_version(dict(reversed(hashes.items())))
    assert prompt_version(hashes) != prompt_version({**hashes, "en/user": "0"})
    assert {tally.prompts for tally in result().tallies if tally.language is Language.EN} == {prompt_version(hashes)}

"""The gold of a session with a world is what the world answers."""

from __future__ import annotations

from functools import cache

from tests.agents.planning import choose, seeds
from wildtool.agents import SIMULATOR, GatewaySettings, load_profile, plan_sessions
from wildtool.flows.library import draft_all
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.draft import Draft
from wildtool.schemas.session import Call, Session
from wildtool.validation.plan import arguments_planned
from wildtool.validation.replay import gold_replays
from wildtool.validation.rule import Subject
from wildtool.worlds.replay import freeze_world


@cache
def drafts() -> tuple[Draft, ...]:
    plans = plan_sessions(load_profile("demo"), seeds(), choose, seed=11, drafter=SIMULATOR)[:4]
    found = draft_all(plans, GatewaySettings(), cache=None, offline=True)
    assert found.drafts
    return tuple(found.drafts)


def context(draft: Draft) -> ReleaseContext:
    assert draft.plan.world is not None
    return ReleaseContext(worlds={draft.session.id: freeze_world(draft.plan.world, draft.session)})


def changed(session: Session, **update: object) -> Session:
    """The session with its first call changed."""
    tasks = list(session.tasks)
    for number, task in enumerate(tasks):
        for place, action in enumerate(task.actions):
            if isinstance(action, Call):
                actions = list(task.actions)
                actions[place] = action.model_copy(update=update)
                tasks[number] = task.model_copy(update={"actions": tuple(actions)})
                return session.model_copy(update={"tasks": tuple(tasks)})
    raise AssertionError("no call")


def test_gold_replays() -> None:
    for draft in drafts():
        assert gold_replays.run(Subject((draft.session,), context(draft))) == ()


def test_a_session_without_a_world_is_let_be() -> None:
    wrong = changed(drafts()[0].session, observation={"made": "up"})
    assert gold_replays.run(Subject((wrong,), ReleaseContext())) == ()


def test_another_result_refuses() -> None:
    draft = drafts()[0]
    wrong = changed(draft.session, observation={"made": "up"})
    (one,) = gold_replays.run(Subject((wrong,), context(draft)))
    assert one.certainty == 1.0 and "the gold holds" in one.reason and gold_replays.may_block


def test_arguments_are_those_of_the_plan() -> None:
    for draft in drafts():
        assert arguments_planned.run(Subject((draft.session,), draft=draft)) == ()


def test_an_argument_that_nobody_planned_refuses() -> None:
    draft = drafts()[0]
    first = next(a for task in draft.session.tasks for a in task.actions if isinstance(a, Call))
    more = changed(draft.session, arguments={**first.arguments, "extra": "quite another thing"})
    found = arguments_planned.run(Subject((more,), draft=draft.model_copy(update={"session": more})))
    assert [one.certainty for one in found] == [1.0] and "nobody planned" in found[0].reason


def test_an_argument_that_is_left_out_refuses() -> None:
    draft = drafts()[0]
    fewer = changed(draft.session, arguments={})
    found = arguments_planned.run(Subject((fewer,), draft=draft.model_copy(update={"session": fewer})))
    assert found and all(one.certainty == 1.0 and "left out" in one.reason for one in found)


def test_gold_replays_from_what_the_store_gives_back() -> None:
    for draft in drafts():
        kept = Draft.model_validate_json(draft.to_json())
        assert kept.plan.world == draft.plan.world
        assert gold_replays.run(Subject((kept.session,), context(kept))) == ()

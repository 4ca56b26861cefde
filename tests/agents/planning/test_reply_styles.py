"""Questions back: answered fully, partly or in doubt, in planned shares, and judged for it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from tests.agents.planning import choose, seeds
from wildtool.agents.drafting.drafts import DraftResult
from wildtool.agents.planning.plan import plan_sessions
from wildtool.agents.planning.reply_styles import like, missing_arguments, same_as_before, with_manners
from wildtool.agents.profiles import load_profile
from wildtool.agents.simulator.drafter import SIMULATOR
from wildtool.flows.library import draft_all
from wildtool.flows.rules import draft_rules
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.session import Ask
from wildtool.schemas.vocabulary import HiddenIntentKind, Language, ReplyManner, TaskType

PROFILE = load_profile("demo").model_copy(
    update={
        "sessions": {Language.EN: 10, Language.ZH: 10},
        "types": {TaskType.CLARIFY: 3, TaskType.SINGLE: 1},
        "hidden_intents": {HiddenIntentKind.PARTIAL_INFORMATION: 1},
        "type_sequences": "sampled",
    }
)


@cache
def plans() -> tuple[SessionPlan, ...]:
    return tuple(plan_sessions(PROFILE, seeds(), choose, seed=3, drafter=SIMULATOR))


@cache
def result() -> DraftResult:
    return draft_all(plans(), cache=None, offline=True)


def _replies(made: tuple[SessionPlan, ...] | list[SessionPlan]) -> Counter[ReplyManner | None]:
    return Counter(task.reply for plan in made for task in plan.tasks if task.type is TaskType.CLARIFY)


def test_every_question_has_a_manner_in_the_planned_shares() -> None:
    for language in Language:
        own = [plan for plan in plans() if plan.language is language]
        counts = _replies(own)
        total = sum(counts.values())
        assert set(counts) == set(ReplyManner)
        assert counts[ReplyManner.VAGUE] == pytest.approx(total * 0.2, abs=1)
    assert all(task.reply is None for plan in plans() for task in plan.tasks if task.type is not TaskType.CLARIFY)
    shares = {ReplyManner.FULL: 0, ReplyManner.VAGUE: 1, ReplyManner.PARTLY: 0}
    vague = with_manners(list(plans()), PROFILE.model_copy(update={"replies": shares}), Random(0))
    # What is planned to be left to the dialogue stays so.
    assert _replies(vague)[ReplyManner.FULL] == 0 and _replies(vague)[ReplyManner.VAGUE] > 0
    assert like(plans()[0], plans()[0]).tasks == plans()[0].tasks


def test_half_an_answer_is_enough_and_no_check_minds() -> None:
    assert not result().quarantined
    seen: Counter[ReplyManner] = Counter()
    for draft in result().drafts:
        assert not [v for v in draft_rules()(draft) if v.check in ("asks", "slots", "shape")]
        for task, blueprint in zip(draft.session.tasks, draft.plan.tasks, strict=True):
            asks = [action for action in task.actions if isinstance(action, Ask)]
            if not asks:
                continue
            assert len(asks) == 1 and blueprint.reply is not None
            seen[blueprint.reply] += 1
            for argument in missing_arguments(blueprint):
                words = argument.words or str(argument.value)
                if argument.value is None:
                    continue
                assert words.casefold() not in task.user.casefold() or len(words) < 4
                said = words.casefold() in asks[0].reply.casefold()
                assert said != same_as_before(argument) or len(words) < 4
    assert set(seen) == set(ReplyManner)


def test_a_reply_that_gives_nothing_is_doubted() -> None:
    draft = next(d for d in result().drafts if any(isinstance(a, Ask) for t in d.session.tasks for a in t.actions))
    number, task = next((n, t) for n, t in enumerate(draft.session.tasks) if isinstance(t.actions[0], Ask))
    ask = task.actions[0].model_copy(update={"reply": "Hm." if draft.session.language is Language.EN else "嗯。"})
    tasks = list(draft.session.tasks)
    tasks[number] = task.model_copy(update={"actions": (ask, *task.actions[1:])})
    worse = draft.model_copy(update={"session": draft.session.model_copy(update={"tasks": tuple(tasks)})})
    assert [v for v in draft_rules()(worse) if v.check in ("grounding", "slots") and v.task == number]

"""Plans: exact quotas, values that can be had, leanings that are real, the same seed the same plans."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest

from tests.agents.planning import choose, seeds
from wildtool.agents.planning.plan import plan_again, plan_sessions, standing
from wildtool.agents.planning.quotas import Cell, deal
from wildtool.agents.profiles import load_profile
from wildtool.grounding.distance import distance, planned_turns
from wildtool.grounding.topology import topology_of
from wildtool.schemas.errors import StageError
from wildtool.schemas.json_schema import fits, properties, required
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.session import HiddenIntent
from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import HiddenIntentKind, Language, TaskType, Topology


@pytest.fixture(scope="module")
def plans() -> list[SessionPlan]:
    return plan_sessions(load_profile("demo"), seeds(), choose, seed=11)


def test_the_demo_has_eight_sessions_of_four_tasks_in_each_language(plans: list[SessionPlan]) -> None:
    assert Counter(plan.language for plan in plans) == {Language.EN: 8, Language.ZH: 8}
    assert {len(plan.tasks) for plan in plans} == {4}
    for language in Language:
        tasks = [task for plan in plans if plan.language is language for task in plan.tasks]
        assert Counter(task.type for task in tasks) == dict.fromkeys(TaskType, 8)
        topologies = Counter(task.topology for task in tasks if task.topology)
        assert topologies == {Topology.PARALLEL: 4, Topology.MIXED: 2, Topology.SEQUENTIAL: 2}


def test_the_same_seed_gives_the_same_bytes(plans: list[SessionPlan]) -> None:
    again = plan_sessions(load_profile("demo"), seeds(), choose, seed=11)
    assert [plan.to_json() for plan in again] == [plan.to_json() for plan in plans]
    other = plan_sessions(load_profile("demo"), seeds(), choose, seed=12)
    assert {plan.id for plan in other}.isdisjoint(plan.id for plan in plans)


def test_every_call_can_be_made(plans: list[SessionPlan]) -> None:
    for plan in plans:
        tools = {tool.name: tool for tool in plan.tool_list.tools}
        for task in plan.tasks:
            for index, call in enumerate(task.calls):
                tool = tools[call.tool]
                given = {argument.parameter for argument in call.arguments}
                assert set(required(tool)) <= given <= set(properties(tool))
                for argument in call.arguments:
                    if argument.value is not None:
                        assert fits(argument.value, properties(tool)[argument.parameter]), argument
                    else:
                        assert argument.path is not None and argument.action is not None, argument
                on = {a.action for a in call.arguments if a.source == "observation"}
                assert on == set(call.depends_on)
                assert all(on < index for on in call.depends_on)


def test_values_nobody_could_say_come_from_results(plans: list[SessionPlan]) -> None:
    for plan in plans:
        bound = {(link.consumer, link.parameter) for link in plan.tool_list.links if link.required}
        for task in plan.tasks:
            for call in task.calls:
                for argument in call.arguments:
                    if (call.tool, argument.parameter) in bound:
                        assert argument.path is not None, (call.tool, argument)


def test_shapes_are_the_planned_ones(plans: list[SessionPlan]) -> None:
    for plan in plans:
        for task in plan.tasks:
            match task.type:
                case TaskType.CHAT:
                    assert not task.calls and task.mentions
                case TaskType.SINGLE | TaskType.CLARIFY:
                    assert len(task.calls) == 1
                case TaskType.MULTI:
                    assert len(task.calls) >= 2
                    assert topology_of([call.depends_on for call in task.calls]) is task.topology
            assert bool(task.missing) == (task.type is TaskType.CLARIFY)
            for slot in task.missing:
                argument = next(a for a in task.calls[0].arguments if a.parameter == slot)
                assert argument.source == "missing"


def test_leanings_point_at_what_was_said_or_shown_at_their_distance(plans: list[SessionPlan]) -> None:
    for plan in plans:
        types = [task.type for task in plan.tasks]
        for number, task in enumerate(plan.tasks):
            hidden = task.hidden_intent
            if number == 0:
                assert hidden is None
                continue
            assert hidden is not None and hidden.device is not None and hidden.said_in < number
            assert hidden.distance == distance(planned_turns(types), number, hidden.said_in)
            assert (hidden.distance > 2) == (hidden.kind is HiddenIntentKind.LONG_RANGE)
            arguments = [*(a for call in task.calls for a in call.arguments), *task.mentions]
            piece = next(a for a in arguments if a.parameter == hidden.piece and a.source in ("earlier", "missing"))
            source = plan.tasks[hidden.said_in]
            if piece.path is None:
                held = [*(a for call in source.calls for a in call.arguments), *source.mentions]
                assert piece.value in [a.value for a in held]
            else:
                assert piece.task is not None and piece.task <= hidden.said_in
                assert piece.action is not None and plan.tasks[piece.task].calls[piece.action]


def test_no_rival_value_stands_beside_one_that_is_left_unsaid(plans: list[SessionPlan]) -> None:
    for plan in plans:
        for task in plan.tasks:
            hidden = task.hidden_intent
            if hidden is None or task.type is not TaskType.MULTI:
                continue
            said = [
                a.parameter
                for call in task.calls
                if not call.depends_on
                for a in call.arguments
                if a.source in ("user", "clock")
            ]
            assert hidden.piece not in said


def test_no_question_is_asked_twice(plans: list[SessionPlan]) -> None:
    for plan in plans:
        known = [
            (call.tool, tuple((a.parameter, str(a.value)) for a in call.arguments))
            for task in plan.tasks
            for call in task.calls
            if all(a.value is not None for a in call.arguments)
        ]
        assert len(known) == len(set(known))


def test_what_is_there_counts(plans: list[SessionPlan]) -> None:
    profile = load_profile("demo")
    there = plans[:5]
    rest = plan_sessions(profile, seeds(), choose, seed=4, existing=there)
    assert len(rest) == 11
    english = [plan for plan in (*there, *rest) if plan.language is Language.EN]
    assert sorted(plan.index for plan in english) == list(range(8))
    assert Counter(task.type for plan in english for task in plan.tasks) == dict.fromkeys(TaskType, 8)
    assert plan_sessions(profile, seeds(), choose, seed=4, existing=plans) == []


class _Task(NamedTuple):
    type: TaskType
    topology: Topology | None
    hidden_intent: HiddenIntent | None


class _Counted:
    """As much of a session as quotas count."""

    def __init__(self, language: Language, row: list[Cell]) -> None:
        self.language = language
        self.tasks = [
            _Task(c.type, c.topology, c.hidden and HiddenIntent(kind=c.hidden, piece="x", said_in=0)) for c in row
        ]


def test_whole_sequences_come_back_only_where_they_are_missing() -> None:
    profile = load_profile("wildtoolbench-1.0")
    small = profile.model_copy(update={"sessions": {Language.EN: 256}})
    everything = deal(small, Language.EN, (), Random(2))
    there = [_Counted(Language.EN, row) for row in everything[:200]]
    left = deal(small, Language.EN, there, Random(3))
    assert len(left) == 56
    assert len({tuple(cell.type for cell in row) for row in (*everything[:200], *left)}) == 256


def test_a_list_that_carries_nothing_is_passed_over() -> None:
    barren = ToolList.of(
        slug="barren",
        title="Barren",
        description="Nothing a person could say.",
        language=Language.EN,
        category="Internet & Developer Tools",
        subcategory="utilities and documents",
        source="test",
        licence="Apache-2.0",
        version="1",
        tools=(
            Tool(
                name="sendBlob",
                description="Sends a blob.",
                parameters={
                    "type": "object",
                    "properties": {"blob": {"type": "object"}},
                    "required": ["blob"],
                },
            ),
        ),
    )
    asked: list[str] = []

    def barren_first(seed: SeedScenario, language: Language, rng: Random) -> ToolList:
        asked.append(seed.id)
        return barren if len(asked) % 2 else choose(seed, language, rng)

    profile = load_profile("demo").model_copy(update={"sessions": {Language.EN: 4}})
    found = plan_sessions(profile, seeds(), barren_first, seed=1)
    assert len(found) == 4 and all(plan.tool_list.slug != "barren" for plan in found)
    with pytest.raises(StageError, match="tool lists carries session"):
        plan_sessions(profile, seeds(), lambda *_: barren, seed=1)


def test_without_a_seed_scenario_nothing_is_planned() -> None:
    with pytest.raises(StageError, match="no seed scenario"):
        plan_sessions(load_profile("demo"), (), choose, seed=1)


def test_failed_sessions_are_planned_anew_in_their_place(plans: list[SessionPlan]) -> None:
    failed = [plans[0], plans[9]]
    new = plan_again(load_profile("demo"), failed, seeds(), choose, seed=11)
    assert new == plan_again(load_profile("demo"), failed, seeds(), choose, seed=11)
    for old, other in zip(failed, new, strict=True):
        assert other.id != old.id
        assert (other.index, other.language) == (old.index, old.language)
        assert other.parameters["instead_of"] == old.id
        for one, two in zip(old.tasks, other.tasks, strict=True):
            assert (one.type, one.topology) == (two.type, two.topology)
            assert (one.hidden_intent and one.hidden_intent.kind) == (two.hidden_intent and two.hidden_intent.kind)
    counted = standing([*plans, *new])
    assert len(counted) == len(plans)
    assert not {plan.id for plan in failed} & {plan.id for plan in counted}
    assert plan_sessions(load_profile("demo"), seeds(), choose, seed=3, existing=counted) == []
    again = plan_again(load_profile("demo"), new[:1], seeds(), choose, seed=11)
    assert len(standing([*plans, *new, *again])) == len(plans)


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_faults_are_planned_in_their_share_where_nothing_rests_on_them(share: float) -> None:
    profile = load_profile("demo").model_copy(update={"fault_share": share})
    plans = plan_sessions(profile, seeds(), choose, seed=11)
    for language in Language:
        calls = [c for plan in plans if plan.language is language for t in plan.tasks for c in t.calls]
        assert sum(call.fault != "none" for call in calls) == round(share * len(calls))
    for plan in plans:
        for number, task in enumerate(plan.tasks):
            for argument in (a for call in task.calls for a in call.arguments if a.path is not None):
                where = number if argument.task is None else argument.task
                assert argument.action is not None
                assert plan.tasks[where].calls[argument.action].fault == "none"

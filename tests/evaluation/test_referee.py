"""The referee plays the user and the tools, and says where a candidate leaves the path."""

from __future__ import annotations

import pytest

from wildtool.evaluation.referee import NO_RESULT, Referee
from wildtool.schemas.session import Answer, Ask, Call, Task
from wildtool.schemas.trajectory import CandidateCall, CandidateStep
from wildtool.schemas.vocabulary import ErrorKind, Language, RuleSet, TaskType, Topology

from .conftest import CHAT, CLARIFY, MIXED, RIGHT, SINGLE, TOOLS, call, say, step

NOW = "2024-07-12T09:30:00+00:00"


def referee(task: Task, rules: RuleSet = RuleSet.EXACT) -> Referee:
    return Referee(task, TOOLS, now=NOW, language=Language.EN, rules=rules)


def play(task: Task, *steps: CandidateStep, rules: RuleSet = RuleSet.EXACT):
    watched = referee(task, rules)
    outcome = None
    for one in steps:
        outcome = watched.step(one)
    assert outcome is not None
    return outcome


def test_each_observation_reaches_the_call_it_belongs_to():
    watched = referee(MIXED)
    assert watched.next_names() == ("getAir", "searchShows")
    outcome = watched.step(RIGHT[0][0])
    assert outcome.matched and not outcome.over and outcome.error is None
    assert outcome.observations == {"a": [{"id": "s7"}], "b": {"aqi": 41}}
    assert watched.next_names() == ("getShow",)


def test_calls_of_one_name_get_their_own_observations():
    cities = ("Rome", "Oslo", "Bern")
    task = Task(
        user="Air in three cities?",
        type=TaskType.MULTI,
        topology=Topology.PARALLEL,
        actions=(
            *(Call(name="getAir", arguments={"city": city}, observation=city.upper()) for city in cities),
            Answer(text="…", depends_on=(0, 1, 2)),
        ),
    )
    watched = referee(task)
    first = watched.step(step(call("getAir", "x", city="Bern"), call("getAir", "y", city="Rome")))
    assert first.observations == {"x": "BERN", "y": "ROME"}
    assert watched.step(step(call("getAir", "z", city="Oslo"))).observations == {"z": "OSLO"}
    assert watched.step(say("Done.")).over


def test_a_call_with_other_arguments_learns_nothing():
    outcome = play(SINGLE, step(call("getAir", "x", city="Rome")))
    assert outcome.matched and outcome.error is ErrorKind.VALUE_ERROR
    assert outcome.observations == {"x": NO_RESULT}
    assert outcome.arguments[0].path == "getAir.city"


def test_an_ask_is_performed_as_text_and_the_user_replies():
    watched = referee(CLARIFY)
    asked = watched.step(say("Which show would you like?"))
    assert asked.matched and not asked.over and asked.reply == "The first."
    assert watched.step(step(call("bookShow", id="s7", seats=1))).error is None
    assert watched.step(say("Done.")).over and watched.answered and not watched.errors


def test_a_text_that_does_not_ask_gets_the_reply_but_is_an_error():
    outcome = play(CLARIFY, say("How many seats?"))
    assert outcome.matched and outcome.reply and outcome.error is ErrorKind.WRONG_REFUSAL
    assert play(CLARIFY, say("All done.")).error is ErrorKind.REFUSAL


@pytest.mark.parametrize(
    ("task", "steps", "kind"),
    [
        (SINGLE, (say("I cannot do that."),), ErrorKind.REFUSAL),
        (SINGLE, (say("Which city do you mean?"),), ErrorKind.WRONG_REFUSAL),
        (SINGLE, (say(""),), ErrorKind.REFUSAL),
        (SINGLE, (step(call("getShow", id="s7")),), ErrorKind.WRONG_NAME),
        (SINGLE, (step(call("teleport", to="Nice")),), ErrorKind.CALL_ERROR),
        (SINGLE, (step(call("getAir", city="Nice")), step(call("getAir", city="Nice"))), ErrorKind.REDUNDANT_CALL),
        (SINGLE, (step(call("getAir", city="Nice"), call("getAir", city="Nice")),), ErrorKind.REDUNDANT_CALL),
        (CHAT, (step(call("getAir", city="Nice")),), ErrorKind.REDUNDANT_CALL),
        (CLARIFY, (step(call("bookShow", id="s1")),), ErrorKind.MISSING_INFORMATION),
        (MIXED, (RIGHT[0][0], say("The air is fine.")), ErrorKind.EARLY_TERMINATION),
        (MIXED, (step(call("getShow", id="s7")),), ErrorKind.WRONG_NAME),
    ],
)
def test_a_step_off_the_path_ends_the_task_with_its_cause(task, steps, kind):
    outcome = play(task, *steps)
    assert (outcome.matched, outcome.over, outcome.error) == (False, True, kind)
    assert outcome.reason


def test_arguments_that_are_no_object_are_a_call_error():
    broken = CandidateCall(id="x", name="getAir", arguments=None, raw_arguments='{"city": ')
    assert play(SINGLE, step(broken)).error is ErrorKind.CALL_ERROR


def test_nothing_follows_the_end():
    watched = referee(CHAT)
    assert watched.step(say("Bye.")).over
    with pytest.raises(RuntimeError):
        watched.step(say("Bye."))


def test_another_right_set_of_actions_is_right():
    task = SINGLE.model_copy(
        update={
            "alternatives": (
                (
                    Call(name="searchShows", arguments={"city": "Nice"}, observation=[]),
                    Answer(text="…", depends_on=(0,)),
                ),
            )
        }
    )
    watched = referee(task)
    assert watched.step(step(call("searchShows", "x", city="Nice"))).observations == {"x": []}
    assert watched.step(say("Nothing on.")).over and not watched.errors


def test_a_later_step_can_show_that_an_earlier_call_was_another_one():
    """getAir(Rome) seems right until the step that only follows getAir(Oslo) comes next."""
    task = Task(
        user="…",
        type=TaskType.MULTI,
        topology=Topology.MIXED,
        actions=(
            Call(name="getAir", arguments={"city": "Rome"}, observation=1),
            Call(name="getAir", arguments={"city": "Oslo"}, observation=2),
            Call(name="getShow", arguments={"id": "s1"}, observation=3, depends_on=(1,)),
            Answer(text="…", depends_on=(0, 2)),
        ),
    )
    watched = referee(task)
    assert watched.step(step(call("getAir", city="Rome"))).error is None
    assert watched.step(step(call("getShow", id="s1"))).error is ErrorKind.VALUE_ERROR
    assert watched.step(step(call("getAir", city="Rome"))).matched
    assert watched.step(say("Done.")).over and watched.errors


def test_what_one_set_of_actions_forgives_another_does_not():
    """Right so far by gold, then on a path that only the alternative has, where the first call was wrong."""
    other = (
        Call(name="getAir", arguments={"city": "Oslo"}, observation=1),
        Call(name="getShow", arguments={"id": "s1"}, observation=2, depends_on=(0,)),
        Answer(text="…", depends_on=(1,)),
    )
    watched = referee(SINGLE.model_copy(update={"alternatives": (other,)}))
    assert watched.step(step(call("getAir", city="Nice"))).error is None
    assert watched.step(step(call("getShow", id="s1"))).error is ErrorKind.VALUE_ERROR
    assert watched.step(say("Done.")).over and watched.errors


def test_ending_on_a_set_of_actions_that_the_calls_are_wrong_for_is_wrong():
    other = (Call(name="getAir", arguments={"city": "Oslo"}, observation=1), Answer(text="…", depends_on=(0,)))
    longer = (
        Call(name="getAir", arguments={"city": "Nice"}, observation=1),
        Call(name="getShow", arguments={"id": "s1"}, observation=2),
        Answer(text="…", depends_on=(0, 1)),
    )
    watched = referee(SINGLE.model_copy(update={"actions": longer, "alternatives": (other,)}))
    assert watched.step(step(call("getAir", city="Nice"))).error is None
    assert watched.step(say("Done.")).error is ErrorKind.VALUE_ERROR


def test_an_ask_beside_a_call_may_come_first_or_second():
    task = Task(
        user="Air in Nice, and book me a show.",
        type=TaskType.CLARIFY,
        actions=(
            Call(name="getAir", arguments={"city": "Nice"}, observation=1),
            Ask(slots=("id",), tool="bookShow", question="Which show?", reply="s7"),
            Call(name="bookShow", arguments={"id": "s7"}, observation=2, depends_on=(1,)),
            Answer(text="…", depends_on=(0, 2)),
        ),
    )
    air, ask, book = step(call("getAir", "x", city="Nice")), say("Which show?"), step(call("bookShow", "y", id="s7"))
    together = step(call("getAir", "x", city="Nice"), call("bookShow", "y", id="s7"))
    for steps in ((air, ask, book), (ask, air, book), (ask, together)):
        watched = referee(task)
        for one in steps:
            assert watched.step(one).error is None
        assert watched.step(say("Done.")).over


def test_the_original_replays_by_name_and_judges_arguments_by_its_rules():
    outcome = play(SINGLE, step(call("getAir", "x", city="Rome")), rules=RuleSet.ORIGINAL)
    assert outcome.matched and outcome.observations == {"x": {"aqi": 18}} and outcome.error is ErrorKind.VALUE_ERROR
    assert play(CLARIFY, say("All done."), rules=RuleSet.ORIGINAL).error is None  # any text passes for an ask
    extra = play(
        CLARIFY, say("Which?"), step(call("bookShow", id="s7", seats=1)), rules=RuleSet.ORIGINAL
    )  # an explicit default fails
    assert extra.error is ErrorKind.HALLUCINATION

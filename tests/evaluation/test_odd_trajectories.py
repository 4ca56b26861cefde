"""Whatever a model did, it is scored: no shape of a message stops the scorer, and each failed task has one first cause."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from wildtool.evaluation import score_session, summarise
from wildtool.evaluation.report.page import render_report
from wildtool.schemas.trajectory import CandidateCall, CandidateStep, TaskTrajectory, Trajectory
from wildtool.schemas.vocabulary import ErrorKind, RuleSet

from .conftest import RIGHT, TOOLS

NAMES = [tool["function"]["name"] for tool in TOOLS]

values = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=6),
    st.sampled_from(["Lyon", "Nice", "s7", "2024-07-13", "tomorrow", "1", "\ud83d", "里昂", 10**400]),
    st.lists(st.integers(0, 2), max_size=2), st.dictionaries(st.text(max_size=3), st.none(), max_size=2),
)  # fmt: skip


@st.composite
def calls(draw):
    arguments = draw(st.none() | st.dictionaries(st.sampled_from(["city", "id", "from", "seats", "x", ""]), values))
    raw = draw(
        st.sampled_from(
            ["", "null", "[]", '"{}"', '{"city": "Lyon",}', "{'city': 'Lyon'}", '{"city": "Ly', "\ud83d", "5"]
        )
    )
    if arguments is not None:
        raw = json.dumps(arguments)
    return CandidateCall(
        id=draw(st.sampled_from(["", "a", "b", "c"])),
        name=draw(st.sampled_from([*NAMES, *NAMES, "", "teleport", "get_air", "getair", "\0ask", "functions.getAir"])),
        arguments=arguments,
        raw_arguments=raw,
    )


odd_steps = st.builds(
    CandidateStep,
    calls=st.lists(calls(), max_size=3).map(tuple),
    text=st.sampled_from(
        [
            "",
            "  ",
            "\ud83d",
            "Which show?",
            "Which city?",
            "I cannot.",
            "Done.",
            "<tool_call>{}</tool_call>",
            "好的",
            "?",
        ]
    ),
    refusal=st.sampled_from(["", "", "I will not."]),
)


@st.composite
def attempts(draw):
    """By task: the right steps, cut, doubled, mixed with odd ones, or odd ones alone; now and then a failed request."""
    tasks = []
    for number, right in enumerate(RIGHT):
        steps = list(right[: draw(st.integers(0, len(right)))])
        for odd in draw(st.lists(odd_steps | st.sampled_from([s for task in RIGHT for s in task]), max_size=4)):
            steps.insert(draw(st.integers(0, len(steps))), odd)
        if draw(st.integers(0, 9)):
            error = draw(st.sampled_from([None] * 9 + ["503"]))
            tasks.append(TaskTrajectory(task=number, steps=tuple(steps), error=error))
    return tuple(draw(st.permutations(tasks)))


def made_of(session, tasks) -> Trajectory:
    return Trajectory.of(release="1", release_digest="0", candidate="m", session=session.id, tasks=tasks)


@given(attempts(), st.sampled_from(list(RuleSet)))
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_failed_task_has_one_first_cause_and_no_right_one_has_any(session, tasks, rules):
    scores = score_session(session, made_of(session, tasks), rules)
    assert [score.task for score in scores] == [0, 1, 2, 3]
    for score in scores:
        assert bool(score.errors) != score.correct
        assert len(set(score.errors)) == len(score.errors)
        assert not score.optimal or score.correct
        assert not score.correct or score.complete
        assert score.correct or score.reason
        assert 0 <= score.actions_done <= score.actions_total or rules is RuleSet.ORIGINAL
        assert type(score).model_validate_json(score.model_dump_json()) == score
    report = summarise(
        scores, release="1", release_digest="0", candidate="m", rules=rules, sessions_expected=1, code_version="0",
        bootstrap=5,
    )  # fmt: skip
    assert sum(report.errors.values()) == sum(not score.correct for score in scores)
    assert sum(sum(kinds.values()) for kinds in report.extra["errors_by_type"].values()) == sum(report.errors.values())
    assert report.complete_run == (not any(ErrorKind.FAILED_REQUEST in score.errors for score in scores))
    page = render_report([report], [scores], [session], [[made_of(session, tasks)]])
    assert page.count("<details id=") == sum(report.errors.values())


@pytest.mark.parametrize(
    ("task", "steps", "kind"),
    [
        # Arguments that are no JSON object, one way or another.
        *(
            (3, [CandidateStep(calls=(CandidateCall(id="a", name="getAir", arguments=None, raw_arguments=raw),))],
             ErrorKind.CALL_ERROR)
            for raw in ("Nice", "[]", "null", '"{\\"city\\": \\"Nice\\"}"', '{"city": "Nice",}', "{'city': 'Nice'}")
        ),
        # Nothing at all, blanks, a refusal by the endpoint's own field.
        (3, [CandidateStep()], ErrorKind.REFUSAL),
        (3, [CandidateStep(text=" \n")], ErrorKind.REFUSAL),
        (3, [CandidateStep(refusal="I will not.")], ErrorKind.REFUSAL),
        (2, [CandidateStep()], ErrorKind.REFUSAL),
        # A call that the model wrote as text is no refusal.
        (3, [CandidateStep(text='<tool_call>{"name": "getAir", "arguments": {"city": "Nice"}}</tool_call>')],
         ErrorKind.CALL_ERROR),
        (3, [CandidateStep(text='```json\n{"name": "getAir", "parameters": {"city": "Nice"}}\n```')],
         ErrorKind.CALL_ERROR),
        (3, [CandidateStep(text='getAir(city="Nice")')], ErrorKind.CALL_ERROR),
        (3, [CandidateStep(text="I would use getAir (a tool) here.")], ErrorKind.REFUSAL),
        # After what was right.
        (3, [RIGHT[3][0], RIGHT[3][0]], ErrorKind.REDUNDANT_CALL),
        (3, [RIGHT[3][0], CandidateStep()], ErrorKind.EARLY_TERMINATION),
        (3, [RIGHT[3][0]], ErrorKind.EARLY_TERMINATION),
        (1, [RIGHT[1][0], RIGHT[1][0]], ErrorKind.EARLY_TERMINATION),
        (1, [RIGHT[1][0], RIGHT[3][0]], ErrorKind.WRONG_NAME),
        (1, [RIGHT[1][0], RIGHT[1][1], RIGHT[1][1]], ErrorKind.REDUNDANT_CALL),
        (1, [CandidateStep(text="What's your name?")], ErrorKind.WRONG_REFUSAL),
    ],
)  # fmt: skip
def test_where_real_failures_belong(session, task, steps, kind):
    tasks = tuple(
        TaskTrajectory(task=i, steps=tuple(steps) if i == task else RIGHT[i]) for i in range(len(session.tasks))
    )
    score = score_session(session, made_of(session, tasks))[task]
    assert (score.correct, score.errors[0]) == (False, kind)


def test_text_beside_calls_and_steps_after_the_answer_change_nothing(session):
    first = RIGHT[3][0].model_copy(update={"text": "Let me look that up."})
    tasks = (*(TaskTrajectory(task=i, steps=RIGHT[i]) for i in range(3)),
             TaskTrajectory(task=3, steps=(first, *RIGHT[3][1:], RIGHT[3][0])))  # fmt: skip
    assert all(score.correct and score.optimal for score in score_session(session, made_of(session, tasks)))

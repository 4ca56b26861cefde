"""Scores against plain enumeration, on graphs of up to 6 actions."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluation.conftest import call, say, tool, trajectory
from tests.evaluation.conftest import step as one_step
from tests.evaluation.matching.attempts import attempts
from tests.examples import examples
from wildtool.evaluation.matching.graph import depth, graph_of
from wildtool.evaluation.score import score_session
from wildtool.schemas.session import Answer, Call, Session, Task
from wildtool.schemas.vocabulary import Language, TaskType, Topology


@given(attempts(), st.booleans())
@settings(max_examples=examples(200), deadline=None)
def test_scores_are_those_of_the_best_assignment(attempt, answers):
    depends, names, contents, steps = attempt
    size = len(depends)

    def best(done: frozenset[int], place: int) -> int:
        """Most right calls if all steps match and do everything, else -1."""
        if place == len(steps):
            return 0 if len(done) == size else -1
        ready = [i for i in range(size) if i not in done and done.issuperset(depends[i])]
        found = -1
        for taken in permutations(ready, len(steps[place])):
            if all(names[i] == name for i, (name, _) in zip(taken, steps[place], strict=True)):
                rest = best(done | set(taken), place + 1)
                if rest >= 0:
                    here = sum(contents[i] == c for i, (_, c) in zip(taken, steps[place], strict=True))
                    found = max(found, rest + here)
        return found

    calls = [
        Call(name=name, arguments={"x": content}, observation=i, depends_on=tuple(on))
        for i, (name, content, on) in enumerate(zip(names, contents, depends, strict=True))
    ]
    task = Task(
        user="…",
        type=TaskType.MULTI,
        topology=Topology.MIXED,
        actions=(*calls, Answer(text="…", depends_on=tuple(range(size)))),
    )
    session = Session.for_plan(
        "pln_0", language=Language.EN, now="2024-07-12T09:30:00+00:00", tool_list="tls_0", category="c",
        subcategory="s", tools=tuple(tool(name, {"x": {"type": "integer"}}, ["x"]) for name in "abcd"), tasks=(task,),
    )  # fmt: skip
    made = [one_step(*(call(name, f"{n}.{i}", x=x) for i, (name, x) in enumerate(s))) for n, s in enumerate(steps)]
    (score,) = score_session(session, trajectory(session, (*made, *([say("Done.")] if answers else []))))
    expected = best(frozenset(), 0)
    assert score.complete == (answers and expected >= 0)
    assert score.correct == (answers and expected == size)
    assert score.optimal == (score.correct and len(steps) == depth(graph_of(depends)))
    assert bool(score.errors) != score.correct

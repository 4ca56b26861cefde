"""Each row of "Where exact differs, and why" in docs/reference/scoring.md, by both rule sets on the same trajectory."""

from __future__ import annotations

import pytest

from wildtool.evaluation import score_session
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.schemas.trajectory import CandidateCall, TaskTrajectory, Trajectory
from wildtool.schemas.vocabulary import Language, RuleSet, TaskType, Topology

from .conftest import call, say, step, tool

TOOLS = (
    tool("air", {"city": {"type": "string"}, "day": {"type": "string"}}, ["city"]),
    tool("note", {"text": {"type": "string"}}, ["text"]),
    tool("seats", {"n": {"type": "integer", "description": "Seats, default is 2."}, "id": {"type": "string"}}, ["id"]),
    tool("price", {"x": {"type": "number"}}, ["x"]),
)


def air(*cities: str) -> tuple[Call, ...]:
    return tuple(Call(name="air", arguments={"city": city}, observation=city) for city in cities)


def raw(name: str, text: str, **arguments: object) -> CandidateCall:
    return CandidateCall(id=name, name=name, arguments=arguments, raw_arguments=text)


def one(name: str, **arguments: object) -> tuple[Call, ...]:
    return (Call(name=name, arguments=arguments, observation=1),)


THREE = air("Rome", "Oslo", "Bern")
BOTH = (*air("Rome"), *one("price", x=2.0))
LONG = "meet Ann on the 12th of July at ten"
ROWS = {
    "equal names, some at once": (
        THREE, (step(call("air", "a", city="Rome"), call("air", "b", city="Oslo")), step(call("air", "c", city="Bern"))),
        True, False,
    ),
    "equal names, all at once": (THREE, (step(*(call("air", c, city=c) for c in ("Bern", "Rome", "Oslo"))),), True, True),
    "equal names, one by one": (THREE, tuple(step(call("air", city=c)) for c in ("Rome", "Oslo", "Bern")), True, True),
    "another key order": (
        (
            Call(name="air", arguments={"city": "Rome", "day": "Monday"}),
            Call(name="air", arguments={"city": "Bern", "day": "Friday"}),
        ),
        (step(
            raw("air", '{"day": "Friday", "city": "Bern"}', city="Bern", day="Friday"),
            CandidateCall(id="z", name="air", arguments={"city": "Rome", "day": "Monday"},
                          raw_arguments='{"city": "Rome", "day": "Monday"}'),
        ),),
        True, False,
    ),
    "an explicit default": (one("seats", id="s7"), (step(call("seats", id="s7", n=2)),), True, False),
    "a default left out": (one("seats", id="s7", n=2), (step(call("seats", id="s7")),), True, False),
    "5 for 5.0": (one("price", x=5.0), (step(call("price", x=5)),), True, False),
    "true for 1": (one("seats", id="s7", n=1), (step(call("seats", id="s7", n=True)),), False, False),
    "another date": (one("note", text=LONG), (step(call("note", text=LONG.replace("12", "13"))),), False, True),
    "another name": (one("note", text=LONG), (step(call("note", text=LONG.replace("Ann", "Bob"))),), False, True),
    "an added not": (
        one("note", text="please call me on Monday"), (step(call("note", text="please do not call me on Monday")),),
        False, True,
    ),
    "another spelling": (one("note", text="colour"), (step(call("note", text="color")),), True, False),
    "another way to write a day": (
        one("air", city="Rome", day="2024-07-13"), (step(call("air", city="Rome", day="July 13, 2024")),), True, False,
    ),
    "a tomorrow": (
        one("air", city="Rome", day="2024-07-13"), (step(call("air", city="Rome", day="tomorrow")),), True, False,
    ),
    "any text for an ask": (
        (Ask(slots=("city",), tool="air", question="Which city?", reply="Rome"),
         Call(name="air", arguments={"city": "Rome"}, depends_on=(0,))),
        (say("No."), step(call("air", city="Rome"))), False, True,
    ),
    "mixed names, one by one": (BOTH, (step(call("price", x=2.0)), step(call("air", city="Rome"))), True, True),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_both_rule_sets_say_what_the_documentation_says(row):
    actions, steps, exact, original = ROWS[row]
    clarify = any(isinstance(action, Ask) for action in actions)
    multi = len(actions) > 1 and not clarify
    task = Task(
        user="…",
        type=TaskType.CLARIFY if clarify else TaskType.MULTI if multi else TaskType.SINGLE,
        topology=Topology.PARALLEL if multi else None,
        actions=(*actions, Answer(text="…", depends_on=tuple(range(len(actions))))),
    )
    session = Session.for_plan(
        "pln_0", language=Language.EN, now="2024-07-12T09:30:00+00:00", tool_list="tls_0", category="c",
        subcategory="s", tools=TOOLS, tasks=(task,),
    )  # fmt: skip
    made = Trajectory.of(
        release="1", release_digest="0", candidate="m", session=session.id,
        tasks=(TaskTrajectory(task=0, steps=(*steps, say("Done."))),),
    )  # fmt: skip
    found = {rules: score_session(session, made, rules)[0] for rules in RuleSet}
    assert found[RuleSet.EXACT].correct is exact, found[RuleSet.EXACT].reason
    assert found[RuleSet.ORIGINAL].correct is original, found[RuleSet.ORIGINAL].reason

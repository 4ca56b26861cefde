"""A small session of all four task types, and short names for what a candidate does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.schemas.trajectory import CandidateCall, CandidateStep, TaskTrajectory, Trajectory
from wildtool.schemas.vocabulary import Language, TaskType, Topology


def tool(name: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": name, "description": f"{name}.", "parameters": parameters}}


TOOLS = (
    tool("getAir", {"city": {"type": "string"}}, ["city"]),
    tool("searchShows", {"city": {"type": "string"}, "from": {"type": "string", "format": "date"}}, ["city"]),
    tool("getShow", {"id": {"type": "string"}}, ["id"]),
    tool(
        "bookShow",
        {
            "id": {"type": "string", "description": "Identifier of the show"},
            "seats": {"type": "integer", "description": "Number of seats, default is 1."},
        },
        ["id"],
    ),
)


def call(tool_name: str, call_id: str = "c1", /, **arguments: Any) -> CandidateCall:
    return CandidateCall(id=call_id, name=tool_name, arguments=arguments, raw_arguments=json.dumps(arguments))


def step(*calls: CandidateCall) -> CandidateStep:
    return CandidateStep(calls=calls)


def say(text: str) -> CandidateStep:
    return CandidateStep(text=text)


MIXED = Task(
    user="How is the air in Lyon, and what is on tomorrow? Tell me about the first.",
    type=TaskType.MULTI,
    topology=Topology.MIXED,
    actions=(
        Call(name="getAir", arguments={"city": "Lyon"}, observation={"aqi": 41}),
        Call(name="searchShows", arguments={"city": "Lyon", "from": "2024-07-13"}, observation=[{"id": "s7"}]),
        Call(name="getShow", arguments={"id": "s7"}, observation={"title": "Tosca", "price": 35}, depends_on=(1,)),
        Answer(text="AQI 41; Tosca, 35 euros.", depends_on=(0, 2)),
    ),
)
CLARIFY = Task(
    user="Book one of them.",
    type=TaskType.CLARIFY,
    actions=(
        Ask(slots=("id",), tool="bookShow", question="Which show should I book?", reply="The first."),
        Call(name="bookShow", arguments={"id": "s7"}, observation={"ok": True}, depends_on=(0,)),
        Answer(text="Booked.", depends_on=(1,)),
    ),
)
CHAT = Task(user="Thank you!", type=TaskType.CHAT, actions=(Answer(text="You are welcome."),))
SINGLE = Task(
    user="And the air in Nice?",
    type=TaskType.SINGLE,
    actions=(
        Call(name="getAir", arguments={"city": "Nice"}, observation={"aqi": 18}),
        Answer(text="18.", depends_on=(0,)),
    ),
)

RIGHT = (
    (
        step(call("searchShows", "a", city="Lyon", **{"from": "2024-07-13"}), call("getAir", "b", city="Lyon")),
        step(call("getShow", "c", id="s7")),
        say("AQI 41, and Tosca at 35 euros."),
    ),
    (say("Which show would you like?"), step(call("bookShow", "d", id="s7")), say("Booked.")),
    (say("My pleasure."),),
    (step(call("getAir", "e", city="Nice")), say("The AQI is 18.")),
)


@pytest.fixture(scope="session")
def session() -> Session:
    return Session.for_plan(
        "pln_0000000000000001",
        language=Language.EN,
        now="2024-07-12T09:30:00+00:00",
        tool_list="tls_0000000000000001",
        category="Weather & Environment",
        subcategory="air quality",
        tools=TOOLS,
        tasks=(MIXED, CLARIFY, CHAT, SINGLE),
    )


def trajectory(session: Session, *tasks: tuple[CandidateStep, ...], trial: int = 0, **changes: Any) -> Trajectory:
    return Trajectory.of(
        release="1.0.0",
        release_digest="0" * 64,
        candidate="model",
        session=session.id,
        trial=trial,
        tasks=changes.get("done") or tuple(TaskTrajectory(task=i, steps=steps) for i, steps in enumerate(tasks)),
    )

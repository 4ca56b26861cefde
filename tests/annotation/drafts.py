"""Drafts for the tests of annotation, built by hand."""

from __future__ import annotations

from typing import Any

from tests.drafted import draft_of
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.plan import Blueprint
from wildtool.schemas.session import Answer, Ask, Call, HiddenIntent, Task, ValueSource
from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import HiddenIntentKind, Language, TaskType, Topology

NOW = "2024-07-12T09:30:00+00:00"


def _tool(name: str, description: str, required: list[str], **properties: dict[str, Any]) -> Tool:
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Tool(name=name, description=description, parameters=schema)


TEXT = {"type": "string"}
TOOLS = (
    _tool("getAirQuality", "Air quality of a city now", ["city"], city={**TEXT, "description": "Name of the city"}),
    _tool(
        "searchShows",
        "Shows in a city between two days",
        ["city", "from", "to"],
        city=TEXT,
        **{"from": {**TEXT, "format": "date"}, "to": {**TEXT, "format": "date"}},
    ),
    _tool("getShow", "One show", ["id"], id={**TEXT, "description": "Id of the show"}),
    _tool("bookShow", "Book seats for a show", ["id"], id=TEXT, seats={"type": "integer", "minimum": 1, "default": 1}),
)


def tool_list(language: Language = Language.EN) -> ToolList:
    return ToolList.of(
        slug="city-nights",
        title="City nights",
        description="What is on in a city",
        language=language,
        category="Entertainment & Social",
        subcategory="games, sports and social",
        source="core",
        licence="Apache-2.0",
        version="1",
        tools=TOOLS,
    )


def tasks(city: str = "Lyon", opening: str = "") -> tuple[Task, ...]:
    dates = {"from": "2024-07-13", "to": "2024-07-14"}
    shows = {"shows": [{"id": "s7", "title": "Le Bal"}, {"id": "s9", "title": "Nuit"}]}
    return (
        Task(
            user=opening or f"Hi! Is the air in {city} fine today?",
            type=TaskType.SINGLE,
            actions=(
                Call(
                    name="getAirQuality",
                    arguments={"city": city},
                    observation={"aqi": 41},
                    trace=(ValueSource(argument="city", kind="user", task=0, quote=city),),
                ),
                Answer(text="Yes, the index is 41.", depends_on=(0,)),
            ),
        ),
        Task(
            user="And what's on there at the weekend? Tell me about the first one, and the air again please",
            type=TaskType.MULTI,
            topology=Topology.MIXED,
            hidden_intent=HiddenIntent(kind=HiddenIntentKind.COREFERENCE, piece="city", said_in=0, distance=1),
            actions=(
                Call(name="getAirQuality", arguments={"city": city}, observation={"aqi": 41}),
                Call(name="searchShows", arguments={"city": city, **dates}, observation=shows),
                Call(
                    name="getShow",
                    arguments={"id": "s7"},
                    observation={"title": "Le Bal", "seats": 12},
                    depends_on=(1,),
                    trace=(ValueSource(argument="id", kind="observation", task=1, action=1, path="shows[0].id"),),
                ),
                Answer(text="Le Bal has 12 seats left; the air is fine.", depends_on=(0, 2)),
            ),
        ),
        Task(
            user="Book one of them",
            type=TaskType.CLARIFY,
            hidden_intent=HiddenIntent(kind=HiddenIntentKind.PARTIAL_INFORMATION, piece="id", said_in=1, distance=1),
            actions=(
                Ask(slots=("id",), tool="bookShow", question="Which show?", reply="the second"),
                Call(name="bookShow", arguments={"id": "s9"}, observation="booked", depends_on=(0,)),
                Answer(text="Booked.", depends_on=(1,)),
            ),
        ),
        Task(user="Great, thanks a lot!", type=TaskType.CHAT, actions=(Answer(text="Enjoy the evening!"),)),
    )


def draft(index: int = 0, *, city: str = "Lyon", opening: str = "", verdicts: tuple[Verdict, ...] = ()) -> Draft:
    planned = [Blueprint(type=task.type, topology=task.topology) for task in tasks()]
    return draft_of(tool_list(), tasks(city, opening), planned, now=NOW, index=index, verdicts=verdicts)


DOUBT = Verdict(check="grounded", ok=False, reason="`id` is found nowhere before this turn", task=2, action=1)

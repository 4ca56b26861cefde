"""Tools, calls and tasks in one line each, for tests of where values come from."""

from __future__ import annotations

from typing import Any

from wildtool.grounding.value_sources import (
    Setting,
    trace_call,
)
from wildtool.schemas.session import Answer, Ask, Call, Task, ValueSource
from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.vocabulary import Language, TaskType

NOW = "2024-07-12T09:30:00+00:00"


TEXT = {"type": "string"}


def tool(name: str, properties: dict[str, Any], **more: Any) -> Tool:
    return Tool(name=name, description=f"{name}.", parameters={"type": "object", "properties": properties}, **more)


TOOLS = (
    tool("findShows", {"city": TEXT, "day": TEXT, "limit": {"type": "integer", "default": 20}}),
    tool(
        "getShow",
        {
            "showId": TEXT,
            "number": {"type": "integer"},
            "lang": {"type": "string", "description": "Language of the answer, default is fr."},
            "withPrices": {"type": "boolean"},
        },
        enum_words={"lang": {"de": "German"}},
    ),
    tool(
        "book",
        {
            "showId": TEXT,
            "filters": {
                "type": "object",
                "properties": {
                    "tags": {"type": "array", "items": {"type": "object", "properties": {"kind": {"default": "any"}}}}
                },
            },
        },
    ),
)


LISTED = ToolList.of(
    slug="shows", title="Shows", description="Shows", language=Language.EN, category="c", subcategory="s",
    source="core", licence="Apache-2.0", version="1", tools=TOOLS,
    links=(ToolLink(producer="findShows", path="shows[*].ref", consumer="getShow", parameter="number"),),
)  # fmt: skip


SETTING = Setting.of(LISTED, NOW)


def call(name: str, observation: Any = None, *, on: tuple[int, ...] = (), **arguments: Any) -> Call:
    return Call(name=name, arguments=arguments, observation=observation, depends_on=on)


def ask(question: str, reply: str, *slots: str, tool: str | None = None) -> Ask:
    return Ask(slots=slots or ("city",), tool=tool, question=question, reply=reply)


def task(user: str, *actions: Call | Ask, answer: str = "Done.") -> Task:
    return Task(user=user, type=TaskType.SINGLE, actions=(*actions, Answer(text=answer)))


def source(tasks: list[Task], path: str = "showId", *, number: int | None = None, action: int = 0) -> ValueSource:
    """The source of an argument in a task, the last one if not said."""
    number = len(tasks) - 1 if number is None else number
    (found,) = [one for one in trace_call(tasks, number, action, SETTING) if one.argument == path]
    return found

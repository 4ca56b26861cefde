"""Parts of sessions that many rules look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wildtool.grounding.value_sources import Setting
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.session import Call, Session, Task
from wildtool.schemas.tool import Tool


def functions(session: Session) -> dict[str, JsonObject]:
    """The session's functions by name."""
    return {tool["function"]["name"]: tool["function"] for tool in session.tools}


def setting_of(session: Session) -> Setting:
    """What the session's values are traced in: its clock, language and tools."""
    tools = {
        name: Tool(
            name=name,
            description=str(function.get("description", "")),
            parameters=function.get("parameters", {}),
            returns=function.get("x-returns"),
        )
        for name, function in functions(session).items()
    }
    return Setting(session.now, session.language, tools, ())


def calls_of(task: Task) -> list[tuple[int, Call]]:
    """The calls of a task with their indexes among its actions."""
    return [(index, action) for index, action in enumerate(task.actions) if isinstance(action, Call)]


def all_calls(session: Session) -> Iterator[tuple[int, int, Call]]:
    """All calls of a session with their task and action."""
    for number, task in enumerate(session.tasks):
        for index, call in calls_of(task):
            yield number, index, call


def call_key(call: Call) -> str:
    """A call's name and arguments as one text: equal calls have equal keys."""
    return canonical_json([call.name, call.arguments])


def is_error(observation: Any) -> bool:
    """Whether a tool answers with an error."""
    return isinstance(observation, dict) and any(
        key in observation for key in ("error", "errors", "error_code", "错误")
    )


def is_fault(observation: Any) -> bool:
    """Whether a tool answers with an error, or with nothing."""
    return is_error(observation) or observation in (None, "", [], {})


def shorten(value: Any, size: int = 60) -> str:
    """A value for a reason's one line."""
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= size else text[: size - 1] + "…"

"""Write and read the original benchmark's format, JSON Lines.

Both languages carry the ``english_`` keys, since the original's evaluator reads no other; Chinese sessions
carry the keys without the prefix too.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, assert_never

from wildtool.grounding.hidden_intents import STANDS_ALONE, hidden_intent
from wildtool.language.day_phrases import weekday
from wildtool.schemas.base import JsonObject
from wildtool.schemas.session import Action, Answer, Ask, Call, Session, Task
from wildtool.schemas.vocabulary import TaskType, Topology

PREFIXED_LANGUAGE, UNPREFIXED_LANGUAGE = ORIGINAL_LANGUAGES = ("en", "zh")
"""The format's two languages: English fields begin with ``english_``, Chinese ones stand beside them without the prefix. Its
evaluator reads the prefixed ones, so sessions in any other language are written there, and say their language."""

ASK_NAME = "ask_user_for_required_parameters"
ANSWER_NAME = "prepare_to_answer"

MOST_TASKS = 4
"""Tasks a session for which the original's evaluator has tables: at a fifth it stops."""


def too_long_warning(sessions: Iterable[Session]) -> str | None:
    """One line where the original's evaluator would stop at some sessions; None where it would not."""
    count = sum(len(session.tasks) > MOST_TASKS for session in sessions)
    if not count:
        return None
    have = "session has" if count == 1 else "sessions have"
    return f"{count:,} {have} more than {MOST_TASKS} tasks: the original's evaluator stops at them"


def original_row(session: Session, number: int, canary: str | None = None) -> JsonObject:
    """A session as line ``number`` (from 0) of the original's format; the evaluator indexes by that number."""
    fields: dict[str, Any] = {
        "env_info": _env_info(session),
        "tools": [_plain_tool(tool, keep=_from_original(session)) for tool in session.tools],
        "tasks": [task.user for task in session.tasks],
        "answer_list": [
            [
                _original_action(index, action, task, on)
                for index, (action, on) in enumerate(zip(task.actions, _serial_asks(session, task), strict=True))
            ]
            for task in session.tasks
        ],
        "task_types": [original_type(task) for task in session.tasks],
        "turn_subtypes": [_subtype(task) for task in session.tasks[1:]],
    }
    row: JsonObject = {"id": f"wild_tool_bench_{number}"}
    row |= {f"english_{name}": value for name, value in fields.items()}
    if session.language == UNPREFIXED_LANGUAGE:
        row |= fields
    else:
        row["answer_list"] = fields["answer_list"]  # its evaluator counts steps by this key, whatever the language
    if session.language not in ORIGINAL_LANGUAGES:
        row["language"] = session.language.value  # else it would be read back as English
    if session.provenance.imported is not None:
        row |= session.provenance.imported.get("rest", {})
    row["session"] = session.id
    if canary is not None:
        row["canary"] = canary
    return row


def in_file_order(sessions: Iterable[Session]) -> list[Session]:
    """Sessions as the original's file lists them: imported ones by their number there, then the others by id."""

    def place(session: Session) -> tuple[float, str]:
        number = (session.provenance.imported or {}).get("number")
        return (float(number) if isinstance(number, int) else float("inf"), session.id)

    return sorted(sessions, key=place)


def _env_info(session: Session) -> str:
    imported = session.provenance.imported or {}
    if "env_info" in imported:
        return str(imported["env_info"])
    moment = datetime.fromisoformat(session.now)
    return f"{moment:%Y-%m-%d %H:%M:%S} {weekday(moment.date(), session.language)}"


def _from_original(session: Session) -> bool:
    return (session.provenance.imported or {}).get("format") == "original"


def _plain_tool(tool: JsonObject, *, keep: bool) -> JsonObject:
    function = {key: value for key, value in tool["function"].items() if key != "x-returns"}
    if not keep and isinstance(function.get("parameters"), dict):
        function["parameters"] = _single_types(function["parameters"])
    return {**tool, "function": function}


def _single_types(schema: Any) -> Any:
    """The schema without lists of types, on which the original's evaluator crashes; it reads ``anyOf``."""
    if isinstance(schema, list):
        return [_single_types(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: value if name in ("default", "enum") else _single_types(value) for name, value in schema.items()}
    if isinstance(kinds := schema.get("type"), list):
        kinds = [kind for kind in kinds if kind != "null"] or ["string"]
        del plain["type"]
        plain |= {"type": kinds[0]} if len(kinds) == 1 else {"anyOf": [{"type": kind} for kind in kinds]}
    return plain


def original_type(task: Task) -> str:
    """The original's name of a task's type."""
    match task.type:
        case TaskType.SINGLE:
            return "Single-Tool"
        case TaskType.CLARIFY:
            return "Clarify"
        case TaskType.CHAT:
            return "Chat"
        case TaskType.MULTI:
            match task.topology:
                case Topology.PARALLEL:
                    return "Parallel Multi-Tool"
                case Topology.SEQUENTIAL:
                    return "Sequential Multi-Tool"
                case Topology.MIXED:
                    return "Mixed Multi-Tool"
                case None:
                    raise ValueError("a multi task has no topology")
                case _:
                    assert_never(task.topology)
        case _:
            assert_never(task.type)


def _subtype(task: Task) -> str:
    if task.hidden_intent is None:
        return STANDS_ALONE
    return hidden_intent(task.hidden_intent.kind).subtype


def _serial_asks(session: Session, task: Task) -> list[list[int]]:
    """Dependencies by action, with an edge more where a question or the answer could stand beside a call.

    The original's evaluator asserts that a question and the answer each stand alone in their step, so what is
    independent of a question has to wait for it, and the answer for everything. What came from that format is left
    as it was.
    """
    on = [list(action.depends_on) for action in task.actions]
    if _from_original(session):
        return on

    def before(index: int) -> set[int]:
        found: set[int] = set()
        waiting = list(on[index])
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += on[one]
        return found

    for ask in (index for index, action in enumerate(task.actions) if isinstance(action, Ask)):
        for other, action in enumerate(task.actions):
            if (
                other != ask
                and not isinstance(action, Answer)
                and other not in before(ask)
                and ask not in before(other)
            ):
                on[other] = sorted([*on[other], ask])
    for answer in (index for index, action in enumerate(task.actions) if isinstance(action, Answer)):
        on[answer] = sorted({*on[answer], *(set(range(len(on))) - before(answer) - {answer})})
    return on


def _original_action(index: int, action: Action, task: Task, on: list[int]) -> JsonObject:
    row: JsonObject = {"idx": index}
    match action:
        case Call():
            row["action"] = {"name": action.name, "arguments": action.arguments}
            row["observation"] = action.observation
        case Ask():
            arguments: JsonObject = {"missing_required_parameters": list(action.slots)}
            if action.tool is not None:
                arguments = {"tool_name": action.tool, **arguments}
            row["action"] = {"name": ASK_NAME, "arguments": arguments}
            row["observation"] = action.question
            row["user_input"] = action.reply
        case Answer():
            called = any(isinstance(other, Call) for other in task.actions)
            row["action"] = {"name": ANSWER_NAME, "arguments": {"answer_type": "tool" if called else "chat"}}
            row["observation"] = action.text
        case _:
            assert_never(action)
    row["dependency_list"] = on
    return row

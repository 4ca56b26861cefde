"""Import benchmarks in the original's format or our own, to correct and freeze them again."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wildtool.grounding.hidden_intents import STANDS_ALONE, HiddenIntentSpec, hidden_intent_kinds
from wildtool.schemas.base import JsonObject, canonical_json, content_id
from wildtool.schemas.errors import InputError
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language, Stage, TaskType, Topology
from wildtool.warehouse.formats.chat_lines import session_of_chat
from wildtool.warehouse.formats.tabular import read_parquet
from wildtool.warehouse.formats.wildtoolbench import (
    ANSWER_NAME,
    ASK_NAME,
    PREFIXED_LANGUAGE,
    UNPREFIXED_LANGUAGE,
    original_row,
)

TYPES: dict[str, tuple[TaskType, Topology | None]] = {
    "Single-Tool": (TaskType.SINGLE, None),
    "Parallel Multi-Tool": (TaskType.MULTI, Topology.PARALLEL),
    "Sequential Multi-Tool": (TaskType.MULTI, Topology.SEQUENTIAL),
    "Mixed Multi-Tool": (TaskType.MULTI, Topology.MIXED),
    "Clarify": (TaskType.CLARIFY, None),
    "Chat": (TaskType.CHAT, None),
}
FIELDS = ("env_info", "tools", "tasks", "answer_list", "task_types", "turn_subtypes")
DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?")
UNSORTED = "Unsorted"
"""Category of sessions whose format names none."""


def import_sessions(path: Path, quarantine: Callable[[Quarantined], None]) -> Iterator[Session]:
    """Sessions of a release folder, its Parquet, ``benchmark.duckdb`` or ``sessions.jsonl``, or of JSON lines in the
    original's format or of our records; JSON lines may be gzipped.

    A row that cannot be read, or that would not be written back as it is, goes to ``quarantine``.
    Raises ``InputError`` where the path is none of these.
    """
    path = Path(path)
    if path.is_dir():
        from wildtool.warehouse.release.release import load_release

        yield from load_release(path).sessions
    elif path.suffix == ".parquet":
        try:
            yield from read_parquet(path)
        except ValueError as error:
            raise InputError(str(error), "name a Parquet file of a wildtool release") from error
    elif path.suffix in (".duckdb", ".db"):
        from wildtool.warehouse.formats.benchmark import read_benchmark

        try:
            yield from read_benchmark(path)
        except ValueError as error:
            raise InputError(str(error), "name the benchmark.duckdb of a wildtool release") from error
    else:
        yield from _lines(path, quarantine)


def _lines(path: Path, quarantine: Callable[[Quarantined], None]) -> Iterator[Session]:
    def refuse(line: int, raw: str, reason: str, detail: str) -> None:
        quarantine(
            Quarantined.of(
                stage=Stage.RELEASE,
                step="import",
                reason=reason,
                detail=" ".join(detail.split())[:500],
                source=path.name,
                line=line,
                raw=raw,
            )
        )

    try:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8-sig", errors="backslashreplace") as file:
            for line, raw in enumerate(file, 1):
                if not raw.strip():
                    continue
                try:
                    row = json.loads(raw)
                except ValueError as error:
                    refuse(line, raw, "broken_json", str(error))
                    continue
                if not isinstance(row, dict):
                    refuse(line, raw, "no_object", f"a {type(row).__name__}, not an object")
                    continue
                try:
                    yield session_of_line(row)
                except ValidationError as error:
                    first = error.errors()[0]
                    place = ".".join(str(part) for part in first["loc"])
                    refuse(line, raw, "schema", f"{place}: {first['msg']}")
                except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
                    refuse(line, raw, "format", f"{type(error).__name__}: {error}")
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"{path} cannot be read: {getattr(error, 'strerror', None) or error}", "name a file or a release folder"
        ) from error


def session_of_line(row: JsonObject) -> Session:
    """A session of a JSON line: a record of ours, or a line of the original's format. Raises ``ValueError``."""
    if "messages" in row and "tasks" in row:
        return session_of_chat(row)
    if "provenance" in row and "tool_list" in row:
        return Session.model_validate(row)
    return session_of_original(row)


def session_of_original(row: JsonObject) -> Session:
    """A session of a line of the original's format.

    The format does not say where a hidden piece was said, nor a category: ``said_in`` is the nearest task that
    the kind allows, ``piece`` is empty, the category ``Unsorted``. Clocks are read as UTC.

    Raises ``ValueError`` where the line is none, or would not be written back as it was.
    """
    unprefixed = "tasks" in row
    language = Language(UNPREFIXED_LANGUAGE if unprefixed else row.get("language", PREFIXED_LANGUAGE))
    prefix = "" if unprefixed else "english_"
    fields = {name: row[prefix + name] for name in FIELDS}
    count = len(fields["tasks"])
    if not (len(fields["answer_list"]) == len(fields["task_types"]) == count == len(fields["turn_subtypes"]) + 1):
        raise ValueError("tasks, answers, types and subtypes differ in number")
    plan = content_id("imp", fields)
    known = {f"{lead}{name}" for lead in ("", "english_") for name in FIELDS} | {"id", "session", "canary", "language"}
    number = re.search(r"_(\d+)$", str(row.get("id", "")))
    imported: JsonObject = {
        "format": "original",
        "env_info": fields["env_info"],
        "rest": {key: value for key, value in row.items() if key not in known},
    }
    if number:
        imported["number"] = int(number[1])
    made: dict[str, Any] = {
        "language": language,
        "now": _now(str(fields["env_info"])),
        "tool_list": content_id("tls", fields["tools"]),
        "category": UNSORTED,
        "subcategory": UNSORTED,
        "tools": fields["tools"],
        "tasks": [_task(fields, index) for index in range(count)],
        "provenance": {"plan": plan, "imported": imported},
    }
    session = Session.for_plan(plan, **made)
    if re.fullmatch(r"ses_[0-9a-f]{16}", str(row.get("session", ""))):
        session = session.model_copy(update={"id": row["session"]})
    again = original_row(session, 0)
    lost = [key for key in row if key not in ("id", "session", "canary") and _differs(row[key], again.get(key))]
    if lost:
        raise ValueError(f"{lost[0]} would not be written back as it is")
    return session


def _differs(before: Any, after: Any) -> bool:
    return canonical_json(before) != canonical_json(after)


def _now(env_info: str) -> str:
    found = DATE.search(env_info)
    if found is None:
        raise ValueError(f"no date in {env_info[:60]!r}")
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}+00:00"


def _task(fields: JsonObject, index: int) -> JsonObject:
    kind, topology = TYPES[fields["task_types"][index]]
    hidden = _hidden_intent(fields["turn_subtypes"][index - 1]) if index else None
    task: JsonObject = {
        "user": fields["tasks"][index],
        "type": kind,
        "topology": topology,
        "actions": [_action(action) for action in fields["answer_list"][index]],
    }
    if hidden is not None:
        # Each task before is at least one user turn back.
        said_in = max(0, index - hidden.reach[0])
        task["hidden_intent"] = {"kind": hidden.kind, "piece": "", "said_in": said_in}
    return task


def _hidden_intent(subtype: str) -> HiddenIntentSpec | None:
    """The kind of a subtype; None for a task that stands alone. Raises ``KeyError`` for a subtype of no registered kind."""
    if subtype == STANDS_ALONE:
        return None
    known: dict[str, HiddenIntentSpec] = {}
    for spec in hidden_intent_kinds().values():
        known.setdefault(spec.subtype, spec)  # built-in kinds come first
    return known[subtype]


def _action(row: JsonObject) -> JsonObject:
    name, arguments = row["action"]["name"], row["action"]["arguments"]
    common = {"depends_on": row["dependency_list"]}
    if name == ASK_NAME:
        slots = arguments["missing_required_parameters"]
        asked = {"slots": slots, "question": row["observation"], "reply": row["user_input"]}
        return {"kind": "ask", **asked, "tool": arguments.get("tool_name"), **common}
    if name == ANSWER_NAME:
        return {"kind": "answer", "text": row["observation"], **common}
    return {"kind": "call", "name": name, "arguments": arguments, "observation": row["observation"], **common}

"""Sessions as rows: the Parquet layout that ``datasets`` loads, and the way back.

What has fixed fields is a typed column; what varies (parameters, arguments, observations) is JSON text with
sorted keys, so that an empty or odd value never changes a type.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wildtool.schemas.base import canonical_json
from wildtool.schemas.session import Action, Answer, Ask, Call, Session, Task

if TYPE_CHECKING:
    import pyarrow

ROW_GROUP = 500
"""Sessions a row group: about 10 MB, so that readers and writers hold little at a time."""


def arrow_schema(canary: str) -> pyarrow.Schema:
    """Columns of the Parquet files, nested types explicit; the canary stands in the file's metadata too."""
    import pyarrow as pa

    text, number = pa.string(), pa.int32()
    tool = pa.struct([("name", text), ("description", text), ("parameters", text), ("returns", text), ("other", text)])
    hidden_intent = pa.struct(
        [("kind", text), ("device", text), ("piece", text), ("said_in", number), ("distance", number)]
    )
    action = pa.struct(
        [
            ("kind", text),
            ("depends_on", pa.list_(number)),
            ("name", text),
            ("arguments", text),
            ("observation", text),
            ("argument_alternatives", text),
            ("trace", text),
            ("tool", text),
            ("slots", pa.list_(text)),
            ("question", text),
            ("reply", text),
            ("text", text),
        ]
    )
    task = pa.struct(
        [
            ("user", text),
            ("type", text),
            ("topology", text),
            ("hidden_intent", hidden_intent),
            ("actions", pa.list_(action)),
            ("alternatives", text),
        ]
    )
    columns = [
        ("id", text),
        ("language", text),
        ("category", text),
        ("subcategory", text),
        ("now", text),
        ("tool_list", text),
        ("tools", pa.list_(tool)),
        ("tasks", pa.list_(task)),
        ("provenance", text),
        ("canary", text),
    ]
    return pa.schema(columns, metadata={"canary": canary})


def session_row(session: Session, canary: str) -> dict[str, Any]:
    """A session as a row of ``arrow_schema``."""
    return {
        "id": session.id,
        "language": session.language.value,
        "category": session.category,
        "subcategory": session.subcategory,
        "now": session.now,
        "tool_list": session.tool_list,
        "tools": [_tool_row(tool) for tool in session.tools],
        "tasks": [_task_row(task) for task in session.tasks],
        "provenance": session.provenance.to_json(),
        "canary": canary,
    }


def _tool_row(tool: dict[str, Any]) -> dict[str, Any]:
    function = tool["function"]
    known = {"name", "description", "parameters", "x-returns"}
    other = {key: value for key, value in function.items() if key not in known}
    return {
        "name": function["name"],
        "description": function.get("description"),
        "parameters": canonical_json(function["parameters"]) if "parameters" in function else "{}",
        "returns": canonical_json(function["x-returns"]) if "x-returns" in function else None,
        "other": canonical_json(other) if other else None,
    }


def _task_row(task: Task) -> dict[str, Any]:
    hidden = task.hidden_intent
    return {
        "user": task.user,
        "type": task.type.value,
        "topology": task.topology.value if task.topology else None,
        "hidden_intent": hidden.model_dump(mode="json") if hidden else None,
        "actions": [_action_row(action) for action in task.actions],
        "alternatives": canonical_json(
            [[action.model_dump(mode="json") for action in actions] for actions in task.alternatives]
        ),
    }


def _action_row(action: Action) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": action.kind, "depends_on": list(action.depends_on), "arguments": "{}"}
    match action:
        case Call():
            dumped = action.model_dump(mode="json")
            row |= {
                "name": action.name,
                "arguments": canonical_json(dumped["arguments"]),
                "observation": canonical_json(dumped["observation"]),
                "argument_alternatives": canonical_json(dumped["argument_alternatives"]),
                "trace": canonical_json(dumped["trace"]),
            }
        case Ask():
            row |= {
                "tool": action.tool,
                "slots": list(action.slots),
                "question": action.question,
                "reply": action.reply,
            }
        case Answer():
            row |= {"text": action.text}
    return row


def session_of_row(row: dict[str, Any]) -> Session:
    """The session that a row was made of. Raises ``ValueError`` where it is none."""
    return Session.model_validate(
        {
            **{name: row[name] for name in ("id", "language", "category", "subcategory", "now", "tool_list")},
            "tools": [_tool_of_row(tool) for tool in row["tools"]],
            "tasks": [_task_of_row(task) for task in row["tasks"]],
            "provenance": json.loads(row["provenance"]),
        }
    )


def _tool_of_row(row: dict[str, Any]) -> dict[str, Any]:
    function = {"name": row["name"]}
    if row["description"] is not None:
        function["description"] = row["description"]
    function["parameters"] = json.loads(row["parameters"])
    if row["returns"] is not None:
        function["x-returns"] = json.loads(row["returns"])
    if row["other"] is not None:
        function |= json.loads(row["other"])
    return {"type": "function", "function": function}


def _task_of_row(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **{name: row[name] for name in ("user", "type", "topology", "hidden_intent")},
        "actions": [_action_of_row(action) for action in row["actions"]],
        "alternatives": json.loads(row["alternatives"]),
    }


def _action_of_row(row: dict[str, Any]) -> dict[str, Any]:
    action = {"kind": row["kind"], "depends_on": row["depends_on"]}
    match row["kind"]:
        case "call":
            action["name"] = row["name"]
            for name in ("arguments", "observation", "argument_alternatives", "trace"):
                action[name] = json.loads(row[name])
        case "ask":
            action |= {name: row[name] for name in ("tool", "slots", "question", "reply")}
        case "answer":
            action["text"] = row["text"]
        case kind:
            raise ValueError(f"unknown kind of action {kind!r}")
    return action


def write_parquet(sessions: Iterable[Session], path: Path, canary: str) -> int:
    """Write sessions in their order; the number of rows. The same sessions give the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = arrow_schema(canary)
    written = 0
    remaining = iter(sessions)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := [session_row(session, canary) for session in islice(remaining, ROW_GROUP)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            written += len(batch)
    return written


def read_parquet(path: Path) -> Iterator[Session]:
    """The sessions of a file, in order. Raises ``ValueError`` where the file is none of ours."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(ROW_GROUP):
                for row in batch.to_pylist():
                    yield session_of_row(row)
    except (pa.ArrowException, KeyError, TypeError, OSError) as error:
        raise ValueError(f"{path.name} is not a Parquet file of a release: {error}") from error


def flat_rows(session: Session, split: str, annotators: Sequence[str]) -> dict[str, list[tuple[Any, ...]]]:
    """A session as rows of the tables of ``benchmark.duckdb``, by table."""
    tasks: list[tuple[Any, ...]] = []
    actions: list[tuple[Any, ...]] = []
    dependencies: list[tuple[Any, ...]] = []
    for number, task in enumerate(session.tasks):
        hidden = task.hidden_intent
        row = _task_row(task)
        tasks.append(
            (
                session.id,
                number,
                task.user,
                task.type.value,
                row["topology"],
                hidden.kind.value if hidden else None,
                hidden.device.value if hidden and hidden.device else None,
                hidden.piece if hidden else None,
                hidden.said_in if hidden else None,
                hidden.distance if hidden else None,
                row["alternatives"],
            )
        )
        for index, action in enumerate(row["actions"]):
            slots = canonical_json(action["slots"]) if "slots" in action else None
            actions.append(
                (
                    session.id,
                    number,
                    index,
                    action["kind"],
                    action.get("name"),
                    action["arguments"] if action["kind"] == "call" else None,
                    action.get("observation"),
                    action.get("tool"),
                    slots,
                    action.get("question"),
                    action.get("reply"),
                    action.get("text"),
                    action.get("argument_alternatives"),
                    action.get("trace"),
                )
            )
            dependencies += [(session.id, number, index, on) for on in action["depends_on"]]
    tools = [
        (session.id, position, *(row[name] for name in ("name", "description", "parameters", "returns", "other")))
        for position, row in enumerate(_tool_row(tool) for tool in session.tools)
    ]
    origin = session.provenance
    return {
        "sessions": [
            (
                session.id,
                split,
                session.language.value,
                session.category,
                session.subcategory,
                session.now,
                session.tool_list,
                len(session.tools),
            )
        ],
        "tasks": tasks,
        "actions": actions,
        "dependencies": dependencies,
        "tools": tools,
        "provenance": [
            (
                session.id,
                origin.seed,
                origin.plan,
                origin.draft,
                canonical_json(list(origin.labels)),
                canonical_json(list(annotators)),
                canonical_json(origin.models),
                canonical_json(origin.prompts),
                origin.offline,
                origin.simulated_labels,
                canonical_json(origin.imported) if origin.imported is not None else None,
            )
        ],
    }

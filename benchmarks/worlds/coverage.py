"""How much of a catalogue can be executed, and how well the derivation agrees with tools judged by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wildtool.schemas.tool import ToolList
from wildtool.schemas.world import OperationKind, ParameterRole
from wildtool.worlds.coverage import Derived

GOALS = {"tools": 0.75, "whole": 200, "three": 340, "core": 1.0, "operations": 0.90, "roles": 0.85}
"""Share of executable tools, lists wholly executable, lists with three or more, share of core lists that are whole; share of
right operations, and of right roles of required parameters."""


class BadInput(Exception):
    """A file cannot be measured on; says the cause and the remedy."""


def read_lists(path: Path) -> list[ToolList]:
    """Read a catalogue: its ``lists.jsonl``, or the folder that holds it. Raises ``BadInput``."""
    file = path / "lists.jsonl" if path.is_dir() else path
    if not file.is_file():
        raise BadInput(f"{file}: not there; build one (wildtool catalog build) or give --catalogue FILE")
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return [ToolList.model_validate_json(line) for line in lines if line.strip()]
    except ValueError as error:
        raise BadInput(f"{file}: no catalogue ({str(error).splitlines()[0]}); give the lists.jsonl of one") from error


def read_truth(path: Path) -> list[dict[str, Any]]:
    """Read hand-checked tools. Raises ``BadInput`` for rows that say something else than the records know."""
    if not path.is_file():
        raise BadInput(f"{path}: no truth there; give --truth FILE, JSONL of hand-checked tools")
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            for kind in (row["operation"], *row["also"]):
                OperationKind(kind)
            for use in row["roles"].values():
                for role in (use["role"], *use["also"]):
                    ParameterRole(role)
            row["list"], row["tool"], row["executable"]
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(
                f"{path}, line {number}: {error!r}; see benchmarks/worlds/__main__.py for the form"
            ) from error
        rows.append(row)
    return rows


def accuracy(derived: Mapping[str, Derived], truth: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Compare specs with hand-checked tools; only totals come out, so that nobody tunes to single tools."""
    by_name = {(each.listed.slug, str(each.listed.language)): each for each in derived.values()}
    found: Counter[str] = Counter()
    confused: Counter[str] = Counter()
    roles: Counter[str] = Counter()
    for row in truth:
        listed = derived.get(row["list"]) or by_name.get((row.get("slug"), row.get("language")))
        tool = None if listed is None else next((t for t in listed.listed.tools if t.name == row["tool"]), None)
        if listed is None or tool is None:
            found["absent"] += 1
            continue
        operation = listed.spec.tools[tool.name]
        found["tools"] += 1
        found["executable"] += operation.executable == row["executable"]
        if operation.op in (row["operation"], *row["also"]):
            found["operations"] += 1
        else:
            confused[f"{row['operation']} taken for {operation.op}"] += 1
        for name in tool.parameters.get("required", ()):
            due = row["roles"].get(name)
            if due is None:
                continue
            use = operation.parameters.get(name)
            found["required"] += 1
            if use is not None and use.role in (due["role"], *due["also"]):
                found["roles"] += 1
            else:
                roles[f"{due['role']} taken for {'nothing' if use is None else use.role}"] += 1
    return {
        "tools": found["tools"],
        "absent": found["absent"],
        "operations": round(found["operations"] / max(1, found["tools"]), 4),
        "executable": round(found["executable"] / max(1, found["tools"]), 4),
        "required": found["required"],
        "roles": round(found["roles"] / max(1, found["required"]), 4),
        "operations_confused": dict(confused.most_common()),
        "roles_confused": dict(roles.most_common()),
    }

"""No result depends on the machine's date: what of ours looks at it is known, and only tells people or waits."""

from __future__ import annotations

import ast
from pathlib import Path

from wildtool.flows.versions import ROOMS

DATES = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today"), ("time", "time"),
         ("time", "time_ns"), ("time", "localtime"), ("time", "gmtime")}  # fmt: skip
KNOWN = {
    "agents/gateway/responses.py": "Retry-After may name a date",
    "flows/log.py": "the log says when",
}


def test_who_looks_at_the_date(repository: Path) -> None:
    found = set()
    for room in ROOMS:
        for file in (repository / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                named = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
                if named and (node.value.id, node.attr) in DATES:
                    found.add(str(file.relative_to(repository)))
    assert found == set(KNOWN)

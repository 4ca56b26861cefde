"""No room writes a table that a spreadsheet would run formulas of; whoever adds one must defuse ``= + - @`` first."""

from __future__ import annotations

import re
from pathlib import Path

from wildtool.flows.versions import ROOMS

WRITES = re.compile(
    r"csv\.(?:writer|DictWriter)|\.to_csv\(|\.write_csv\(|pyarrow\.csv|FORMAT\s+csv|to_excel|openpyxl|xlsxwriter"
    r"|[\"'][\w*./{}-]{0,60}\.(?:csv|tsv|xlsx)[\"']\s*\)\.(?:write|open)",
    re.IGNORECASE,
)


def test_nothing_writes_a_spreadsheet(repository: Path) -> None:
    files = [
        file
        for room in ROOMS
        for file in (repository / room).rglob("*")
        if file.suffix in {".py", ".js", ".sql", ".html", ".jinja"}
    ]
    assert len(files) > 150
    assert [file for file in files if WRITES.search(file.read_text(encoding="utf-8"))] == []
    assert WRITES.search("rows = csv.writer(stream)") and WRITES.search("COPY t TO 'x' (FORMAT CSV)")

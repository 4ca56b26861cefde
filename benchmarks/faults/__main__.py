"""Faults done to real runs: ``python -m benchmarks.faults [--only AREA] [--case N] [--json] [--write]``.

The endpoint, Label Studio (a real one, behind a proxy), the disk, the clock and the files under a home are made to
fail while ``wildtool`` runs as a process of its own. Each row says what was done, what the user sees, how it goes on.
Exits 1 where a fault loses or doubles anything, shows a traceback, or is not recovered from. ``--write`` puts the
rows into the table of docs/results/reliability.md; those of other areas and cases stay there.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

from benchmarks.faults import machine, model, studio
from benchmarks.faults.ground import Ground, Row
from benchmarks.page import cell, fill, held

AREAS = {"model": model, "studio": studio, "machine": machine}


def measure(areas: Sequence[str], named: str = "") -> list[Row]:
    """All rows of these areas; with ``named`` those whose numbers in the area, from 1, are given (``1,4``)."""
    numbers = {int(number) for number in named.split(",") if number}
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        ground = Ground(Path(name))
        ground.prepare()
        # Areas share nothing but the ground, and mostly wait.
        with ThreadPoolExecutor(len(areas)) as pool:
            for rows in pool.map(partial(_area, ground, numbers), areas):
                found += rows
    return found


def _area(ground: Ground, numbers: set[int], name: str) -> list[Row]:
    rows = []
    with AREAS[name].opened(ground) as cases:
        for number, case in enumerate(cases, 1):
            if numbers and number not in numbers:
                continue
            row = case()
            rows.append(row)
            print(f"{row.area}: {row.fault}: {row.problems or 'good'}", file=sys.stderr, flush=True)
    return rows


HEAD = ("| area | what is done | what the user sees | goes on | figures |", "| --- | --- | --- | --- | --- |")


def table(rows: Sequence[Row], before: str = "") -> str:
    """Markdown; rows of an earlier table stay where these say nothing of the same fault."""
    lines = {_key(line): line for line in before.splitlines() if line.startswith("| ") and line not in HEAD}
    for row in rows:
        seen = row.seen if not row.seen.startswith("error: ") else f"`{row.seen}`"
        figures = ", ".join(f"{value:g} {name}" for name, value in row.figures.items())
        goes_on = f"**no**: {'; '.join(row.problems)}" if row.problems else row.recovery
        line = "| " + " | ".join(map(cell, (row.area, row.fault, seen, goes_on, figures))) + " |"
        lines[_key(line)] = line
    bad = sum("**no**" in line for line in lines.values())
    return "\n".join([*HEAD, *lines.values(), "", f"{len(lines)} faults, {bad} of them treated badly."])


def _key(line: str) -> str:
    """Area and fault of a row."""
    return "|".join(line.split(" | ")[:2])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=list(AREAS), help="only faults of this area")
    parser.add_argument("--case", default="", metavar="N[,N]", help="only these of each area, counted from 1")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="put the rows into docs/results/reliability.md")
    given = parser.parse_args()
    rows = measure(given.only or list(AREAS), given.case)
    print(json.dumps([asdict(row) for row in rows], ensure_ascii=False) if given.json else table(rows))
    if given.write:
        fill("faults", table(rows, held("faults") if given.only or given.case else ""))
    sys.exit(any(row.problems for row in rows))


if __name__ == "__main__":
    main()

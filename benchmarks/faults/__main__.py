"""Faults done to real runs: ``python -m benchmarks.faults [--only AREA] [--json] [--write]``.

The endpoint, Label Studio (a real one, behind a proxy), the disk, the clock and the files under a home are made to
fail while ``wildtool`` runs as a process of its own. Each row says what was done, what the user sees, how it goes on.
Exits 1 where a fault loses or doubles anything, shows a traceback, or is not recovered from. ``--write`` puts the
table into docs/reliability.md.
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
from benchmarks.page import cell, fill

AREAS = {"model": model, "studio": studio, "machine": machine}


def measure(areas: Sequence[str]) -> list[Row]:
    """All rows of these areas."""
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        ground = Ground(Path(name))
        ground.prepare()
        # Areas share nothing but the ground, and mostly wait.
        with ThreadPoolExecutor(len(areas)) as pool:
            for rows in pool.map(partial(_area, ground), areas):
                found += rows
    return found


def _area(ground: Ground, name: str) -> list[Row]:
    rows = []
    with AREAS[name].opened(ground) as cases:
        for case in cases:
            row = case()
            rows.append(row)
            print(f"{row.area}: {row.fault}: {row.problems or 'good'}", file=sys.stderr, flush=True)
    return rows


def table(rows: Sequence[Row]) -> str:
    """Markdown."""
    lines = ["| area | what is done | what the user sees | goes on | figures |", "| --- | --- | --- | --- | --- |"]
    for row in rows:
        seen = row.seen if not row.seen.startswith("error: ") else f"`{row.seen}`"
        figures = ", ".join(f"{value:g} {name}" for name, value in row.figures.items())
        goes_on = f"**no**: {'; '.join(row.problems)}" if row.problems else row.recovery
        lines.append("| " + " | ".join(map(cell, (row.area, row.fault, seen, goes_on, figures))) + " |")
    bad = sum(bool(row.problems) for row in rows)
    return "\n".join([*lines, "", f"{len(rows)} faults, {bad} of them treated badly."])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=list(AREAS), help="only faults of this area")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="put the table into docs/reliability.md")
    given = parser.parse_args()
    if given.write and given.only:
        parser.error("--write needs all areas")
    rows = measure(given.only or list(AREAS))
    print(json.dumps([asdict(row) for row in rows], ensure_ascii=False) if given.json else table(rows))
    if given.write:
        fill("faults", table(rows))
    sys.exit(any(row.problems for row in rows))


if __name__ == "__main__":
    main()

"""How long our regular expressions take on text made to be slow for them: ``python -m benchmarks.patterns [--json]``.

Every pattern that a module of the rooms compiles at import, and every one that its functions write down, is run over
texts derived from the pattern itself. Time must grow about as the text does; the exit code is 1 where a pattern's grows
with the square or worse. It is processor time, the least of several tries, and a suspicion is tried again on a text four
times as long: a busy machine makes nothing look bad. Patterns known to be slow and to be fast are measured first.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from benchmarks.patterns.measuring import Found, check_measuring, measure
from benchmarks.patterns.ours import ROOMS, collect


def measure_all(rooms: Sequence[str] = ROOMS) -> list[Found]:
    """Every pattern, slowest first."""
    check_measuring()
    found = []
    for ours in collect():
        if ours.where.partition("/")[0] not in rooms:
            continue
        found.append(one := measure(ours))
        if not one.linear:
            print(line(one), file=sys.stderr, flush=True)
    return sorted(found, key=lambda one: (one.linear, -one.slowest_ms))


def line(one: Found) -> str:
    """One pattern."""
    return f"{one.where}: {one.slowest_ms} ms, ×{one.growth}, {one.attack!r}: {one.pattern[:160]!r}"


def main(given: Sequence[str] | None = None) -> None:
    """Command line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--room", action="append", choices=ROOMS, help="only this room's patterns")
    arguments.add_argument("--json", action="store_true")
    wanted = arguments.parse_args(given)
    rows = measure_all(wanted.room or ROOMS)
    bad = [row for row in rows if not row.linear]
    if wanted.json:
        print(json.dumps([asdict(row) for row in rows]))
    else:
        print("\n".join(map(line, bad or rows[:5])))
        print(f"{len(rows)} patterns, {len(bad)} grow faster than their text")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()

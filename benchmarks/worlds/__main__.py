"""Executable worlds measured: coverage, accuracy, properties, mutants, times; and contradictions of drafts.

    python -m benchmarks.worlds [--catalogue FILE] [--truth FILE] [--sample N] [--json]
    python -m benchmarks.worlds --drafts HOME [--json] [--show]

The catalogue is that of the home folder if none is given. ``--truth`` holds tools judged by hand, one JSON object a line:
``{"list": id, "tool": name, "operation": kind, "also": [kinds], "roles": {parameter: {"role": role, "also": [roles]}},
"executable": bool}``; only totals are printed. ``--sample`` judges properties, mutants and times on every n-th list.
``--drafts`` counts contradictions in the text and results of a home's drafts and asks no world. Exits 1 where a goal is
missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, at_least, at_most, packed, peer
from benchmarks.worlds import drafts
from benchmarks.worlds.coverage import GOALS, BadInput, accuracy, read_lists, read_truth
from benchmarks.worlds.validity import LIMITS, Furnish, furnisher, kills, properties, times
from wildtool.schemas.tool import ToolList
from wildtool.schemas.world import WorldSpec
from wildtool.worlds.coverage import Derived, coverage
from wildtool.worlds.mutants import LEAST_KILLED

TRUTH = Path(__file__).resolve().parent.parent.parent / "tests" / "worlds" / "truth" / "tools.jsonl"
CATALOGUE = Path(".wildtool") / "catalog" / "lists.jsonl"
ROUNDS = 2
"""Rounds of each property on each list: the catalogue has hundreds of lists."""


def derivation(listed: ToolList) -> WorldSpec:
    """The world of a list, by rules."""
    from wildtool.worlds.derivation import derive

    spec: WorldSpec = derive(listed)
    return spec


def measure(
    catalogue: Path, truth: Path | None, sample: int, *, derive: Any = derivation, furnish: Furnish = furnisher
) -> dict[str, Any]:
    """Measure a catalogue. Raises ``BadInput``."""
    derived = [Derived(listed, derive(listed)) for listed in read_lists(catalogue)]
    judged = [each for each in derived[::sample] if each.executable]
    report: dict[str, Any] = {"coverage": coverage(derived)}
    if truth is not None and truth.is_file():
        report["accuracy"] = accuracy({each.listed.id: each for each in derived}, read_truth(truth))
    report["properties"] = properties(judged, furnish, rounds=ROUNDS)
    report["mutants"] = kills(judged, furnish)
    report["times"] = times(judged, furnish)
    return report


def figures_of(report: dict[str, Any]) -> list[Figure]:
    """Figures beside the project's goals, and beside SQLite."""
    covered, judged = report["coverage"], report["properties"]
    found = [
        at_least(f"tools executable, of {covered['tools']:,}", covered["share"], "share", GOALS["tools"]),
        at_least(f"lists wholly executable, of {covered['lists']}", covered["whole"], "count", GOALS["whole"]),
        at_least("lists with three executable tools or more", covered["three"], "count", GOALS["three"]),
    ]
    if covered["core"]:
        share = covered["core_whole"] / covered["core"]
        found.append(at_least(f"core lists whole, of {covered['core']}", round(share, 4), "share", GOALS["core"]))
    if (right := report.get("accuracy")) is not None:
        found += [
            at_least(f"operations right, of {right['tools']}", right["operations"], "share", GOALS["operations"]),
            at_least(f"roles right, of {right['required']} required", right["roles"], "share", GOALS["roles"]),
        ]
    else:
        found.append(Figure("operations and roles right", 0, "share", absent="no hand-checked tools (--truth FILE)"))
    kill, took = report["mutants"], report["times"]
    lists = judged["lists"]
    found += [
        at_most(f"property failures, worlds of {lists} lists", judged["failures"], "count", 0),
        at_least(f"mutants killed, of {kill['mutants']:,}", kill["rate"], "share", LEAST_KILLED),
        at_most(f"specs refused for their mutants, of {lists}", kill["refused"], "count", 0),
        at_most("world built, 95th percentile", took["build_ms"]["p95"], "CPU ms", LIMITS["build_ms"]),
        at_most("call, 95th percentile", took["call_ms"]["p95"], "ms", LIMITS["call_ms"]),
        peer(
            "world built, median",
            took["build_ms"]["median"],
            "CPU ms",
            "SQLite, rows given",
            took["sqlite_build_ms"]["median"],
        ),
        peer("call, median", took["call_ms"]["median"], "ms", "SQLite, one select", took["sqlite_query_ms"]["median"]),
    ]
    return found


def show(report: dict[str, Any], figures: list[Figure]) -> None:
    """Print figures and what stands behind them."""
    for figure in figures:
        beside = "" if figure.theirs is None else f"  ({figure.beside} {figure.theirs:g})"
        print(f"{figure.what:<55} {figure.ours:>10g} {figure.unit:<7}{beside}  {figure.verdict}")
    for title, counts in (
        ("operations", report["coverage"]["operations"]),
        ("opaque because", report["coverage"]["opaque"]),
        ("roles", report["coverage"]["roles"]),
        ("operations confused", report.get("accuracy", {}).get("operations_confused", {})),
        ("roles confused", report.get("accuracy", {}).get("roles_confused", {})),
        ("property failures", report["properties"]["by_property"]),
        ("mutants that survived", report["mutants"]["survived"]),
    ):
        if counts:
            print(f"\n{title}")
            print("\n".join(f"  {count:>6,}  {name}" for name, count in counts.items()))
    if report["properties"]["examples"]:
        print("\none failure of each property")
        print("\n".join(f"  {told}" for told in report["properties"]["examples"].values()))


def of_drafts(home: Path, *, as_json: bool, every: bool) -> int:
    """Print the contradictions of a home's drafts."""
    if not (home / "warehouse.duckdb").is_file():
        raise BadInput(f"{home}: no warehouse there; draft sessions first (wildtool draft --home {home})")
    counted = drafts.measure(home)
    if as_json:
        print(json.dumps(counted))
    else:
        print("\n".join(f"{name:<16} {value:>8,}" for name, value in counted.items()))
    if every:
        print("\n".join(f"{name}: {told}" for name, told in drafts.all_remarks(home)), file=sys.stderr)
    return 1 if any(counted[name] for name in drafts.COUNTERS) else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.worlds", description="Measure executable worlds.")
    parser.add_argument(
        "--catalogue", type=Path, help=f"lists.jsonl of a catalogue, or its folder (default: {CATALOGUE})"
    )
    parser.add_argument(
        "--truth", type=Path, help="JSONL of hand-checked tools (default: tests/worlds/truth/tools.jsonl)"
    )
    parser.add_argument("--sample", type=int, default=1, help="judge every n-th list (coverage counts all)")
    parser.add_argument("--drafts", type=Path, metavar="HOME", help="count contradictions in the drafts of a home")
    parser.add_argument("--show", action="store_true", help="with --drafts: each contradiction, on stderr")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    given = parser.parse_args()
    try:
        if given.drafts is not None:
            return of_drafts(given.drafts, as_json=given.json, every=given.show)
        if given.catalogue is None and not CATALOGUE.is_file():
            told = f"skipped: no catalogue at {CATALOGUE}; build one (wildtool catalog build) or give --catalogue FILE"
            print(json.dumps({"skipped": told, "figures": []}) if given.json else told)
            return 0
        if given.truth is not None:
            read_truth(given.truth)
        report = measure(given.catalogue or CATALOGUE, given.truth or TRUTH, max(1, given.sample))
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    figures = figures_of(report)
    if given.json:
        print(json.dumps({**report, "figures": packed(figures)}, ensure_ascii=False))
    else:
        show(report, figures)
    return 1 if any(figure.missed for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())

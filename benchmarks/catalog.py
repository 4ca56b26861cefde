"""The catalogue measured: time, memory and success by source, beside peers on the same files; filing and cleaning against
labels; a whole build, twice.

    python -m benchmarks.catalog FILE_OR_FOLDER... [--peer-python PYTHON]   import, beside jsonref and fastmcp
    python -m benchmarks.catalog --labels                                  credentials and defaults against labels
    python -m benchmarks.catalog --catalogue FOLDER                        categories of a built catalogue against labels
    python -m benchmarks.catalog --build CACHE                             npm and core built twice: time, memory, bytes

Peers run where they are installed (``pip install jsonref fastmcp`` in any environment, named by --peer-python). ``--json``
prints one object. Exits 1 where a target is missed.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, at_least, at_most, packed, peer
from wildtool.api_catalog import build_catalogue, import_paths, load_catalogue, save_catalogue, verify_catalogue
from wildtool.api_catalog.functions.authentication import is_credential
from wildtool.api_catalog.functions.description import Refused
from wildtool.api_catalog.sources.documents import parse
from wildtool.api_catalog.sources.paths import read_sources
from wildtool.language.prose_defaults import default_in_prose
from wildtool.schemas.taxonomy import CATEGORY_OF, TAXONOMY

LABELS = Path(__file__).with_name("catalog_labels.tsv")
"""Minor category by slug of 522 lists of the npm bundle, labelled by hand from title, description and functions.

``tuned``: labelled with the classifier's answer in sight, so they lean towards it. ``blind``: labelled without it; half of
their mistakes were mended afterwards. ``held_out``: labelled without it, after all tuning: the honest figure.
"""

SAMPLES = Path(__file__).parent.parent / "tests" / "api_catalog"

PEER_SECONDS = 20
"""Limit for one file; the slowest of the sample takes this importer two seconds."""

MOST_SECONDS, MOST_MB, LEAST_LISTS, LEAST_FUNCTIONS, LEAST_OF_MAJOR = 150, 2048, 390, 2000, 20
"""Targets of a build of the whole npm bundle on two cores."""


def filing(folder: Path) -> dict[str, Any]:
    """Accuracy of the categories of a built catalogue."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        labels = {row["slug"]: (row["subcategory"], row["set"]) for row in csv.DictReader(file, delimiter="\t")}
    lists = [each for each in load_catalogue(folder).lists if each.slug in labels and each.source != "core"]
    figures = {}
    for name in ("tuned", "blind", "held_out", "all"):
        chosen = [each for each in lists if name in ("all", labels[each.slug][1])]
        minor = sum(labels[each.slug][0] == each.subcategory for each in chosen)
        major = sum(CATEGORY_OF[labels[each.slug][0]].name == each.category for each in chosen)
        share = max(1, len(chosen))
        figures[name] = {"lists": len(chosen), "minor": round(minor / share, 3), "major": round(major / share, 3)}
    return figures


def cleaning() -> dict[str, Any]:
    """Precision and recall of the credentials and of the defaults in prose, on the labelled samples of the tests."""
    figures: dict[str, Any] = {}
    credentials = [
        (is_credential(row["name"], row["in"], row["description"]) or None, row["credential"] == "yes" or None, "all")
        for row in _rows(SAMPLES / "credentials.tsv")
    ]
    defaults = [
        (
            default_in_prose(row["description"], row["type"], json.loads(row["enum"]) if row["enum"] else None),
            json.loads(row["default"]) if row["default"] else None,
            row["set"],
        )
        for row in _rows(SAMPLES / "defaults.tsv")
    ]
    for name, pairs in (("credentials", credentials), ("defaults", defaults)):
        for group in dict.fromkeys(pair[2] for pair in pairs):
            chosen = [pair for pair in pairs if pair[2] == group]
            found = [(ours, truth) for ours, truth, _ in chosen if ours is not None]
            right = sum(ours == truth and type(ours) is type(truth) for ours, truth in found)
            there = sum(truth is not None for _, truth, _ in chosen)
            figures[f"{name} ({group})"] = {
                "labelled": len(chosen), "precision": round(right / max(1, len(found)), 3), "recall": round(right / max(1, there), 3),
            }  # fmt: skip
    return figures


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def importing(paths: Sequence[str], peer_python: str) -> dict[str, Any]:
    """Success by source, time and memory; then the peers on the same files."""
    figures: dict[str, Any] = {"contenders": {}, "by_source": defaultdict(Counter)}
    with tempfile.TemporaryDirectory() as scratch:
        groups: dict[str, str] = {}
        for number, source in enumerate(read_sources(list(paths))):
            began = time.process_time()
            try:
                document = parse(source.raw).value if source.refused is None else None
            except Refused:
                document = None
            group = Path(source.name).name.split("__")[0] if "__" in source.name else Path(source.name).suffix
            figures["by_source"][group]["files"] += 1
            if document is None:
                figures["by_source"][group]["unreadable"] += 1
                continue
            path = Path(scratch, f"{number}.json")
            path.write_text(json.dumps(document), encoding="utf-8")
            groups[str(path)] = group
            figures["parsing_seconds"] = round(figures.get("parsing_seconds", 0.0) + time.process_time() - began, 2)
        ours = [_ours(path) for path in groups]
        outcomes = {
            "wildtool": ours,
            **{peer: _peer(peer, list(groups), peer_python) for peer in ("jsonref", "fastmcp")},
        }
    for name, rows in outcomes.items():
        if rows is None:
            figures["contenders"][name] = None
            continue
        for row in rows:
            figures["by_source"][groups[row["file"]]][f"{name} {row['outcome']}"] += 1
        figures["contenders"][name] = {
            **dict(Counter(row["outcome"] for row in rows)),
            **{key: sum(row.get(key, 0) for row in rows) for key in ("tools", "legal_names", "described", "resolved")},
            "seconds": round(sum(row["seconds"] for row in rows), 1),
            "peak_mb": max((row["peak_mb"] for row in rows), default=0),
        }
    figures["by_source"] = {group: dict(counts) for group, counts in sorted(figures["by_source"].items())}
    return figures


def _ours(path: str) -> dict[str, Any]:
    began = time.process_time()
    report = import_paths([path])
    tools = [tool for each in report.lists for tool in each.tools]
    return {
        "file": path,
        "outcome": "done" if report.imported else "refused",
        "tools": len(tools),
        "legal_names": len(tools) - sum(verify_catalogue(report.lists).invalid.values()),
        "described": sum(bool(tool.description) for tool in tools),
        "resolved": sum('"$ref"' not in json.dumps(tool.parameters) for tool in tools),
        "seconds": time.process_time() - began,
        "peak_mb": round(report.peak_mb),
    }


def _peer(peer: str, files: list[str], python: str) -> list[dict[str, Any]] | None:
    if subprocess.run([python, "-c", f"import {peer}"], capture_output=True, check=False).returncode:
        return None
    worker = str(Path(__file__).with_name("catalog_peers.py"))
    rows: list[dict[str, Any]] = []
    waiting = list(files)
    while waiting:  # where a file takes the whole process with it, the rest is given to another
        done = subprocess.run(
            [python, worker, peer, str(PEER_SECONDS), *waiting], capture_output=True, text=True, check=False
        )
        found = [json.loads(line) for line in done.stdout.splitlines()]
        rows += found
        waiting = waiting[len(found) :]
        if waiting:
            rows.append({"file": waiting.pop(0), "outcome": "died", "seconds": 0.0, "peak_mb": 0})
    return rows


def building(cache: Path) -> dict[str, Any]:
    """Two builds of npm and core: time, memory, counts, and whether the bytes are the same."""
    runs = []
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(2):
            began, cpu = time.perf_counter(), _cpu()
            result = build_catalogue(["npm", "core"], cache=cache)
            save_catalogue(result, Path(scratch, str(number)))
            runs.append((time.perf_counter() - began, _cpu() - cpu))
        same = all(
            path.read_bytes() == Path(scratch, "1", path.name).read_bytes() for path in Path(scratch, "0").iterdir()
        )
    bundled = [each for each in result.lists if each.source != "core"]
    majors = Counter(each.category for each in bundled)
    return {
        "seconds": round(min(span for span, _ in runs), 1),
        "cpu_seconds": round(min(cpu for _, cpu in runs), 1),
        "peak_mb": _peak_mb(),
        "lists": len(bundled),
        "functions": sum(len(each.tools) for each in bundled),
        "least_of_a_major": min(majors[major.name] for major in TAXONOMY),
        "minors": len({each.subcategory for each in bundled}),
        "invalid": sum(verify_catalogue(result.lists).invalid.values()),
        "same_bytes": same,
    }


def _cpu() -> float:
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def _peak_mb() -> int:
    """Of this process and its two readers together, at worst: each child's peak is at most the largest child's."""
    own, child = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return int((own + 2 * child) // 1024)


def missed(build: dict[str, Any]) -> list[str]:
    """Targets that a build does not reach."""
    checks = {
        f"cpu_seconds <= {2 * MOST_SECONDS}": build["cpu_seconds"] <= 2 * MOST_SECONDS,
        f"peak_mb <= {MOST_MB}": build["peak_mb"] <= MOST_MB,
        f"lists >= {LEAST_LISTS}": build["lists"] >= LEAST_LISTS,
        f"functions >= {LEAST_FUNCTIONS}": build["functions"] >= LEAST_FUNCTIONS,
        f"each major >= {LEAST_OF_MAJOR}": build["least_of_a_major"] >= LEAST_OF_MAJOR,
        "all 24 minors": build["minors"] == len(CATEGORY_OF),
        "no invalid tool": build["invalid"] == 0,
        "same bytes": build["same_bytes"],
    }
    return [name for name, held in checks.items() if not held]


def figures_of(found: dict[str, Any]) -> list[Figure]:
    """All that was measured, beside targets and peers."""
    figures: list[Figure] = []
    for name, row in found.get("labels", {}).items():
        figures += [Figure(f"{name}: {key} of {row['labelled']}", row[key], "share") for key in ("precision", "recall")]
    for name, row in found.get("categories", {}).items():
        figures += [
            Figure(f"{name}: {key} category of {row['lists']} lists", row[key], "share") for key in ("minor", "major")
        ]
    contenders = found.get("import", {}).get("contenders", {})
    ours = contenders.get("wildtool", {})
    for name in sorted(contenders.keys() - {"wildtool"}):
        other, why = contenders[name] or {}, "not installed"
        done = other.get("done", 0) if other else None
        figures += [
            peer("files imported", ours.get("done", 0), "count", name, done, better="more", absent=why),
            peer("time for all", ours["seconds"], "CPU s", name, other.get("seconds"), absent=why),
        ]
    if "build" in found:
        build = found["build"]
        figures += [
            at_most("npm and core built", build["cpu_seconds"], "CPU s", 2 * MOST_SECONDS),
            at_most("peak memory of the build", build["peak_mb"], "MB", MOST_MB),
            at_least("lists", build["lists"], "count", LEAST_LISTS),
            at_least("functions", build["functions"], "count", LEAST_FUNCTIONS),
            at_least("lists of the smallest major category", build["least_of_a_major"], "count", LEAST_OF_MAJOR),
            at_most("invalid functions", build["invalid"], "count", 0),
            at_least("builds with the same bytes (1: yes)", int(build["same_bytes"]), "", 1),
        ]
    return figures


def table(title: str, rows: dict[str, Any], columns: Iterable[str]) -> None:
    """Prints rows of figures under their names."""
    names = list(columns)
    print(f"\n{title}\n{'':<22}" + "".join(f"{name:>13}" for name in names))
    for name, row in rows.items():
        cells = ["not installed"] if row is None else [str(row.get(column, "-")) for column in names]
        print(f"{name:<22}" + "".join(f"{cell:>13}" for cell in cells))


def main() -> None:
    """Runs what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="API descriptions")
    parser.add_argument(
        "--peer-python",
        default=os.environ.get("WILDTOOL_CATALOG_PEERS_PYTHON", sys.executable),
        help="interpreter that has jsonref and fastmcp",
    )
    parser.add_argument("--labels", action="store_true", help="credentials and defaults against their labels")
    parser.add_argument("--catalogue", type=Path, help="folder of a built catalogue")
    parser.add_argument("--build", type=Path, metavar="CACHE", help="folder where npm's tarball is, or is put")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    given = parser.parse_args()
    figures: dict[str, Any] = {}
    if given.labels:
        figures["labels"] = cleaning()
    if given.catalogue is not None:
        figures["categories"] = filing(given.catalogue)
    if given.paths:
        figures["import"] = importing(given.paths, given.peer_python)
    if given.build is not None:
        figures["build"] = building(given.build)
        figures["missed"] = missed(figures["build"])
    if not figures:
        parser.error("give files, --labels, --catalogue or --build")
    if given.json:
        print(json.dumps(figures | {"figures": packed(figures_of(figures))}))
    else:
        if "labels" in figures:
            table("against labels", figures["labels"], ("labelled", "precision", "recall"))
        if "categories" in figures:
            table("categories against labels", figures["categories"], ("lists", "minor", "major"))
        if "import" in figures:
            columns = (
                "done",
                "refused",
                "failed",
                "too slow",
                "died",
                "tools",
                "legal_names",
                "resolved",
                "seconds",
                "peak_mb",
            )
            table("the same files", figures["import"]["contenders"], columns)
            for group, counts in figures["import"]["by_source"].items():
                print(f"{group}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))
        if "build" in figures:
            table("npm and core, built twice", {"measured": figures["build"]}, figures["build"])
            print("missed: " + (", ".join(figures["missed"]) or "nothing"))
    sys.exit(1 if figures.get("missed") else 0)


if __name__ == "__main__":
    main()

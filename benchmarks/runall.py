"""Runs the benchmarks and writes docs/results/benchmarks.md: each figure with its command, and a peer's figure or a limit beside it.

    python -m benchmarks.runall [--only scoring,catalog] [--full] [--list]

What was measured lies in docs/results/benchmarks.json, one entry a benchmark with its date and machine; a run replaces the
entries of the benchmarks that it ran, and the page is made of all of them. A benchmark that fails, is late or lacks its
input loses nothing but its own figures, and the page says why. Exits 1 where a limit was missed or a benchmark failed.

Peers live in environments of their own, named by WILDTOOL_DATATROVE_PYTHON, WILDTOOL_CURATOR_PYTHON and
WILDTOOL_CATALOG_PEERS_PYTHON; rows of peers that are not there say so.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import importlib.metadata
import json
import os
import platform
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, unpacked
from benchmarks.suite import BENCHMARKS, Benchmark
from wildtool.flows.versions import code_digest

REPOSITORY = Path(__file__).resolve().parent.parent
DATA = REPOSITORY / "docs" / "results" / "benchmarks.json"
PAGE = REPOSITORY / "docs" / "results" / "benchmarks.md"

LIBRARIES = tuple(
    "duckdb pyarrow pydantic prefect label-studio-sdk openai jsonschema scikit-learn numpy dask distributed".split()
)
"""Those whose version moves a figure."""


def run(benchmark: Benchmark, full: bool) -> dict[str, Any]:
    """One entry of the data: when, where, how long, and figures or why there are none."""
    command = benchmark.command(full)
    entry: dict[str, Any] = {
        "command": shlex.join(command),
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": machine(),
        "figures": [],
        "failed": "",
        "skipped": "",
    }
    if benchmark.needs and not (REPOSITORY / benchmark.needs).exists():
        entry["skipped"] = f"there is no {benchmark.needs}"
        return entry
    limit = benchmark.minutes * 60 * (10 if full else 1)
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *command[1:], "--json"], cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip
    try:
        output, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        entry["failed"] = f"not done after {limit // 60} minutes"
        return entry
    finally:
        if process.poll() is None:  # late, or we were interrupted: its servers and workers go with it
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
    entry["seconds"] = round(time.perf_counter() - began)
    try:
        found = json.loads(output.strip().splitlines()[-1])
        unpacked(found["figures"])
        entry["figures"] = found["figures"]
        entry["failed"] = "; ".join(found.get("failed", ()))[:300]  # of a benchmark of several parts
    except (IndexError, ValueError, KeyError, TypeError):
        entry["figures"] = []
        told = errors.strip().splitlines() or [f"it ended with {process.returncode} and no figures"]
        entry["failed"] = told[-1][:300]
    return entry


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": _memory_gb(),
        "load": round(os.getloadavg()[0], 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "code": code_digest(),
        "libraries": {name: version for name in LIBRARIES if (version := _version(name))},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def _memory_gb() -> float:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def page(data: dict[str, Any]) -> str:
    """Markdown of all entries, in the order of ``BENCHMARKS``."""
    lines = [
        "# Benchmarks",
        "",
        "Made by `make bench` from [benchmarks.json](benchmarks.json); not written by hand. Each figure stands under the command that",
        "measured it, with a limit or a peer's figure beside it; the ratio is ours by theirs. `make bench ONLY=scoring,drafting` measures",
        "some again, `make bench FULL=1` at full size. CPU seconds are of all processes of a command, and say more than the clock",
        "where a machine does other work: the load average at the start stands with each run. `wildtool.flows.versions.code_digest()`",
        "tells whether a figure was measured on the code at hand.",
        "",
        *_overview(data),
    ]
    for benchmark in BENCHMARKS:
        entry = data.get(benchmark.name)
        lines += ["", f"## {benchmark.name}", "", benchmark.title, ""]
        if entry is None:
            lines.append(f"Not measured yet: `make bench ONLY={benchmark.name}`.")
            continue
        took = f", {entry['seconds']:,} s" if "seconds" in entry else ""
        lines += [f"    {entry['command']}", "", f"{entry['date']}{took}. {_place(entry['machine'])}", ""]
        if entry["skipped"]:
            lines.append(f"**Skipped**: {entry['skipped']}.")
        if entry["failed"]:
            lines += [f"**Failed**: `{entry['failed']}`", ""]
        if entry["figures"]:
            lines += table(unpacked(entry["figures"]))
    return "\n".join(lines) + "\n"


def _overview(data: dict[str, Any]) -> list[str]:
    lines = [
        "| benchmark | figures | limits met | missed | ahead of a peer | level | behind |",
        "| --- " + "| ---: " * 6 + "|",
    ]
    for benchmark in BENCHMARKS:
        entry = data.get(benchmark.name)
        link = f"[{benchmark.name}](#{benchmark.name})"
        if entry is None or not entry["figures"]:
            why = "not measured" if entry is None else "skipped" if entry["skipped"] else "failed"
            lines.append(f"| {link} | {why} | | | | | |")
            continue
        verdicts = [figure.verdict for figure in unpacked(entry["figures"])]
        counts = [verdicts.count(name) for name in ("met", "missed", "better", "level", "worse")]
        lines.append(f"| {link} | {len(verdicts)} | " + " | ".join(str(count or "") for count in counts) + " |")
    return lines


def _place(told: dict[str, Any]) -> str:
    libraries = ", ".join(f"{name} {version}" for name, version in told["libraries"].items())
    measured = f"code {told['code']}" if "code" in told else "wildtool 0.1.0"
    return (
        f"Measured on {measured}. {told['processor']}, {told['cores']} cores, {told['memory_gb']} GB, "
        f"load {told['load']}; {told['system']}; "
        f"Python {told['python']}; {libraries}."
    )


def table(figures: Sequence[Figure]) -> list[str]:
    """Figures as Markdown."""
    lines = ["| what | ours | beside it | | ratio | verdict |", "| --- | ---: | --- | ---: | ---: | --- |"]
    for each in figures:
        ratio = "" if each.ratio is None else f"{each.ratio:.3g}"
        theirs = "" if each.theirs is None else _number(each.theirs)
        cells = (each.what, f"{_number(each.ours)} {each.unit}".strip(), each.beside, theirs, ratio, each.verdict)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines


def _number(value: float) -> str:
    """Three figures that count, whole numbers whole."""
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names, by commas")
    parser.add_argument("--full", action="store_true", help="full sizes: hours")
    parser.add_argument("--list", action="store_true", help="print the commands, run nothing")
    given = parser.parse_args()
    names = [name for name in given.only.split(",") if name]
    unknown = sorted(set(names) - {benchmark.name for benchmark in BENCHMARKS})
    if unknown:
        print(f"error: no benchmark {', '.join(unknown)}", file=sys.stderr)
        print(f"remedy: one of {', '.join(benchmark.name for benchmark in BENCHMARKS)}", file=sys.stderr)
        return 2
    chosen = [benchmark for benchmark in BENCHMARKS if not names or benchmark.name in names]
    if given.list:
        for benchmark in chosen:
            print(f"{benchmark.name:16} {shlex.join(benchmark.command(given.full))}")
        return 0
    data = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    wrong = 0
    for benchmark in chosen:
        print(f"▸ {benchmark.name}: {shlex.join(benchmark.command(given.full))}", file=sys.stderr)
        entry = data[benchmark.name] = run(benchmark, given.full)
        missed = [figure.what for figure in unpacked(entry["figures"]) if figure.missed]
        wrong += bool(missed or entry["failed"])
        told = entry["failed"] or entry["skipped"] or f"{len(entry['figures'])} figures"
        print(f"  {told}" + "".join(f"\n  missed: {what}" for what in missed), file=sys.stderr)
        # After each: an interrupt loses only what was under way.
        DATA.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        PAGE.write_text(page(data), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(REPOSITORY)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

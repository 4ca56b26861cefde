"""What whole commands take as their input grows: seconds, CPU seconds and memory of all processes of the command.

    python -m benchmarks.scale --conversations 10000 100000 1000000     wildtool mine over generated logs
    python -m benchmarks.scale --sessions 256 2560 [--runner dask]      wildtool draft with the offline simulator
    python -m benchmarks.scale --frozen 256 2560 25600                  release freeze, verify, explore of made sessions
    ... [--catalogue FOLDER] [--keep FOLDER] [--json]

Each size starts from a home of its own. Drafting takes half of the sessions in each language, on the core lists or on those
of ``--catalogue`` (the ``catalog`` folder of a home). What is frozen are the made sessions of ``benchmarks.releases``: people
would have to label the drafts first. Memory is the most at one moment, pages that processes share counted once.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, at_most, packed
from benchmarks.measuring import Took, measured

REPOSITORY = Path(__file__).resolve().parent.parent
LIMIT_MB = 2_048
"""Mining and freezing must do with this on two cores, however long the log."""
WORKERS = 2


def wildtool(home: Path, *arguments: str) -> Took:
    """One command of ours in a home."""
    line = [
        sys.executable,
        "-c",
        "from wildtool.flows.cli import main; main()",
        *arguments,
        "--home",
        str(home),
        "--json",
        "-q",
    ]
    return measured(line, cwd=REPOSITORY)


def mining(size: int, folder: Path) -> list[dict[str, Any]]:
    """``wildtool mine`` over so many generated conversations."""
    log = folder / "log.jsonl"
    with log.open("wb") as stream:
        command = [sys.executable, "-m", "benchmarks.mining_log", str(size)]
        subprocess.run(command, stdout=stream, check=True, cwd=REPOSITORY)
    took = wildtool(folder / "home", "mine", str(log))
    return [row("mine", size, "conversations", took, disk(folder / "home"))]


def drafting(size: int, folder: Path, runner: str, catalogue: Path | None) -> list[dict[str, Any]]:
    """``wildtool draft --model offline`` of so many sessions, half in each language."""
    home = folder / "home"
    if catalogue is None:
        wildtool(home, "catalog", "build", "core")
    else:
        shutil.copytree(catalogue, home / "catalog", ignore=shutil.ignore_patterns("sources"))
    wildtool(home, "mine", str(REPOSITORY / "examples" / "logs"))
    profile = folder / "scale.toml"
    profile.write_text(profile_of(size), encoding="utf-8")
    before = disk(home)
    engine = ["--runner", "dask", "--workers", str(WORKERS)] if runner == "dask" else []
    took = wildtool(home, "draft", "--profile", str(profile), "--model", "offline", *engine)
    return [row(f"draft, {runner}", size, "sessions", took, disk(home) - before)]


def profile_of(sessions: int) -> str:
    """The default profile at another size."""
    import tomllib

    text = (REPOSITORY / "agents" / "profiles" / "default.toml").read_text(encoding="utf-8")
    counts = tomllib.loads(text)["sessions"]
    text = text.replace('name = "default"', f'name = "scale-{sessions}"')
    for language, count in counts.items():
        text = text.replace(f"{language} = {count}", f"{language} = {sessions // len(counts)}")
    return text


def freezing(size: int, folder: Path) -> list[dict[str, Any]]:
    """``wildtool release freeze``, ``verify`` and ``explore`` of so many sessions."""
    home = folder / "home"
    # In a process of its own: what makes the sessions must not count as what freezes them.
    command = [sys.executable, "-m", "benchmarks.scale", "--fill", str(size), str(home / "warehouse.duckdb")]
    subprocess.run(command, check=True, cwd=REPOSITORY)
    # No person judged what was made, and nobody asked where it comes from.
    frozen = wildtool(home, "release", "freeze", "1.0.0", "--allow", "judged", "--allow", "licences")
    release, page = home / "releases" / "1.0.0", folder / "page.html"
    verified = wildtool(home, "release", "verify", str(release))
    explored = wildtool(home, "release", "explore", str(release), "--out", str(page))
    return [
        row("freeze", size, "sessions", frozen, disk(release)),
        row("verify", size, "sessions", verified, 0),
        row("explore", size, "sessions", explored, disk(page)),
    ]


def fill(size: int, warehouse: Path) -> None:
    """Made sessions into a store."""
    from benchmarks.releases import clone
    from wildtool.schemas.session import Provenance
    from wildtool.warehouse import Store

    warehouse.parent.mkdir(parents=True)
    # Imported ones are frozen as they are; others would want people's labels.
    origin = {"provenance": Provenance(imported={"file": "benchmarks.releases"})}
    Store(warehouse).put(clone(number).model_copy(update=origin) for number in range(size))


def disk(path: Path) -> float:
    """MB of a file or of all files of a folder."""
    files = [path] if path.is_file() else (each for each in path.rglob("*") if each.is_file())
    return sum(each.stat().st_size for each in files) / 2**20


def row(stage: str, size: int, unit: str, took: Took, disk_mb: float) -> dict[str, Any]:
    """One point of a curve."""
    return {
        "stage": stage, "size": size, "unit": unit, "seconds": took.seconds, "cpu_seconds": took.cpu_seconds,
        "peak_mb": took.peak_mb, "disk_mb": round(disk_mb, 1), "cpu_ms_each": round(1000 * took.cpu_seconds / size, 3),
    }  # fmt: skip


def figures_of(rows: Sequence[dict[str, Any]]) -> list[Figure]:
    """Each point; memory beside the limit where there is one."""
    figures = []
    for each in rows:
        what = f"{each['stage']}: {each['size']:,} {each['unit']}"
        figures += [Figure(what, each["seconds"], "s"), Figure(what, each["cpu_seconds"], "CPU s")]
        limited = each["stage"] in ("mine", "freeze", "verify", "explore")
        figures.append(
            at_most(what, each["peak_mb"], "MB", LIMIT_MB) if limited else Figure(what, each["peak_mb"], "MB")
        )
    return figures


def table(rows: Iterable[dict[str, Any]]) -> str:
    """Markdown."""
    lines = ["| | | s | CPU s | CPU ms each | peak MB | on disk MB |", "| --- " + "| ---: " * 6 + "|"]
    for each in rows:
        lines.append(
            f"| {each['stage']} | {each['size']:,} | {each['seconds']:,.0f} | {each['cpu_seconds']:,.0f} | {each['cpu_ms_each']:,.3g} "
            f"| {each['peak_mb']:,.0f} | {each['disk_mb']:,.0f} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, nargs="*", default=[])
    parser.add_argument("--sessions", type=int, nargs="*", default=[])
    parser.add_argument("--frozen", type=int, nargs="*", default=[])
    parser.add_argument("--runner", choices=("threads", "dask"), action="append", help="of drafting (default threads)")
    parser.add_argument("--catalogue", type=Path, help="catalogue of a home; default: the core lists")
    parser.add_argument("--keep", type=Path, help="work here and leave it, one folder a size")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--fill", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill:
        fill(int(given.fill[0]), Path(given.fill[1]))
        return 0
    rows: list[dict[str, Any]] = []
    failed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="wildtool-scale-") as scratch:

        def folder(name: str) -> Path:
            made = (given.keep or Path(scratch)) / name
            made.mkdir(parents=True)
            return made

        def point(name: str, measure: Callable[[Path], list[dict[str, Any]]]) -> None:
            try:
                found = measure(folder(name))
            except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
                failed.append(f"{name}: {error}")
                print(f"failed: {failed[-1]}", file=sys.stderr)
                return
            rows.extend(found)
            print(table(found), file=sys.stderr)  # as it comes: a large size may take hours

        for size in given.conversations:
            point(f"mine-{size}", partial(mining, size))
        for size in given.sessions:
            for runner in given.runner or ["threads"]:
                point(f"draft-{runner}-{size}", partial(drafting, size, runner=runner, catalogue=given.catalogue))
        for size in given.frozen:
            point(f"freeze-{size}", partial(freezing, size))
    if given.json:
        print(json.dumps({"rows": rows, "failed": failed, "figures": packed(figures_of(rows))}))
    else:
        print(table(rows))
    return 1 if failed or any(figure.missed for figure in figures_of(rows)) else 0


if __name__ == "__main__":
    sys.exit(main())

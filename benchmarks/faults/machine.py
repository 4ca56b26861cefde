"""Faults of the machine: disk, clock, a held file, damaged files."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from benchmarks.faults.ground import DRAFT, NOTHING, Ended, Ground, Row, bad_ends, draft_figures
from benchmarks.faults.model import judge
from benchmarks.kills import REPOSITORY, content
from tests.agents.mock_endpoint import MockEndpoint
from wildtool.schemas.draft import Draft
from wildtool.schemas.seed import SeedScenario
from wildtool.warehouse import Store

DISK_MEGABYTES = 320
"""Of the small disk: more than the 200 MB that a run asks for before it starts."""
FILE_BYTES = 256 * 1024
"""Where no disk can be mounted: no file may grow beyond this."""


# Disk


@contextmanager
def small_disk(ground: Ground) -> Iterator[Path | None]:
    """A folder on a disk of its own, None where the system lets nobody mount one (it takes root)."""
    folder = ground.folder / "disk"
    folder.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False, capture_output=True)


def fill_up(folder: Path) -> Path:
    """Write until nothing more fits."""
    filler = folder / "filler"
    block = b"\0" * (1 << 20)
    with filler.open("wb", buffering=0) as stream:
        for size in (1 << 20, 4096, 1):
            with suppress(OSError):
                while stream.write(block[:size]) == size:
                    pass
    return filler


class Filling(MockEndpoint):
    """An endpoint at whose n-th request something happens to the machine."""

    at = 20
    event: Callable[[], object] | None = None

    def complete(self, body: dict[str, object]) -> tuple[int, dict[str, str], str | None]:
        with self.lock:
            if self.event is not None and len(self.served) == self.at:
                event, self.event = self.event, None
                event()
        return super().complete(body)


def disk_full_while_drafting(ground: Ground) -> Row:
    """The disk fills up at the twentieth request."""
    with small_disk(ground) as disk:
        if disk is None:
            return limited_files_while_drafting(ground)
        home = Path(shutil.copytree(ground.planned, disk / "home"))
        endpoint = Filling(ground.actor(home))
        endpoint.event = lambda: fill_up(disk)
        with endpoint.serve() as url:
            under = ground.run(home, *DRAFT, OPENAI_BASE_URL=url)
            (disk / "filler").unlink(missing_ok=True)
            figures = draft_figures(home, under, endpoint)
            after = ground.run(home, *DRAFT, OPENAI_BASE_URL=url)
        # The answers that were under way when the disk was full could not be kept.
        twice = sum(endpoint.paid_twice().values())
        figures["asked again"] = twice
        problems = judge(ground, home, True, under, after)
        if twice > 6:
            problems.append(f"{twice} answers paid twice, more than were under way")
        name = f"disk full in the middle of drafting (a tmpfs of {DISK_MEGABYTES} MB)"
        return Row("disk", name, _seen(under, home), "free space, the same command again", figures, problems)


def limited_files_while_drafting(ground: Ground) -> Row:
    """Without a disk of its own: from the twentieth request on no file of the run may grow beyond a limit."""
    home = ground.home("disk")
    endpoint = Filling(ground.actor(home))
    with endpoint.serve() as url:
        process = ground.start(home, *DRAFT, OPENAI_BASE_URL=url)
        limit = (FILE_BYTES, FILE_BYTES)
        endpoint.event = lambda: resource.prlimit(process.pid, resource.RLIMIT_FSIZE, limit)
        under = ground.end(process)
        figures = draft_figures(home, under, endpoint)
        after = ground.run(home, *DRAFT, OPENAI_BASE_URL=url)
    name = f"files cannot grow beyond {FILE_BYTES // 1024} kB, from the middle of drafting (no disk could be mounted)"
    problems = judge(ground, home, True, under, after)
    return Row("disk", name, _seen(under, home), "free space, the same command again", figures, problems)


def disk_full_while_mining(ground: Ground) -> Row:
    """The disk fills up when mining has made its working folder."""
    with small_disk(ground) as disk:
        if disk is None:
            raise RuntimeError("no disk could be mounted")
        home = disk / "home"
        command = ("mine", str(REPOSITORY / "examples" / "logs"))
        process = ground.start(home, *command)
        while process.poll() is None and not (home / "mining").exists():
            time.sleep(0.002)
        fill_up(disk)
        under = ground.end(process)
        (disk / "filler").unlink(missing_ok=True)
        after = ground.run(home, *command)
        problems = bad_ends(True, under, after)
        expected = content(ground.planned, SeedScenario)
        if content(home, SeedScenario) != expected:
            problems.append("other seeds than an undisturbed run's")
        figures = {"seeds": sum(expected.values()), "seconds": round(under.seconds, 1)}
        name = f"disk full in the middle of mining (a tmpfs of {DISK_MEGABYTES} MB)"
        return Row("disk", name, _seen(under, home), "free space, the same command again", figures, problems)


def disk_nearly_full(ground: Ground) -> Row:
    """Too little room to begin with."""
    with small_disk(ground) as disk:
        if disk is None:
            raise RuntimeError("no disk could be mounted")
        fill_up(disk)
        under = ground.run(disk / "home", "mine", str(REPOSITORY / "examples" / "logs"))
        (disk / "filler").unlink()
        after = ground.run(disk / "home", "mine", str(REPOSITORY / "examples" / "logs"))
        figures = {"seconds": round(under.seconds, 1)}
        return Row("disk", "full before the run", _seen(under, disk / "home"), "free space, the same command again", figures,
                   bad_ends(True, under, after))  # fmt: skip


def _seen(under: Ended, home: Path) -> str:
    """The error line, as somebody with a home of the usual name sees it."""
    return under.error.replace(str(home), ".wildtool")


# Clock

CLOCK = """
import os, time
_shift, _every = float(os.environ["CLOCK_SHIFT"]), int(os.environ["CLOCK_EVERY"])
_real, _real_ns, _calls = time.time, time.time_ns, 0
def _now_shift():
    global _calls
    _calls += 1
    return _shift if not _every or (_calls // _every) % 2 else 0.0
time.time = lambda: _real() + _now_shift()
time.time_ns = lambda: _real_ns() + int(_now_shift() * 1e9)
"""
"""Loaded by the interpreter at its start: what ``time`` tells us and the libraries. The monotonic clock never jumps.

``datetime`` is left alone: nothing of ours asks it (``tests/flows/test_clock.py``), and libraries in C take no other.
"""

YEAR = 365 * 24 * 3600.0


def clock_jumps(ground: Ground, *, within: bool) -> Row:
    """A run in two parts, the second two years before the first; or one whose clock jumps to and fro all the time."""
    folder = ground.folder / "clock"
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(CLOCK, encoding="utf-8")
    first = (*DRAFT[:4], "1", *DRAFT[5:])
    if within:
        name = "jumps an hour forwards and back at every third look, within a run"
        parts: list[tuple[float, Sequence[str]]] = [(3600.0, DRAFT)]
    else:
        name = "a year ahead, then, for the rest of the sessions, a year behind"
        parts = [(YEAR, first), (-YEAR, DRAFT)]

    def played(named: str, *, still: bool) -> tuple[Path, MockEndpoint, list[Ended]]:
        home = ground.home(f"clock-{within}-{named}")
        endpoint = MockEndpoint(ground.actor(home))
        clock = {} if still else {"PYTHONPATH": str(folder), "CLOCK_EVERY": "3" if within else "0"}
        with endpoint.serve() as url:
            runs = [
                ground.run(home, *command, OPENAI_BASE_URL=url, CLOCK_SHIFT=str(shift), **clock)
                for shift, command in parts
            ]
        return home, endpoint, runs

    home, endpoint, runs = played("jumping", still=False)
    # Sessions planned in two parts are others than those planned at once: the same parts, with a clock that stands.
    quiet, undisturbed, before = played("still", still=True)
    figures = draft_figures(home, runs[-1], endpoint)
    problems = [f"exit code {e.code}: {e.err[-800:]}" for e in (*runs, *before) if e.code or not e.clean]
    if content(home, Draft) != content(quiet, Draft):
        problems.append("other drafts than with a clock that goes on")
    if more := Counter(endpoint.served) - Counter(undisturbed.served):
        problems.append(f"{sum(more.values())} answers more than with a clock that goes on")
    figures["seconds"] = round(sum(ended.seconds for ended in runs), 1)
    return Row("clock", name, NOTHING, "by itself", figures, problems)


# The warehouse

HOLD = "import duckdb, sys, time; c = duckdb.connect(sys.argv[1]); print('held', flush=True); time.sleep(float(sys.argv[2]))"


def locked(ground: Ground, *, hold: float, wait: float) -> Row:
    """Another process has the DuckDB file open for writing."""
    ends = hold > wait
    home = ground.home(f"locked-{ends}")
    endpoint = MockEndpoint(ground.actor(home))
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home / "warehouse.duckdb"), str(hold)], stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    with endpoint.serve() as url:
        environment = {"OPENAI_BASE_URL": url, "WILDTOOL_STORE_WAIT_SECONDS": str(wait)}
        under = ground.run(home, *DRAFT, **environment)
        if ends:
            holder.terminate()
        holder.wait()
        after = ground.run(home, *DRAFT, **environment) if ends else None
    figures = {"seconds": round(under.seconds, 1), "drafted": sum(ground.expected.values())}
    name = f"held by another process, {'longer' if ends else 'shorter'} than the wait ({wait:g} s)"
    seen = _seen(under, home).replace(str(holder.pid), "4711")
    recovery = "the same command again" if ends else "by itself"
    return Row("warehouse", name, seen or NOTHING, recovery, figures, judge(ground, home, ends, under, after))


def cut_warehouse(ground: Ground, *, share: float) -> Row:
    """The file ends too early: a copy that broke off, a disk that lied."""
    home = ground.home(f"cut-{share}")
    store = home / "warehouse.duckdb"
    backup = ground.folder / f"backup-{share}.duckdb"
    endpoint = MockEndpoint(ground.actor(home))
    with endpoint.serve() as url:
        ground.must(home, *DRAFT, OPENAI_BASE_URL=url)
        ground.must(home, "backup", str(backup))
        os.truncate(store, int(store.stat().st_size * share))
        under = ground.run(home, *DRAFT, OPENAI_BASE_URL=url)
        after = ground.run(home, "restore", str(backup))
        again = ground.run(home, *DRAFT, OPENAI_BASE_URL=url)
    problems = judge(ground, home, True, under, after)
    if again.code:
        problems.append(f"does not recover: {again.err[-800:]}")
    if twice := endpoint.paid_twice():
        problems.append(f"{sum(twice.values())} answers paid twice")
    figures = {"seconds": round(under.seconds, 1), "drafted": Store(store).status().counts.get("Draft", 0)}
    name = f"truncated to {share:.0%} of its bytes"
    return Row("warehouse", name, _seen(under, home), "`wildtool restore BACKUP`, then go on", figures, problems)


# The response cache


def damaged_cache(ground: Ground, name: str, damage: Callable[[Path], int], *, ends: bool, most: int) -> Row:
    """Drafts are lost, so that every answer is wanted from a cache that is damaged; ``most`` is what may be asked again."""
    home = ground.home(f"cache-{name[:8]}")
    endpoint = MockEndpoint(ground.actor(home))
    cache = home / "cache" / "responses.sqlite"
    with endpoint.serve() as url:
        ground.must(home, *DRAFT, OPENAI_BASE_URL=url)
        shutil.copyfile(ground.planned / "warehouse.duckdb", home / "warehouse.duckdb")
        damaged = damage(cache)
        under = ground.run(home, *DRAFT, OPENAI_BASE_URL=url)
        after = None
        if ends:
            for file in cache.parent.glob("responses.sqlite*"):
                file.unlink()
            after = ground.run(home, *DRAFT, OPENAI_BASE_URL=url)
    asked = sum(endpoint.paid_twice().values())
    problems = judge(ground, home, ends, under, after)
    if asked > (most if most >= 0 else damaged):
        problems.append(f"{asked} answers asked again, {damaged} were damaged")
    figures = {"answers": len(set(endpoint.served)), "asked again": asked, "seconds": round(under.seconds, 1)}
    if most < 0:
        figures["damaged"] = damaged
    seen = _seen(under, home) or NOTHING
    return Row("response cache", name, seen, "remove the file, as told" if ends else "by itself", figures, problems)


def _entries(cache: Path) -> int:
    """Every tenth entry is changed; its checksum stays."""
    with sqlite3.connect(cache) as base:
        keys = [row[0] for row in base.execute("select key from responses order by key")][::10]
        base.executemany("update responses set body = substr(body, 1, 40) where key = ?", [(key,) for key in keys])
    base.close()
    return len(keys)


def _shapes(cache: Path) -> int:
    """Every tenth entry holds something else, with a checksum that is right: JSON that is no answer."""
    from wildtool.schemas.base import sha256_hex

    bodies = ["[]", "{}", '{"message": null}', '{"message": "text"}', "no json"]
    with sqlite3.connect(cache) as base:
        keys = [row[0] for row in base.execute("select key from responses order by key")][::10]
        rows = [(bodies[n % len(bodies)], sha256_hex(bodies[n % len(bodies)]), key) for n, key in enumerate(keys)]
        base.executemany("update responses set body = ?, checksum = ? where key = ?", rows)
    base.close()
    return len(keys)


def _noise(cache: Path) -> int:
    """No database any more."""
    for more in ("-wal", "-shm"):
        cache.with_name(cache.name + more).unlink(missing_ok=True)
    cache.write_bytes(b"\x13\x37" * 50_000)
    return 0


def _cut(cache: Path) -> int:
    """Half of its bytes."""
    with sqlite3.connect(cache) as base:
        base.execute("pragma wal_checkpoint(truncate)")
    base.close()
    os.truncate(cache, cache.stat().st_size // 2)
    return 0


@contextmanager
def opened(ground: Ground) -> Iterator[list[Callable[[], Row]]]:
    """Every case, not yet run."""
    cases = [
        partial(clock_jumps, ground, within=False),
        partial(clock_jumps, ground, within=True),
        partial(locked, ground, hold=6.0, wait=60.0),
        partial(locked, ground, hold=120.0, wait=2.0),
        partial(cut_warehouse, ground, share=0.5),
        partial(cut_warehouse, ground, share=0.0),
        partial(damaged_cache, ground, "every tenth entry cut off", _entries, ends=False, most=-1),
        partial(damaged_cache, ground, "well-formed entries that are no answers", _shapes, ends=False, most=-1),
        partial(damaged_cache, ground, "noise in place of the file", _noise, ends=False, most=10**6),
        partial(damaged_cache, ground, "half of the file", _cut, ends=False, most=10**6),
        partial(disk_full_while_drafting, ground),
    ]
    with small_disk(ground) as disk:
        mountable = disk is not None
    if mountable:
        cases += [partial(disk_full_while_mining, ground), partial(disk_nearly_full, ground)]
    yield cases

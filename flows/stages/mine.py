"""Stage: logs → seed scenarios."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from flows.run import Run
from flows.stages.summary import finished, run_id, summary
from schemas.base import JsonObject
from schemas.errors import StageError
from schemas.vocabulary import Stage

STANDARD_INPUT = "-"
"""The log that is read from standard input; it has no identity, so such a run is never skipped."""


def run(run: Run, *, logs: list[str], scenarios: int | None = None) -> JsonObject:
    """Mine the logs; the same logs and settings as in the newest run change nothing and are not read again.

    ``scenarios``: expand to so many seeds a language; as many as the log gives if None.
    Raises ``InputError`` where nothing can be read, ``StageError`` where every row is bad (the rows are kept).
    """
    from mining import MiningSettings, mine

    settings = MiningSettings(seed=run.settings.seed, scenarios=scenarios)
    run.progress.stage("mining seed scenarios from " + ", ".join(logs))
    identity = run_id(Stage.MINE, {"logs": _digests(logs), "settings": settings.model_dump(mode="json")})
    if STANDARD_INPUT not in logs and (before := finished(run, Stage.MINE, identity)) is not None:
        run.progress.note("these logs were mined before: nothing to do")
        return summary(before, unchanged=True)

    result = mine(logs, settings=settings, progress=run.progress.update)
    store = run.store()
    store.put(result.seeds)
    store.put(result.behaviours)
    store.quarantine(result.quarantined)
    report = result.report.model_copy(update={"run": identity})
    if not result.behaviours:
        reasons = ", ".join(sorted({row.reason for row in result.quarantined}))
        raise StageError(
            f"no usable conversation in {', '.join(logs)}: all {len(result.quarantined):,} rows are in quarantine ({reasons})",
            "look at them with `wildtool quarantine --stage mine`, mend the log, and run again",
        )
    store.put_report(report)
    for step in report.steps:
        run.progress.note(f"{step.step}: {step.rows_in:,} in, {step.rows_out:,} out, {step.quarantined:,} quarantined")
    run.progress.note(f"{len(result.seeds):,} seed scenarios")
    return summary(report, seeds=len(result.seeds))


def _digests(logs: Iterable[str]) -> dict[str, str]:
    """SHA-256 of every file that the arguments name, by path: a renamed or edited log is another input."""
    digests: dict[str, str] = {}
    for argument in sorted(logs):
        path = Path(argument)
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            if file.is_file():
                with file.open("rb") as stream:
                    digests[str(file)] = hashlib.file_digest(stream, "sha256").hexdigest()
            else:
                digests[str(file)] = ""
    return digests

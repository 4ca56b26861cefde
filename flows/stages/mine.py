"""Stage: logs → seed scenarios."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from wildtool.flows.run import Run
from wildtool.flows.settings import OFFLINE, RunnerName
from wildtool.flows.stages.llm_callable import asker
from wildtool.flows.stages.summary import finished, run_id, summary
from wildtool.flows.versions import code_digest
from wildtool.schemas.base import JsonObject
from wildtool.schemas.conversation import ConversationBehaviour
from wildtool.schemas.errors import InputError, StageError
from wildtool.schemas.vocabulary import Stage

if TYPE_CHECKING:
    from wildtool.mining import MiningResult, MiningSettings

STANDARD_INPUT = "-"
"""The log that is read from standard input; it has no identity, so such a run is never skipped."""

CLUSTER_SHARD_ROWS = 20_000
"""Rows of a shard on a cluster, where handing one over costs tens of milliseconds: some ten seconds of work."""


def run(
    run: Run,
    *,
    logs: list[str],
    scenarios: int | None = None,
    writer: str | None = None,
    refine: int = 0,
    names: list[str] | None = None,
    profile_out: str | None = None,
    report: bool = False,
    mapping: str | None = None,
    keep_raw: bool = False,
) -> JsonObject:
    """Mine the logs; the same logs and settings as in the newest run change nothing and are not read again.

    ``scenarios``: expand to so many seeds a language; as many as the log gives if None.
    ``writer``: model that words the seeds; None or the offline one: they stay as the rules put them.
    ``refine``: conversations whose turns that model looks at again.
    ``names``: spaCy pipelines that look for names of persons beside the cues.
    ``profile_out``: file to write the log's behaviour to, as a profile; the logs are then read again in any case.
    ``report``: write one HTML page on what was found.
    ``keep_raw``: quarantined rows hold the row as it came, personal data and all.
    ``mapping``: fields of the logs by what they hold, as ``role=sender,text=body``.
    Raises ``InputError`` where nothing can be read, ``StageError`` where every row is bad (the rows are kept).
    """
    from wildtool.mining import MiningSettings, mine
    from wildtool.mining.process_shard import SHARD_ROWS

    writer = None if writer == OFFLINE else writer
    if refine and writer is None:
        raise InputError("--refine needs a model", "name one with --model, or leave out --refine")
    if profile_out is not None:
        check_profile_out(profile_out)
    settings = MiningSettings(
        seed=run.settings.seed,
        scenarios=scenarios,
        model=writer,
        refine=refine,
        names=tuple(names or ()),
        fields=fields_of(mapping),
        keep_raw=keep_raw,
    )
    ask = None if writer is None else asker(run, writer)
    run.progress.stage("mining seed scenarios from " + ", ".join(logs))
    run.progress.update("reading", 0, None)
    # What was not asked for is left out, so that runs of earlier versions are known again.
    unasked = {name for name in ("fields", "keep_raw") if not getattr(settings, name)}
    shaping = settings.model_dump(mode="json", exclude=unasked)
    identity = run_id(Stage.MINE, {"logs": _digests(logs), "settings": shaping})
    page = run.home.reports / f"mining-{identity}.html" if report else None
    before = finished(run, Stage.MINE, identity) if STANDARD_INPUT not in logs and profile_out is None else None
    if before is not None and (page is None or page.exists()):
        run.progress.note("these logs were mined before: nothing to do")
        return summary(before, unchanged=True, page=str(page) if page else None)

    on_cluster = run.settings.runner is RunnerName.DASK
    shard_rows = CLUSTER_SHARD_ROWS if on_cluster else SHARD_ROWS
    # Digested shards stay until all is in the store: a run that was killed goes on from them. Standard input cannot be
    # read again, so nothing of it is kept.
    spool = run.home.mining / f"{identity}-{shard_rows}-{code_digest()[:8]}"
    try:
        result = mine(
            logs,
            settings=settings,
            progress=run.progress.update,
            spool=None if STANDARD_INPUT in logs else spool,
            runner=run.runner if on_cluster else None,
            shard_rows=shard_rows,
            ask=ask,
        )
        if profile_out is not None:
            write_profile(run, result, profile_out, logs)
        return _keep(run, result, identity, logs, settings, page)
    except OSError as error:
        if error.errno is None:
            raise
        raise run.home.unusable(error) from error
    except InputError:
        shutil.rmtree(spool, ignore_errors=True)
        raise


def check_profile_out(target: str) -> None:
    """Raises ``InputError`` where a profile cannot be written: before the work, not after it."""
    path = Path(target)
    if not target.endswith(".toml"):
        raise InputError(f"{target} is not a profile file", "name a file that ends in .toml")
    if path.is_dir():
        raise InputError(f"{target} is a folder", "give a file in it")
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent}", "create it, or name a file in an existing folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{target} cannot be written", "give another file, or the right to write it")


def write_profile(run: Run, result: MiningResult, target: str, logs: list[str]) -> None:
    """The log's behaviour as a profile for ``wildtool draft --profile FILE``. Raises ``InputError`` where it cannot."""
    from wildtool.mining.profile import profile_of, profile_text

    path = Path(target)
    profile = profile_of(result.stats, re.sub(r"[^A-Za-z0-9._-]", "-", path.stem))
    try:
        path.write_text(profile_text(profile, ", ".join(_names(logs))), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror}", "give another file") from error
    run.progress.note(f"profile of the log: wildtool draft --profile {target}")


def _keep(
    run: Run, result: MiningResult, identity: str, logs: list[str], settings: MiningSettings, page: Path | None
) -> JsonObject:
    """Write what was mined; the report last, since it says that the run is finished."""
    store = run.store()
    written = 0
    for table in result.tables():
        store.put_table(ConversationBehaviour, table)
        written += len(table)
        run.progress.update("keeping behaviours", written, len(result.behaviours))
    store.quarantine(result.quarantined)
    store.put(result.seeds)
    report = result.report.model_copy(update={"run": identity})
    if page is not None:
        from wildtool.mining import render_report

        page.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        page.write_text(render_report(result, _names(logs), k=settings.k), encoding="utf-8")
        run.progress.note(f"report: {page}")
    if not len(result.behaviours):
        shutil.rmtree(run.home.mining, ignore_errors=True)
        reasons = ", ".join(sorted({name.split("/")[1] for name in result.reasons}))
        raise StageError(
            f"no usable conversation in {', '.join(logs)}: all {len(result.quarantined):,} rows are in quarantine ({reasons})",
            "look at them with `wildtool quarantine --stage mine`, correct the log, and run again",
        )
    store.put_report(report)
    shutil.rmtree(run.home.mining, ignore_errors=True)
    for step in report.steps:
        run.progress.note(f"{step.step}: {step.rows_in:,} in, {step.rows_out:,} out, {step.quarantined:,} quarantined")
    run.progress.note(f"{len(result.seeds):,} seed scenarios")
    worded = report.notes.get("seeds_worded")
    if isinstance(worded, int) and worded < len(result.seeds):
        run.progress.note(
            f"the model's words were taken for {worded:,} of {len(result.seeds):,} seed scenarios: the other"
            f" {len(result.seeds) - worded:,} keep the template's, since its answers were malformed or too alike"
        )
    return summary(report, seeds=len(result.seeds), page=str(page) if page else None)


def _names(logs: list[str]) -> list[str]:
    """Names of the logs without folders, as they can be written down."""
    from wildtool.mining.readers.files import writable

    return [writable(Path(log).name) for log in logs]


def _digests(logs: list[str]) -> dict[str, str]:
    """SHA-256 of every file that the arguments stand for, by path: a renamed or edited log is another input."""
    from wildtool.mining.readers import expand

    digests: dict[str, str] = {}
    for file in expand(logs):
        if file.path is None:
            continue
        try:
            with file.path.open("rb") as stream:
                digests[str(file.path)] = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError:  # the reader says what is wrong with it
            digests[str(file.path)] = ""
    return dict(sorted(digests.items()))


def fields_of(mapping: str | None) -> dict[str, str]:
    """Return the fields that a mapping names, by what they hold.

    Raises:
        InputError: a part is not ``WHAT=FIELD``.
    """
    found: dict[str, str] = {}
    for part in (mapping or "").split(","):
        what, _, name = (each.strip() for each in part.partition("="))
        if part.strip() and not (what and name):
            raise InputError(f"--map holds {part.strip()!r}", "map like --map role=sender,text=body,session=thread")
        if what:
            found[what] = name
    return found

"""``wildtool release``: freeze, verify, diff, export, list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.console import Group, RenderableType
from rich.table import Table

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.cli.options import AsFlow
from wildtool.flows.cli.views import facts
from wildtool.flows.engine import call_stage
from wildtool.flows.run import Run
from wildtool.schemas.release import GateCounts

if TYPE_CHECKING:
    from wildtool.warehouse.release.release import ExportFormat

group = typer.Typer(help="Freeze, verify, compare and export releases.", no_args_is_help=True)

SHOWN = 40
"""Lines of a long listing that a terminal gets; --json has all."""


@command(group, "freeze")
def freeze(
    run: Run,
    version: Annotated[str, typer.Argument(metavar="VERSION", help="Semantic version, as in 1.0.0.")],
    allow: Annotated[
        list[str] | None, typer.Option(help="Let the failures of this gate pass; the card says so.")
    ] = None,
    parent: Annotated[str | None, typer.Option(help="Earlier release that this one continues: splits stay.")] = None,
    name: Annotated[str, typer.Option(help="Name of the benchmark.")] = "wildtool",
    reason: Annotated[
        list[str] | None,
        typer.Option(metavar="[SESSION=]WHY", help="Why a session was corrected, or all that differ from the parent."),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RELEASE|FILE", help="What no session may repeat: earlier releases, public benchmarks' files."
        ),
    ] = None,
    dev_share: Annotated[float, typer.Option(min=0, max=1, help="Share of the sessions in the split dev.")] = 0.2,
    private_share: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="Share of the sessions that go to a release of their own beside it, VERSION-private."
        ),
    ] = 0.0,
    licence: Annotated[str, typer.Option(help="Licence of the release.")] = "CC-BY-4.0",
    agreement: Annotated[
        float | None, typer.Option(min=-1, max=1, help="Least agreement over the double-labelled slice (default 0.61).")
    ] = None,
    flow: AsFlow = False,
) -> Outcome:
    """Freeze all accepted and imported sessions, if no gate refuses. A frozen version never changes."""
    summary = call_stage(
        run,
        "release",
        as_flow=flow,
        version=version,
        allow=allow,
        parent=parent,
        name=name,
        reasons=_reasons(reason or []),
        against=against,
        dev_share=dev_share,
        private_share=private_share,
        licence=licence,
        agreement_threshold=agreement,
    )
    counts = summary["manifest"]["counts"]
    rows = {
        "release": summary["folder"],
        "unchanged": summary["unchanged"],
        "gates": str(GateCounts.model_validate(summary["gate_counts"])),
        **{k: counts[k] for k in sorted(counts)},
    }
    return Outcome(summary, Group(facts(rows), *_findings(summary["findings"])))


def _findings(findings: list[dict[str, Any]]) -> list[RenderableType]:
    """A table of what the rules found; nothing where they found nothing."""
    if not findings:
        return []
    table = Table(title="findings of the gates", title_justify="left")
    for column in ("gate", "result", "certainty", "session", "task", "action", "reason"):
        table.add_column(column, justify="right" if column in ("certainty", "task", "action") else "left")
    for one in findings[:SHOWN]:
        place = ("" if one[key] is None else str(one[key]) for key in ("task", "action"))
        certainty = f"{one['certainty']:.2f}"
        table.add_row(one["gate"], one["result"], certainty, one["session"], *place, one["reason"])
    left = len(findings) - SHOWN
    return [table, *([f"… and {left:,} more (--json shows all)"] if left > 0 else [])]


def _reasons(given: list[str]) -> dict[str, Any]:
    """Reasons by session id; one without an id is for all others, ``*``."""
    found = {}
    for one in given:
        id, sign, why = one.partition("=")
        found.update({id: why} if sign and id.startswith("ses_") else {"*": one})
    return found


@command(group, "verify", needs_home=False)
def verify(
    run: Run, folder: Annotated[str, typer.Argument(metavar="DIR", help="A release's folder, or a version.")]
) -> Outcome:
    """Check a release on any machine: checksums, schemas, counts, gates."""
    from wildtool.flows.stages.release import findings_of
    from wildtool.flows.stages.release import verify as stage

    result = stage(run, folder)
    failures = [
        f"gate {gate.gate}: {failure.session} task {failure.task}: {failure.reason}"
        for gate in result.gates
        if not gate.ok
        for failure in gate.failures
    ]
    lines = [*result.problems, *failures]
    findings = findings_of(result.gates)
    view = Group(
        facts(
            {
                "version": result.version,
                "files": result.files,
                "sessions": result.sessions,
                "gates": str(result.gate_counts),
            }
        ),
        *(lines[:SHOWN] or ["Everything is as the manifest says."]),
        *([f"… and {len(lines) - SHOWN:,} more (--json shows all)"] if len(lines) > SHOWN else []),
        *_findings([one for one in findings if one["result"] != "failed"]),
    )
    failure = None
    if not result.ok:
        failure = (f"{len(lines):,} things are wrong, the first: {lines[0]}", "get the release again from who froze it")
    counts = result.gate_counts.model_dump(mode="json")
    data = result.model_dump(mode="json") | {"ok": result.ok, "gate_counts": counts, "findings": findings}
    return Outcome(data, view, failure=failure)


@command(group, "diff", needs_home=False)
def diff(
    run: Run,
    before: Annotated[str, typer.Argument(metavar="A", help="A release's folder, or a version.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another.")],
) -> Outcome:
    """Show sessions added, removed and changed, field by field."""
    from wildtool.flows.stages.release import release_folder
    from wildtool.warehouse import diff_releases

    found = diff_releases(release_folder(run, before), release_folder(run, after))
    table = Table(title=f"{found.before} → {found.after}", title_justify="left")
    for column in ("session", "field", "before", "after"):
        table.add_column(column)
    for ids, word in ((found.added, "added"), (found.removed, "removed")):
        for id in ids[:SHOWN]:
            table.add_row(id, word, "", "")
    for change in found.changes[:SHOWN]:
        table.add_row(change.session, change.path, repr(change.before), repr(change.after))
    left = sum(max(0, len(listed) - SHOWN) for listed in (found.added, found.removed, found.changes))
    if left:
        table.add_row("…", f"and {left:,} more (--json shows all)", "", "")
    counts = {"added": len(found.added), "removed": len(found.removed), "changed fields": len(found.changes)}
    return Outcome(found.model_dump(mode="json"), Group(facts(counts | {"unchanged": found.unchanged}), table))


@command(group, "export", needs_home=False)
def export(
    run: Run,
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A release's folder, or a version.")],
    out: Annotated[Path, typer.Option("--out", help="Folder or file to write.")],
    format: Annotated[str, typer.Option("--format", help="jsonl, original, parquet or records.")] = "jsonl",
) -> Outcome:
    """Write a release in another form: OpenAI messages (jsonl), the original benchmark's, Parquet, or our records."""
    from wildtool.flows.stages.release import release_folder
    from wildtool.schemas.errors import InputError
    from wildtool.warehouse import export_release, load_release, too_long_warning

    if format not in ("jsonl", "original", "parquet", "records"):
        raise InputError(f"there is no format {format}", "name one of: jsonl, original, parquet, records")
    source = release_folder(run, folder)
    written = [str(path) for path in export_release(source, cast("ExportFormat", format), out)]
    warning = too_long_warning(load_release(source).sessions) if format == "original" else None
    return Outcome({"written": written, "warning": warning}, "\n".join([*written, *([warning] if warning else [])]))


@command(group, "explore", needs_home=False)
def explore(
    run: Run,
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A release's folder, or a version.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write (default explore.html beside the home's reports).")
    ] = None,
) -> Outcome:
    """Write one self-contained page to look at a release: filters, sessions as chats, graphs, statistics."""
    from wildtool.flows.stages.release import release_folder
    from wildtool.warehouse import explore_release

    source = release_folder(run, folder)
    target = out or run.home.reports / f"explore-{source.name}.html"
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    explore_release(source, target)
    return Outcome({"page": str(target)}, f"page: {target}")


@command(group, "import")
def import_(
    run: Run,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Releases' folders, their Parquet, DuckDB or JSONL, the original's JSONL, our records; also patterns.",
        ),
    ],
) -> Outcome:
    """Read an existing benchmark into the warehouse, to extend, correct and freeze it again."""
    from wildtool.flows.stages.release import import_benchmark

    found = import_benchmark(run, paths)
    return Outcome(found, facts({**found, "files": len(found["files"])}))


@command(group, "contaminated", needs_home=False)
def contaminated(
    run: Run,
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A release's folder, or a version.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Training text or JSON lines, also gzipped.")],
) -> Outcome:
    """Look for a release's canary and n-grams in training text; exit code 1 if any is found."""
    from wildtool.flows.stages.release import open_release
    from wildtool.warehouse import find_contamination

    release = open_release(run, folder)
    found = find_contamination(release.sessions, release.manifest.canary, files)
    table = Table(title=f"release {release.manifest.version} in training text", title_justify="left")
    for column in ("file", "lines", "canaries", "sessions with shared n-grams"):
        table.add_column(column, justify="left" if column == "file" else "right")
    for each in found:
        table.add_row(each.file, f"{each.lines:,}", f"{len(each.canaries):,}", f"{len(each.sessions):,}")
    hit = any(each.found for each in found)
    data = {"found": hit, "files": [each.model_dump(mode="json") for each in found]}
    failure = (
        ("training text holds parts of the release", "leave these files or lines out of training") if hit else None
    )
    return Outcome(data, table, failure=failure)


@command(group, "list", needs_home=False)
def list_(run: Run) -> Outcome:
    """List the home's releases."""
    from wildtool.warehouse import load_manifest

    rows: list[dict[str, Any]] = []
    for folder in sorted(run.home.releases.glob("*/manifest.json")):
        manifest, digest = load_manifest(folder.parent)
        rows.append(
            {
                "version": manifest.version,
                "sessions": manifest.counts["sessions"],
                "offline": manifest.offline,
                "simulated_labels": manifest.simulated_labels,
                "folder": str(folder.parent),
                "digest": digest,
            }
        )
    table = Table(title=f"releases in {run.home.releases}", title_justify="left")
    for column in ("version", "sessions", "offline model", "simulated labels", "folder"):
        table.add_column(column)
    for row in rows:
        table.add_row(
            row["version"], f"{row['sessions']:,}", str(row["offline"]), str(row["simulated_labels"]), row["folder"]
        )
    return Outcome({"releases": rows}, table)

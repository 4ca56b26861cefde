"""``wildtool status``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.cli.watch import watch_home
from wildtool.flows.run import Run

SHOWN = 40
"""Lines of a long listing that a terminal gets; --json has all."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""

    @command(app, "status", needs_home=False)
    def status(
        run: Run,
        watch: Annotated[bool, typer.Option("--watch", help="Look again every few seconds, until Ctrl-C.")] = False,
    ) -> Outcome:
        """Show what the warehouse holds, stage by stage, and what was quarantined and why. Works while a build runs."""
        if watch:
            watch_home(run, lambda held: Group(_counts(held), _stages(held), _quarantine(held)))
            return Outcome({})
        held = run.store().status()
        if not held.exists:
            return Outcome(
                data=held.model_dump(mode="json"),
                view=f"{held.path} does not exist yet. The first stage makes it: wildtool mine LOG...",
            )
        return Outcome(
            data=held.model_dump(mode="json"),
            view=Group(_counts(held), _stages(held), *_pass_rates(held), _quarantine(held)),
        )

    @command(app, "quarantine", needs_home=False)
    def quarantine(
        run: Run,
        stage: Annotated[str | None, typer.Option(help="Only rows of this stage, such as mine.")] = None,
        reason: Annotated[str | None, typer.Option(help="Only rows with this reason.")] = None,
    ) -> Outcome:
        """Show the rows that failed: where, why, and the raw text (whole with --json)."""
        from wildtool.schemas.errors import InputError
        from wildtool.schemas.vocabulary import Stage

        if stage is not None and stage not in list(Stage):
            raise InputError(f"there is no stage {stage}", f"name one of: {', '.join(Stage)}")
        rows = [
            row
            for row in run.store().quarantined(None if stage is None else Stage(stage))
            if reason is None or row.reason == reason
        ]
        table = Table(title=f"{len(rows):,} rows in quarantine", title_justify="left")
        for column in ("stage", "step", "reason", "source", "line", "detail"):
            table.add_column(column)
        for row in rows[:SHOWN]:
            line = "" if row.line is None else str(row.line)
            table.add_row(row.stage, row.step, row.reason, row.source, line, row.detail[:80])
        more = [f"… and {len(rows) - SHOWN:,} more (--json shows all)"] if len(rows) > SHOWN else []
        return Outcome({"rows": [row.model_dump(mode="json") for row in rows]}, Group(table, *more))

    @command(app, "backup", needs_home=False)
    def backup(run: Run, target: Annotated[Path, typer.Argument(metavar="FILE", help="New file to write.")]) -> Outcome:
        """Write a consistent copy of the warehouse to a new file."""
        size = run.store().backup(target)
        return Outcome({"file": str(target), "bytes": size}, f"{target}: {size / 2**20:.1f} MB")

    @command(app, "restore")
    def restore(run: Run, source: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")]) -> Outcome:
        """Put a backup in the warehouse's place; what was there is kept beside it."""
        kept = run.store().restore(source)
        said = "there was no warehouse before" if kept is None else f"the one before is kept as {kept}"
        return Outcome({"restored": str(source), "kept": None if kept is None else str(kept)}, f"restored; {said}")


def _counts(held) -> Table:  # type: ignore[no-untyped-def]  # StoreStatus, whose import would load DuckDB
    table = Table(title=f"{held.path} · {held.bytes / 2**20:.1f} MB · schema {held.version}", title_justify="left")
    table.add_column("record")
    table.add_column("count", justify="right")
    for name, count in held.counts.items():
        if count:
            table.add_row(name, f"{count:,}")
    return table


def _stages(held) -> Table:  # type: ignore[no-untyped-def]
    table = Table(title="newest run of each stage", title_justify="left")
    for column in ("stage", "step", "in", "out", "quarantined"):
        table.add_column(column, justify="right" if column in ("in", "out", "quarantined") else "left")
    for stage, report in held.stages.items():
        for number, step in enumerate(report.steps):
            table.add_row(
                stage.value if number == 0 else "",
                step.step,
                f"{step.rows_in:,}",
                f"{step.rows_out:,}",
                f"{step.quarantined:,}",
            )
    return table


def _pass_rates(held) -> list[Table]:  # type: ignore[no-untyped-def]
    if not held.pass_rates:
        return []
    table = Table(title="checks of drafts, by version of the prompts", title_justify="left")
    for column in ("prompts", "model", "check", "tries", "passed", "rate", "first try"):
        table.add_column(column, justify="left" if column in ("prompts", "model", "check") else "right")
    for each in held.pass_rates:
        rates = ("–" if rate is None else f"{rate:.1%}" for rate in (each.rate, each.first_rate))
        table.add_row(
            f"{each.language} {each.prompts}",
            each.model,
            each.check,
            f"{each.count.tries:,}",
            f"{each.count.passed:,}",
            *rates,
        )
    return [table]


def _quarantine(held) -> Table | str:  # type: ignore[no-untyped-def]
    if not held.quarantine:
        return "quarantine: empty"
    table = Table(title="quarantine (the rows themselves: wildtool quarantine)", title_justify="left")
    for column in ("stage", "reason", "rows"):
        table.add_column(column, justify="right" if column == "rows" else "left")
    for stage, reasons in held.quarantine.items():
        for reason, count in sorted(reasons.items(), key=lambda item: -item[1]):
            table.add_row(stage.value, reason, f"{count:,}")
    return table

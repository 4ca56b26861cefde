"""``wildtool mine``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.cli.options import AsFlow, BaseUrl, DaskAddress, ShardRunner, Workers
from wildtool.flows.cli.views import explained_view, stage_view
from wildtool.flows.engine import call_stage
from wildtool.flows.run import Run


def register(app: typer.Typer) -> None:
    """Add the command to the app."""

    @command(app, "mine")
    def mine(
        run: Run,
        logs: Annotated[list[str], typer.Argument(metavar="LOG...", help="Files, folders, globs, or - for stdin.")],
        scenarios: Annotated[
            int | None, typer.Option(min=1, help="Expand to so many seed scenarios a language.")
        ] = None,
        writer: Annotated[
            str | None, typer.Option("--model", help="Model that words the seeds; without, they are extracted offline.")
        ] = None,
        refine: Annotated[int, typer.Option(min=0, help="Conversations whose turns the model looks at again.")] = 0,
        names_model: Annotated[
            list[str] | None,
            typer.Option(
                metavar="PIPELINE",
                help="spaCy pipeline that finds names of persons; may be repeated. Needs wildtool[names].",
            ),
        ] = None,
        profile_out: Annotated[
            Path | None,
            typer.Option(
                "--profile-out", metavar="FILE.toml", help="Write the log's behaviour as a profile for draft."
            ),
        ] = None,
        openai_base_url: BaseUrl = None,
        runner: ShardRunner = None,
        dask_address: DaskAddress = None,
        workers: Workers = None,
        mapping: Annotated[
            str | None,
            typer.Option(
                "--map",
                metavar="WHAT=FIELD,...",
                help="Fields of the log by what they hold: role=…,text=…,user=…,session=…,time=….",
            ),
        ] = None,
        keep_raw: Annotated[
            bool,
            typer.Option(
                "--keep-raw",
                help="Keep the text of rows that fail, personal data and all; else a pointer and a reason.",
            ),
        ] = False,
        explained: Annotated[
            bool, typer.Option("--explain", help="Only say how the log is read: format, fields, first conversation.")
        ] = False,
        report: Annotated[bool, typer.Option("--report", help="Write one HTML page on what was found.")] = False,
        flow: AsFlow = False,
    ) -> Outcome:
        """Turn conversation logs into seed scenarios: scrub personal data, merge duplicates, count behaviour."""
        if explained:
            from wildtool.flows.stages.mine import fields_of
            from wildtool.mining.readers.explain import explain

            found = explain(logs, fields_of(mapping))
            return Outcome(data=found.data(), view=explained_view(found.data()))
        summary = call_stage(
            run,
            "mine",
            as_flow=flow,
            logs=logs,
            scenarios=scenarios,
            writer=writer,
            refine=refine,
            names=names_model or None,
            mapping=mapping,
            keep_raw=keep_raw,
            report=report,
            profile_out=None if profile_out is None else str(profile_out),
        )
        return Outcome(data=summary, view=stage_view(summary, **({"report": summary["page"]} if report else {})))

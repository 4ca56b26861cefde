"""The command tree. Only what the command line itself needs is imported here: the rest loads when a command runs."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    name="wildtool",
    help="Build, extend, freeze and score tool-use benchmarks from real user logs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        from wildtool.flows.versions import code_version

        typer.echo(code_version())
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_tell_version)
    ] = False,
) -> None:
    del version


from wildtool.flows.cli import annotate, build, catalog, doctor, draft, evaluate, mine, release, serve, status  # noqa: E402  (each registers its commands on `app`'s groups)

for name, group in (
    ("draft", draft.group),
    ("catalog", catalog.group),
    ("annotate", annotate.group),
    ("release", release.group),
    ("evaluate", evaluate.group),
):
    app.add_typer(group, name=name)
for module in (build, mine, serve, status, doctor):
    module.register(app)

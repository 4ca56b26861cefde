"""The command tree. Only what the command line itself needs is imported here: the rest loads when a command runs."""

from __future__ import annotations

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

from flows.cli import (  # noqa: E402  (each registers its commands on `app`'s groups)
    annotate,
    build,
    catalog,
    doctor,
    draft,
    evaluate,
    mine,
    release,
    serve,
    status,
)

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

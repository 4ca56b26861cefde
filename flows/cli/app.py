"""The command tree. A command's module is imported when that command runs, so that ``wildtool --help`` stays quick."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "build": (
        "build",
        "Run the whole pipeline up to labelling as a Prefect flow; with --auto-label and --release, on to scores.",
    ),
    "mine": (
        "mine",
        "Turn conversation logs into seed scenarios: scrub personal data, merge duplicates, count behaviour.",
    ),
    "serve": (
        "serve",
        "Serve the flows to a Prefect server (PREFECT_API_URL) until Ctrl-C: start, schedule and watch runs there.",
    ),
    "status": ("status", "Show what the warehouse holds, stage by stage, and what was quarantined and why."),
    "quarantine": ("status", "Show the rows that failed: where, why, and the raw text (whole with --json)."),
    "backup": ("status", "Write a consistent copy of the warehouse to a new file."),
    "restore": ("status", "Put a backup in the warehouse's place; what was there is kept beside it."),
    "doctor": ("doctor", "Check the installation: what works, what is missing and how to fix it."),
    "draft": ("draft", "Plan sessions and let user, assistant, environment and checker agents draft them."),
    "catalog": ("catalog", "Build, import, verify and search the API catalogue."),
    "annotate": ("annotate", "Send drafts to annotators and collect their labels."),
    "release": ("release", "Freeze, verify, compare and export releases."),
    "evaluate": ("evaluate", "Run models on a release and score them."),
}
"""Name of each command → its module in ``flows.cli``, and the first sentence of its help, which a test keeps in step.

A module either holds a ``group`` of commands or has ``register(app)``, which adds them."""


class LazyGroup(TyperGroup):
    """Commands that are loaded when they are called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # Stand-ins: they show in the help, and among the suggestions for a mistyped name.
        self.commands = {name: TyperCommand(name, help=said) for name, (_, said) in COMMANDS.items()}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, loaded; None where there is none."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands without loading them."""
        TyperGroup(commands=dict(self.commands)).format_commands(ctx, formatter)


def load_command(name: str) -> Any:
    """A command or group of commands, with its parameters."""
    module = import_module(f"wildtool.flows.cli.{COMMANDS[name][0]}")
    part = typer.Typer(add_completion=False, rich_markup_mode=None)
    if hasattr(module, "group"):
        part.add_typer(module.group, name=name)
    else:
        part.callback()(lambda: None)  # without one, a Typer of a single command is that command
        module.register(part)
    return typer.main.get_group(part).commands[name]


app = typer.Typer(
    name="wildtool",
    cls=LazyGroup,
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

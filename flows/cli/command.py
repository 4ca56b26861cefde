"""Define commands: each takes ``--json``, ``--home`` and ``--seed``, and reports results and errors the same way."""

from __future__ import annotations

import errno
import inspect
import json
import os
import sys
import typing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType

from wildtool.flows.cli.views import DataConsole
from wildtool.flows.progress import Shown, Silent, plain
from wildtool.flows.run import Run, open_run
from wildtool.flows.settings import load_settings
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError, WildtoolError


@dataclass(frozen=True)
class Outcome:
    """What a command found: an object for programs, a view for people."""

    data: JsonObject
    """Printed by ``--json``."""
    view: RenderableType | None = None
    """Printed otherwise."""
    failure: tuple[str, str] | None = None
    """Where the stage failed: cause and remedy, a line each."""
    failure_code: int = 1
    """Exit code of a failure: 2 where the input was at fault."""


JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout; logs go to stderr.")]
HomeFlag = Annotated[Path | None, typer.Option("--home", help="Folder that holds everything (default .wildtool).")]
SeedFlag = Annotated[int | None, typer.Option("--seed", help="Seed of all randomness (default 0).")]
QuietFlag = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]

COMMON: dict[str, tuple[Any, Any]] = {
    "as_json": (JsonFlag, False),
    "home": (HomeFlag, None),
    "seed": (SeedFlag, None),
    "quiet": (QuietFlag, False),
}


def command(app: typer.Typer, name: str | None, *, needs_home: bool = True) -> Callable[[Callable[..., Outcome]], None]:
    """Register ``function(run, ...)`` as a command; its docstring is the help.

    Parameters of the function that are named as a setting (``model``, ``project``, …) override that setting.
    Without ``needs_home`` the home folder is neither made nor checked. Without a name the function is what the group
    itself does when no command of it is named (``wildtool draft`` beside ``wildtool draft show``).
    """

    def register(function: Callable[..., Outcome]) -> None:
        hints = typing.get_type_hints(function, include_extras=True)
        own = list(inspect.signature(function).parameters.values())[1:]

        def call(context: typer.Context, **given: Any) -> None:
            if name is None and context.invoked_subcommand is not None:
                return
            as_json, home, seed, quiet = (given.pop(key) for key in COMMON)
            settings = load_settings(home=home, seed=seed, **{key: given[key] for key in given if key in SETTING_FLAGS})
            progress = Silent() if quiet else Shown(Console(stderr=True))
            run = open_run(settings, progress) if needs_home else _run_without_home(settings, progress)
            run.log.event("command", command=context.command_path, home=str(run.home.path), seed=run.settings.seed)
            try:
                outcome = function(run, **given)
            except WildtoolError as error:
                run.log.event("failed", command=context.command_path, cause=error.cause, remedy=error.remedy)
                raise
            except OSError as error:
                # What the disk refuses below the home folder is the user's to fix; anything else is our defect.
                if error.filename is None and error.errno not in DISK_ERRORS:
                    raise
                place = None if error.filename is None else Path(os.fsdecode(error.filename)).absolute()
                if place is not None and not place.is_relative_to(run.home.path.absolute()):
                    raise InputError(
                        f"{place} cannot be used ({error.strerror})", "give another path, that you may read or write"
                    ) from error
                raise run.home.unusable(error) from error
            if as_json:
                sys.stdout.write(json.dumps(outcome.data, ensure_ascii=False, default=str) + "\n")
            elif outcome.view is not None:
                DataConsole(_width()).print(outcome.view, soft_wrap=isinstance(outcome.view, str))
            if outcome.failure is not None:
                cause, remedy = map(plain, outcome.failure)
                sys.stderr.write(f"error: {cause}\nremedy: {remedy}\n")
            raise typer.Exit(0 if outcome.failure is None else outcome.failure_code)

        annotations = {
            "context": typer.Context,
            **{parameter.name: hints[parameter.name] for parameter in own},
            **{key: hint for key, (hint, _) in COMMON.items()},
        }
        call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
            + [p.replace(annotation=annotations[p.name], kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
            + [
                inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
                for key, (hint, default) in COMMON.items()
            ]
        )
        call.__annotations__ = annotations
        call.__doc__ = function.__doc__
        if name is None:
            app.callback(invoke_without_command=True)(call)
        else:
            app.command(name)(call)

    return register


DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""Errors that writing anywhere below the home folder can end in."""

SETTING_FLAGS = (
    "model",
    "openai_base_url",
    "label_studio_url",
    "annotation_backend",
    "project",
    "in_flight",
    "budget_usd",
    "shard",
    "batch",
    "committee",
    "replans",
    "runner",
    "dask_address",
    "workers",
)
"""Settings that commands may offer as flags of the same name."""


def _run_without_home(settings: Any, progress: Any) -> Run:
    from wildtool.flows.home import Home

    home = Home(settings.home)
    home.check()
    return Run(home=home, settings=settings, progress=progress)


def _width() -> int | None:
    """Terminal width on a terminal; elsewhere wide enough that no table is folded."""
    return None if sys.stdout.isatty() else 140

"""The command line. ``main`` is the console script ``wildtool``."""

from __future__ import annotations

import json
import os
import sys
from typing import NoReturn

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells expect."""


def main() -> None:
    """Run the command line and exit: 0 success, 1 a failed stage, 2 bad usage or bad input.

    A user's mistake ends in one line for the cause and one for the remedy, never in a traceback.
    ``WILDTOOL_DEBUG=1`` shows tracebacks.
    """
    try:
        _run()
    except KeyboardInterrupt:
        _fail("interrupted; what was finished is kept", "run the same command again: it goes on", INTERRUPTED)


def _run() -> None:
    import typer

    from wildtool.flows.cli.app import app
    from wildtool.flows.extras import PIPELINE
    from wildtool.schemas.errors import WildtoolError

    try:
        code = app(standalone_mode=False, prog_name="wildtool") or 0
    except typer.Exit as stop:
        code = stop.exit_code
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except typer.TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # a group without a command: its help, not a mistake
            context = getattr(error, "ctx", None)
            sys.stdout.write(f"{error if context is None else context.get_help()}\n")
            sys.exit(0)
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        _fail(message, "see the command's --help", 2)
    except ModuleNotFoundError as error:
        if os.environ.get("WILDTOOL_DEBUG") or (missing := (error.name or "").partition(".")[0]) not in PIPELINE:
            raise
        _fail(
            f"this command needs {missing}, which is not installed here",
            "pip install 'wildtool[pipeline]': a plain install only loads and scores releases",
            2,
        )
    except WildtoolError as error:
        if os.environ.get("WILDTOOL_DEBUG"):
            raise
        _fail(error.cause, error.remedy, error.exit_code)
    if code == INTERRUPTED:  # the parser swallows Ctrl-C and answers with this code
        raise KeyboardInterrupt
    sys.exit(code)


def _fail(cause: str, remedy: str, exit_code: int) -> NoReturn:
    """Two lines on stderr; with ``--json`` also an object on stdout, so that a program need not parse text."""
    from wildtool.flows.progress import plain

    cause, remedy = plain(cause), plain(remedy)
    sys.stderr.write(f"error: {cause}\nremedy: {remedy}\n")
    if "--json" in sys.argv:
        sys.stdout.write(json.dumps({"error": cause, "remedy": remedy}, ensure_ascii=False) + "\n")
    sys.exit(exit_code)

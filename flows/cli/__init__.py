"""The command line. ``main`` is the console script ``wildtool``."""

from __future__ import annotations

import json
import os
import sys

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells expect."""


def main() -> None:
    """Run the command line and exit: 0 success, 1 a failed stage, 2 bad usage or bad input.

    A user's mistake ends in one line for the cause and one for the remedy, never in a traceback.
    ``WILDTOOL_DEBUG=1`` shows tracebacks.
    """
    import typer

    from flows.cli.app import app
    from schemas.errors import WildtoolError

    try:
        sys.exit(app(standalone_mode=False) or 0)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except typer.Abort:
        _fail("stopped", "run the same command again: it goes on where it stopped", INTERRUPTED)
    except KeyboardInterrupt:
        _fail("interrupted; what was finished is kept", "run the same command again: it goes on", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except typer.TyperException as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        _fail(message, "see the command's --help", 2)
    except WildtoolError as error:
        if os.environ.get("WILDTOOL_DEBUG"):
            raise
        _fail(error.cause, error.remedy, error.exit_code)


def _fail(cause: str, remedy: str, exit_code: int) -> None:
    """Two lines on stderr; with ``--json`` also an object on stdout, so that a program need not parse text."""
    cause, remedy = " ".join(cause.split()), " ".join(remedy.split())
    sys.stderr.write(f"error: {cause}\nremedy: {remedy}\n")
    if "--json" in sys.argv:
        sys.stdout.write(json.dumps({"error": cause, "remedy": remedy}, ensure_ascii=False) + "\n")
    sys.exit(exit_code)

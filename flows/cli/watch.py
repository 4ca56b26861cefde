"""``wildtool status --watch``: the warehouse and the newest lines of the log, until Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from flows.cli.views import DataConsole
from flows.log import read_log
from flows.progress import plain
from flows.run import Run
from schemas.errors import StoreBusyError

EVERY_SECONDS = 2.0
"""Long enough that looking costs the writer nothing: the file is open for some milliseconds."""

LINES = 12
"""Newest lines of the log that are shown."""


def watch_home(run: Run, view: Callable[..., RenderableType]) -> None:
    """Show ``view`` of the store's status and the log, again and again. Ends with Ctrl-C."""
    from warehouse import Store

    store = Store(run.home.warehouse, wait=0.5)
    shown: RenderableType = "waiting for the first stage"
    console = DataConsole()
    live_or_plain = Live(console=console, refresh_per_second=4) if console.is_terminal else nullcontext()
    with suppress(KeyboardInterrupt), live_or_plain as live:
        while True:
            try:
                held = store.status()
                shown = view(held) if held.exists else f"{held.path} does not exist yet"
                when = time.strftime("%H:%M:%S")
            except StoreBusyError:
                when = f"{time.strftime('%H:%M:%S')}, the warehouse is being written; the counts are older"
            page = Group(_log(read_log(run.home.path, LINES)), shown, Text(when, style="dim"))
            if live is None:
                console.print(page)
            else:
                live.update(page)
            time.sleep(EVERY_SECONDS)


def _log(lines: list[Mapping[str, object]]) -> Table:
    table = Table(title="log", title_justify="left")
    for column in ("time", "stage", "event", "shard", "session", "more"):
        table.add_column(column, no_wrap=True)
    for line in lines:
        more = " ".join(str(line[name]) for name in ("command", "text", "cause", "reason", "seconds") if name in line)
        cells = (
            str(line.get("time", ""))[11:19],
            *(str(line.get(n, "")) for n in ("stage", "event", "shard", "session")),
        )
        table.add_row(*(plain(cell) for cell in cells), plain(more)[:80])
    return table

"""``wildtool status --watch``: the warehouse and the newest lines of the log, until Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from wildtool.flows.cli.views import DataConsole
from wildtool.flows.log import read_log
from wildtool.flows.progress import plain
from wildtool.flows.run import Run
from wildtool.schemas.errors import StoreBusyError

EVERY_SECONDS = 2.0
"""Long enough that looking costs the writer nothing: the file is open for some milliseconds."""

LINES = 12
"""Newest lines of the log that are shown."""

COLUMNS = ("time", "stage", "event", "shard", "session")
MORE = ("command", "text", "cause", "reason", "seconds")
"""Fields of a line that make its last cell."""

WIDEST_CELL = 24
"""Ids have 20 letters."""

LEAST_MORE, WIDEST_MORE = 24, 80
"""Of the last cell: with less it says nothing, with more it is a page."""


def watch_home(run: Run, view: Callable[..., RenderableType]) -> None:
    """Show ``view`` of the store's status and the log, again and again. Ends with Ctrl-C."""
    from wildtool.warehouse import Store

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
            page = Group(_log(read_log(run.home.path, LINES), console.width), shown, Text(when, style="dim"))
            if live is None:
                console.print(page)
            else:
                live.update(page)
            time.sleep(EVERY_SECONDS)


def _log(lines: list[Mapping[str, object]], width: int) -> Table:
    """The lines in so many columns of a terminal. Where it is narrow, what has the least to say to a person goes first."""
    rows = [
        {
            "time": str(line.get("time", ""))[11:19],
            **{name: plain(str(line.get(name, "")))[:WIDEST_CELL] for name in ("stage", "event", "shard", "session")},
            "more": plain(" ".join(str(line[name]) for name in MORE if name in line)),
        }
        for line in lines
    ]
    needed = {name: max(map(cell_len, [name, *(row[name] for row in rows)])) for name in COLUMNS}
    shown = list(COLUMNS)
    for name in ("session", "shard", "stage"):
        if _room(needed, shown, width) < LEAST_MORE:
            shown.remove(name)
    table = Table(title="log", title_justify="left")
    for name in shown:
        table.add_column(name, width=needed[name], no_wrap=True, overflow="ellipsis")
    table.add_column("more", width=max(len("more"), _room(needed, shown, width)), no_wrap=True, overflow="ellipsis")
    for row in rows:
        table.add_row(*(row[name] for name in (*shown, "more")))
    return table


def _room(needed: Mapping[str, int], shown: Sequence[str], width: int) -> int:
    """What is left for ``more``: each column takes a rule and a blank on either side, and the table a last rule."""
    return min(WIDEST_MORE, width - sum(needed[name] + 3 for name in shown) - 4)

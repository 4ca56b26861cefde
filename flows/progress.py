"""Report the progress of a stage."""

from __future__ import annotations

import time
from typing import Protocol

from rich.console import Console
from rich.text import Text

from wildtool.flows.log import Log

LINE_EVERY_SECONDS = 5.0
"""Without a terminal, a line at most this often: logs stay short, and nobody thinks that it hangs."""


def plain(text: str) -> str:
    """The text without control characters: names of files and drafts come from data, and may hold escape codes."""
    return visible(" ".join(text.split()))


def visible(text: str) -> str:
    """The text line by line as it is, but for control characters: what a terminal would obey is shown as ``�``."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in _BLANKS else "�" for each in text)


_BLANKS = frozenset("\n\t\u00a0\u3000")
"""Not printable to Python, harmless to terminals."""


class Progress(Protocol):
    """Told by stages; shown by the edge."""

    def stage(self, title: str) -> None:
        """A new stage starts."""

    def note(self, text: str) -> None:
        """Something worth a line."""

    def update(self, text: str, done: int, total: int | None = None) -> None:
        """How far the present work is."""


class Silent:
    """Shows nothing."""

    def stage(self, title: str) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def update(self, text: str, done: int, total: int | None = None) -> None:
        """Nothing."""


class Logged:
    """Shows what another display shows, and writes headings and notes to the log."""

    def __init__(self, shown: Progress, log: Log) -> None:
        self._shown = shown
        self._log = log

    def stage(self, title: str) -> None:
        """A heading."""
        self._log.event("heading", text=title)
        self._shown.stage(title)

    def note(self, text: str) -> None:
        """A line."""
        self._log.event("note", text=text)
        self._shown.note(text)

    def update(self, text: str, done: int, total: int | None = None) -> None:
        """How far it is; not logged."""
        self._shown.update(text, done, total)


class Shown:
    """Writes to a console: a live line on a terminal, a line every few seconds elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = time.monotonic()
        self._last_line = 0.0
        self._live = False

    def stage(self, title: str) -> None:
        """A heading with the time since the start."""
        self._end_live()
        heading = Text.assemble((f"▸ {plain(title)}", "bold"), " ", (self._elapsed(), "dim"))
        self._console.print(heading, highlight=False, soft_wrap=True)

    def note(self, text: str) -> None:
        """An indented line."""
        self._end_live()
        self._console.print(f"  {plain(text)}", highlight=False, markup=False, soft_wrap=True)

    def update(self, text: str, done: int, total: int | None = None) -> None:
        """``text  done/total``; overwritten in place on a terminal."""
        of = f"{done:,}" if total is None else f"{done:,}/{total:,}"
        if self._console.is_terminal:
            self._console.file.write(f"\r\x1b[2K  {plain(text)} {of} {self._elapsed()}")
            self._console.file.flush()
            self._live = True
            if total is not None and done >= total:
                self._end_live()
            return
        now = time.monotonic()
        if now - self._last_line >= LINE_EVERY_SECONDS or done == total:
            self._last_line = now
            self._console.print(
                f"  {plain(text)} {of} {self._elapsed()}", highlight=False, markup=False, soft_wrap=True
            )

    def _elapsed(self) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self._started), 60)
        return f"{minutes}:{seconds:02d}"

    def _end_live(self) -> None:
        if self._live:
            self._console.file.write("\n")
            self._live = False

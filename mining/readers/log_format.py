"""Log formats: how a format is registered, and how a row is recognised by its content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wildtool.mining.readers.content import Chat
from wildtool.mining.readers.traces import Turn
from wildtool.schemas.registry import Registry


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A format of logs: how to recognise one row of it, and how to read that row.

    Each row of a chat format is a conversation (``read``). Rows of a trace format are single turns, or steps of turns,
    and are gathered into conversations by their session (``turns``). A format has one of the two.
    """

    name: str
    """Unique name; a plug-in's entry point has the same."""
    title: str
    """What messages to the user call it: ``a ChatGPT export``."""
    fits: Callable[[Any], bool]
    """Whether a row's JSON value is of this format. It sees every row of every log, so it must be cheap and never raise."""
    read: Callable[[Any], Chat] | None = None
    """The chat in a row. Raises ``RowError`` where the row breaks the format's shape."""
    turns: Callable[[dict[str, Any]], list[Turn]] | None = None
    """The turns in a trace row; none for a technical row. Raises ``RowError``."""
    marks: tuple[bytes, ...] = (b"",)
    """Of a trace format: bytes of which each of its rows holds one. Lines without any are not parsed to look for traces."""
    order: int = 0
    """Formats are asked in this order, lowest first. The built-in ones start at 10, so that a plug-in is asked before them
    unless it says otherwise."""

    def __post_init__(self) -> None:
        if (self.read is None) is (self.turns is None):
            raise ValueError(f"the log format {self.name!r} needs either read or turns")

    @property
    def trace(self) -> bool:
        """Do several rows make one conversation?"""
        return self.turns is not None


READERS: Registry[LogFormat] = Registry(
    "log format",
    LogFormat,
    group="wildtool.readers",
    builtins="wildtool.mining.readers.formats",
    order=lambda form: (form.order, form.name),
)
"""All log formats. A module in ``mining/readers/formats/`` or an entry point of ``wildtool.readers`` adds one."""


def recognise(value: Any) -> LogFormat | None:
    """Format of one row's JSON value; None where no format fits.

    Raises:
        PluginError: the recogniser of a plug-in failed.
    """
    for form in READERS.all():
        try:
            fits = form.fits(value)
        except Exception:
            with READERS.blame(form):
                raise
        if fits:
            return form
    return None


def is_trace(value: Any) -> bool:
    """Is the row of a format of which several rows make one conversation?"""
    form = recognise(value)
    return form is not None and form.trace


def trace_marks() -> tuple[bytes, ...]:
    """Bytes without which no line is a trace."""
    return tuple(dict.fromkeys(mark for form in READERS.all() if form.trace for mark in form.marks))


def formats_remedy() -> str:
    """What to give instead of a file that no format fits."""
    titles = [form.title for form in READERS.all()]
    return f"give {', '.join(titles)}, CSV with role and content columns, or Parquet of these"

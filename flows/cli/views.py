"""Render summaries for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from wildtool.flows.progress import visible
from wildtool.schemas.base import JsonObject


class DataConsole(Console):
    """Shows what comes from data: names of files may hold escape codes, which Rich lets through, or look like markup.

    Every cell, title and line that is a ``str`` reaches it through ``render_str``.
    """

    def __init__(self, width: int | None = None) -> None:
        super().__init__(width=width, markup=False, emoji=False, highlight=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """The text as a terminal may have it."""
        return super().render_str(visible(text), **options)


def steps_table(summary: JsonObject) -> Table:
    """Rows in, out and quarantined, step by step."""
    title = f"{summary['stage']}{' (unchanged)' if summary.get('unchanged') else ''}"
    table = Table(title=title, title_justify="left")
    table.add_column("step")
    for column in ("in", "out", "quarantined"):
        table.add_column(column, justify="right")
    for step in summary["steps"]:
        table.add_row(step["step"], f"{step['rows_in']:,}", f"{step['rows_out']:,}", f"{step['quarantined']:,}")
    return table


def facts(rows: Mapping[str, object], title: str | None = None) -> Table:
    """Name and value pairs, without a frame."""
    table = Table(title=title, title_justify="left", show_header=False, box=None, pad_edge=False)
    for name, value in rows.items():
        table.add_row(name, f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value))
    return table


def stage_view(summary: JsonObject, **more: object) -> RenderableType:
    """A stage's steps, and what else is worth knowing."""
    return Group(steps_table(summary), facts(more)) if more else steps_table(summary)


def explained_view(found: JsonObject) -> RenderableType:
    """How a log is read: its format, its fields, the first conversation."""
    fields = {name: place or "–" for name, place in found["fields"].items()}
    head = facts(
        {
            "format": found["format"],
            **fields,
            "conversations": found["conversations"],
            "user turns": found["user_turns"],
        }
    )
    return Group(
        head, Text(""), *(Text(visible(f"{each['role']:>9}  {each['content'][:500]}")) for each in found["first"][:12])
    )


def forecast_view(found: JsonObject) -> Table:
    """A forecast: requests, tokens, money, time, and what they rest on."""
    bases = {
        "history": "finished sessions of this model",
        "rehearsal": "some of these plans, rehearsed with the simulator",
        "gold": "the gold's path through each session",
    }
    cost, minutes = found["cost_usd"], found["minutes"]
    return facts(
        {
            "sessions": found["sessions"],
            "requests": found["calls"],
            "tokens sent": found["prompt_tokens"],
            "tokens received": found["completion_tokens"],
            "cost": "unknown: the model has no price (set one in [gateway.prices])"
            if cost is None
            else f"${cost:,.2f}",
            "time": "batches take up to a day a wave" if minutes is None else f"about {minutes:,.0f} min",
            "rests on": bases[found["basis"]],
        },
        "forecast (nothing was asked, nothing was kept)",
    )


def percent(rate: JsonObject) -> str:
    """A rate with its 95 % interval: ``54.2 % [50, 58]``."""
    if rate["value"] is None:
        return "–"
    if rate["low"] is None:
        return f"{100 * rate['value']:.1f} %"
    return f"{100 * rate['value']:.1f} % [{100 * rate['low']:.0f}, {100 * rate['high']:.0f}]"

"""Plots of a report as plain geometry: bars side by side, lines, and bars of parts. The page draws them as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wildtool.schemas.score import Rate

HEIGHT, LEFT, TOP, BOTTOM = 190, 34, 10, 34
"""Pixels: of the area of values, and the room for ticks left and labels below."""
BAR, BAR_GAP, GROUP_GAP = 20, 3, 26
"""Pixels of a bar, between bars, between groups."""
CHARACTER = 6.4
"""Pixels of a character of a label at 11 pixels: the mean of the letters of a sans-serif face."""
COLOURS = 8
"""Colours that the page tells apart; more series share them in turn."""


@dataclass(frozen=True)
class Mark:
    """A bar, or a point of a line. ``y`` grows downwards."""

    series: int
    x: float
    y: float
    width: float
    height: float
    title: str
    low: float | None = None
    """Where the interval ends, as ``y`` of its lower end."""
    high: float | None = None


@dataclass(frozen=True)
class Plot:
    """One plot of shares from 0 to 100 per cent."""

    title: str
    width: float
    height: float
    marks: tuple[Mark, ...]
    lines: tuple[tuple[int, str], ...]
    """Series and points of each line; none in plots of bars."""
    labels: tuple[tuple[float, str], ...]
    """Where along x a label is centred, and its text."""
    ticks: tuple[tuple[float, str], ...]
    """Where along y a tick stands, and its text."""
    series: tuple[str, ...]


def _y(share: float) -> float:
    return round(TOP + HEIGHT * (1 - share), 1)


_TICKS = tuple((_y(part / 4), f"{25 * part}") for part in range(5))


def _title(series: str, label: str, rate: Rate) -> str:
    spread = (
        f", {100 * rate.low:.1f} to {100 * rate.high:.1f}" if rate.low is not None and rate.high is not None else ""
    )
    return f"{series}, {label}: {100 * (rate.value or 0.0):.1f} % (n {rate.n}{spread})"


def bars(title: str, labels: Sequence[str], series: Sequence[tuple[str, Sequence[Rate | None]]]) -> Plot:
    """Bars side by side: a group for each label, a bar for each series, its interval as a whisker."""
    marks: list[Mark] = []
    centres: list[tuple[float, str]] = []
    x = float(LEFT + GROUP_GAP / 2)
    for place, label in enumerate(labels):
        wide = len(series) * (BAR + BAR_GAP) - BAR_GAP
        room = max(wide, len(label) * CHARACTER)
        start = x + (room - wide) / 2
        for number, (name, rates) in enumerate(series):
            rate = rates[place]
            if rate is not None and rate.value is not None:
                left = start + number * (BAR + BAR_GAP)
                marks.append(_mark(number, left, BAR, _title(name, label, rate), rate))
        centres.append((round(x + room / 2, 1), label))
        x += room + GROUP_GAP
    return _plot(title, x, marks, (), centres, [name for name, _ in series])


def lines(title: str, labels: Sequence[str], series: Sequence[tuple[str, Sequence[Rate | None]]]) -> Plot:
    """A line for each series along the labels, a point with its interval at each."""
    apart = 90
    marks: list[Mark] = []
    drawn: list[tuple[int, str]] = []
    centres = [(LEFT + 45.0 + place * apart, label) for place, label in enumerate(labels)]
    for number, (name, rates) in enumerate(series):
        points = []
        for (x, label), rate in zip(centres, rates, strict=True):
            if rate is not None and rate.value is not None:
                # Beside one another, so that intervals of several series stay apart.
                shifted = x + 5 * (number - (len(series) - 1) / 2)
                marks.append(_mark(number, shifted, 0, _title(name, label, rate), rate))
                points.append(f"{shifted:.1f},{_y(rate.value)}")
        drawn.append((number % COLOURS, " ".join(points)))
    return _plot(title, LEFT + len(labels) * apart, marks, drawn, centres, [name for name, _ in series])


def parts(title: str, whole: Sequence[tuple[str, Mapping[str, int]]], kinds: Sequence[str]) -> Plot:
    """One bar a label, stacked from the shares of its kinds: a series is a kind."""
    marks: list[Mark] = []
    centres: list[tuple[float, str]] = []
    x = float(LEFT + GROUP_GAP / 2)
    for label, counts in whole:
        room = max(2.5 * BAR, len(label) * CHARACTER)
        total = sum(counts.values())
        below = 0.0
        for number, kind in enumerate(kinds):
            count = counts.get(kind, 0)
            if not count:
                continue
            share = count / total
            marks.append(
                Mark(
                    number % COLOURS,
                    round(x + room / 2 - BAR, 1),
                    _y(below + share),
                    2 * BAR,
                    round(HEIGHT * share, 1),
                    f"{label}, {kind}: {count} of {total}",
                )
            )
            below += share
        centres.append((round(x + room / 2, 1), label))
        x += room + GROUP_GAP
    return _plot(title, x, marks, (), centres, kinds)


def _mark(number: int, x: float, width: float, title: str, rate: Rate) -> Mark:
    value = rate.value or 0.0
    low = None if rate.low is None else _y(rate.low)
    high = None if rate.high is None else _y(rate.high)
    return Mark(number % COLOURS, round(x, 1), _y(value), width, round(HEIGHT * value, 1), title, low, high)


def _plot(
    title: str,
    width: float,
    marks: Sequence[Mark],
    drawn: Sequence[tuple[int, str]],
    labels: Sequence[tuple[float, str]],
    series: Sequence[str],
) -> Plot:
    return Plot(
        title, round(width, 1), TOP + HEIGHT + BOTTOM, tuple(marks), tuple(drawn), tuple(labels), _TICKS, tuple(series)
    )

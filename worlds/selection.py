"""Choose rows by the arguments of a call: conditions, order and page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from wildtool.language.folding import plain
from wildtool.schemas.base import JsonObject, canonical_json, sha256_hex
from wildtool.schemas.world import ErrorKind, Page, Predicate, PredicateKind, Sort
from wildtool.worlds.rows import Key, Row
from wildtool.worlds.values import above, below, dig, equal, form, kilometres, listed, number, sort_key, span

Found = tuple[Key, Row]
"""A row with its key."""


class Refused(Exception):
    """Raised where an operation is refused; ``kind`` says why, ``subject`` which argument or thing."""

    def __init__(self, kind: ErrorKind, subject: str) -> None:
        super().__init__(f"{kind}: {subject}")
        self.kind = kind
        self.subject = subject


def holds(predicate: Predicate, row: Row, value: Any, arguments: JsonObject) -> bool:
    """Return whether a row satisfies a condition. ``value`` is the argument, never None."""
    if predicate.op is PredicateKind.NEAR:
        return _near(predicate, row, arguments)
    if predicate.op is PredicateKind.CONTAINS_ANY:
        return _contains(row, predicate.fields, value)
    return any(_one(predicate, dig(row, field), value) for field in predicate.fields)


def _one(predicate: Predicate, held: Any, value: Any) -> bool:
    match predicate.op:
        case PredicateKind.EQ:
            return equal(held, value) or (isinstance(held, list) and any(equal(each, value) for each in held))
        case PredicateKind.NE:
            return not equal(held, value)
        case PredicateKind.IN:
            wanted = {form(each) for each in listed(value)}
            return any(form(each) in wanted for each in (held if isinstance(held, list) else [held]))
        case PredicateKind.HAS:
            there = {form(each) for each in (held if isinstance(held, list) else [held])}
            return all(form(each) in there for each in listed(value))
        case PredicateKind.PREFIX:
            return held is not None and plain(str(held)).startswith(plain(str(value)))
        case PredicateKind.LT:
            return below(held, value) is True
        case PredicateKind.LE:
            return above(held, value) is False
        case PredicateKind.GT:
            return above(held, value) is True
        case PredicateKind.GE:
            return below(held, value) is False
        case PredicateKind.BETWEEN:
            low, high = ends_of(value)
            return below(held, low) is False and above(held, high) is False
        case PredicateKind.ON_DAY:
            at, day = span(held), span(value)
            if at is None or day is None:
                return equal(held, value)
            return day[0] <= at[0] <= day[1] or at[0] <= day[0] <= at[1]
        case PredicateKind.CLOCK:
            hour, bound = clock_of(held), clock_of(value)
            return hour is None or bound is None or (hour >= bound if predicate.least else hour <= bound)
        case PredicateKind.RANK:
            ranks = [form(each) for each in predicate.ranks]
            if form(held) not in ranks or form(value) not in ranks:
                return False
            one, other = ranks.index(form(held)), ranks.index(form(value))
            return one >= other if predicate.least else one <= other
        case PredicateKind.TRUE:
            return value not in (True, "true", 1) or held is True
        case PredicateKind.NEAR | PredicateKind.CONTAINS_ANY:
            raise AssertionError(predicate.op)
        case unknown:
            assert_never(unknown)


def ends_of(value: Any) -> tuple[Any, Any]:
    """Return low and high of ``[low, high]`` or ``low..high``. Raises ``Refused`` for anything else."""
    parts = value if isinstance(value, list) else str(value).split("..") if ".." in str(value) else listed(value)
    if len(parts) != 2:
        raise Refused(ErrorKind.INVALID_ARGUMENT, str(value))
    return parts[0], parts[1]


def clock_of(value: Any) -> str | None:
    """Return the time of day of a moment or a clock time, ``HH:MM``; None where it has none."""
    at = span(value)
    if at is not None:
        return at[0].strftime("%H:%M")
    text = str(value)
    return text[:5] if len(text) >= 5 and text[2] == ":" and text[:2].isdigit() else None


def _contains(row: Row, fields: Sequence[str], value: Any) -> bool:
    """Return whether the row's texts hold the phrase, or all of its words."""
    text = " ".join(_text(dig(row, field)) for field in fields)
    wants = [plain(str(each)) for each in (value if isinstance(value, list) else [value])]
    return any(want in text or all(word in text for word in want.split()) for want in wants if want)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(_text(each) for each in value)
    if isinstance(value, dict):
        return " ".join(_text(each) for each in value.values())
    return "" if value is None else plain(str(value))


def distance(predicate: Predicate, row: Row, arguments: JsonObject) -> float | None:
    """Return the kilometres from the asked place to the row's; None where either is unknown."""
    here = number(dig(arguments, predicate.parameter)), number(dig(arguments, predicate.also.get("longitude", "")))
    there = number(dig(row, predicate.fields[0])), number(dig(row, predicate.fields[1]))
    if None in here or None in there:
        return None
    return kilometres(here[0] or 0.0, here[1] or 0.0, there[0] or 0.0, there[1] or 0.0)


def _near(predicate: Predicate, row: Row, arguments: JsonObject) -> bool:
    far = distance(predicate, row, arguments)
    radius = number(dig(arguments, predicate.also["radius"])) if "radius" in predicate.also else None
    return far is not None and far <= (predicate.radius if radius is None else radius)


def select(rows: Iterable[Found], where: Sequence[Predicate], arguments: JsonObject) -> list[Found]:
    """Return the rows that satisfy all conditions whose argument is there."""
    asked = [(each, value) for each in where if (value := dig(arguments, each.parameter)) is not None]
    return [found for found in rows if all(holds(each, found[1], value, arguments) for each, value in asked)]


def ordered(
    rows: list[Found], order: Sequence[str], sort: Sort | None, near: Predicate | None, arguments: JsonObject
) -> list[Found]:
    """Order rows: by the asked order, then by distance, then by the table's order, and always by the key at last."""
    fields = list(order)
    if near is not None:
        rows = sorted(rows, key=lambda found: distance(near, found[1], arguments) or 0.0)
        fields = []
    if sort is not None and (asked := _asked(sort, arguments)) is not None:
        fields = [asked, *fields]
    if near is None:
        rows = sorted(rows, key=lambda found: tuple(sort_key(each) for each in found[0]))
    for field in reversed(fields):
        name, down = field.removeprefix("-"), field.startswith("-")
        there = [found for found in rows if dig(found[1], name) is not None]
        there.sort(key=lambda found: sort_key(dig(found[1], name)), reverse=down)
        rows = there + [found for found in rows if dig(found[1], name) is None]
    return rows


def _asked(sort: Sort, arguments: JsonObject) -> str | None:
    value = dig(arguments, sort.parameter) if sort.parameter is not None else None
    value = sort.default if value is None else value
    orders = {plain(name): order for name, order in sort.orders.items()}
    down = None
    if value is not None and plain(str(value)) not in orders and str(value).startswith(("-", "+")):
        down, value = str(value).startswith("-"), str(value)[1:]
    order = orders.get(plain(str(value))) if value is not None else next(iter(sort.orders.values()), None)
    if order is None:
        if value is None:
            return None
        raise Refused(ErrorKind.INVALID_ARGUMENT, sort.parameter or "sort")
    given = dig(arguments, sort.direction) if sort.direction is not None else None
    if given is not None:
        down = given is True or plain(str(given)).startswith(("d", "-"))
    elif value is None:
        return None
    if down is None:
        return order
    return ("-" if down else "") + order.removeprefix("-")


@dataclass(frozen=True)
class Slice:
    """The page that a call returns."""

    rows: tuple[Found, ...]
    total: int
    limit: int
    offset: int
    number: int
    next: str | None
    """Cursor of the next page; None on the last."""

    @classmethod
    def single(cls, found: Found) -> Slice:
        """Return a page of one row."""
        return cls((found,), 1, 1, 0, 1, None)

    @property
    def pages(self) -> int:
        """How many pages all rows fill."""
        return -(-self.total // self.limit) if self.limit else 0


def paged(rows: Sequence[Found], page: Page | None, arguments: JsonObject, query: JsonObject) -> Slice:
    """Cut the page that the arguments ask for. A cursor is an offset with the digest of the ``query`` it belongs to."""
    if page is None:
        return Slice(tuple(rows), len(rows), len(rows), 0, 1, None)
    limit = _whole(arguments, page.limit, page.default, least=0)
    if page.maximum is not None:
        limit = min(limit, page.maximum)
    offset = _whole(arguments, page.offset, 0, least=0)
    if page.page is not None:
        number = _whole(arguments, page.page, page.first_page, least=page.first_page)
        offset = (number - page.first_page) * limit
    digest = sha256_hex(canonical_json(query))[:8]
    if page.cursor is not None and (cursor := dig(arguments, page.cursor)) not in (None, ""):
        at, _, of = str(cursor).partition(".")
        if not at.isdigit() or of != digest:
            raise Refused(ErrorKind.INVALID_ARGUMENT, page.cursor)
        offset = int(at)
    shown = tuple(rows[offset : offset + limit])
    more = limit > 0 and offset + limit < len(rows)
    number = page.first_page + (offset // limit if limit else 0)
    return Slice(shown, len(rows), limit, offset, number, f"{offset + limit}.{digest}" if more else None)


def _whole(arguments: JsonObject, path: str | None, default: int, *, least: int) -> int:
    value = dig(arguments, path) if path is not None else None
    if value is None:
        return default
    figure = number(value)
    if figure is None or not figure.is_integer() or figure < least:
        raise Refused(ErrorKind.INVALID_ARGUMENT, str(path))
    return int(figure)

"""Compares the quantities of one foreign row with what ``wildtool.language.quantities`` reads."""

from __future__ import annotations

from typing import Any

from wildtool.language.quantities import Quantity, read_quantities
from wildtool.language.units import convert, unit_of

REPORTED = 0.5
"""Readings below this certainty are doubts, not readings."""
_CLOSE = 2e-4
"""Relative difference of equal numbers: rows round fractions to four places."""


def judge(row: dict[str, Any]) -> tuple[bool, bool]:
    """(Whether the reader agrees with a row, whether it was sure of all it read there).

    A row agrees when each expected quantity is read once and nothing else is: same value, same relation, and for measures
    and money the same unit or an equal amount in another. Reading nothing where something is expected is no sure reading.
    """
    spans = read_quantities(row["text"], row["language"])
    read = [span.best.value for span in spans if span.best.certainty >= REPORTED]
    expected = row["expected"]
    agree = len(read) == len(expected) and _matched(list(expected), read, row["language"])
    return agree, all(span.sure for span in spans) and (bool(spans) or not expected)


def _matched(expected: list[dict[str, Any]], read: list[Quantity], language: str) -> bool:
    if not expected:
        return True
    return any(
        _same(expected[0], one, language) and _matched(expected[1:], [*read[:at], *read[at + 1 :]], language)
        for at, one in enumerate(read)
    )


def _same(row: dict[str, Any], one: Quantity, language: str) -> bool:
    relation = row.get("relation", "=")
    if relation != one.relation:
        return False
    units = [row["unit"], *row.get("unit_alt", ())]
    if row["unit_kind"] == "count" or (row["unit_kind"] == "none" and row["unit"] is not None):
        named = [(row["value"], unit) for unit in units]
        also = [(other["value"], other["unit"]) for other in row.get("also", ())]
        return any(_close(value, one.value) for value, _ in named + also)
    if any(_equal(row["value"], unit, one, language) for unit in units):
        return True
    return any(_equal(other["value"], other["unit"], one, language) for other in row.get("also", ()))


def _equal(value: Any, unit: str | None, one: Quantity, language: str) -> bool:
    """Whether an amount is the one that was read, converted where both units measure the same."""
    if unit is None or one.unit is None:
        return unit is None and one.unit is None and _close(value, one.value)
    code = unit_of(unit, language) or unit
    if code == one.unit:
        return _close(value, one.value)
    ends = one.value if isinstance(one.value, tuple) else (one.value,)
    turned = [convert(end, one.unit, code) for end in ends]
    if any(end is None for end in turned):
        return False
    return _close(value, tuple(turned) if len(turned) > 1 else turned[0])


def _close(value: Any, read: Any) -> bool:
    if isinstance(value, list | tuple) or isinstance(read, list | tuple):
        if not (isinstance(value, list | tuple) and isinstance(read, list | tuple)) or len(value) != len(read):
            return False
        return all(_close(one, other) for one, other in zip(value, read, strict=True))
    return bool(abs(float(value) - float(read)) <= max(_CLOSE, _CLOSE * abs(float(value))))

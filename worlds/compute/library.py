"""The functions, each pure: inputs by name in, a JSON object out; ``ValueError`` names the input that it cannot take."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from wildtool.worlds.values import number

Function = Callable[[Mapping[str, Any]], dict[str, Any]]


@cache
def tables() -> Mapping[str, Any]:
    """Return the tables of units, currencies and matches."""
    return tomllib.loads((files("wildtool.worlds.compute") / "tables.toml").read_text(encoding="utf-8"))


@cache
def _aliases() -> dict[str, str]:
    found = {}
    for short, words in tables()["aliases"].items():
        found.update(dict.fromkeys([short, *words.split()], short))
    for units in tables()["units"].values():
        for short in units:
            found.setdefault(short, short)
    return found


def unit_of(value: Any, name: str) -> str:
    """Return the short form of a unit. Raises ``ValueError`` for an unknown one."""
    held = "".join(str(value).casefold().replace(".", "").replace("_", " ").split())
    short = _aliases().get(held)
    if short is None:
        raise ValueError(name)
    return short


def _figure(inputs: Mapping[str, Any], name: str) -> float:
    found = number(inputs.get(name))
    if found is None:
        raise ValueError(name)
    return found


def convert_units(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an amount between units of one dimension."""
    amount = _figure(inputs, "amount")
    source, target = unit_of(inputs.get("source"), "source"), unit_of(inputs.get("target"), "target")
    if {source, target} <= {"c", "f", "k"}:
        celsius = {"c": amount, "f": (amount - 32) * 5 / 9, "k": amount - 273.15}[source]
        result = {"c": celsius, "f": celsius * 9 / 5 + 32, "k": celsius + 273.15}[target]
        return {"result": tidy(result), "formula": f"{source} → {target}"}
    for units in tables()["units"].values():
        if source in units and target in units:
            factor = units[source] / units[target]
            return {"result": tidy(amount * factor), "formula": f"{source} × {tidy(factor)} = {target}"}
    raise ValueError("target")


def convert_currency(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an amount at the fixed table's rate."""
    amount = _figure(inputs, "amount")
    rates = tables()["currencies"]
    source, target = str(inputs.get("source", "")).upper(), str(inputs.get("target", "")).upper()
    for name, code in (("source", source), ("target", target)):
        if code not in rates:
            raise ValueError(name)
    rate = rates[target] / rates[source]
    return {"result": round(amount * rate, 2), "rate": round(rate, 6)}


def split_bill(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Split a bill with a tip over people; ``round_up`` rounds each share up to a whole unit."""
    total, people = _figure(inputs, "total"), _figure(inputs, "people")
    percent = number(inputs.get("tip_percent")) or 0.0
    if people < 1:
        raise ValueError("people")
    if total < 0:
        raise ValueError("total")
    tip = round(total * percent / 100, 2)
    share = (total + tip) / people
    share = math.ceil(share) if inputs.get("round_up") is True else round(share, 2)
    return {"per_person": tidy(share), "total_with_tip": tidy(round(total + tip, 2)), "tip": tidy(tip)}


def tidy(value: float) -> int | float:
    """Return a figure to six significant decimals, whole numbers as integers."""
    value = round(value, 6)
    return int(value) if float(value).is_integer() else value


FUNCTIONS: Mapping[str, Function] = {
    "convert_units": convert_units,
    "convert_currency": convert_currency,
    "split_bill": split_bill,
}
"""The library."""


def run(name: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Apply a function. Raises ``ValueError`` with the name of an input that it cannot take."""
    function = FUNCTIONS.get(name)
    if function is None:
        raise ValueError(name)
    return function(inputs)

"""Units of measure: what they measure and how they convert. Their names in each language stand in ``units.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from wildtool.language.lexicon import words

_FACTORS: Mapping[str, Mapping[str, float]] = {
    "mass": {
        "mg": 1e-6, "g": 1e-3, "kg": 1.0, "t": 1000.0, "oz": 0.028349523125, "lb": 0.45359237, "stone": 6.35029318,
        "jin": 0.5, "liang": 0.05, "qian": 0.005,
    },
    "length": {
        "mm": 1e-3, "cm": 0.01, "dm": 0.1, "m": 1.0, "km": 1000.0, "inch": 0.0254, "ft": 0.3048, "yard": 0.9144,
        "mile": 1609.344, "nautical mile": 1852.0, "li": 500.0, "chi": 1 / 3, "cun": 1 / 30, "zhang": 10 / 3,
    },
    "area": {
        "cm²": 1e-4, "m²": 1.0, "km²": 1e6, "ha": 1e4, "ft²": 0.09290304, "acre": 4046.8564224, "mu": 2000 / 3,
    },
    "volume": {
        "ml": 1e-3, "cl": 0.01, "dl": 0.1, "l": 1.0, "m³": 1000.0, "tsp": 0.00492892159375, "tbsp": 0.01478676478125,
        "cup": 0.2365882365, "fl oz": 0.0295735295625, "pint": 0.473176473, "quart": 0.946352946, "gal": 3.785411784,
    },
    "time": {
        "ms": 1e-3, "second": 1.0, "min": 60.0, "quarter hour": 900.0, "hour": 3600.0, "day": 86400.0,
        "week": 604800.0, "fortnight": 1209600.0,
    },
    "calendar": {"month": 1.0, "quarter": 3.0, "year": 12.0, "decade": 120.0, "century": 1200.0},
    "speed": {"m/s": 1.0, "km/h": 1 / 3.6, "mph": 0.44704, "knot": 1852 / 3600},
    "energy": {"J": 1.0, "kJ": 1e3, "calorie": 4184.0, "kWh": 3.6e6},
    "power": {"W": 1.0, "kW": 1e3, "MW": 1e6, "hp": 735.49875},
    "data": {"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12},
    "rate": {"kbps": 1e3, "Mbps": 1e6, "Gbps": 1e9},
    "frequency": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    "share": {"%": 0.01, "‰": 0.001, "tenths": 0.1, "zhe": 0.1},
    "voltage": {"V": 1.0, "kV": 1e3}, "charge": {"mAh": 1.0}, "current": {"A": 1.0}, "resolution": {"MP": 1.0},
    "pressure": {"bar": 1.0, "psi": 0.0689475729}, "sound": {"dB": 1.0}, "angle": {"degree": 1.0}, "gold": {"carat": 1.0},
}  # fmt: skip
"""Units by what they measure, each with its size in one unit of that dimension. Calories are those of food (kcal)."""
_DIMENSION = {unit: dimension for dimension, units in _FACTORS.items() for unit in units}
_KELVIN = {"°C": (1.0, 273.15), "°F": (5 / 9, 273.15 - 32 * 5 / 9), "K": (1.0, 0.0)}
"""Scale and zero of each unit of temperature, in kelvins."""


def dimension(unit: str) -> str | None:
    """What a unit measures ("mass", "calendar"); None for what is no unit of measure. Months never turn into days."""
    return "temperature" if unit in _KELVIN else _DIMENSION.get(unit)


def convert(value: float, unit: str, other: str) -> float | None:
    """Express a value of ``unit`` in ``other``, both canonical codes; None where they measure different things."""
    if unit == other:
        return value
    if unit in _KELVIN and other in _KELVIN:
        (scale, zero), (into, base) = _KELVIN[unit], _KELVIN[other]
        return (value * scale + zero - base) / into
    kind = _DIMENSION.get(unit)
    if kind is None or kind != _DIMENSION.get(other):
        return None
    return value * _FACTORS[kind][unit] / _FACTORS[kind][other]


@cache
def factors(unit: str) -> frozenset[float]:
    """What a value of a unit may be multiplied by to be given in another one, also by rounded factors: a mile is 1600 m.

    Shares have no unit in other places: 20 % is 0.2. Empty for temperatures and for what is no unit of measure.
    """
    kind = _DIMENSION.get(unit)
    if kind is None:
        return frozenset()
    sizes = [*_FACTORS[kind].values(), *((1.0,) if kind == "share" else ())]
    exact = {_FACTORS[kind][unit] / size for size in sizes}
    return frozenset(exact | {float(f"{one:.{places}g}") for one in exact for places in (2, 3, 4)})


@cache
def measures(language: str) -> Mapping[str, str]:
    """Words for units of measure of a language, folded, and their codes."""
    table: Mapping[str, list[str]] = words(language, "units")["measures"]
    return {word: code for code, said in table.items() for word in said}


@cache
def currencies(language: str) -> Mapping[str, str]:
    """Words for money that stand after a number, folded, and their ISO 4217 codes."""
    table: Mapping[str, list[str]] = words(language, "units")["currencies"]
    return {word: code for code, said in table.items() for word in (*said, code.lower())}


@cache
def unit_of(word: str, language: str) -> str | None:
    """The canonical code of a unit of measure or of a currency by any of its names; None where it has none here."""
    plain = word.strip().lower()
    signs: Mapping[str, str] = words(language, "units")["signs"]
    if dimension(word) is not None:
        return word
    return measures(language).get(plain) or currencies(language).get(plain) or signs.get(plain)

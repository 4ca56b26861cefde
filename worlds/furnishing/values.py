"""Draw one value by a field's schema and name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any

from wildtool.language.parameter_names import looks_like_id
from wildtool.language.result_filters import split as words_of
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import plain_type, text_fits
from wildtool.worlds.furnishing.data import cities, days_range, number_range, texts_for

DEEPEST = 5
"""Nesting that is filled."""

_PLACES = re.compile(r"^(?:.*[_a-z])?(?:city|town|locality)(?:_?name)?$|^(?:place|location)$", re.IGNORECASE)
_COUNTRY = re.compile(r"country(?:_?name)?$", re.IGNORECASE)
_COUNTRY_CODE = re.compile(r"country_?(?:code|iso\d?)$", re.IGNORECASE)


@lru_cache(maxsize=1 << 14)
def _split(name: str) -> list[str]:
    return words_of(name)


@dataclass(frozen=True)
class Maker:
    """Draws values of one language around one clock."""

    language: str
    now: datetime
    """In UTC, without offset."""

    def draw(self, name: str, schema: JsonObject, rng: Random, label: str = "", noun: str = "", depth: int = 0) -> Any:
        """Draw a value that the schema allows; ``label`` is the name of the row that holds it."""
        value = self._draw(name, schema, rng, label, noun, depth)
        if depth == 0 and not _surely(schema) and not text_fits(canonical_json(value), canonical_json(schema)):
            return self._plainest(name, schema, rng)
        return value

    def _draw(self, name: str, schema: JsonObject, rng: Random, label: str, noun: str, depth: int) -> Any:
        if "const" in schema:
            return schema["const"]
        options = [each for each in schema.get("enum") or () if each is not None]
        if options:
            return rng.choice(options)
        kind = plain_type(schema)
        if kind == "object" or (kind == "any" and "properties" in schema):
            return self._object(schema, rng, label, noun, depth)
        if kind == "array" or (kind == "any" and "items" in schema):
            return self._array(name, schema, rng, label, noun, depth)
        examples = _examples(schema)
        match kind:
            case "boolean":
                return rng.random() < 0.5
            case "null":
                return None
            case "integer" | "number":
                if _is_time(name, kind) and not examples:
                    return self.moment(name, rng, "seconds")
                return figure(name, schema, rng, examples)
            case _:
                return self._text(name, schema, rng, label, noun, examples)

    def _object(self, schema: JsonObject, rng: Random, label: str, noun: str, depth: int) -> JsonObject:
        if depth >= DEEPEST:
            return {}
        fields = schema.get("properties") or {}
        needed = set(schema.get("required") or ())
        made: JsonObject = {}
        for name, inner in fields.items():
            if not isinstance(inner, dict) or (name not in needed and len(made) >= 8):
                continue
            made[name] = self._draw(name, _first(inner), rng, label, noun, depth + 1)
        return made

    def _array(self, name: str, schema: JsonObject, rng: Random, label: str, noun: str, depth: int) -> list[Any]:
        least, most = int(schema.get("minItems", 0)), int(schema.get("maxItems", 4))
        if depth >= DEEPEST:
            return []
        items = _first(schema.get("items") if isinstance(schema.get("items"), dict) else {})
        made: list[Any] = []
        seen: set[str] = set()
        for _ in range(min(most, max(least, rng.randint(2, 4)))):
            for _ in range(8):
                value = self._draw(_singular(name), items, rng, label, noun, depth + 1)
                text = canonical_json(value)
                if text not in seen:
                    break
            if text in seen and len(made) >= least:
                continue
            seen.add(text)
            made.append(value)
        return made

    def _text(self, name: str, schema: JsonObject, rng: Random, label: str, noun: str, examples: list[Any]) -> str:
        form = schema.get("format")
        if form in ("date", "date-time") or (
            form is None and _is_time(name, "string") and not _clocks(examples) and _dated(examples)
        ):
            wanted = form or ("date-time" if any("T" in str(each) for each in examples) else "date")
            return str(self.moment(name, rng, wanted))
        formatted = self._formatted(form, rng)
        if formatted is not None:
            return formatted
        if examples:
            return str(rng.choice(examples))
        if _PLACES.search(name):
            return rng.choice(cities(self.language)).name
        if _COUNTRY_CODE.search(name):
            return rng.choice(cities(self.language)).code
        if _COUNTRY.search(name):
            return rng.choice(cities(self.language)).country
        if looks_like_id(name) or re.search(r"(?:code|key|slug|ref|sku|number|hash|token)$", name, re.IGNORECASE):
            return f"{_stem(name)}{rng.randrange(1000, 9999)}"
        if re.search(r"ur[il]|href|link|image|photo|avatar|icon|logo", name, re.IGNORECASE):
            return f"https://example.org/{_stem(name)}/{rng.randrange(100, 999)}"
        text = rng.choice(texts_for(name, self.language)).format(
            label=label or noun, noun=noun or label, three=rng.randrange(100, 999), digit=rng.randrange(0, 9)
        )
        text = text[: int(schema.get("maxLength", 400))]
        return text + "x" * max(0, int(schema.get("minLength", 0)) - len(text))

    def _formatted(self, form: Any, rng: Random) -> str | None:
        match form:
            case "uri" | "url" | "uri-reference" | "iri" | "iri-reference":
                return f"https://example.org/{rng.randrange(100, 999)}"
            case "email" | "idn-email":
                return f"desk{rng.randrange(10, 99)}@example.org"
            case "uuid":
                bits = [rng.getrandbits(n) for n in (32, 16, 12, 12, 48)]
                return f"{bits[0]:08x}-{bits[1]:04x}-4{bits[2]:03x}-a{bits[3]:03x}-{bits[4]:012x}"
            case "time":
                return f"{rng.randrange(7, 22):02}:{rng.choice((0, 15, 30, 45)):02}:00Z"
            case "ipv4":
                return f"203.0.113.{rng.randrange(1, 254)}"
            case "ipv6":
                return f"2001:db8::{rng.randrange(1, 9999):x}"
            case "hostname" | "idn-hostname":
                return f"host{rng.randrange(1, 99)}.example.org"
            case "duration":
                return f"PT{rng.randrange(1, 12)}H"
            case _:
                return None

    def moment(self, name: str, rng: Random, form: str) -> Any:
        """Draw a time around the clock, where fields of this name lie."""
        low, high = days_range(name)
        at = self.now + timedelta(days=rng.randint(low, high))
        at = at.replace(hour=rng.randrange(8, 21), minute=rng.choice((0, 15, 30, 45)), second=0, microsecond=0)
        # What lies in the past lies before the clock, what lies ahead after it.
        if high < 0:
            at = min(at, self.now - timedelta(minutes=15))
        return write(at, form)

    def _plainest(self, name: str, schema: JsonObject, rng: Random) -> Any:
        """Return a value that fits where the drawn one does not: an example, else the barest value of the type."""
        text = canonical_json(schema)
        for each in [*_examples(schema), schema.get("default")]:
            if each is not None and text_fits(canonical_json(each), text):
                return each
        options: list[Any] = [
            "",
            "a",
            "abc",
            "A1B2",
            "12345",
            "2026-01-01",
            "2026-01-01T09:00:00Z",
            0,
            1,
            10,
            0.5,
            True,
            [],
            {},
        ]
        pattern = schema.get("pattern")
        if isinstance(pattern, str):
            options = [*_of_pattern(pattern, rng), *options]
        for each in options:
            if text_fits(canonical_json(each), text):
                return each
        return None


_SURE = frozenset(("type", "enum", "examples", "minimum", "maximum", "readOnly", "format"))
_MADE = frozenset(("date", "date-time", "uuid", "email", "uri", "int32", "int64", "double", "float"))


def _surely(schema: JsonObject) -> bool:
    """Return whether what is drawn for a schema fits it without a look: scalars of one type without pattern or length."""
    kind = schema.get("type")
    return (
        isinstance(kind, str)
        and kind in ("string", "integer", "number", "boolean")
        and schema.keys() <= _SURE
        and schema.get("format", "date") in _MADE
        and not (kind == "integer" and any(isinstance(each, float) for each in schema.get("examples") or ()))
    )


def write(at: datetime, form: str) -> Any:
    """Write a moment in UTC as a schema wants it."""
    match form:
        case "date":
            return at.date().isoformat()
        case "seconds":
            return int(at.replace(tzinfo=UTC).timestamp())
        case _:
            return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def figure(name: str, schema: JsonObject, rng: Random, examples: list[Any]) -> int | float:
    """Draw a number within the schema's bounds: around its examples, else in the range of its field's name."""
    low, high, decimals = number_range(name)
    figures = [float(each) for each in examples if isinstance(each, int | float) and not isinstance(each, bool)]
    if figures:
        low, high = min(figures), max(figures)
        if low == high:
            low, high = low * 0.7, high * 1.3 + 1
        decimals = max(len(f"{each:g}".partition(".")[2]) for each in figures)
    floor = schema.get("minimum", schema.get("exclusiveMinimum"))
    ceiling = schema.get("maximum", schema.get("exclusiveMaximum"))
    if isinstance(floor, int | float) and floor > low:
        low, high = float(floor), max(high, float(floor) * 1.5 + 10)
    if isinstance(ceiling, int | float) and ceiling < high:
        high = float(ceiling)
        low = min(low, high)
    if plain_type(schema) == "integer" or decimals == 0:
        return rng.randint(int(low), max(int(low), int(high)))
    return round(rng.uniform(low, high), decimals)


def _examples(schema: JsonObject) -> list[Any]:
    found = schema.get("examples")
    return [each for each in found if each is not None] if isinstance(found, list) else []


def _first(schema: Any) -> JsonObject:
    """Return the first alternative of a schema that is not null."""
    if not isinstance(schema, dict):
        return {}
    for key in ("oneOf", "anyOf"):
        options = [each for each in schema.get(key) or () if isinstance(each, dict) and each.get("type") != "null"]
        if options:
            return {**{k: v for k, v in schema.items() if k != key}, **options[0]}
    return schema


def _is_time(name: str, kind: str) -> bool:
    words = _split(name)
    if not words:
        return False
    if kind in ("integer", "number"):
        return words[-1] in ("timestamp", "at", "epoch") or "timestamp" in words
    return words[-1] in ("date", "datetime", "timestamp", "at", "on", "day") or "date" in words or words == ["time"]


def _clocks(examples: list[Any]) -> bool:
    return any(re.fullmatch(r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?", str(each)) for each in examples)


def _dated(examples: list[Any]) -> bool:
    """Return whether the examples are days or moments of ISO 8601, or there are none."""
    return all(re.match(r"\d{4}-\d{2}-\d{2}", str(each)) for each in examples)


def _stem(name: str) -> str:
    words = [
        each
        for each in _split(name)
        if each not in ("id", "code", "key", "url", "uri", "uuid", "slug", "ref", "number")
    ]
    return (words[0] if words else "ref")[:4]


def _singular(name: str) -> str:
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def _of_pattern(pattern: str, rng: Random) -> list[str]:
    """Return texts for simple patterns: classes with counts, digits and letters in turn."""
    made = ""
    for part in re.finditer(
        r"(\\d|\\w|\[[^\]]+\]|[A-Za-z0-9_:/-])(?:\{(\d+)(?:,(\d*))?\}|([+*?]))?", pattern.strip("^$")
    ):
        unit, least = part[1], part[2]
        count = int(least) if least else 0 if part[4] in ("*", "?") else 3 if part[4] == "+" else 1
        if unit == r"\d" or "0-9" in unit:
            made += "".join(str(rng.randrange(10)) for _ in range(count))
        elif "A-Z" in unit:
            made += "".join(rng.choice("ABCDEFGHKLMNPRSTUVWXYZ") for _ in range(count))
        elif unit.startswith(("[", "\\")):
            made += "".join(rng.choice("abcdefghkmnprstuvwxyz") for _ in range(count))
        else:
            made += unit * count
    return [made]

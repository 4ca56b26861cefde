"""Make up results that fit the tool's result schema, its arguments and all earlier observations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from wildtool.language.parameter_names import looks_like_id
from wildtool.language.result_filters import LIMIT_NAME, filters_of, limit_of
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_paths import leaves, loosen, objects
from wildtool.schemas.json_schema import first_misfit, fits, plain_type, properties
from wildtool.schemas.tool import ToolList
from wildtool.worlds.fields import in_step, label_of, listed, number, vary
from wildtool.worlds.narrowing import fit_item, in_order, in_units
from wildtool.worlds.result_days import a_day, advance, name_weekday
from wildtool.worlds.words import named_pool, world_words

_COUNT = re.compile(
    r"^(?:total|count|matches|totalResults|totalCount|resultCount|found|hits|numResults)$", re.IGNORECASE
)
_MAKES = re.compile(
    r"(?:create|add|book|order|make|new|post|send|upload|generate|save|submit|place|start|schedule|reserve|register)",
    re.IGNORECASE,
)
"""Tools that make a thing: it is a new one, also where it is called as an old one."""

_NAMED = re.compile(
    r"name|title|label|headline|subject|venue|place|description|summary|note|message|status|"
    r"(?:_at|At|time|Time|_on|[Dd]ate|created|updated|modified)$|ur[il]$|code",
    re.IGNORECASE,
)
"""Texts whose names tell what they are."""

_RISING = (
    ("low", "median", "high"),
    ("low", "average", "high"),
    ("min", "average", "max"),
    ("p25", "median", "p75"),
    ("minPrice", "maxPrice"),
    ("start", "end"),
)
"""Fields of one thing that rise in this order."""

_DEEPEST = 8
"""Nesting that is filled; result schemas of real APIs may nest for ever."""

_TRIES = 60
"""Draws for a value that nothing else has before one is derived."""

_MOST_ITEMS = 500
"""Items made for one result before each is taken as it comes. Lists in lists would draw again at every level, 60 times
60 times 60: of real APIs, one result in some hundred took minutes."""


@dataclass
class World:
    """One lookup: the call, and what is known of the world."""

    tools: ToolList
    tool: str
    arguments: JsonObject
    now: str
    least: int
    rng: Random
    observed: Iterable[JsonObject] = ()
    """Earlier lookups, each ``{"tool", "arguments", "result"}``."""
    taken: set[str] = field(default_factory=set)
    """Casefolded texts of values that identifiers must differ from."""
    known: dict[str, Any] = field(default_factory=dict)
    """Fields of things that the arguments name, as observed before."""
    items: int = 0
    """Items of lists made so far, those that were drawn again included."""

    def __post_init__(self) -> None:
        named = {
            canonical_json(value) for value in self.arguments.values() if isinstance(value, str) and len(value) > 2
        }
        for lookup in self.observed:
            for _, value in leaves(lookup["result"]):
                self.taken.add(str(value).casefold())
            # What one thing was said to be, it stays: its fields come back when it is looked up.
            for thing in objects(lookup["result"]):
                label = label_of(thing)
                ids = {canonical_json(v) for k, v in thing.items() if looks_like_id(k)}
                named_so = not _MAKES.match(self.tool) and label is not None and canonical_json(label) in named
                for name, value in thing.items() if ids & named or named_so else ():
                    # Of a place or person, figures depend on what else was asked: the day, the units.
                    if ids & named or isinstance(value, str):
                        self.known.setdefault(name, value)
        self.unique = {loosen(link.path) for link in self.tools.links if link.producer == self.tool}
        self.language = self.tools.language
        tool = next((each for each in self.tools.tools if each.name == self.tool), None)
        self.filters = filters_of(self.arguments, properties(tool) if tool is not None else {})

    def result(self, returns: JsonObject | None) -> Any:
        """Make the result."""
        if returns is None:
            echo = {name: value for name, value in self.arguments.items() if not isinstance(value, dict)}
            return {**echo, "status": "ok"}
        found = self._make(returns, "", 0)
        return self._without_misfits(found, returns)

    def empty(self, returns: JsonObject | None) -> Any:
        """Make a result without content; an error where the schema has no lists to leave empty."""
        found = self.result(returns)
        emptied = _emptied(found)
        if emptied != found and (returns is None or fits(emptied, returns)):
            return emptied
        return {"error": {"code": 404, "message": world_words(self.language)["not_found"]}}

    def _make(self, schema: Any, path: str, depth: int) -> Any:
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return None
        for key in ("oneOf", "anyOf"):
            if schema.get(key):
                options = [each for each in schema[key] if isinstance(each, dict) and each.get("type") != "null"]
                return self._make({**schema, key: None, **(options[0] if options else {})}, path, depth)
        if schema.get("allOf"):
            merged: JsonObject = {"properties": {}, "required": []}
            for each in [*schema["allOf"], {k: v for k, v in schema.items() if k != "allOf"}]:
                merged = {
                    **merged,
                    **each,
                    "properties": {**merged["properties"], **each.get("properties", {})},
                    "required": [*merged["required"], *each.get("required", [])],
                }
            return self._make(merged, path, depth)
        kind = plain_type(schema)
        if kind == "object" or (kind == "any" and "properties" in schema):
            return self._object(schema, path, depth)
        if kind == "array" or (kind == "any" and "items" in schema):
            return self._array(schema, path, depth)
        return self._leaf(schema, kind, path)

    def _object(self, schema: JsonObject, path: str, depth: int) -> JsonObject:
        made: JsonObject = {}
        needed = set(schema.get("required", ()))
        fields = schema.get("properties", {})
        for name, inner in fields.items():
            # Deep and wide results of real APIs are cut: a person must be able to read them.
            if name not in needed and depth > 2 and len(fields) > 6:
                continue
            where = f"{path}.{name}" if path else name
            if name not in needed and self._says_nothing(inner, where):
                continue
            value = self._known(name, inner, where)
            made[name] = self._make(inner, where, depth + 1) if value is None else value
            if made[name] is None and name not in needed and not fits(None, inner if isinstance(inner, dict) else {}):
                del made[name]
        lists = [value for value in made.values() if isinstance(value, list)]
        for name, value in made.items():
            if len(lists) == 1 and _COUNT.match(name) and isinstance(value, int) and fits(len(lists[0]), fields[name]):
                made[name] = len(lists[0])
        in_step(made, fields)
        for names in _RISING:
            there = [name for name in names if type(made.get(name)) in (int, float)]
            if not set(there) & self.arguments.keys():
                made.update(zip(there, sorted(made[name] for name in there), strict=True))
        return made

    def _says_nothing(self, schema: Any, path: str) -> bool:
        """Return whether an optional text has neither an example nor a telling name: it is better left out."""
        if not isinstance(schema, dict) or plain_type(schema) not in ("string", "any") or self._pointed(path):
            return False
        if any(schema.get(key) for key in ("enum", "format", "examples", "example", "const", "properties", "items")):
            return False
        if any(schema.get(key) for key in ("oneOf", "anyOf", "allOf")):
            return False
        name = _last(path)
        return not (looks_like_id(name) or _NAMED.search(name) or named_pool(name, self.language))

    def _known(self, name: str, schema: Any, path: str) -> Any:
        """Return the value of an argument of the same name, or of the thing that was looked up."""
        if not isinstance(schema, dict) or (self._pointed(path) and "[*]" in path):
            return None
        inside_list = "[*]" in path
        value = self.arguments.get(name)
        if value is not None and not (_COUNT.match(name) and LIMIT_NAME.match(name)) and fits(value, schema):
            return value
        if not inside_list and name in self.known and not isinstance(self.known[name], dict | list):
            value = self.known[name]
            return value if value is not None and fits(value, schema) else None
        return None

    def _pointed(self, path: str) -> bool:
        return path in self.unique

    def _array(self, schema: JsonObject, path: str, depth: int) -> list[Any]:
        items = schema.get("items", {})
        least = max(int(schema.get("minItems", 0)), self.least if depth <= 2 else 1, 1)
        most = int(schema.get("maxItems", max(least, 4)))
        limit = limit_of(self.arguments)
        count = self.rng.randint(least, max(least, min(4, most)))
        if limit is not None and depth <= 2:
            count = max(min(count, limit), int(schema.get("minItems", 0)))
        count = min(count, most)
        made: list[Any] = []
        labels: set[str] = set()
        for index in range(count):
            for _ in range(_TRIES):
                self.items += 1
                taken = set(self.taken)
                item = self._make(items, f"{path}[*]", depth + 1)
                if isinstance(item, dict):
                    advance(item, index, self.arguments, self.now)
                if depth <= 2:
                    fit_item(item, items, self.filters, self.now, self.rng)
                if isinstance(item, dict):
                    name_weekday(item, items, self.language)
                key = (
                    canonical_json(item)
                    if not isinstance(item, dict)
                    else str(label_of(item) or canonical_json(item)).casefold()
                )
                if key not in labels or self.items > _MOST_ITEMS:
                    break
                self.taken = taken  # what was not used is free again
            # A short list is better than one that names a thing twice.
            if key in labels and (not isinstance(item, dict) or len(made) >= max(least, 2)):
                continue
            labels.add(key)
            made.append(item)
            for name, value in item.items() if isinstance(item, dict) else ():
                if f"{path}[*].{name}" in self.unique:
                    self.taken.add(str(value).casefold())
        return in_order(made, self.arguments) if depth <= 2 else made

    def _leaf(self, schema: JsonObject, kind: str, path: str) -> Any:
        if "const" in schema:
            return schema["const"]
        # Identifiers are never drawn twice, linked or not: one that two things share would be a contradiction.
        if self._pointed(path) or (
            looks_like_id(_last(path)) and kind in ("string", "integer") and "enum" not in schema
        ):
            value = self._fresh(schema, kind, path)
            if looks_like_id(_last(path)):
                self.taken.add(str(value).casefold())
            return value
        return self._plain(schema, kind, path)

    def _plain(self, schema: JsonObject, kind: str, path: str) -> Any:
        name = _last(path)
        rng = self.rng
        if schema.get("enum"):
            return rng.choice([each for each in schema["enum"] if each is not None] or [None])
        form = schema.get("format")
        if form == "date" or (kind == "string" and re.fullmatch(r"date|day|.*Date|.*_date", name) and form is None):
            return a_day(name, self.arguments, self.now, rng)
        if form == "date-time":
            moment = datetime.fromisoformat(self.now) - timedelta(minutes=15 * rng.randrange(1, 400))
            return moment.strftime("%Y-%m-%dT%H:%M:00Z")
        if examples := [each for each in listed(schema) if fits(each, schema)]:
            value = in_units(name, rng.choice(examples), self.arguments)
            return value if fits(value, schema) else rng.choice(examples)
        match kind:
            case "boolean":
                return rng.random() < 0.5
            case "integer" | "number":
                return number(schema, kind, rng)
            case "null":
                return None
            case _:
                return self._text(schema, name)

    def _text(self, schema: JsonObject, name: str) -> str:
        rng = self.rng
        options: list[str] = []
        match schema.get("format"):
            case "uri" | "url":
                options = [f"https://example.org/{rng.randrange(100, 999)}"]
            case "email":
                options = [f"desk{rng.randrange(10, 99)}@example.org"]
            case "uuid":
                options = [
                    f"{rng.getrandbits(32):08x}-{rng.getrandbits(16):04x}-4{rng.getrandbits(12):03x}-a{rng.getrandbits(12):03x}-{rng.getrandbits(48):012x}"
                ]
            case "time":
                options = [f"{rng.randrange(7, 22):02}:{rng.choice(('00', '15', '30', '45'))}:00Z"]
            case "uri-reference" | "iri" | "iri-reference":
                options = [f"https://example.org/{rng.randrange(100, 999)}"]
            case "ipv4":
                options = [f"203.0.113.{rng.randrange(1, 254)}"]
            case "ipv6":
                options = [f"2001:db8::{rng.randrange(1, 9999):x}"]
            case "hostname" | "idn-hostname":
                options = [f"host{rng.randrange(1, 99)}.example.org"]
            case "duration":
                options = [f"PT{rng.randrange(1, 12)}H"]
            case _ if re.search(r"(?:_at|At|time|Time|_on|[Dd]ate|created|updated|modified)$", name):
                moment = datetime.fromisoformat(self.now) - timedelta(minutes=15 * rng.randrange(1, 4000))
                options = [moment.strftime("%Y-%m-%dT%H:%M:00Z")]
            case _ if re.search(r"ur[il]|href|link", name, re.IGNORECASE):
                options = [f"https://example.org/{rng.randrange(100, 999)}"]
            case _ if looks_like_id(name) or re.search(r"code|key|slug|ref", name, re.IGNORECASE):
                options = [f"{name[:2].lower()}{rng.randrange(1000, 9999)}"]
            case _ if re.search(r"name|title|label|headline|subject|venue|place", name, re.IGNORECASE):
                options = list(world_words(self.language)["names"])
            case _:
                options = list(named_pool(name, self.language) or world_words(self.language)["texts"])
        longest = int(schema.get("maxLength", 200))
        text = rng.choice(options)[:longest]
        return text + "x" * max(0, int(schema.get("minLength", 0)) - len(text))

    def _fresh(self, schema: JsonObject, kind: str, path: str) -> Any:
        """Make a value that no argument, word or earlier result holds, and that the consumers' parameters accept."""
        takers = [
            parameter
            for link in self.tools.links
            if link.producer == self.tool and loosen(link.path) == path
            for tool in self.tools.tools
            if tool.name == link.consumer
            and (parameter := tool.parameters["properties"].get(link.parameter)) is not None
        ]

        def good(value: Any) -> bool:
            return (
                value is not None
                and str(value).casefold() not in self.taken
                and fits(value, schema)
                and all(fits(value, taker) for taker in takers)
            )

        pool = [*listed(schema), *(e for t in takers for e in listed(t))]
        self.rng.shuffle(pool)
        for value in pool:
            if good(value):
                return value
        for tries in range(2 * _TRIES):
            value = vary(self.rng.choice(pool), self.rng) if pool else self._plain(schema, kind, path)
            if tries > _TRIES // 2 and isinstance(value, str):
                value = self._derived(value)
            if good(value):
                return value
        return self._plain(schema, kind, path)

    def _derived(self, value: str) -> str:
        """Vary a value beyond the examples: codes get a number, names become another name."""
        if (mark := re.search(r"[._/:-]", value)) is not None and " " not in value:
            return f"{value}{mark.group()}{self.rng.randrange(2, 99)}"
        if value.isupper() or looks_like_id(value) or value[-1:].isdigit():
            return f"{value}{self.rng.randrange(2, 99)}"
        return str(self.rng.choice(world_words(self.language)["names"]))

    def _without_misfits(self, found: Any, returns: JsonObject) -> Any:
        """Drop optional fields that do not fit; what still does not fit is seen by the checks."""
        if isinstance(found, dict) and not fits(found, returns):
            fields = returns.get("properties", {})
            for name in list(found):
                if name not in returns.get("required", ()) and first_misfit(found[name], fields.get(name, {})):
                    del found[name]
        return found


def _last(path: str) -> str:
    """Return the name of the field at the end of a path."""
    return path.rpartition(".")[2].replace("[*]", "")


def _emptied(value: Any) -> Any:
    if not isinstance(value, dict):
        return [] if isinstance(value, list) else value
    held = any(isinstance(each, list) for each in value.values())
    return {
        name: [] if isinstance(each, list) else 0 if held and _COUNT.match(name) and isinstance(each, int) else each
        for name, each in value.items()
    }

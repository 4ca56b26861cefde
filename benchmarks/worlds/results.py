"""What the results of a session show: calls in order, the things in them with id and label, dates, echoes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wildtool.language.result_filters import split

ID_NAME = re.compile(
    r"(?:.*[a-z0-9](?:Id|ID|Code|Key|Uuid|UUID|Slug)|.*_(?:id|code|key|uuid|slug)|id|uuid|code|key|slug)$"
)
"""Names of fields that name a thing to machines."""

KIND_WORDS = frozenset("id code key uuid slug number name title label".split())
"""Words of a field's name that do not say of what kind the thing is."""

_DATE = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?:$|[T ])")


@dataclass(frozen=True)
class Seen:
    """A gold call of a draft and what it showed."""

    task: int
    action: int
    tool: str
    arguments: Mapping[str, Any]
    result: Any
    schema: Mapping[str, Any]
    """Schema of the tool's parameters."""
    returns: Mapping[str, Any]
    """Schema of the tool's result; empty where none is declared."""

    @property
    def properties(self) -> dict[str, Any]:
        """Schemas of the parameters by name."""
        return {k: v for k, v in (self.schema.get("properties") or {}).items() if isinstance(v, dict)}

    @property
    def failed(self) -> bool:
        """Whether the result is an error."""
        return not isinstance(self.result, dict | list) or (isinstance(self.result, dict) and "error" in self.result)


def calls_of(draft: Any) -> list[Seen]:
    """Return the gold calls of a draft in order."""
    tools = {each["function"]["name"]: each["function"] for each in draft.session.tools}
    found = []
    for number, task in enumerate(draft.session.tasks):
        for index, action in enumerate(task.actions):
            if action.kind == "call":
                tool = tools.get(action.name, {})
                schema, returns = tool.get("parameters") or {}, tool.get("x-returns") or {}
                found.append(Seen(number, index, action.name, action.arguments, action.observation, schema, returns))
    return found


@dataclass(frozen=True)
class Thing:
    """An object of a result that has an id."""

    kind: str
    """What the id is of: ``restaurant`` for ``restaurantId``; of a bare ``id`` the list's name, or the tool's."""
    id: str
    label: str | None
    label_field: str | None
    listed: bool
    """Whether it stood in a list."""
    fields: Mapping[str, Any]


def things(call: Seen) -> Iterator[Thing]:
    """Yield the objects of a result that have an id, outer ones first."""
    yield from _things(call.result, _noun(call.tool), False)


def own_label(field: str, kind: str) -> bool:
    """Return whether a field names the thing itself: ``title``, and ``filmTitle`` of a film, but no cinema's name."""
    words = split(field)
    named = bool(words) and words[-1] in ("name", "title", "headline", "label")
    return named and _singular(" ".join(words[:-1])) in ("", kind, kind.split(" ")[-1])


def _things(value: Any, name: str, listed: bool) -> Iterator[Thing]:
    if isinstance(value, list):
        for each in value:
            yield from _things(each, name, True)
    elif isinstance(value, dict):
        found = own_id(value, name)
        if found is not None:
            field, kind = found
            where = next((k for k in value if k != field and own_label(k, kind) and isinstance(value[k], str)), None)
            yield Thing(kind, str(value[field]), None if where is None else value[where], where, listed, value)
        for inner, held in value.items():
            if isinstance(held, dict | list):
                yield from _things(held, _singular(inner), isinstance(held, list))


def own_id(item: Mapping[str, Any], name: str) -> tuple[str, str] | None:
    """Return the field that is the object's own id, and the kind of thing; None where none is, or several could be."""
    fields = [k for k, v in item.items() if ID_NAME.match(k) and isinstance(v, str | int) and not isinstance(v, bool)]
    for field in fields:
        if not set(split(field)) - KIND_WORDS:
            return field, name
    kinds = [(field, kind_of(field)) for field in fields]
    own = [each for each in kinds if each[1] == name]
    if len(own) == 1:
        return own[0]
    return kinds[0] if len(kinds) == 1 and re.search(r"(?i)id$", kinds[0][0]) else None


def kind_of(field: str) -> str:
    """Return the kind of thing that an id's name tells: ``restaurantId`` → ``restaurant``."""
    return " ".join(_singular(word) for word in split(field) if word not in KIND_WORDS)


def _singular(name: str) -> str:
    words = split(name)
    last = words[-1] if words else name
    if last.endswith("ies") and len(last) > 4:
        last = f"{last[:-3]}y"
    elif last.endswith("s") and not last.endswith("ss") and len(last) > 3:
        last = last[:-1]
    return " ".join([*words[:-1], last]) if words else name


def _noun(tool: str) -> str:
    """Return what a tool is about: ``getRestaurantDetails`` → ``restaurant``."""
    words = [word for word in split(tool) if word not in ("details", "detail", "info", "by", "id", "all", "list")]
    return _singular(" ".join(words[1:2])) if len(words) > 1 else (words[0] if words else tool)


def dates_of(value: Any, name: str = "") -> Iterator[tuple[str, int, int]]:
    """Yield field, year and month of each date in a result."""
    if isinstance(value, dict):
        for inner, held in value.items():
            yield from dates_of(held, inner)
    elif isinstance(value, list):
        for each in value:
            yield from dates_of(each, name)
    elif isinstance(value, str) and (date := _DATE.match(value)):
        yield name, int(date[1]), int(date[2])


def top(result: Any) -> Mapping[str, Any]:
    """Return the result's outermost object, or the only one that it wraps."""
    if not isinstance(result, dict):
        return {}
    inner = [v for v in result.values() if isinstance(v, dict)]
    return inner[0] if len(result) == 1 and inner else result


def lists_of(value: Any, path: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of objects or texts of a result that are not inside another list."""
    if isinstance(value, list):
        yield path, value
    elif isinstance(value, dict):
        for name, held in value.items():
            yield from lists_of(held, f"{path}.{name}" if path else name)

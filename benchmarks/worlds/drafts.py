"""Count contradictions in drafts from their text and results alone; no world is asked.

Each counter names calls (``renamed`` and ``id_changed``: things seen again; ``nearer_rival``: tasks) in which a reader who
holds the results side by side sees that they cannot be of one world. Unclear cases are not counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.worlds.results import Seen, Thing, calls_of, dates_of, kind_of, lists_of, own_id, own_label, things, top
from benchmarks.worlds.rivals import rivals
from wildtool.language.folding import plain
from wildtool.language.prose_defaults import defaults
from wildtool.language.result_filters import LIMIT_NAME, filters_of, items_of, limit_of, split
from wildtool.schemas.json_schema import fits
from wildtool.worlds.values import equal

COUNTERS = (
    "other_year",
    "other_entities",
    "renamed",
    "id_changed",
    "default_ignored",
    "filter_broken",
    "length_wrong",
    "nearer_rival",
)

_NO_EVENT = frozenset(
    "created updated changed modified published issued observed refreshed expires expiry valid until due registered joined"
    " since founded born died first last opened built retrieved checked generated".split()
)
"""Words of date fields that need not lie in the year that was asked for."""

_TOTALS = frozenset({"total", "count", "totalcount", "totalresults", "resultcount", "numresults", "found", "hits"})


def measure(home: Path) -> dict[str, Any]:
    """Count over all drafts of a home, which is read and not changed."""
    return count(_drafts(home))


def all_remarks(home: Path) -> Iterator[tuple[str, str]]:
    """Yield counter and one line for each contradiction in the drafts of a home."""
    for draft in _drafts(home):
        yield from remarks(draft)


def _drafts(home: Path) -> list[Any]:
    from wildtool.schemas.draft import Draft
    from wildtool.warehouse import Store

    return sorted(Store(home / "warehouse.duckdb").read(Draft), key=lambda each: each.id)


def count(drafts: Sequence[Any]) -> dict[str, Any]:
    """Count over drafts."""
    found: Counter[str] = Counter()
    calls = 0
    for draft in drafts:
        calls += len(calls_of(draft))
        found.update(name for name, _ in remarks(draft))
    return {"drafts": len(drafts), "calls": calls, **{name: found[name] for name in COUNTERS}}


def remarks(draft: Any) -> Iterator[tuple[str, str]]:
    """Yield counter and one line for each contradiction of a draft."""
    calls = calls_of(draft)
    for call in calls:
        if call.failed:
            continue
        where = f"{draft.session.id} task {call.task + 1} {call.tool}"
        for name, judge in _OF_A_CALL.items():
            told = next(judge(call), None)
            if told is not None:
                yield name, f"{where}: {told}"
    yield from (("renamed", f"{draft.session.id}: {told}") for told in _renamed(calls))
    yield from (("id_changed", f"{draft.session.id}: {told}") for told in _id_changed(calls))
    yield from (("nearer_rival", f"{draft.session.id}: {told}") for told in rivals(draft, calls))


def _years(call: Seen) -> tuple[int, int] | None:
    """Return the first and last year that the arguments ask for; None where they ask for none."""
    low = high = None
    for name, value in call.arguments.items():
        words = set(split(name))
        text = str(value)
        year = int(text[:4]) if re.match(r"(?:19|20|21)\d\d(?:$|-\d\d(?:-\d\d)?(?:$|T))", text) else None
        if year is None or not words & {"year", "date", "day", "month", "on", "start", "end", "from", "to"}:
            continue
        if words & {"start", "from"}:
            low = year
        elif words & {"end", "to"}:
            high = year
        elif words <= {"year", "date", "day", "month", "on", "travel", "departure", "visit", "event", "election"}:
            return year, year
    return None if low is None or high is None else (low, high)


def _other_year(call: Seen) -> Iterator[str]:
    asked = _years(call)
    if asked is None:
        return
    for field, year, month in dates_of(call.result):
        words = set(split(field))
        if words & _NO_EVENT or field in call.arguments:
            continue
        # What begins in December may end in January.
        turn = (year == asked[1] + 1 and month == 1) or (year == asked[0] - 1 and month == 12)
        if not asked[0] <= year <= asked[1] and not turn:
            yield f"asked for {asked[0]}, {field} is in {year}"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for held in value.values():
            yield from _texts(held)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield plain(str(value))


def _other_entities(call: Seen) -> Iterator[str]:
    filters = {each.argument for each in filters_of(call.arguments, call.properties)}
    limited = [name for name in call.arguments if LIMIT_NAME.match(name)]
    for name, value in call.arguments.items():
        if name in limited:
            continue
        if isinstance(value, list) and len(value) > 1 and all(isinstance(each, str) for each in value):
            yield from _compared(call, name, value)
        elif isinstance(value, str) and value and "enum" not in call.properties.get(name, {}):
            yield from _asked_for(call, name, value, items=name not in filters)


def _compared(call: Seen, name: str, value: list[str]) -> Iterator[str]:
    """Several things were asked for by name, and the result holds others of the kind."""
    kind = kind_of(name)
    tables = [(p, held) for p, held in lists_of(call.result) if held and all(isinstance(each, dict) for each in held)]
    compares = bool({"compare", "comparison", "rank", "ranking", "versus"} & set(split(call.tool))) and len(tables) == 1
    for path, held in tables:
        about = compares or kind_of(path.rpartition(".")[2]) == kind
        fields = [f for f in held[0] if kind_of(f) == kind or (about and own_label(f, kind))]
        shown = {plain(str(each[f])) for each in held for f in fields if isinstance(each.get(f), str)}
        wanted = {plain(each) for each in value}
        strangers = [a for a in shown if not any(a in b or b in a for b in wanted)]
        if strangers and (compares or len(strangers) == len(shown)):
            yield f"asked for {name} {value}, shows {sorted(strangers)[:4]}"


def _asked_for(call: Seen, name: str, value: str, *, items: bool) -> Iterator[str]:
    """One thing was asked for by name or key, and the field of that name holds another."""
    words = set(split(name))
    if not words & KEYED and name not in call.returns.get("properties", {}):
        return
    shown = top(call.result)
    if isinstance(shown.get(name), str) and not _alike(shown[name], value):
        yield f"asked for {name} {value!r}, shows {shown[name]!r}"
    elif items and words & {"id", "code", "key"}:
        for item in items_of(call.result):
            own = own_id(item, kind_of(name))
            if own is not None and own[0] == name:
                return  # things related to the one asked for
            if isinstance(item.get(name), str) and not equal(item[name], value):
                yield f"asked for {name} {value!r}, an item has {item[name]!r}"
                return


KEYED = frozenset("id code key name title city country symbol ticker".split())
"""Words of parameters by which a thing is named."""


def _alike(one: str, other: str) -> bool:
    """Return whether two texts may name one thing: a code and a name, a part and the whole."""
    a, b = plain(one), plain(other)
    short = min(len(a), len(b)) <= 3 and len(a) != len(b)
    return short or a in b or b in a or bool(set(split(a)) & set(split(b)))


def _defaults(call: Seen) -> dict[str, Any]:
    found = {}
    for name, schema in call.properties.items():
        if name in call.arguments:
            continue
        said = [schema["default"]] if "default" in schema else defaults(schema)
        if len(said) == 1 and said[0] is not None and fits(said[0], schema):
            found[name] = said[0]
    return found


def _default_ignored(call: Seen) -> Iterator[str]:
    shown = top(call.result)
    for name, due in _defaults(call).items():
        lists = [held for _, held in lists_of(call.result)]
        if LIMIT_NAME.match(name) and isinstance(due, int) and len(lists) == 1 and len(lists[0]) > due:
            yield f"{name} is {due} by default, shows {len(lists[0])} items"
        for field, held in shown.items():
            same = field == name or _stem(field) == _stem(name)
            if same and isinstance(held, str | int | float) and isinstance(due, str | int | float):
                comparable = isinstance(held, str) == isinstance(due, str)
                counts = isinstance(held, int) and LIMIT_NAME.match(name) is not None and held <= due
                if comparable and not equal(held, due) and not counts:
                    yield f"{name} is {due!r} by default, {field} is {held!r}"


def _stem(name: str) -> str:
    return "".join(word.removesuffix("s") for word in split(name))


def _filter_broken(call: Seen) -> Iterator[str]:
    items = items_of(call.result)
    for each in filters_of(call.arguments, call.properties):
        for item in items:
            field = each.field(item)
            if field is not None and not each.allows(item[field]):
                yield f"asked with {each.argument} {each.value}, an item has {field} {item[field]}"


def _length_wrong(call: Seen) -> Iterator[str]:
    lists = [held for _, held in lists_of(call.result)]
    if len(lists) != 1 or not isinstance(call.result, dict | list):
        return
    size, limit = len(lists[0]), limit_of(call.arguments)
    if limit is not None and size > limit:
        yield f"asked for {limit} at most, shows {size}"
    if not isinstance(call.result, dict):
        return
    held_back = limit if limit is not None else limit_of(_defaults(call))
    paged = any(re.search(r"(?i)page|offset|skip|cursor|start|token", name) for name in call.arguments)
    limits = [name for name in call.properties if LIMIT_NAME.match(name)]
    for name, held in call.result.items():
        if "".join(split(name)) not in _TOTALS or not isinstance(held, int) or isinstance(held, bool):
            continue
        if held < size:
            yield f"{name} is {held}, shows {size}"
        elif held > size and not paged and ((held_back is not None and size < held_back) or not (limits or held_back)):
            yield f"{name} is {held}, shows {size} of at most {held_back or 'any number'}"


_OF_A_CALL = {
    "other_year": _other_year,
    "other_entities": _other_entities,
    "default_ignored": _default_ignored,
    "filter_broken": _filter_broken,
    "length_wrong": _length_wrong,
}


def _renamed(calls: Sequence[Seen]) -> Iterator[str]:
    """The same id with another label, or a result that names another label than was shown for the id asked for."""
    labels: dict[tuple[str, str], tuple[str, str]] = {}
    for call in calls:
        if call.failed:
            continue
        said = {plain(text) for text in _texts(dict(call.arguments))}
        for thing in things(call):
            if thing.label is None or thing.label_field is None:
                continue
            place = (thing.kind, thing.id)
            known = labels.get(place)
            if known is None or plain(thing.label) in said:
                labels[place] = (thing.label_field, thing.label)
            elif known[0] == thing.label_field and not equal(known[1], thing.label):
                yield f"{thing.kind} {thing.id} is {known[1]!r}, then {thing.label!r}"
        yield from _named_otherwise(call, labels, said)


def _named_otherwise(call: Seen, labels: dict[tuple[str, str], tuple[str, str]], said: set[str]) -> Iterator[str]:
    """A booking or page of a thing that gives the thing another name than the list did."""
    shown = top(call.result)
    for name, value in call.arguments.items():
        kind = kind_of(name)
        known = labels.get((kind, str(value)))
        if known is None or not isinstance(value, str | int):
            continue
        for field, held in shown.items():
            about = split(field)
            names_it = about in ([*kind.split(), "name"], [*kind.split(), "title"], kind.split())
            bare = field == known[0] and name in shown and equal(shown[name], value) and not _own_other(shown, kind)
            already = any(t.kind == kind and t.id == str(value) for t in things(call))
            if not isinstance(held, str) or already or not (names_it or bare) or plain(held) in said:
                continue
            if not _alike_label(held, known[1]) and not equal(held, value):
                yield f"{kind} {value} is {known[1]!r} in the list, {held!r} in {call.tool}"


def _own_other(shown: Any, kind: str) -> bool:
    """Return whether an object has an id of another kind: its name may be its own."""
    return any(k.lower().endswith("id") and kind_of(k) != kind for k in shown)


def _alike_label(one: str, other: str) -> bool:
    a, b = plain(one), plain(other)
    return a == b or a in b or b in a


def _id_changed(calls: Sequence[Seen]) -> Iterator[str]:
    """The same label, of the same kind of thing, under another id in a later result."""
    ids: dict[tuple[str, str, str], set[str]] = {}
    for call in calls:
        if call.failed:
            continue
        here: dict[tuple[str, str, str], set[str]] = {}
        seen: list[tuple[tuple[str, str, str], Thing]] = []
        for thing in things(call):
            if thing.label is not None and thing.label_field is not None:
                place = (thing.kind, thing.label_field, plain(thing.label))
                here.setdefault(place, set()).add(thing.id)
                seen.append((place, thing))
        for place, thing in seen:
            if place in ids and thing.id not in ids[place]:
                yield f"{thing.kind} {thing.label!r} is {sorted(ids[place])[0]}, then {thing.id}"
        for place, found in here.items():
            ids.setdefault(place, set()).update(found)

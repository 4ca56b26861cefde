"""Make a row agree with its own lists and flags: totals of their parts, counts of their items, flags of what they say."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.worlds.furnishing.checks import check_of, is_figure
from wildtool.worlds.furnishing.data import joined, name_words, table
from wildtool.worlds.furnishing.facts import Facts, Rule
from wildtool.worlds.furnishing.makers import like

_TOTALS = frozenset(("total", "sum", "overall", "combined"))
_SUMMED = frozenset("minutes seconds hours distance meters metres km miles calories duration".split())
"""Figures of parts that the whole sums under the same name."""

_COUNTS = frozenset(("count", "total", "size", "length", "number", "num"))


def wholes(fields: Sequence[str], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    """Yield rules for what follows from the row's lists and figures."""
    lists = {name: schemas[name] for name in fields if plain_type(schemas[name]) == "array"}
    numbers = [name for name in fields if plain_type(schemas[name]) in ("integer", "number")]
    yield from _sums(numbers, lists, schemas)
    yield from _counts(numbers, lists, schemas)
    yield from _density(numbers, schemas)
    yield from _energy(numbers, schemas)
    yield from _flags(fields, lists, schemas)
    yield from _levels(fields, numbers, schemas)


def pairs(facts: Collection[str], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    """Yield rules that give one name one identifier: two tracks of an artist hold the same artistId."""
    for name in facts:
        words = name_words(name)
        if len(words) < 2 or words[-1] not in ("id", "code", "uuid") or plain_type(schemas[name]) != "string":
            continue
        stem = words[:-1]
        label = next(
            (each for each in facts if name_words(each) in ((*stem, "name"), (*stem, "title"), stem) and each != name),
            None,
        )
        if label is not None and plain_type(schemas[label]) == "string" and "enum" not in schemas[name]:
            yield _same_id(name, label, schemas[name])


def _same_id(name: str, label: str, schema: JsonObject) -> Rule:
    check = check_of(schema)

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        held, said = row.get(name), row.get(label)
        if name in fixed or not isinstance(held, str) or not isinstance(said, str):
            return
        rng = Random(f"{facts.scene.seed}:{name}:{said.casefold()}")
        shape = "".join("0" if character.isdigit() else character for character in held)
        value = like(shape, Facts(facts.scene, rng, "")) if any(c.isdigit() for c in held) else held
        if check(value):
            row[name] = value

    return rule


def _inner(schema: JsonObject) -> Mapping[str, Any]:
    items = schema.get("items")
    held = items.get("properties") if isinstance(items, dict) else None
    return held if isinstance(held, dict) else {}


def _sums(numbers: Sequence[str], lists: Mapping[str, JsonObject], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    for total in numbers:
        words = name_words(total)
        rest = tuple(word for word in words if word not in _TOTALS)
        for name, schema in lists.items():
            part = next(
                (
                    each
                    for each, inner in _inner(schema).items()
                    if isinstance(inner, dict)
                    and plain_type(inner) in ("integer", "number")
                    and name_words(each) == rest
                    and (rest != words or set(rest) & _SUMMED)
                ),
                None,
            )
            if part is not None:
                yield _sum_of(total, name, part, schemas[total])
                break


def _sum_of(total: str, name: str, part: str, schema: JsonObject) -> Rule:
    check, whole = check_of(schema), plain_type(schema) == "integer"

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        items: list[Any] = [each.get(part) for each in row.get(name) or () if isinstance(each, dict)]
        if total in fixed or total not in row or not items or not all(is_figure(each) for each in items):
            return
        value = sum(items)
        value = round(value) if whole else round(value, 2)
        if check(value):
            row[total] = value

    return rule


def _counts(
    numbers: Sequence[str], lists: Mapping[str, JsonObject], schemas: Mapping[str, JsonObject]
) -> Iterator[Rule]:
    for count in numbers:
        words = set(name_words(count))
        if plain_type(schemas[count]) != "integer" or not words & _COUNTS:
            continue
        stem = {word.removesuffix("s") for word in words - _COUNTS - {"of"}}
        meant = [
            name
            for name in lists
            if (stem and stem == {word.removesuffix("s") for word in name_words(name)})
            or (words == {"count"} and len(lists) == 1)
        ]
        if len(meant) == 1:
            yield _length_of(count, meant[0], schemas[count])


def _length_of(count: str, name: str, schema: JsonObject) -> Rule:
    check = check_of(schema)

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        held = row.get(name)
        if count in row and count not in fixed and isinstance(held, list) and check(len(held)):
            row[count] = len(held)

    return rule


def _density(numbers: Sequence[str], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    by_word = {word: name for name in numbers for word in name_words(name)[:1]}
    people, area, density = by_word.get("population"), by_word.get("area"), by_word.get("density")
    if people is None or area is None or density is None:
        return
    check = check_of(schemas[density])

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        if density in fixed or density not in row or not is_figure(row.get(people)) or not row.get(area):
            return
        value = round(row[people] / row[area], 1)
        if check(value):
            row[density] = value

    yield rule


def _energy(numbers: Sequence[str], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    """Food: 4 kcal a gram of protein and carbohydrate, 9 a gram of fat (Regulation (EU) 1169/2011, annex XIV)."""
    by_word: dict[str, str] = {}
    for name in numbers:
        for word in name_words(name):
            by_word.setdefault(word, name)
    energy = next((by_word[word] for word in ("calories", "kcal", "energy") if word in by_word), None)
    protein, fat = by_word.get("protein"), by_word.get("fat")
    if energy is None or protein is None or fat is None or "kj" in name_words(energy):
        return
    starch = next(
        (by_word[word] for word in ("carbohydrates", "carbs", "carbohydrate", "carb") if word in by_word), None
    )
    sugar = next((by_word[word] for word in ("sugar", "sugars") if word in by_word), None)
    check, whole = check_of(schemas[energy]), plain_type(schemas[energy]) == "integer"

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        if energy in fixed or not all(is_figure(row.get(each)) for each in (energy, protein, fat)):
            return
        both = sugar is not None and starch is not None and is_figure(row.get(sugar)) and is_figure(row.get(starch))
        if sugar is not None and starch is not None and both and row[sugar] > row[starch] and sugar not in fixed:
            row[sugar] = round(row[starch] * 0.4, 1)
        rest = row.get(starch) if starch is not None else row.get(sugar) if sugar is not None else 0
        rest = rest if is_figure(rest) else 0
        value = (
            4 * row[protein] + 9 * row[fat] + 4 * (rest or 0) + (0 if starch is not None else 4 * facts.whole(2, 12))
        )
        value = round(value) if whole else round(value, 1)
        if check(value):
            row[energy] = value

    yield rule


def _flags(fields: Sequence[str], lists: Mapping[str, JsonObject], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    flags = [name for name in fields if plain_type(schemas[name]) == "boolean"]
    others = [name for name in fields if name not in flags]
    for flag in flags:
        for phrase, above, below in table("relations")["flags"]:
            if joined(flag) != phrase.replace(" ", "_"):
                continue
            more = next(
                (name for name in others if name_words(name)[-len(above.split()) :] == tuple(above.split())), None
            )
            less = next((name for name in others if name_words(name) == tuple(below.split())), None) if below else None
            if more is not None and (less is not None or not below):
                yield _exceeds(flag, more, less, schemas)
                break
        else:
            stem = {word.removesuffix("s") for word in name_words(flag)} - {"ha", "has", "i", "is", "with", "have"}
            stem = {word.removesuffix("ed") for word in stem}
            held = next((name for name in lists if {word.removesuffix("s") for word in name_words(name)} == stem), None)
            if held is not None:
                yield _non_empty(flag, held)


def _exceeds(flag: str, more: str, less: str | None, schemas: Mapping[str, JsonObject]) -> Rule:
    check = check_of(schemas[more])
    whole = plain_type(schemas[more]) == "integer"

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        if flag not in row or not is_figure(row.get(more)) or (less is not None and not is_figure(row.get(less))):
            return
        bar = row[less] if less is not None else 0
        if bool(row[flag]) == (row[more] > bar):
            return
        if flag not in fixed and (more in fixed or less is None):
            row[flag] = row[more] > bar
            return
        if more in fixed:
            return
        value = bar * (1.05 + 0.3 * facts.random()) if row[flag] else bar * (0.2 + 0.7 * facts.random())
        if less is None:
            value = facts.whole(1, 20) if row[flag] else 0
        value = round(value) if whole else round(value, 2)
        if check(value):
            row[more] = value

    return rule


def _non_empty(flag: str, name: str) -> Rule:
    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        held = row.get(name)
        if flag not in row or not isinstance(held, list):
            return
        if row[flag] and not held and flag not in fixed:
            row[flag] = False
        elif not row[flag] and held and flag in fixed and name not in fixed:
            row[name] = []
        elif not row[flag] and held and flag not in fixed:
            row[flag] = True

    return rule


def _levels(fields: Sequence[str], numbers: Sequence[str], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    """Scores and the levels that they mean: low, medium, high, critical."""
    ranks: Sequence[Sequence[str]] = table("relations")["levels"]
    for name in fields:
        options = [str(each) for each in schemas[name].get("enum") or () if each is not None]
        if len(options) < 3 or name_words(name)[-1:] not in (("severity",), ("risk",), ("level",)):
            continue
        order = max(
            ([each for word in words for each in options if each.casefold() == word] for words in ranks), key=len
        )
        score = next((each for each in numbers if name_words(each)[-1:] == ("score",)), None)
        if len(order) >= 3 and score is not None:
            yield _level_of(name, score, order, schemas[score])


def _level_of(name: str, score: str, order: Sequence[str], schema: JsonObject) -> Rule:
    check = check_of(schema)

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        value = row.get(score)
        if not is_figure(value) or row.get(name) not in order or value is None:
            return
        top = next((each for each in (1, 10, 100) if value <= each), None)
        if top is None:
            return
        if name not in fixed:
            row[name] = order[min(int(value / top * len(order)), len(order) - 1)]
        elif score not in fixed:
            place = (order.index(row[name]) + 0.2 + 0.6 * facts.random()) / len(order)
            new = round(top * place, 1)
            new = int(new) if isinstance(value, int) else new
            if check(new):
                row[score] = new

    return rule

"""Change rows so that they meet a demand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from random import Random
from typing import Any

from wildtool.language.lexicon import spaced
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.session_world import Demand
from wildtool.schemas.world import FieldRole
from wildtool.worlds.furnishing.conditions import has, inside, meets, one_of, said
from wildtool.worlds.furnishing.data import pool
from wildtool.worlds.furnishing.facts import Facts, Scene
from wildtool.worlds.furnishing.moments import write
from wildtool.worlds.furnishing.plan import TablePlan
from wildtool.worlds.rows import Row
from wildtool.worlds.values import dig, equal, number, put, span


def change(row: Row, demand: Demand, plan: TablePlan, scene: Scene, rng: Random) -> None:
    """Let a row meet a demand, in place; what follows from the changed fields follows again."""
    before = dict(row)
    for name, value in demand.given.items():
        held = dig(row, name)
        if not has(held, value):
            put(row, name, _listed(held, value) if _is_list(plan, name) else value)
            _rename(row, name, value, plan, scene, rng)
    for name, options in demand.among.items():
        if not one_of(dig(row, name), options):
            value = rng.choice(options)
            put(row, name, _listed(dig(row, name), value) if _is_list(plan, name) else value)
    for name, ends in demand.within.items():
        if not inside(dig(row, name), *ends):
            put(row, name, _between(dig(row, name), *ends, plan.spec.fields[name.split(".")[0]].value, rng))
    for words in demand.words:
        if not said(row, words):
            _say(row, words, plan, scene, rng)
    touched = {name.split(".")[0] for name in (*demand.given, *demand.among, *demand.within)}
    touched |= {each.name for each in plan.fields if each.unique or each.role is FieldRole.TOPIC}
    touched |= {name for name in row if row[name] is not before.get(name) and row[name] != before.get(name)}
    agreed = dict(row)
    plan.agree(agreed, touched, Facts(scene, rng, plan.spec.noun), {})
    if meets(agreed, demand):
        row.update(agreed)


def _rename(row: Row, name: str, value: Any, plan: TablePlan, scene: Scene, rng: Random) -> None:
    """Let the row's name hold a changed value that names of its kind hold: a job's new role."""
    each = plan.field(name)
    label = next((one for one in plan.fields if one.role is FieldRole.LABEL), None)
    if each is None or not each.names_row or label is None or label.name not in row:
        return
    names = pool(label.kind or "", scene.language)
    made = names.topical(str(value), rng.randrange(4096)) if names is not None else None
    if made is not None and label.check(made):
        row[label.name] = made


def _is_list(plan: TablePlan, name: str) -> bool:
    return "." not in name and plain_type(plan.spec.fields[name].value) == "array"


def _listed(held: Any, value: Any) -> list[Any]:
    wanted = value if isinstance(value, list) else [value]
    kept = [each for each in held if not any(equal(each, other) for other in wanted)] if isinstance(held, list) else []
    return [*wanted, *kept][: max(len(wanted), len(kept), 1)]


def _say(row: Row, words: str, plan: TablePlan, scene: Scene, rng: Random) -> None:
    """Let a search for the words find the row: by its topics, else by its name."""
    for each in plan.fields:
        if each.role is FieldRole.TOPIC:
            row[each.name] = [words, *(row.get(each.name) or [])]
            return
    label = next((each for each in plan.fields if each.role is FieldRole.LABEL), None)
    if label is None:
        return
    names = pool(label.kind or "", scene.language)
    made = names.topical(words, rng.randrange(4096)) if names is not None else None
    glue = " " if spaced(scene.language) else ""
    joint = f"{words}{glue}{row.get(label.name, '')}".strip()
    row[label.name] = made if made is not None and label.check(made) else joint


def _between(held: Any, low: Any, high: Any, schema: Mapping[str, Any], rng: Random) -> Any:
    """Draw a value of the held one's kind between two ends."""
    if clock := next((each for each in (low, high) if isinstance(each, str) and len(each) == 5 and ":" in each), None):
        return _at_clock(held, clock, low is not None, rng)
    one, other = number(low), number(high)
    figures = [each for each in (one, other) if each is not None]
    if (figures and not (span(low) or span(high))) or (
        isinstance(held, int | float) and not isinstance(held, bool) and figures
    ):
        bottom = one if one is not None else (other or 0.0) * 0.6
        top = other if other is not None else max(bottom * 1.4, bottom + 3)
        most = schema.get("maximum")
        top = min(top, float(most)) if isinstance(most, int | float) and most >= bottom else top
        if plain_type(dict(schema)) == "integer" or isinstance(held, int):
            low_whole, high_whole = int(-(-bottom // 1)), int(top // 1)
            if one is not None and high_whole > low_whole:
                low_whole += other is None
            if one is None and high_whole > low_whole:
                high_whole -= 1
            return rng.randint(low_whole, max(low_whole, high_whole))
        return round(rng.uniform(bottom + (top - bottom) * 0.1, bottom + (top - bottom) * 0.9), 2)
    first, last = span(low), span(high)
    if first is None and last is None:
        return low if low is not None else high
    if first is not None and last is not None:
        begin, end = first[0], last[1]
    elif first is not None:
        begin, end = first[0], first[0].replace(year=first[0].year) + (first[1] - first[0])
    else:
        assert last is not None
        begin, end = last[0], last[1]
    if first is not None and last is None:
        begin, end = first[1], first[1] + timedelta(days=30)
    if first is None and last is not None:
        begin, end = last[0] - timedelta(days=30), last[0]
    at = begin + (end - begin) * rng.random()
    if first is not None and last is not None and first[0].date() == last[1].date():
        at = first[0].replace(hour=rng.randrange(9, 21), minute=rng.choice((0, 15, 30, 45)), second=0)
    if isinstance(held, int) and not isinstance(held, bool):
        return at.year if 1000 <= held <= 9999 else write(at, "seconds")
    return write(
        at.replace(second=0, microsecond=0), "date" if isinstance(held, str) and len(held) == 10 else "date-time"
    )


def _at_clock(held: Any, clock: str, least: bool, rng: Random) -> Any:
    hour = int(clock[:2])
    chosen = rng.randint(min(hour + 1, 23), 23) if least else rng.randint(min(6, max(hour - 1, 0)), max(hour - 1, 0))
    text = f"{chosen:02}:{rng.choice(('00', '15', '30', '45'))}"
    held = str(held)
    if "T" in held:
        return held[:11] + text + held[16:]
    return text

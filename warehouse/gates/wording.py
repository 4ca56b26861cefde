"""Gates on wording: limits, counts, bounds, days, times and ordinals in the user's words agree with the arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from schemas.base import JsonObject
from schemas.filters import LIMIT_NAME
from schemas.session import Action, Answer, Ask, Call, Session, Task
from warehouse.gates.clock import Clock, ClockValue, clock_value, times_said
from warehouse.gates.counted import Kind, counted, expected, kind_of_parameter, kind_of_quantity
from warehouse.gates.dated import days_of_value
from warehouse.gates.days import when_said
from warehouse.gates.gate import Gate, each_task
from warehouse.gates.known import Known, ancestors, is_number, leaves, parameter_schema, task_words
from warehouse.gates.numbers import CHINESE_NUMBER, ONES, Quantity, bounds_said, chinese_numbers, folded, limits_said, numbers_said
from warehouse.gates.party import party_said
from warehouse.gates.pointed import pointed_at, superlatives_said
from warehouse.gates.structure import calls_of, functions
from warehouse.gates.words import normal, ordinals_said, tokens, weight

Found = Iterator[tuple[int | None, str]]

_UPPER = frozenset(("max", "maximum", "most", "upper", "ceiling", "below", "under", "budget", "lte", "lt"))
_LOWER = frozenset(("min", "minimum", "least", "lower", "floor", "above", "over", "gte", "gt"))
"""Words of a parameter's name that say that it bounds something."""


def _said(task: Task) -> str:
    return "\n".join(task_words(task))


def _limits(session: Session, number: int, task: Task) -> Found:
    said = limits_said(_said(task))
    if not said:
        return
    mentioned = numbers_said(_said(task))
    for index, call in calls_of(task):
        for name, value in call.arguments.items():
            # Another number that the user said may be the limit of another call.
            if (
                LIMIT_NAME.match(name)
                and isinstance(value, int)
                and not isinstance(value, bool)
                and value not in said | mentioned
            ):
                yield index, f"{call.name}.{name} is {value}, but the user said {_listed(said)}"
    given = {
        value
        for _, call in calls_of(task)
        for name, value in call.arguments.items()
        if LIMIT_NAME.match(name) and is_number(value)
    }
    if given and not given & said and not any(value not in said | mentioned for value in given):
        index, call = calls_of(task)[0]
        yield index, f"{call.name} is limited to {_listed(given)}, but the user said {_listed(said)}"


def _counts(session: Session, number: int, task: Task) -> Found:
    words = _said(task)
    found, bare = counted(words)
    upper, lower = bounds_said(words)
    party = party_said(words)
    known_functions = functions(session)
    for index, call in calls_of(task):
        known = Known(session, number, index)
        for path, value in leaves(call.arguments):
            if not is_number(value):
                continue
            name = tokens(re.sub(r"\[\d+\]$", "", path).rpartition(".")[2])
            schema, _ = parameter_schema(known_functions.get(call.name, {}), path)
            kind = kind_of_parameter(name)
            side = _side(set(name))
            small = kind is not None and kind.name in ("people", "tickets", "weeks", "nights")
            # A digit inside of an id that was shown ("3U8885") counts nobody.
            if any(seen == value for seen in known.observations if is_number(seen)) or (
                not small and known.observed(value)
            ):
                continue
            if side is not None:
                right, wrong = (upper, lower) if side == "upper" else (lower, upper)
                wanted = _of_kind(right, kind)
                free = bare.difference(*(one.values for one in (*upper, *lower)))
                if wanted and not _near(value, wanted | free, schema):
                    yield index, f"{call.name}.{path} is {value:g}, but the user's {side} bound is {_listed(wanted)}"
                elif not wanted and value in _of_kind(wrong, kind):
                    yield index, f"{call.name}.{path} is {value:g}, which the user said as the other bound"
                if wanted or kind is None:
                    continue
            if kind is None:
                continue
            wanted = expected(kind, found)
            if party is not None and kind.name in ("people", "tickets"):
                # The people that are named one by one; "adults" leaves the children out.
                fewer = found.get("children", set()) if "adults" in name else set()
                wanted = wanted | {float(party)} | {party - value for value in fewer}
            if not wanted and kind.name in ("people", "tickets") and len(bare) == 1 and _PAIR.search(words.casefold()):
                wanted = bare
            if (
                wanted
                and not _near(value, wanted | bare, schema)
                and not ("children" not in found and _near(_company(call, kind), wanted, schema))
            ):
                said = _listed(found.get(kind.name) or wanted)
                yield index, f"{call.name}.{path} is {value:g}, but the user said {said} ({kind.name})"


_PAIR = re.compile(r"\b(?:a pair|a dozen|half a dozen)\b(?! of (?:weeks|days|hours|nights|months|minutes|eggs))")


def _company(call: Call, kind: Kind) -> float:
    """All people of a call together: "the three of us" are two adults and a child."""
    if kind.name not in ("people", "children"):
        return math.nan
    named = [(kind_of_parameter(tokens(path)), value) for path, value in leaves(call.arguments) if is_number(value)]
    return float(sum(value for of, value in named if of is not None and of.name in ("people", "children")))


def _side(name: set[str]) -> str | None:
    """Which bound a parameter is, by the words of its name."""
    if bool(name & _UPPER) == bool(name & _LOWER):
        return None
    return "upper" if name & _UPPER else "lower"


def _of_kind(bounds: list[Quantity], kind: Kind | None) -> set[float]:
    """Numbers of the bounds that a parameter of this kind may take, in its units."""
    values: set[float] = set()
    for one in bounds:
        counts = kind_of_quantity(one)
        if kind is not None and counts is None and _OTHER_NOUN.match(one.after):
            continue  # "three hotels at most" bounds no price
        if kind is None or counts is None:
            values |= {value * factor for value in one.values for factor in (counts.factors if counts else (1,))}
        else:
            values |= expected(kind, {counts.name: set(one.values)})
    return values


_OTHER_NOUN = re.compile(
    r"^ (?!(?:or|and|per|a|an|each|every|please|for|in|at|to|on|with|the|if|but|is|would|as|max|maximum|tops|overall|total|altogether)\b)[a-z]{3,}|"
    r"^[个家条场部首项款张本篇只份名位]"
)


def _near(value: float, right: set[float], schema: JsonObject) -> bool:
    """Equal but for rounding; in cents where the tool takes cents."""
    cents = (
        (1, 100)
        if re.search(r"\bcents?\b|minor unit|smallest|单位[:：为]?分", str(schema.get("description", "")).casefold())
        else (1,)
    )
    return any(abs(value - one * factor) <= 1e-3 * max(1, abs(value)) for one in right for factor in cents)


def _listed(values: set[float] | set[int]) -> str:
    return ", ".join(f"{value:g}" for value in sorted(values)[:3])


def _dates(session: Session, number: int, task: Task) -> Found:
    own = when_said(_said(task), session.now)
    returns = _returns(session, number, task)
    agreeing: list[bool] = []
    dated: list[tuple[int, str, Any]] = []
    for index, call in calls_of(task):
        known = Known(session, number, index)
        before = when_said(known.texts, session.now)
        for path, value in leaves(call.arguments):
            days = days_of_value(value)
            if days is None:
                continue
            if not days:
                yield index, f"{call.name}.{path} is {value}, which is no day"
                continue
            if known.observed_day(str(value)) or days & returns:
                continue
            now = str(session.now)[:10]
            if not own:
                # Carried on from before, or the clock: only a day that nothing names is wrong.
                if (
                    before
                    and not before.unclear
                    and not any(before.allows(day) or day.isoformat() == now for day in days)
                ):
                    yield index, f"{call.name}.{path} is {value}, a day that nobody named"
                continue
            if own.unclear:
                continue
            fits = any(own.allows(day) for day in days)
            if days <= own.ends and own.days - own.ends and _STARTS & set(tokens(path)) and not _ENDS & set(tokens(path)):
                yield index, f"{call.name}.{path} is {str(value)[:10]}, the end of what the user said begins on {_meant(own.days - own.ends, ())}"
                continue
            agreeing.append(fits)
            dated.append((index, f"{call.name}.{path}", value))
            if not fits and not any(before.allows(day) for day in days):
                yield (
                    index,
                    f"{call.name}.{path} is {str(value)[:10]}, but the user's words mean {_meant(own.days, own.spans)}",
                )
    if agreeing and not any(agreeing) and all(when_said(Known(session, number, index).texts, session.now).allows(day)
                                              for index, _, value in dated for day in days_of_value(value) or ()):  # fmt: skip
        index, place, value = dated[0]
        yield (
            index,
            f"{place} is {str(value)[:10]}, said before, but now the user's words mean {_meant(own.days, own.spans)}",
        )


_RETURN = re.compile(
    rf"(?P<n>\d{{1,2}}|{CHINESE_NUMBER})(?:天|日)(?:之|以)?后(?:再)?(?:回|返)|\b(?:back|return(?:ing)?)\b[^.;!?\n]{{0,12}}?\b(?P<m>\d{{1,2}}|{'|'.join(ONES[1:])}) days? (?:later|after)\b"
)


def _returns(session: Session, number: int, task: Task) -> set[date]:
    """Days that a way back may mean, reckoned from the days of earlier calls: 三天后回来."""
    match = _RETURN.search(folded(_said(task)))
    if match is None:
        return set()
    word = match["n"] or match["m"]
    lengths = {int(word)} if word.isdigit() else {ONES.index(word)} if word in ONES else set(map(int, chinese_numbers(word)))
    begun = {
        day
        for one in session.tasks[:number]
        for _, call in calls_of(one)
        for _, value in leaves(call.arguments)
        for day in days_of_value(value) or ()
    }
    return {day + timedelta(days=length) for day in begun for length in lengths}


_STARTS = frozenset(("start", "from", "begin", "begins", "checkin", "pickup", "outbound", "departure", "depart", "开始"))
_ENDS = frozenset(("end", "to", "until", "return", "checkout", "out", "dropoff", "back", "last"))
"""Words of names that take the first and the last day of a span."""


def _times(session: Session, number: int, task: Task) -> Found:
    own = times_said(_said(task), session.now)
    held = [
        (index, f"{call.name}.{path}", value, at)
        for index, call in calls_of(task)
        for path, value in leaves(call.arguments)
        if (at := _clock_of(path, value)) is not None
        and at.zone in (None, session.now[19:], *(("Z",) if session.now.endswith("+00:00") else ()))
        and not Known(session, number, index).observed_time(value)
    ]
    if own:
        agree = [own.allows(at.minute) for *_, at in held]
        for (index, place, value, at), fits in zip(held, agree, strict=True):
            # The edges of a day stand for the day, unless the time that was said went nowhere else.
            if fits or own.unclear or (at.bounds_a_day and (any(agree) or not own.times)):
                continue
            before = times_said(Known(session, number, index).texts, session.now)
            if not own.times and before.allows(at.minute):
                continue
            if before.allows(at.minute) and any(agree):
                continue
            yield index, f"{place} is {value}, but the user's words mean {_meant_times(own)}"
        return
    for index, place, value, at in held:
        before = times_said(Known(session, number, index).texts, session.now)
        if before and not (before.unclear or own.unclear or at.bounds_a_day or before.allows(at.minute)):
            yield index, f"{place} is {value}, a time that nobody named"


def _clock_of(path: str, value: Any) -> ClockValue | None:
    """The time of day of an argument; of a number where its name says ``hour``."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 24:
        name = tokens(path.rpartition(".")[2])
        return ClockValue(value % 24 * 60, False, None) if "hour" in name and not _LENGTHS & set(name) else None
    return clock_value(value)


_LENGTHS = frozenset(("per", "min", "max", "duration", "rate", "forecast", "count", "number"))
"""Words of names whose hours are a length or a rate and no time of day."""


def _meant_times(said: Clock) -> str:
    times = sorted(said.times)[:3] or [one for span in said.spans[:1] for one in span]
    return (", " if said.times else " to ").join(f"{one // 60:02d}:{one % 60:02d}" for one in times)


def _meant(days: Any, spans: Any) -> str:
    named = [day.isoformat() for day in sorted(days)[:3]]
    return ", ".join(named or [f"{first} to {last}" for first, last in spans[:2]])


def _ordinals(session: Session, number: int, task: Task) -> Found:
    said = ordinals_said(_said(task))
    superlatives = superlatives_said(_said(task))
    if not said and not superlatives:
        return
    pointing: list[tuple[int, str, list[Any], int]] = []
    known_functions = functions(session)
    earlier = [(one, index) for one in session.tasks[:number] for index, _ in calls_of(one)]
    for index, call in calls_of(task):
        own_lists = [found for on in sorted(ancestors(task, index)) for found in _shown_lists(task.actions[on])]
        lists = [found for one, at in earlier for found in _shown_lists(one.actions[at])] + own_lists
        lists += _argument_lists(session, number)
        shown = [text for one in session.tasks[:number] for text in _shown(one)]
        for path, value in leaves(call.arguments):
            schema, _ = parameter_schema(known_functions.get(call.name, {}), path)
            if "[" in path and len(call.arguments.get(path.split("[")[0], ())) > 1:
                continue  # several items at once: "the first two"
            lists_here = lists if not is_number(value) or _NAMES_AN_ITEM & set(tokens(path)) else own_lists
            if not _points(path, value, schema) or normal(str(value)) in normal(_said(task)):
                continue
            hits = [(items, at) for items in lists_here for at in [_positions(items, value)] if at]
            if not hits:
                continue
            ends = [[pointed_at(items, words, end) for words, end in superlatives] for items, _ in hits]
            if any(not places for each in ends for places in each):
                continue  # a superlative that nothing in a list tells
            wanted_at = [_wanted(items, said, each) for (items, _), each in zip(hits, ends, strict=True)]
            hits = [(items, at) for (items, at), positions in zip(hits, wanted_at, strict=True) if positions]
            if len(hits) == 1:
                pointing.append((index, f"{call.name}.{path}", hits[0][0], hits[0][1][0]))
            if not hits or any(at[0] in positions for (_, at), positions in zip(hits, filter(None, wanted_at), strict=True)):
                continue
            if any(_named(items[at[0]], task) for items, at in hits):
                continue  # the ordinal is of something else
            if any(_shown_at(text, items, value, said) for items, _ in hits for text in shown):
                continue  # the assistant had listed them in another order
            items, at = hits[-1]
            wanted = ", ".join(str(position + 1) for position in sorted(_wanted(items, said, ends[-1])))
            yield index, f"{call.name}.{path} is item {at[0] + 1} of a list, but the user pointed at item {wanted}"
    yield from _left_out(pointing, said, superlatives)


def _wanted(items: list[Any], said: set[int], ends: list[set[int]]) -> set[int]:
    """Positions of a list that ordinals and superlatives point at."""
    return {position % len(items) for position in said if -len(items) <= position < len(items)}.union(*ends)


def _left_out(pointing: list[tuple[int, str, list[Any], int]], said: set[int], superlatives: list[Any]) -> Found:
    """As many values point into one list as the user pointed at items, and one of those is none of the values."""
    if len(pointing) < 2 or len(said) + len(superlatives) != len(pointing):
        return
    items = pointing[0][2]
    if any(other is not items for _, _, other, _ in pointing):
        return
    taken = {at for *_, at in pointing}
    places = [{position % len(items)} for position in said if -len(items) <= position < len(items)]
    places += [pointed_at(items, words, end) for words, end in superlatives]
    if len(places) != len(pointing) or len({min(place) for place in places}) < len(places):
        return
    for place in places:
        if not place & taken:
            index, name, _, at = pointing[0]
            yield index, f"{name} is item {at + 1} of a list, and item {min(place) + 1}, which the user pointed at, is taken by no call"
            return


_TIMED = frozenset(("year", "month", "day", "date", "time", "hour", "since", "until"))
_NAMES_AN_ITEM = frozenset(("id", "ids", "code", "key", "ref", "reference", "no", "number", "isbn", "sku"))


def _points(path: str, value: Any, schema: JsonObject) -> bool:
    """The value can stand for an item: small numbers, switches and choices cannot."""
    if isinstance(value, bool) or value is None or "enum" in schema or days_of_value(value) is not None:
        return False
    if is_number(value):
        return bool(_NAMES_AN_ITEM & set(tokens(path))) or (abs(value) >= 10 and not _TIMED & set(tokens(path)))
    return bool(str(value).strip())


def _shown_lists(action: Action) -> Iterator[list[Any]]:
    """Lists in what a call was given and what it gave."""
    if isinstance(action, Call):
        yield from _lists(action.observation)
        yield from _lists(action.arguments)


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        if len(value) > 1:
            yield value
        for inner in value:
            yield from _lists(inner)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _lists(inner)


def _argument_lists(session: Session, number: int) -> Iterator[list[Any]]:
    """Values of one parameter in the calls of an earlier task, in order: "compare Lyon and Porto", then "the second"."""
    for task in session.tasks[:number]:
        by_place: dict[tuple[str, str], list[Any]] = {}
        for _, call in calls_of(task):
            for path, value in leaves(call.arguments):
                by_place.setdefault((call.name, path), []).append(value)
        yield from (
            [*dict.fromkeys(map(str, values))] for values in by_place.values() if len(set(map(str, values))) > 1
        )


def _shown(task: Task) -> Iterator[str]:
    for action in task.actions:
        if isinstance(action, Answer):
            yield action.text
        elif isinstance(action, Ask):
            yield action.question


def _shown_at(text: str, items: list[Any], value: Any, said: set[int]) -> bool:
    """The text lists the items, and the one with the value stands where the user pointed."""
    plain = normal(text)
    places = []
    for item in items:
        names = [normal(str(found)) for _, found in leaves(item) if isinstance(found, str)]
        at = [plain.index(name) for name in names if len(name) > 2 and name in plain]
        if at:
            places.append((min(at), any(found == value for _, found in leaves(item))))
    order = [mine for _, mine in sorted(places)]
    return len(order) > 1 and any(order[position] for position in said if -len(order) <= position < len(order))


def _named(item: Any, task: Task) -> bool:
    """The message names the item by a title or the like."""
    words = normal(_said(task))
    return isinstance(item, dict) and any(
        isinstance(one, str) and weight(one) >= 4 and normal(one) in words for _, one in leaves(item)
    )


def _positions(items: list[Any], value: Any) -> list[int]:
    """Where a value stands in a list; nowhere if several items hold it, for then it points at none."""
    wanted = normal(str(value))
    at = [index for index, item in enumerate(items) if any(normal(str(found)) == wanted for _, found in leaves(item))]
    return at if len(at) == 1 else []


WORDING_GATES: tuple[Gate, ...] = (
    Gate("limits", "limits agree with the user's words", each_task(_limits)),
    Gate("counts", "counts and bounds agree with the user's words", each_task(_counts)),
    Gate("dates", "days agree with the user's words", each_task(_dates)),
    Gate("times", "times of day agree with the user's words", each_task(_times)),
    Gate("ordinals", "ordinals point at the right item", each_task(_ordinals)),
)

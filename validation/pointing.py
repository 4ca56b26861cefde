"""Ordinals and superlatives against the lists that were shown: the item taken is the one pointed at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wildtool.grounding.evidence import ancestors, is_number, leaves, parameter_schema, task_words
from wildtool.grounding.pointed_items import Mention, mentions
from wildtool.language.dates.values import days_of_value
from wildtool.language.folding import normal, tokens, weight
from wildtool.schemas.base import JsonObject
from wildtool.schemas.session import Action, Answer, Ask, Call, Session, Task
from wildtool.validation.rule import Finding, found, task_rule
from wildtool.validation.session_parts import calls_of, functions


def said_in(task: Task) -> str:
    """What the user said in a task, as one text."""
    return "\n".join(task_words(task))


@task_rule(
    "ordinals", "ordinals and superlatives point at the item that is taken", reads_text=True, aliases=("ordinal",)
)
def ordinals(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """(Action, reason) of each value that is another item of a list than the one that ordinals or superlatives point at."""
    said = mentions(said_in(task), session.language)
    if not said:
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
            if not _points(path, value, schema) or normal(str(value)) in normal(said_in(task)):
                continue
            hits = [(items, at) for items in lists_here for at in [_positions(items, value)] if at]
            if not hits:
                continue
            if any(one.ordinal is None and one.item(items) is None for items, _ in hits for one in said):
                continue  # a superlative that nothing in a list tells
            wanted_at = [_wanted(items, said) for items, _ in hits]
            hits = [(items, at) for (items, at), positions in zip(hits, wanted_at, strict=True) if positions]
            if len(hits) == 1:
                pointing.append((index, f"{call.name}.{path}", hits[0][0], hits[0][1][0]))
            if not hits or any(
                at[0] in positions for (_, at), positions in zip(hits, filter(None, wanted_at), strict=True)
            ):
                continue
            if any(_named(items[at[0]], task) for items, at in hits):
                continue  # the ordinal is of something else
            if any(_shown_at(text, items, value, said) for items, _ in hits for text in shown):
                continue  # the assistant had listed them in another order
            items, at = hits[-1]
            wanted = ", ".join(str(position + 1) for position in sorted(_wanted(items, said)))
            yield found(
                index, f"{call.name}.{path} is item {at[0] + 1} of a list, but the user pointed at item {wanted}"
            )
    yield from _left_out(pointing, said)


def _wanted(items: list[Any], said: Sequence[Mention]) -> set[int]:
    """Positions of a list that ordinals and superlatives point at."""
    return {item for one in said if (item := one.item(items)) is not None}


def _left_out(pointing: list[tuple[int, str, list[Any], int]], said: Sequence[Mention]) -> Iterator[Finding]:
    """As many values point into one list as the user pointed at items, and one of those is none of the values."""
    if len(pointing) < 2 or len(said) != len(pointing):
        return
    items = pointing[0][2]
    if any(other is not items for _, _, other, _ in pointing):
        return
    taken = {at for *_, at in pointing}
    places = _wanted(items, said)
    if len(places) != len(pointing):
        return
    for place in sorted(places - taken):
        index, name, _, at = pointing[0]
        yield found(
            index,
            f"{name} is item {at + 1} of a list, and item {place + 1}, which the user pointed at, is taken by no call",
        )
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


def _shown_at(text: str, items: list[Any], value: Any, said: Sequence[Mention]) -> bool:
    """The text lists the items, and the one with the value stands where the user pointed."""
    plain = normal(text)
    places = []
    for item in items:
        names = [normal(str(found)) for _, found in leaves(item) if isinstance(found, str)]
        at = [plain.index(name) for name in names if len(name) > 2 and name in plain]
        if at:
            places.append((min(at), any(found == value for _, found in leaves(item))))
    order = [mine for _, mine in sorted(places)]
    # Words that several items share, such as a currency, tell of no order.
    positions = [one.ordinal.index(len(order)) for one in said if one.ordinal is not None]
    return len({at for at, _ in places}) == len(places) > 1 and any(
        order[position] for position in positions if position is not None
    )


def _named(item: Any, task: Task) -> bool:
    """The message names the item by a title or the like."""
    words = normal(said_in(task))
    return isinstance(item, dict) and any(
        isinstance(one, str) and weight(one) >= 4 and normal(one) in words for _, one in leaves(item)
    )


def _positions(items: list[Any], value: Any) -> list[int]:
    """Where a value stands in a list; nowhere if several items hold it, for then it points at none."""
    wanted = normal(str(value))
    at = [index for index, item in enumerate(items) if any(normal(str(found)) == wanted for _, found in leaves(item))]
    return at if len(at) == 1 else []

"""Spelling: a value is written in one way throughout a session."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from wildtool.grounding.evidence import Known, leaves, parameter_schema, task_words
from wildtool.language.folding import normal
from wildtool.schemas.base import JsonObject
from wildtool.schemas.session import Session
from wildtool.validation.rule import Finding, found, session_rule
from wildtool.validation.session_parts import calls_of, functions


@session_rule("spelling", "a value is spelled in one way throughout a session", reads_text=True)
def spelling(session: Session) -> Iterator[Finding]:
    """One value is not spelled in two ways, and not otherwise than the user spells it."""
    known = functions(session)
    spelled: dict[str, dict[str, tuple[int, int]]] = {}
    by_parameter: dict[str, dict[str, tuple[int, int]]] = {}
    for number, task in enumerate(session.tasks):
        for index, call in calls_of(task):
            for path, value in leaves(call.arguments):
                schema, _ = parameter_schema(known.get(call.name, {}), path)
                if isinstance(value, str) and _is_name(value, schema):
                    spelled.setdefault(normal(value), {}).setdefault(value.strip(), (number, index))
                    by_parameter.setdefault(path, {}).setdefault(value.strip(), (number, index))
                    if apart := _run_together(value, Known(session, number, index).words):
                        yield found(index, f"{value!r} is spelled {apart!r} by the user", task=number)
    for ways in spelled.values():
        if len(ways) > 1:
            number, index = list(ways.values())[1]
            yield found(index, f"one value, spelled {' and '.join(map(repr, sorted(ways)))}", task=number)
    for ways in by_parameter.values():
        for one, two in combinations(ways, 2):
            if _misspelled(one, two) and not _both_known(session, one, two):
                number, index = ways[two]
                yield found(index, f"one value, spelled {one!r} and {two!r}", task=number)


def _run_together(value: str, words: Sequence[str]) -> str | None:
    """How the user spells a value whose blanks were lost: ``LasVegas`` where "Las Vegas" was said."""
    if not re.fullmatch(r"[^\W\d_]{6,}", value) or not value.isascii():
        return None
    letters = r"[ -]?".join(value.casefold())
    for text in words:
        plain = text.casefold()
        if value.casefold() not in plain and (found := re.search(rf"(?<![a-z]){letters}(?![a-z])", plain)):
            return found[0]
    return None


def _misspelled(one: str, two: str) -> bool:
    """One letter apart, in words that are long enough and no mere plural."""
    left, right = normal(one), normal(two)
    if not (left.isascii() and right.isascii()) or min(len(left), len(right)) < 6 or left == right:
        return False
    if left.rstrip("s") == right.rstrip("s") or abs(len(left) - len(right)) > 1:
        return False
    first = next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    if first == 0:
        return False
    return left[first + (len(left) >= len(right)) :] == right[first + (len(right) >= len(left)) :]


def _both_known(session: Session, one: str, two: str) -> bool:
    """Both spellings stand in the dialogue: two things, not two spellings of one."""
    texts = [text for task in session.tasks for text in task_words(task)]
    seen = [str(value) for task in session.tasks for _, call in calls_of(task) for _, value in leaves(call.observation)]
    held = normal("\n".join([*texts, *seen]))
    return normal(one) in held and normal(two) in held


def _is_name(value: str, schema: JsonObject) -> bool:
    """A free name: what an enum, a pattern or a format prescribes may differ from tool to tool."""
    return not ({"enum", "pattern", "format", "const"} & schema.keys()) and len(re.findall(r"[^\W\d_]", value)) > 1 \
        and not any(char.isdigit() for char in value)  # fmt: skip

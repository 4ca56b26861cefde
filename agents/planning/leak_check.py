"""Detect plans whose hidden values would leak through a phrase or an earlier result."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from wildtool.agents.planning.drafters import Drafter
from wildtool.grounding.hidden_intents import hidden_intent
from wildtool.language.parameter_names import looks_like_id
from wildtool.language.parameter_nouns import noun
from wildtool.schemas.base import canonical_json
from wildtool.schemas.json_paths import leaf, loosen, pinned_index
from wildtool.schemas.json_schema import properties
from wildtool.schemas.plan import Blueprint, PlannedArgument, PlannedCall
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language


def clashes(
    blueprint: Blueprint,
    number: int,
    before: Sequence[Blueprint],
    tools: Mapping[str, Tool],
    language: Language,
    drafter: Drafter,
) -> Iterator[str]:
    """Yield a line for each reason why a blueprint cannot be spoken as planned.

    Results are not known yet, so what a tool's result schema holds as an example counts as if it would come.
    """
    here = [tools[call.tool] for call in blueprint.calls]
    spoken = " \n ".join(text for tool in here for text in drafter.phrases(tool, language)).casefold()
    hidden = blueprint.hidden_intent
    arguments = [*(a for call in blueprint.calls for a in call.arguments), *blueprint.mentions]
    said = [a for a in arguments if a.source in ("user", "clock")]
    nouns = {a.parameter: noun(_taker(tools, a.parameter, blueprint), a.parameter, language) for a in arguments}
    for argument in arguments:
        if argument.value is None or argument.source not in ("earlier", "missing"):
            continue
        name = nouns[argument.parameter].casefold()
        for word in _words(argument):
            # "That line" half says "Line 4", and "gainers or losers" says both.
            if name and (_holds(name, word) or _holds(word, name)):
                yield f"the thing's own name, {name}, says {word}"
            if _holds(spoken, word):
                yield f"a phrase for the task says {word}"
            if any(_holds(_said(other), word) for other in said):
                yield f"another value of the task says {word}"
    if hidden is not None and hidden_intent(hidden.kind).far:
        piece = next((a for a in arguments if a.parameter == hidden.piece and a.source == "earlier"), None)
        if piece is not None:
            if any("enum" in properties(tool).get(piece.parameter, {}) for tool in tools.values()):
                # A code such as "accident" may come up in any result between; names seldom do.
                yield f"{piece.parameter} is a code, and codes come up in any result"
            yield from _nearer(piece, hidden.said_in, before[hidden.said_in + 1 : number], tools)
    yield from _coincidences(blueprint.calls, tools)
    known = [a for each in before for call in each.calls for a in call.arguments if a.value is not None]
    yield from _borrowed(blueprint.calls, [*known, *said], tools)
    yield from _twice(blueprint, number, before)


def _nearer(
    piece: PlannedArgument, said_in: int, between: Iterable[Blueprint], tools: Mapping[str, Tool]
) -> Iterator[str]:
    """Tasks between the piece and the reference to it that would say or show it once more."""
    if piece.value is not None and re.match(r"\d{4}-\d{2}-\d{2}", str(piece.value)):
        yield "a day may come up in any result"
    for blueprint in between:
        follows = [a for call in blueprint.calls for a in call.arguments if a.source in ("earlier", "missing")]
        if any(a.path is not None and a.task == (said_in if piece.task is None else piece.task) for a in follows):
            # What a result showed is looked up again, and with it comes all that belongs to it.
            yield "a task between follows up on the same result"
        if piece.value is None:
            continue
        texts = [_returned(tools[call.tool]) for call in blueprint.calls]
        texts += [_said(a) for call in blueprint.calls for a in call.arguments]
        texts += [_said(a) for a in blueprint.mentions]
        for word in _words(piece):
            if any(_holds(text, word) for text in texts):
                yield f"a task between may show {word}"


def _coincidences(calls: Sequence[PlannedCall], tools: Mapping[str, Tool]) -> Iterator[str]:
    """Values said for one call that another call's result may hold by chance: as if the one waited for the other."""
    for number, call in enumerate(calls):
        for other in (*calls[:number], *calls[number + 1 :]):
            shown = _returned(tools[other.tool])
            for argument in call.arguments:
                telling = isinstance(argument.value, str) and len(argument.value) > 2
                if argument.source in ("user", "clock") and telling and _holds(shown, str(argument.value).casefold()):
                    yield f"{other.tool} may show {argument.value}, which the user says for {call.tool}"


def _borrowed(
    calls: Sequence[PlannedCall], known: Sequence[PlannedArgument], tools: Mapping[str, Tool]
) -> Iterator[str]:
    """Values to be taken from a result that may turn out to be ones that the user said: then nothing has to wait."""
    for call in calls:
        for argument in call.arguments:
            if argument.source != "observation" or argument.action is None:
                continue
            shown = _returned(tools[calls[argument.action].tool])
            for other in known:
                same = other.parameter == argument.parameter and isinstance(other.value, str)
                if same and _holds(shown, str(other.value).casefold()):
                    yield f"{call.tool} may take {other.value} from a result, which the user said"


def _twice(blueprint: Blueprint, number: int, before: Sequence[Blueprint]) -> Iterator[str]:
    """Two calls of one tool that may turn out to be the same: the last item of three is the third one, too."""
    there = [(task, call) for task, each in enumerate(before) for call in each.calls]
    for index, call in enumerate(blueprint.calls):
        places = {a.parameter: _place(a, number) for a in call.arguments if a.path is not None}
        if not places:
            continue
        for task, other in (*there, *((number, each) for each in blueprint.calls[:index])):
            if other.tool != call.tool:
                continue
            theirs = {a.parameter: _place(a, task) for a in other.arguments if a.path is not None}
            shared = [name for name in places if name in theirs and places[name][:3] == theirs[name][:3]]
            if any(_may_be_one(places[name][3], theirs[name][3], places[name][2]) for name in shared):
                yield f"{call.tool} may be called twice for one thing"


def _place(argument: PlannedArgument, task: int) -> tuple[int, int | None, str, int | None]:
    """Locate an observed value: task, call, path with every item, and the item's number."""
    path = str(argument.path)
    return (task if argument.task is None else argument.task, argument.action, loosen(path), pinned_index(path))


def _may_be_one(one: int | None, other: int | None, path: str) -> bool:
    """Return whether two items may hold one value: they may be the same item, or hold something other than identifiers."""
    return one == other or (-1 in (one, other) and 0 not in (one, other)) or not looks_like_id(leaf(path))


def _taker(tools: Mapping[str, Tool], parameter: str, blueprint: Blueprint) -> Tool:
    """Choose a tool that takes a parameter, preferably one that the task calls."""
    pool = [*(tools[call.tool] for call in blueprint.calls), *tools.values()]
    return next((tool for tool in pool if parameter in properties(tool)), pool[0])


def _words(argument: PlannedArgument) -> set[str]:
    """Return the value and its words, case-folded, without single digits and letters; one Han character may be a word."""
    found = {str(argument.value).casefold(), (argument.words or "").casefold()}
    return {
        word
        for word in found
        if word and (len(word) > 1 or not word.isascii()) and not isinstance(argument.value, bool)
    }


def _said(argument: PlannedArgument) -> str:
    return f"{argument.value} | {argument.words or ''}".casefold()


def _holds(text: str, word: str) -> bool:
    return word in text and bool(_whole(word).search(text))


@lru_cache(maxsize=4096)
def _whole(word: str) -> re.Pattern[str]:
    head = r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
    tail = r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return re.compile(head + re.escape(word) + tail)


def _returned(tool: Tool) -> str:
    return _examples(canonical_json(tool.returns or {}))


@lru_cache(maxsize=1024)
def _examples(schema: str) -> str:
    """Join all example and enum values of a schema into one case-folded text."""
    found: list[str] = []

    def walk(node: object) -> None:
        if isinstance(node, dict):
            for name, inner in node.items():
                if name in ("examples", "enum", "example", "const", "default"):
                    found.append(canonical_json(inner))
                else:
                    walk(inner)
        elif isinstance(node, list):
            for inner in node:
                walk(inner)

    walk(json.loads(schema))
    return " | ".join(found).casefold()

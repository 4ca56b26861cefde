"""Tell which parameters a request is for: by their names, their descriptions, and how people ask for such values.

The kinds of values and their words: ``words/<code>/slot_words.toml``. A parameter is named by words that name no other
parameter better: of two that stand at one place the longer one counts, and a hint ("when") counts only where nothing else
is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from wildtool.language.folding import as_said
from wildtool.language.lexicon import languages, spaced, words
from wildtool.language.parameter_names import humanise
from wildtool.language.requests import Act, Request, edged, of_spaced, request_words, requests
from wildtool.language.wording import FILLERS, HAN, american
from wildtool.schemas.base import JsonObject


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value, and how people of languages with or without spaces ask for it."""

    name: str
    parameter: re.Pattern[str]
    tool: re.Pattern[str]
    """Matches in the description of the parameter or of the tool; any text where the kind needs no such word."""
    says: Mapping[bool, re.Pattern[str]]
    hints: Mapping[bool, re.Pattern[str]]
    values: Mapping[bool, re.Pattern[str]]


@cache
def _kinds() -> tuple[Kind, ...]:
    tables = {code: words(code, "slot_words") for code in languages()}
    found = []
    for name in dict.fromkeys(name for table in tables.values() for name in table):
        rows = [(spaced(code), table[name]) for code, table in tables.items() if name in table]

        def joined(field: str, with_spaces: bool, rows: list[tuple[bool, Any]] = rows) -> re.Pattern[str]:
            pattern = "|".join(row[field] for own, row in rows if own is with_spaces and row.get(field))
            return re.compile(edged(pattern, with_spaces) if pattern else r"(?!)")

        parameter = "|".join(row["parameter"] for _, row in rows if row.get("parameter")) or r"(?!)"
        tool = "|".join(row["tool"] for _, row in rows if row.get("tool"))
        says, hints, values = (
            {with_spaces: joined(field, with_spaces) for with_spaces in (True, False)}
            for field in ("says", "hints", "values")
        )
        found.append(Kind(name, re.compile(parameter), re.compile(tool), says, hints, values))
    return tuple(found)


ROLES = {
    "departure": ("place",), "arrival": ("place",), "currency target": ("departure", "arrival", "receiver", "currency"),
    "currency source": ("departure", "arrival", "receiver", "currency"), "nationality": ("country",), "visa": ("kind",),
    "account": ("departure", "identifier"), "phone number": ("identifier",), "tax number": ("identifier", "phone number"),
    "model": ("phone number",), "receiver": ("mail", "arrival", "phone number"), "return": ("day",),
    "invoice title": ("name",), "people": ("quantity",), "stay begin": ("day",), "stay end": ("day", "span"),
}  # fmt: skip
"""Kinds that say more than others: a parameter of the first is none of the second."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """What is known of a parameter for reading requests."""

    name: str
    kinds: frozenset[str]
    words: frozenset[str]
    """Words of its name and of a short description."""
    hints: frozenset[str]
    """Other words of its description."""
    enum: tuple[str, ...]
    heads: frozenset[str]
    """The word of its name that says what it is: ``class`` of ``car_class``."""
    lesser: frozenset[str]
    """Kinds of which its own are special ones: a departure is a place."""


def _stem(word: str) -> str:
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ure", ""), ("s", "")):
        if len(word) - len(ending) >= 4 and word.endswith(ending):
            return word[: -len(ending)] + instead
    return word


_WORD = re.compile(r"[\u3400-\u9fff]{2,}|[^\W\d_\u3400-\u9fff]{2,}")


@cache
def _stop() -> frozenset[str]:
    return FILLERS | frozenset(word for code in languages() for word in words(code, "request_stop")["words"])


@cache
def _general(with_spaces: bool) -> frozenset[str]:
    """Content words that ask for nothing certain."""
    said = (
        word for code in languages() if spaced(code) is with_spaces for word in words(code, "request_stop")["general"]
    )
    return frozenset(_stem(word) for word in said)


def content(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Content words of a folded text with their spans: stems, and pairs of neighbouring Han characters."""
    for hit in _WORD.finditer(text):
        if HAN.match(hit[0]):
            for at, (a, b) in enumerate(pairwise(hit[0])):
                if a not in _stop() and b not in _stop():
                    yield a + b, (hit.start() + at, hit.start() + at + 2)
        elif hit[0] not in _stop():
            yield _stem(american(hit[0])), hit.span()


def _words_of(text: str) -> frozenset[str]:
    return frozenset(word for word, _ in content(as_said(text)))


SHORT_DESCRIPTION = 4
"""Words of a description that is a name; longer ones explain."""


def parameter_of(name: str, schema: JsonObject, tool: str) -> Parameter:
    """What is known of a parameter. ``tool`` is the tool's name and description."""
    description = str(schema.get("description") or schema.get("title") or "")
    shown = humanise(name)
    text, beside = as_said(f"{shown} | {description}"), as_said(f"{description} | {tool}")
    kinds = {kind.name for kind in _kinds() if kind.parameter.search(text) and kind.tool.search(beside)}
    form = str(schema.get("format", ""))
    if form.startswith("date") or form == "time":
        kinds |= {"day"} if form == "date" else {"clock"} if form == "time" else {"day", "clock"}
    if schema.get("type") in ("integer", "number"):
        kinds -= {"day", "clock", "place", "person", "name", "language"}
    lesser = kinds & {less for kind in kinds for less in ROLES.get(kind, ())}
    kinds -= lesser
    brief = len(description.split()) <= SHORT_DESCRIPTION and len(description) <= 40
    own = _words_of(shown) | (_words_of(description) if brief else frozenset())
    items = schema.get("items")
    enum = schema.get("enum") or (items.get("enum") if isinstance(items, dict) else None) or ()
    values = tuple(as_said(humanise(str(value))) for value in enum if isinstance(value, str) and len(value) > 1)
    heads = [word for word, _ in content(as_said(shown))][-1:] or [word for word, _ in content(as_said(description))][
        -1:
    ]
    return Parameter(
        name, frozenset(kinds), own, _words_of(description) - own, values, frozenset(heads), frozenset(lesser)
    )


@dataclass(frozen=True, slots=True)
class Trace:
    """A place of a request that names a parameter, or may."""

    span: tuple[int, int]
    strong: bool
    kind: str
    rival: bool = True
    """Would it keep another parameter from being meant?"""


PLURAL = "plural"
"""Kind of a trace that names several parameters at once."""


def _traces(parameter: Parameter, part: str, request: Request, shared: frozenset[str]) -> list[Trace]:
    found: list[Trace] = []
    for kind in _kinds():
        if kind.name not in parameter.kinds:
            continue
        found += [Trace(hit.span(), True, kind.name) for hit in kind.says[request.spaced].finditer(part)]
        found += [Trace(hit.span(), False, kind.name) for hit in kind.hints[request.spaced].finditer(part)]
        if request.act is Act.CHOICE:
            values = [hit.span() for hit in kind.values[request.spaced].finditer(part)]
            found += [Trace(span, len(values) > 1, kind.name) for span in values]
    for kind in _kinds():
        if kind.name in parameter.lesser and request.spaced:  # "which dates?" asks for both ends
            plurals = (hit for hit in kind.says[True].finditer(part) if hit[0].endswith("s"))
            found += [Trace(hit.span(), True, PLURAL, rival=False) for hit in plurals]
    for word, span in content(part):
        if word in parameter.words:
            found.append(Trace(span, word not in shared, "word", word in parameter.heads))
        elif word in parameter.hints and word not in shared:
            found.append(Trace(span, False, "word"))
    for value in parameter.enum:
        at = part.find(value)
        if at >= 0:
            found.append(Trace((at, at + len(value)), True, "enum"))
    return found


def _foreign(part: str, request: Request, own: frozenset[str]) -> list[Trace]:
    """Places that name kinds of values that no parameter takes."""
    return [
        Trace(hit.span(), True, kind.name)
        for kind in _kinds()
        if kind.name not in own
        for hit in kind.says[request.spaced].finditer(part)
    ]


def _inside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return other[0] <= one[0] and one[1] <= other[1] and one != other


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[Request, ...]:
    return tuple(requests(text))


@dataclass(frozen=True, slots=True)
class Requested:
    """What a text requests."""

    sure: Mapping[str, float]
    """How surely it requests each missing parameter: 0 to 1, by name."""
    unplaced: bool = False
    """It also requests something, and the words do not tell what."""


SURE = 0.8
"""Certainty from which a verdict counts as certain."""


def _with_roles(known: Mapping[str, Parameter], name: str) -> frozenset[str]:
    """A parameter's kinds, and those that say more or less and that no other parameter has."""
    taken = frozenset(kind for other, each in known.items() if other != name for kind in each.kinds | each.lesser)
    kinds = known[name].kinds | (known[name].lesser - taken)
    return kinds | {
        kind for kind, less in ROLES.items() if kinds.intersection(less) and not taken.intersection((kind, *less))
    }


def requested(
    text: str, missing: Sequence[str], parameters: Mapping[str, JsonObject], tool: str, example: str = ""
) -> Requested:
    """How surely the text requests each missing parameter.

    Args:
        text: what was said to the user.
        missing: parameters that must be requested.
        parameters: JSON Schemas by name, of all parameters of the tool.
        tool: the tool's name and description, which tell what ``to`` is.
        example: a question that requests them all; its words are hints.
    """
    sure = dict.fromkeys(missing, 0.0)
    made = _read(text)
    if not made:
        return Requested(sure)
    unplaced = False
    known = {name: parameter_of(name, schema, tool) for name, schema in parameters.items()}
    for name in missing:
        known.setdefault(name, parameter_of(name, {}, tool))
    counts = [word for each in known.values() for word in each.words]
    shared = frozenset(word for word in counts if counts.count(word) > 1)
    others = frozenset().union(*(each.words for name, each in known.items() if name not in missing))
    asked = _words_of(example) - others if len(missing) == 1 else frozenset()
    own = frozenset(kind for each in known.values() for kind in each.kinds)
    # "Where are you?" asks for a city where no parameter takes a departure.
    own |= {kind for kind, less in ROLES.items() if own.intersection(less)}
    known |= {name: replace(known[name], kinds=_with_roles(known, name)) for name in missing}
    used: dict[tuple[int, int, str, tuple[int, int]], str] = {}
    open_parts: list[str] = []
    for number, request in enumerate(made):
        if request.act is Act.POINTING and len(missing) == 1:
            sure[missing[0]] = max(sure[missing[0]], request.certainty)
        for place, part in enumerate(_parts(request)):
            traces = {name: _traces(each, part, request, shared) for name, each in known.items()}
            foreign = _foreign(part, request, own)
            for name in missing:
                named, cap = _naming(name, traces, missing, foreign)
                if not named and asked and request.act is not Act.CHOICE:
                    traces[name] += [Trace(span, False, "example") for word, span in content(part) if word in asked]
                    named, cap = _naming(name, traces, missing, foreign)
                # One word cannot ask for two values of one kind.
                free = [t for t in named if t.kind == PLURAL or used.get((number, place, t.kind, t.span), name) == name]
                if free:
                    used[(number, place, free[0].kind, free[0].span)] = name
                    sure[name] = max(sure[name], min(request.certainty, cap))
            if foreign or any(traces.values()) or request.act not in (Act.REQUEST, Act.CHOICE):
                continue
            if request.act is Act.CHOICE:
                if request.certainty >= BARE_CHOICE and len(made) == 1:
                    open_parts.append(part)
                continue
            unplaced |= request.certainty >= SURE and bool(_words_of(part) - _general(request.spaced))
            if (
                request.certainty >= SURE
                and request_words(request.spaced).open.search(part)
                and not _is_general(part, request.spaced)
            ):
                open_parts.append(part)
    left = [name for name in missing if not sure[name]]
    if len(left) == 1 and open_parts and _fits(parameters.get(left[0], {}), open_parts[0]):
        sure[left[0]] = LEFT  # a question for a value that nothing else takes
    return Requested(sure, unplaced)


BARE_CHOICE = 0.9
"""Certainty of a choice that is no offer."""

LEFT = 0.6
"""Certainty that a question which names nothing known asks for the only parameter that is left."""


def _naming(
    name: str, traces: Mapping[str, list[Trace]], missing: Sequence[str], foreign: list[Trace]
) -> tuple[list[Trace], float]:
    """The traces by which a part names a missing parameter, and the most that they make certain."""
    every = [t for other, each in traces.items() if other != name for t in each if t.strong] + foreign
    rivals = [
        t for other, each in traces.items() if other not in missing for t in each if t.strong and t.rival
    ] + foreign
    strong = [t for t in traces[name] if t.strong and not any(_inside(t.span, r.span) for r in every)]
    if strong:
        return strong, 0.8 if any(t.span == r.span for t in strong for r in rivals) else 1.0
    hints = [t for t in traces[name] if not t.strong]
    if rivals or any(_inside(t.span, r.span) for t in hints for r in every):
        return [], 0.0
    return hints, HINTED


HINTED = 0.85
"""Certainty of a parameter that only hints name."""


def _is_general(part: str, with_spaces: bool) -> bool:
    """Does a part ask for nothing certain: "more details"?"""
    return bool(_words_of(part) & _general(with_spaces))


def _fits(schema: JsonObject, part: str) -> bool:
    """Can the answer to an open question be such a value? Numbers are asked for by "how"."""
    number = schema.get("type") in ("integer", "number")
    return not number or bool(re.search(r"\d", part) or request_words(of_spaced(part)).measure.search(part))


def _parts(request: Request) -> list[str]:
    if request.act is Act.CHOICE:
        return [request.text]
    return [part for part in request_words(request.spaced).part.split(request.text) if part]

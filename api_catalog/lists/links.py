"""Producer-consumer links: whose result holds a value that another function takes.

Found by names: ``movieId`` in a result or ``id`` inside ``movies[*]`` answers the parameter ``movieId``, or ``id`` in
``/movies/{id}``. Both ends must have the same type, so that a value can be handed over as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wildtool.api_catalog.functions.function import Candidate, is_identifier, is_said
from wildtool.api_catalog.functions.names import VERBS, singular, words_of
from wildtool.api_catalog.functions.values import kind_of, kinds_of
from wildtool.schemas.base import JsonObject

MOST_PRODUCERS = 3
"""Links kept for one parameter, the surest first."""

_ENVELOPES = frozenset(
    """
    data result results item items content contents value values record records list response rows row hits hit docs
    documents entries entry objects object body payload collection elements element members member page output embedded
    nodes node edges edge
    """.split()
)
_DEEPEST = 6
_KINDS = {"ids": "id", "uuid": "id", "guid": "id", "uid": "id", "identifier": "id"}
_VAGUE = frozenset(
    """
    name type date status description title value page limit offset count total size language lang country format
    text url query q sort order start end from to message year month day time state code number note comment label
    fields currency amount category lat lon lng latitude longitude timezone version locale kind units
    """.split()
)
"""Names that mean something else in every function."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar of a result."""

    path: str
    """Where it is, in the manner of ``ToolLink.path``."""
    words: tuple[str, ...]
    """Words of its name."""
    holder: str
    """What holds it, singular; the function's own noun at the top and inside envelopes such as ``data``."""
    kind: str
    """JSON type."""
    many: bool
    """Whether it lies in an array."""


def leaves(schema: JsonObject | None, noun: str) -> Iterator[Leaf]:
    """The scalars of a result's schema; ``noun`` says what the function is about."""
    if schema is not None:
        yield from _walk(schema, "", noun, noun, False, _DEEPEST)


def _walk(schema: JsonObject, path: str, holder: str, noun: str, many: bool, depth: int) -> Iterator[Leaf]:
    kinds = kinds_of(schema)
    if depth <= 0:
        return
    if "array" in kinds:
        items = schema.get("items")
        if isinstance(items, dict):
            yield from _walk(items, f"{path}[*]", holder, noun, True, depth - 1)
        return
    for name, inner in (schema.get("properties") or {}).items():
        if "." in name or "[" in name or not isinstance(inner, dict):
            continue
        here = f"{path}.{name}" if path else name
        words = tuple(words_of(name))
        inner_kinds = kinds_of(inner)
        if "object" in inner_kinds or "array" in inner_kinds or "properties" in inner:
            inside = holder if not words or words[-1] in _ENVELOPES else singular(words[-1])
            yield from _walk(inner, here, inside, noun, many, depth - 1)
            continue
        scalar = next((kind for kind in ("string", "integer", "number") if kind in inner_kinds), None)
        if words and scalar is not None:
            yield Leaf(here, words, holder, scalar, many)


def infer_links(candidates: Sequence[Candidate]) -> list[JsonObject]:
    """Links between the functions of one API, as fields of ``ToolLink``, the surest first for each parameter."""
    index = _index(candidates)
    found: list[JsonObject] = []
    for consumer in candidates:
        required = consumer.required()
        for name, schema in consumer.parameters["properties"].items():
            if name not in required and not is_identifier(name):
                continue
            options = []
            for place, its_leaves in _likely(index, name, schema, consumer).items():
                producer = candidates[place]
                if producer is consumer or (name in producer.required() and producer.noun == consumer.noun):
                    continue
                best = max(
                    ((_fit(leaf, name, schema, consumer, producer), leaf) for leaf in its_leaves),
                    key=lambda pair: (pair[0], pair[1].many, -len(pair[1].path)),
                )
                if best[0] > 0:
                    options.append((best[0] + _eagerness(producer), producer, best[1], best[0]))
            options.sort(key=lambda option: (-option[0], option[1].position))
            needed = name in required and not is_said(name, schema)
            if not needed and words_of(consumer.name)[:1] in (["create"], ["add"], ["update"], ["register"], ["save"]):
                continue  # what is made anew is not what was found
            found += [
                {
                    "producer": producer.name,
                    "path": leaf.path,
                    "consumer": consumer.name,
                    "parameter": name,
                    "required": needed,
                    "confidence": round(confidence, 2),
                }
                for _, producer, leaf, confidence in options[:MOST_PRODUCERS]
            ]
    return found


_Key = tuple[str, str, tuple[str, ...]]
"""(type, what identifies, words): leaves and parameters that may fit have the same."""


def _index(candidates: Sequence[Candidate]) -> dict[_Key, list[tuple[int, Leaf]]]:
    """The leaves of all results by what they may answer, so that an API of hundreds of functions is no matter of pairs."""
    index: dict[_Key, list[tuple[int, Leaf]]] = defaultdict(list)
    for place, candidate in enumerate(candidates):
        for leaf in leaves(candidate.returns, candidate.noun):
            index[(leaf.kind, "", leaf.words)].append((place, leaf))
            held, key = _entity(leaf.words, "", leaf.holder)
            if held:
                index[(leaf.kind, key, (singular(held[-1]),))].append((place, leaf))
    return index


def _likely(
    index: dict[_Key, list[tuple[int, Leaf]]], name: str, schema: JsonObject, consumer: Candidate
) -> dict[int, list[Leaf]]:
    """By producer's place, the leaves that may be the parameter."""
    words, kind = tuple(words_of(name)), kind_of(schema)
    if not words or kind is None:
        return {}
    wanted, key = _entity(words, consumer.owners.get(name, ""), consumer.noun)
    sought: _Key = (kind, "", words)
    if is_identifier(name):
        if not wanted:
            return {}
        sought = (kind, key, (singular(wanted[-1]),))
    by_producer: dict[int, list[Leaf]] = defaultdict(list)
    for place, leaf in index.get(sought, ()):
        by_producer[place].append(leaf)
    return dict(sorted(by_producer.items()))


def _eagerness(producer: Candidate) -> float:
    """Functions that list and search come first as producers: a person can start there."""
    words = words_of(producer.name)
    needs = sum(not is_said(name, producer.parameters["properties"][name]) for name in producer.required())
    first = words[0] if words else ""
    return 0.1 * (first in {"list", "search", "find", "browse", "lookup", "suggest", "query"}) - 0.15 * needs


def _fit(leaf: Leaf, name: str, schema: JsonObject, consumer: Candidate, producer: Candidate) -> float:
    """How surely the leaf's value can be the argument: 0 to 1."""
    words = tuple(words_of(name))
    kind = kind_of(schema)
    if not words or kind not in {"string", "integer", "number"} or leaf.kind != kind:
        return 0.0
    if "enum" in schema:
        return 0.0
    if is_identifier(name):
        wanted, key = _entity(words, consumer.owners.get(name, ""), consumer.noun)
        held, its_key = _entity(leaf.words, "", leaf.holder)
        if key != its_key or not wanted or singular(wanted[-1]) != singular(held[-1] if held else ""):
            return 0.0
        if len(leaf.words) > 1 and leaf.words == words:
            return 0.95
        return 0.9 if len(wanted) == 1 or wanted == held else 0.7
    if name in producer.parameters["properties"]:  # an echo of what was asked
        return 0.0
    if leaf.words == words and len(words) > 1 and not set(words) <= _VAGUE:
        return 0.6
    if leaf.words == words and words[0] not in _VAGUE and len(words[0]) > 3 and words[0] not in VERBS:
        return 0.5
    spoken = tuple(words_of(consumer.owners.get(name, "")))
    if len(words) == 1 and words[0] in {"code", "name", "symbol", "number"} and spoken and leaf.words == words:
        return 0.6 if leaf.holder == spoken[-1] else 0.0
    return 0.0


def _entity(words: tuple[str, ...], owner: str, noun: str) -> tuple[tuple[str, ...], str]:
    """(what is identified, by what): ``movieId`` → ("movie",), "id"; a bare ``id`` takes its owner."""
    if words[0] in {"id", "uuid"} and len(words) > 1:
        return words[1:], "id"
    key = _KINDS.get(words[-1], words[-1])
    if len(words) == 1:
        return ((owner or noun,) if owner or noun else ()), key
    return words[:-1], key

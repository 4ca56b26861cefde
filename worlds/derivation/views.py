"""Look at one tool: what it does, what thing it is about, what its result holds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type, properties, required
from wildtool.schemas.tool import Tool, ToolLink
from wildtool.schemas.world import OperationKind
from wildtool.worlds.derivation.lexicon import identifies, joined, name_words, singular, table, verb_kinds, word_set
from wildtool.worlds.derivation.shapes import Shape, leaf_at, properties_of, shape_of

_LISTS = re.compile(
    r"^(?:(?:returns?|gets?|obtains?|lists?|retrieves?|fetch(?:es)?|search(?:es)?|finds?|shows?)\b ?)?"
    r"(?:an? |the )?(?:(?:\w+ ){0,2}list of|all)\b",
    re.IGNORECASE,
)
"""Sentences that tell of several things."""

_PLACE = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class View:
    """One tool, read by rules."""

    tool: Tool
    kind: OperationKind
    certainty: float
    reason: str
    shape: Shape
    noun: str
    """What one row is, in one or two words."""
    places: tuple[str, ...]
    """Parameters in the URL's path, in its order."""
    ends_in_place: bool
    """Whether the path ends in a parameter: it names one thing."""
    words: tuple[str, ...]
    """Words of the tool's name."""
    parameters: dict[str, JsonObject] = field(default_factory=dict)
    needed: tuple[str, ...] = ()
    facet: str = ""
    """Parameter that names the thing of which the result tells one side, chosen by other parameters: the baggage rules of a
    flight for one kind of bag. Empty where the row is the thing itself."""

    @property
    def row(self) -> JsonObject:
        """Schema of the row that the result is about: the item of the main list for lists, else the object."""
        if self.shape.rows is not None and self.kind in _OVER_ROWS:
            return self.shape.item
        return leaf_at(self.shape.schema, self.shape.row)


_OVER_ROWS = (OperationKind.LIST, OperationKind.SERIES)


def view_of(tool: Tool, links: tuple[ToolLink, ...]) -> View:
    """Read a tool."""
    words = name_words(tool.name)
    binding = tool.binding or {}
    path = str(binding.get("path") or "").split("?")[0]
    segments = [each for each in path.split("/") if each]
    parameters = properties(tool)
    by_name = {joined(name): name for name in parameters}
    places = tuple(
        by_name[joined(name)] for segment in segments for name in _PLACE.findall(segment) if joined(name) in by_name
    )
    ends_in_place = bool(segments) and bool(_PLACE.fullmatch(segments[-1]))
    shape = shape_of(tool.returns)
    kind, certainty, reason = _kind(
        tool, words, str(binding.get("method") or "").lower(), shape, ends_in_place, segments
    )
    keys = [name for name in required(tool) if identifies(name)]
    noun = _noun(words, kind, shape, segments, ends_in_place, keys)
    if kind is OperationKind.CREATE and any(_is_of(name, noun) for name in required(tool)):
        # What is made of a thing is another thing: a booking of an activity.
        noun = f"{noun} {words[0]}"
    facet = _facet(tool, kind, shape, ends_in_place)
    if facet:
        noun = _noun_of_name(words) if _noun_of_name(words) != noun else f"{noun} part"
    needed = required(tool)
    return View(tool, kind, certainty, reason, shape, noun, places, ends_in_place, words, parameters, needed, facet)


def _facet(tool: Tool, kind: OperationKind, shape: Shape, ends_in_place: bool) -> str:
    """Return the identifier of the thing of which a tool returns one side; empty for a tool that returns the thing."""
    if kind is not OperationKind.GET or ends_in_place:
        return ""
    ids = [name for name in required(tool) if identifies(name)] or list(required(tool)[:1])
    if len(ids) != 1:
        return ""
    shown = {joined(name) for name in properties_of(leaf_at(shape.schema, shape.row))}
    looks = word_set("format", "words") - {"language"}
    others = [
        name
        for name, schema in properties(tool).items()
        if name != ids[0]
        and plain_type(schema) != "boolean"
        and (name in required(tool) or (joined(name) in shown and not set(name_words(name)) & looks))
    ]
    return ids[0] if others else ""


def _is_of(name: str, noun: str) -> bool:
    """Return whether a parameter is the identifier of such a thing."""
    stem = {singular(word) for word in name_words(name)} - word_set("names", "generic")
    return identifies(name) and bool(stem) and stem <= {singular(word) for word in noun.split()}


def _kind(
    tool: Tool, words: tuple[str, ...], method: str, shape: Shape, ends_in_place: bool, segments: list[str]
) -> tuple[OperationKind, float, str]:
    """Tell the operation: by opaque words, then the HTTP method, then the verb, then the shape of the result."""
    verb = words[0] if words else ""
    by_verb = verb_kinds().get(verb)
    rest = set(words[1:])
    sentence = re.split(r"(?<=[a-z0-9)])[.;:]\s|\n", tool.description)[0]
    segments_hold_place = any(_PLACE.search(each) for each in segments)
    if rest & word_set("opaque", "named") and verb not in ("list", "create", "delete", "update"):
        return OperationKind.OPAQUE, 0.8, f"named after {', '.join(sorted(rest & word_set('opaque', 'named')))}"
    if by_verb == "opaque":
        return OperationKind.OPAQUE, 0.8, f"verb {verb}"
    if (
        method != "delete"
        and re.search(table("opaque")["described"], sentence, re.IGNORECASE)
        and not properties_of(shape.item)
    ):
        return OperationKind.OPAQUE, 0.7, "its description"
    if method == "delete":
        return OperationKind.DELETE, 0.95, "HTTP DELETE"
    if (
        method in ("put", "patch")
        and not segments_hold_place
        and re.match(r"(?:adds?|creates?|sends?|posts?)\b", sentence, re.IGNORECASE)
    ):
        return OperationKind.CREATE, 0.75, f"HTTP {method.upper()}, but it adds"
    if method in ("put", "patch"):
        return OperationKind.UPDATE, 0.9, f"HTTP {method.upper()}"
    if method == "post":
        return _posted(verb, by_verb, shape, segments)
    if by_verb == "compute":
        return OperationKind.COMPUTE, 0.8, f"verb {verb}"
    if by_verb == "aggregate":
        return OperationKind.AGGREGATE, 0.8, f"verb {verb}"
    if method == "" and by_verb in ("create", "update", "delete"):
        # Without HTTP a verb is all there is; what makes or plans nothing that stays is read.
        return OperationKind(by_verb), 0.8, f"verb {verb}"
    return _read(tool, words, by_verb, shape, ends_in_place, sentence)


def _posted(verb: str, by_verb: str | None, shape: Shape, segments: list[str]) -> tuple[OperationKind, float, str]:
    match by_verb:
        case "list":
            return OperationKind.LIST, 0.8, f"POST, but verb {verb}"
        case "get" if verb not in ("open", "check"):
            return (OperationKind.LIST if shape.rows == () else OperationKind.GET), 0.7, f"POST, but verb {verb}"
        case "compute":
            return OperationKind.COMPUTE, 0.7, f"POST, but verb {verb}"
        case "aggregate":
            return OperationKind.AGGREGATE, 0.7, f"POST, but verb {verb}"
        case "delete":
            return OperationKind.DELETE, 0.8, f"POST, but verb {verb}"
        case "update":
            return OperationKind.UPDATE, 0.8, f"POST, but verb {verb}"
        case _:
            last = segments[-1] if segments else ""
            if last.lower() in ("search", "query", "list", "find"):
                return OperationKind.LIST, 0.75, f"POST to {last}"
            return OperationKind.CREATE, 0.85, "HTTP POST"


def _read(
    tool: Tool, words: tuple[str, ...], by_verb: str | None, shape: Shape, ends_in_place: bool, sentence: str
) -> tuple[OperationKind, float, str]:
    rest = set(words[1:])
    rows = shape.rows is not None and bool(properties_of(shape.item) or shape.rows == ())
    if rows and rest & word_set("series", "named") and point_of(shape.item) is not None:
        return OperationKind.SERIES, 0.8, "values over time"
    if not rows and rest & word_set("aggregate", "named") and not ends_in_place and _figures(shape.schema):
        return OperationKind.AGGREGATE, 0.7, "figures alone"
    if by_verb == "list" and not (ends_in_place and not rows and words[0] != "list" and tool.returns is not None):
        return OperationKind.LIST, 0.9, f"verb {words[0]}"
    if not rows and tool.returns is None and _LISTS.search(sentence):
        return OperationKind.LIST, 0.7, "its description tells of a list"
    if not rows and tool.returns is None and not ends_in_place and words[-1:] and words[-1] != singular(words[-1]):
        return OperationKind.LIST, 0.65, "named in the plural"
    if not rows:
        return OperationKind.GET, 0.85, "one object"
    if ends_in_place and shape.rows != ():
        return OperationKind.GET, 0.75, "the path ends in a key"
    around = [name for name in properties_of(shape.schema) if not _is_envelope(name, tool)]
    own = [name for name in around if shape.rows and name != shape.rows[0]]
    keyed = any(identifies(name) for name in required(tool))
    if shape.rows == () or len(own) <= (1 if keyed else 4):
        return OperationKind.LIST, 0.85, "a list and little around it"
    return OperationKind.GET, 0.7, "an object with lists"


def _is_envelope(name: str, tool: Tool) -> bool:
    held = joined(name)
    echo = held in {joined(each) for each in properties(tool)}
    return echo or any(
        held in word_set("envelope", each) for each in ("count", "shown", "pages", "more", "next", "now", "fine")
    )


def _figures(schema: JsonObject, depth: int = 0) -> bool:
    """Return whether most of what an object holds are numbers."""
    fields = properties_of(schema)
    inner = [each for each in fields.values() if properties_of(each)]
    if inner and depth < 3 and any(_figures(each, depth + 1) for each in inner):
        return True
    leaves = [plain_type(each) for name, each in fields.items() if name.casefold() not in ("code", "status", "message")]
    return bool(leaves) and sum(kind in ("integer", "number") for kind in leaves) * 2 > len(leaves)


def point_of(item: JsonObject) -> str | None:
    """Return the field of an item that holds a point in time."""
    fields = {
        joined(name): name for name, each in properties_of(item).items() if plain_type(each) in ("string", "integer")
    }
    for word in str(table("series")["points"]).split():
        for held, name in fields.items():
            if (
                held == word
                or (held.startswith(word) and len(held) < len(word) + 6)
                or held.endswith(("date", "timestamp"))
            ):
                return name
    return None


def _noun(
    words: tuple[str, ...],
    kind: OperationKind,
    shape: Shape,
    segments: list[str],
    ends_in_place: bool,
    keys: list[str],
) -> str:
    """Name what one row is: after the list's own name, the URL, the id that names it, or the tool's name."""
    things = word_set("names", "things")
    if kind in _OVER_ROWS and shape.rows:
        name = name_words(shape.rows[-1])
        if name and joined(shape.rows[-1]) not in things:
            return " ".join((*name[:-1], singular(name[-1])))
    static = [each for each in segments if not _PLACE.search(each)]
    if kind in (OperationKind.GET, OperationKind.UPDATE, OperationKind.DELETE) and not segments and keys:
        stem = [each for each in name_words(keys[0]) if each not in word_set("names", "generic")]
        if stem:
            return " ".join(stem)
    if static and (ends_in_place or kind in (OperationKind.LIST, OperationKind.CREATE)):
        last = [each for each in name_words(static[-1]) if not re.fullmatch(r"v\d+|api|json", each)]
        if last and last[-1] not in verb_kinds() and joined(static[-1]) not in things:
            return " ".join((*last[:-1], singular(last[-1])))
    return _noun_of_name(words)


def _noun_of_name(words: tuple[str, ...]) -> str:
    """Name a thing after the tool: the words after the verb, up to a preposition."""
    details = word_set("names", "details")
    kept: list[str] = []
    for word in words[1:]:
        if word in ("by", "for", "of", "in", "with", "from", "to", "at", "near", "within"):
            break
        if word not in details:
            kept.append(word)
    return " ".join((*kept[:-1], singular(kept[-1]))) if kept else "record"

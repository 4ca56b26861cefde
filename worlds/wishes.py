"""Compose what people say to want a tool, from what its operation does and what its rows are called.

Tools with phrasings of their own keep them. Of the others, the first sentence of a description and the names of parameters are
never said: they are a manual's words. A tool that cannot be worded in natural words stays without phrasings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wildtool.language.lexicon import words
from wildtool.language.parameter_names import humanise, looks_like_id
from wildtool.schemas.json_schema import plain_type, properties, required
from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.world import FieldRole, Operation, ParameterRole, WorldSpec
from wildtool.worlds.derivation.lexicon import singular
from wildtool.worlds.furnishing.data import joined, name_words
from wildtool.worlds.furnishing.kinds import thing_of

MOST_OPTIONS = 20
"""Values of a choice that people still know by heart."""

_NARROWS = frozenset(
    (
        ParameterRole.EQUAL,
        ParameterRole.RANGE,
        ParameterRole.TEXT,
        ParameterRole.PAGE,
        ParameterRole.SET,
        ParameterRole.KEY,
        ParameterRole.PARENT,
    )
)


@dataclass(frozen=True)
class _Words:
    """The grammar of one language."""

    table: Mapping[str, Any]

    def thing(self, noun: str) -> str | None:
        """Return what people call one row: at most two words, the last of which names a known kind of thing."""
        held = [word for word in name_words(noun) if word not in ("by", "the", "a", "of")]
        nouns = self.table["nouns"]
        unsaid = re.compile(rf"(?:{nouns['unsaid']})s?")
        if not held or (unsaid.fullmatch(held[-1]) and held[-1] not in nouns["keep"].split("|")):
            return None
        held[-1] = held[-1] if thing_of(held[-1]) is not None else singular(held[-1])
        last_two = " ".join(held[-2:])
        if thing_of(held[-1]) is None and not {held[-1], last_two} & set(nouns["also"].split("|")):
            return None
        if re.search(r"(?:ed|ing)$", held[-1]) and held[-1] not in nouns["also"].split("|"):
            return None
        before = held[-2] if len(held) > 1 and thing_of(" ".join(held[-2:])) is not None else None
        last = str(nouns["said"].get(held[-1], held[-1]))
        fits = before is not None and before.isalpha() and not unsaid.fullmatch(before) and before not in _VERBS
        return f"{before} {last}" if fits and len(held) == 2 else last

    def several(self, thing: str) -> str:
        """Return the plural."""
        *before, last = thing.split()
        irregular = self.table["nouns"]["irregular"]
        if last in irregular:
            last = irregular[last]
        elif re.search(r"(?:s|x|z|ch|sh)$", last):
            last += "es"
        elif re.search(r"[^aeiou]y$", last):
            last = last[:-1] + "ies"
        else:
            last += "s"
        return " ".join((*before, last))


_VERBS = frozenset("get find list search send add create update delete remove set post show read insert".split())


def worded(tools: ToolList, spec: WorldSpec) -> ToolList:
    """Return the list with phrasings for the tools that have none and can be worded; the id stays, since it names the API's own
    content."""
    grammar = _Words(words(tools.language, "wishes", "worlds"))
    if not grammar.table["composes"]:
        return tools
    made = tuple(
        tool if tool.phrasings or not spec.tools[tool.name].executable else _worded(tool, tools, spec, grammar)
        for tool in tools.tools
    )
    return tools.model_copy(update={"tools": made})


def _worded(tool: Tool, tools: ToolList, spec: WorldSpec, grammar: _Words) -> Tool:
    operation = spec.tools[tool.name]
    thing = grammar.thing(spec.tables[operation.table].noun) if operation.table is not None else None
    if thing is None:
        return tool
    linked = {link.parameter: link for link in tools.links if link.consumer == tool.name}
    owner: str | None = None
    pieces: list[str] = []
    itself = False
    for name in required(tool):
        link = linked.get(name)
        use = operation.parameters.get(name)
        if use is None:
            return tool
        if link is not None and (link.required or looks_like_id(name)):
            if use.role is ParameterRole.KEY and _names_own(operation, name, spec):
                itself = True
            elif owner is None and (owner := _owner(link, name, spec, grammar)) is not None:
                continue
            else:
                return tool
            continue
        options = _pieces(tool, name, operation, spec, grammar)
        if not options:
            return tool
        pieces.append(options[0])
    cores = _cores(tool, operation, grammar, owner=owner, itself=itself, pieces=pieces)
    if not cores:
        return tool
    optional = {
        name: options
        for name in properties(tool)
        if name not in required(tool) and (options := _pieces(tool, name, operation, spec, grammar))
    }
    filled = _Kept(thing=thing, things=grammar.several(thing), owner=owner or "", rest=" ".join(pieces))
    return tool.model_copy(
        update={
            "phrasings": tuple(_read(core.format_map(filled)) for core in cores),
            "optional_phrasings": optional,
            "examples": {**_topics(tool, operation, spec, grammar), **tool.examples},
        }
    )


def _read(text: str) -> str:
    """Return a phrase as it reads: one blank between words, ``an`` before a vowel."""
    return re.sub(r"\b([Aa])(?= [aeiou](?!ni|se))", r"\1n", re.sub(r"\s+", " ", text)).strip()


class _Kept(dict[str, str]):
    """Values of a form; places that are not among them stay."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


def _names_own(operation: Operation, name: str, spec: WorldSpec) -> bool:
    """Return whether a parameter names the row itself: the key of its table, not one of a thing that it belongs to."""
    fields = [field for field, parameter in operation.key.items() if parameter == name]
    table = spec.tables[operation.table] if operation.table is not None else None
    return table is not None and any(
        field in table.key or table.fields[field].role is FieldRole.ID for field in fields if field in table.fields
    )


def _owner(link: ToolLink, name: str, spec: WorldSpec, grammar: _Words) -> str | None:
    """Return what people call the thing that a result named: by the parameter, else by the producer's rows."""
    stem = " ".join(name_words(name)[:-1]) if looks_like_id(name) else ""
    if stem and (thing := grammar.thing(stem)) is not None:
        return thing.split()[-1]
    producer = spec.tools[link.producer]
    thing = grammar.thing(spec.tables[producer.table].noun) if producer.table is not None else None
    return thing.split()[-1] if thing is not None else None


def _cores(
    tool: Tool, operation: Operation, grammar: _Words, *, owner: str | None, itself: bool, pieces: Sequence[str]
) -> list[str]:
    kind = operation.op.value
    forms = grammar.table.get(kind)
    if forms is None:
        return []
    if itself and owner is None:
        found = list(forms.get("that", ()))
        found = [each if "{rest}" in each or not pieces else f"{each} {{rest}}" for each in found]
    elif owner is not None:
        found = list(forms.get("owned", ()))
    else:
        found = list(forms.get("say", ()) if pieces or kind != "list" else forms.get("all", ()))
        if kind in ("get", "update", "delete") and not pieces:
            found = []
    if kind in ("create", "delete"):
        first = name_words(tool.name)[:1]
        verb = grammar.table["verbs"][kind].get(first[0]) if first else None
        found = [each.replace("{verb}", verb) for each in found] if verb is not None else []
    return found


def _pieces(tool: Tool, name: str, operation: Operation, spec: WorldSpec, grammar: _Words) -> tuple[str, ...]:
    """Return how people say an argument; none where they do not."""
    use = operation.parameters.get(name)
    if use is None or use.role not in _NARROWS:
        return ()
    schema = properties(tool).get(name, {})
    held, kind = joined(name), plain_type(schema)
    if isinstance(schema.get("items"), dict) and kind == "array" and "enum" not in schema["items"]:
        kind = plain_type(schema["items"])
    if kind in ("object", "null", "array") or looks_like_id(name) or "pattern" in schema:
        return ()
    if kind == "boolean":
        return _flag(held, use.role, grammar)
    if use.role is ParameterRole.TEXT:
        table = grammar.table["search"]
        named = name_words(name)[-1:] in (("name",), ("title",))
        if _thing(operation, spec, grammar) not in grammar.table["topics"]:
            return ()
        return _filled(table["named" if named else "about"], name)
    piece = next((each for each in grammar.table["pieces"] if re.search(each["name"], held)), None)
    if piece is not None and _allows(piece, use.role, kind, schema):
        if "enum" in schema and not _spoken(schema["enum"]):
            return ()
        return _filled(piece["say"], name)
    if "enum" in schema and _spoken(schema["enum"]) and use.role in (ParameterRole.EQUAL, ParameterRole.SET):
        choice = grammar.table["choice"]
        if use.role is ParameterRole.SET:
            return tuple(each.replace("{noun}", humanise(name)) for each in _filled(choice["set"], name))
        return _filled(choice["say"], name)
    return ()


def _allows(piece: Mapping[str, Any], role: ParameterRole, kind: str, schema: Mapping[str, Any]) -> bool:
    wanted = piece.get("role")
    if wanted is not None and role.value != wanted:
        return False
    if wanted is None and role is ParameterRole.PAGE:
        return False
    match piece.get("form"):
        case "number":
            return kind in ("integer", "number")
        case "time":
            return kind == "string" and schema.get("format") in (None, "date", "date-time")
        case _:
            return kind == "string"


def _filled(forms: Sequence[str], name: str) -> tuple[str, ...]:
    return tuple(form.replace("{}", "{" + name + "}") for form in forms)


def _flag(held: str, role: ParameterRole, grammar: _Words) -> tuple[str, ...]:
    flag = grammar.table["flag"]
    word = re.sub(flag["lead"], "", held)
    if role is not ParameterRole.EQUAL or not re.fullmatch(flag["words"], word):
        return ()
    return tuple(each.replace("{}", word) for each in flag["say"])


_WORD = re.compile(r"[A-Za-z][a-z]{2,}(?:[ _-][a-z]{2,}){0,2}|[A-Z]{4,}(?:_[A-Z]{2,})?")


def _spoken(options: Sequence[Any]) -> bool:
    """Return whether people say the values of an enum: a few plain words."""
    return 2 <= len(options) <= MOST_OPTIONS and all(
        isinstance(each, str) and _WORD.fullmatch(each) for each in options
    )


def _thing(operation: Operation, spec: WorldSpec, grammar: _Words) -> str:
    noun = spec.tables[operation.table].noun if operation.table is not None else ""
    held = grammar.thing(noun)
    return (thing_of(held) if held is not None else None) or ""


def _topics(tool: Tool, operation: Operation, spec: WorldSpec, grammar: _Words) -> dict[str, tuple[Any, ...]]:
    """Return what people search for, by parameter."""
    topics = grammar.table["topics"].get(_thing(operation, spec, grammar), ())
    found = {}
    for name, use in operation.parameters.items():
        schema = properties(tool).get(name, {})
        if use.role is ParameterRole.TEXT and plain_type(schema) == "string" and "enum" not in schema and topics:
            found[name] = tuple(topics)
    return found

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
        ParameterRole.SORT,
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
        tool if tool.phrasings or not _told(tool, spec) else _worded(tool, tools, spec, grammar) for tool in tools.tools
    )
    return tools.model_copy(update={"tools": made})


def _told(tool: Tool, spec: WorldSpec) -> bool:
    """Return whether the world answers the tool, and a schema says what the answer holds."""
    return spec.tools[tool.name].executable and tool.returns is not None


def topics_of(spec: WorldSpec) -> tuple[str, ...]:
    """Return what people chat about who use a list: what they search for among its rows. None where no words are known."""
    grammar = _Words(words(spec.language, "wishes", "worlds"))
    if not grammar.table["composes"]:
        return ()
    things = [grammar.thing(table.noun) for table in spec.tables.values()]
    kinds = dict.fromkeys(thing_of(thing) for thing in things if thing is not None)
    return tuple(topic for kind in kinds for topic in grammar.table["topics"].get(kind, ()))


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
            "examples": _values(tool, operation, spec, grammar),
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
    if kind in ("create", "update") and not pieces:
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
    if re.search(grammar.table["forms"]["machine"], held):
        return ()
    if kind == "boolean":
        return _flag(held, use.role, grammar)
    if use.role is ParameterRole.SORT:
        return _filled(grammar.table["order"]["say"], name) if _spoken(schema.get("enum") or ()) else ()
    if use.role is ParameterRole.TEXT:
        table = grammar.table["search"]
        named = name_words(name)[-1:] in (("name",), ("title",))
        if _thing(operation, spec, grammar) not in grammar.table["topics"]:
            return ()
        return _filled(table["named" if named else "about"], name)
    forms = grammar.table["forms"]
    told = str(schema.get("description", ""))
    if re.search(forms["formal"], told, re.IGNORECASE) and not re.search(forms["codes"], held):
        return ()
    piece = next((each for each in grammar.table["pieces"] if re.search(each["name"], held)), None)
    if piece is not None and piece.get("open") and "enum" in schema:
        piece = None
    if use.role is ParameterRole.SET and _thing(operation, spec, grammar) in name_words(name):
        return _filled(grammar.table["search"]["named"], name) if name_words(name)[-1] in ("name", "title") else ()
    if piece is not None and _allows(piece, use.role, kind, schema):
        if "enum" in schema and not _spoken(schema["enum"]):
            return ()
        return _filled(piece["say"], name)
    if use.role is ParameterRole.RANGE and kind in ("integer", "number"):
        return _bound(held, name, grammar)
    if "enum" in schema and _spoken(schema["enum"]) and use.role in (ParameterRole.EQUAL, ParameterRole.SET):
        choice = grammar.table["choice"]
        if use.role is ParameterRole.SET:
            return tuple(each.replace("{noun}", humanise(name)) for each in _filled(choice["set"], name))
        return _filled(choice["say"], name)
    return ()


def _bound(held: str, name: str, grammar: _Words) -> tuple[str, ...]:
    table = grammar.table["bound"]
    for end in ("least", "most"):
        noun = re.sub(table[end], "", held)
        if noun != held and noun.count("_") < 2:
            return _filled([each.replace("{noun}", noun.replace("_", " ")) for each in table[f"say_{end}"]], name)
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
            told = schema.get("format") in ("date", "date-time") or "date" in str(schema.get("description", "")).lower()
            return kind == "string" and schema.get("format") in (None, "date", "date-time") and told
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


def _values(tool: Tool, operation: Operation, spec: WorldSpec, grammar: _Words) -> dict[str, tuple[Any, ...]]:
    """Return what people say, by parameter: topics of searches, and examples of the description that read like words."""
    topics = tuple(grammar.table["topics"].get(_thing(operation, spec, grammar), ()))
    found: dict[str, tuple[Any, ...]] = {}
    for name, held in tool.examples.items():
        words_of = tuple(each for each in held if not isinstance(each, str) or _PLAIN.fullmatch(each))
        if words_of and properties(tool).get(name, {}).get("format") not in ("date", "date-time"):
            found[name] = words_of
    for name, use in operation.parameters.items():
        schema = properties(tool).get(name, {})
        if use.role is ParameterRole.TEXT and plain_type(schema) == "string" and "enum" not in schema and topics:
            found[name] = topics
    return found


_PLAIN = re.compile(r"[A-Za-z][a-z']+(?: [A-Za-z][a-z']*){0,4}")
"""An example that a person could say: words, no codes."""

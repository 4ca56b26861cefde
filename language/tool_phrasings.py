"""Phrase what a person says to want a tool: the catalogue's phrasings, or ones derived from the description.

The words are in ``words/<code>/tool_phrasings.toml``. Its trait ``derives`` says what the first sentence of a description
holds in that language: a ``verb`` with its object, or the ``topic`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from wildtool.language.lexicon import words
from wildtool.language.parameter_names import humanise
from wildtool.language.parameter_nouns import noun
from wildtool.schemas.json_schema import plain_type, properties, required
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language

PLACE = re.compile(r"city|town|country|region|state|province|place|location|address|destination|area", re.IGNORECASE)
"""Parameters that a person points at with "there"."""


def phrasings(tool: Tool, language: Language) -> tuple[str, ...]:
    """Verb phrases with ``{parameter}`` placeholders; never empty."""
    if tool.phrasings:
        return tool.phrasings
    table = words(language, "tool_phrasings")
    cores = derived(tool, language) or _by_name(tool, table)
    tail = "".join(f"{table['joint']}{fragments(tool, name, language)[0]}" for name in required(tool))
    return tuple(core + tail for core in cores)


def fragments(tool: Tool, parameter: str, language: Language) -> tuple[str, ...]:
    """Pieces to append for a parameter that no phrasing holds; never empty."""
    if given := tool.optional_phrasings.get(parameter):
        return given
    table = words(language, "tool_phrasings")
    schema = properties(tool).get(parameter, {})
    named = humanise(parameter) if words(language, "parameter_nouns")["names_are_words"] else None
    about = named or noun(tool, parameter, language)
    if plain_type(schema) == "boolean":
        bare = re.sub(table.get("flag_lead", r"\A(?!)"), "", about)
        return (table["flag"]["off" if schema.get("default") else "on"].format(noun=bare),)
    for rule in table.get("pieces", ()) if named else ():
        if re.search(rule["name"], parameter, re.IGNORECASE):
            return _with_place(rule["say"], parameter, about)
    return _with_place(table["fragments"], parameter, about)


def _with_place(pieces: list[str], parameter: str, about: str) -> tuple[str, ...]:
    return tuple(piece.replace("{noun}", about).replace("{}", "{" + parameter + "}") for piece in pieces)


def derived(tool: Tool, language: Language) -> tuple[str, ...]:
    """What a person would say for a tool without phrasings, values left out; empty where its description is no help."""
    return _derived(tool.name, tool.description, language)


@lru_cache(maxsize=16_384)  # planning asks for every tool of every list it draws
def _derived(name: str, description: str, language: Language) -> tuple[str, ...]:
    table = words(language, "tool_phrasings")
    match table["derives"]:
        case "verb":
            return _from_verb(name, description, table)
        case "topic":
            topic = re.sub(table["lead"], "", re.split(table["end"], description)[0].strip())
            return tuple(each.format(topic=topic) for each in table["phrases"]) if topic else ()
        case unknown:
            raise LookupError(f"tool_phrasings.toml of {language}: derives = {unknown!r} is neither verb nor topic")


def _from_verb(name: str, description: str, table: Mapping[str, Any]) -> tuple[str, ...]:
    text = re.sub(r"<[^<>]+>|`", "", description).strip()
    text = re.split(r"(?<=[a-z0-9)])[.;:]\s|\n|\. ?$| \(|, (?:which|including|such)", text + " ")[0].strip(" .")
    text = re.sub(r"\b(?:by|for|with|of|using) (?:its |the |an? |given |specified )*(?:id|ids|identifier|uuid|key)s?\b", "", text,
                  flags=re.IGNORECASE)  # fmt: skip
    named = set(humanise(name).lower().split())
    parts = [word for word in text.split() if "{" not in word]
    manual = rf"\b(?:{'|'.join(table['manual_words'])})\b|{table['manual_marks']}"
    if not 2 <= len(parts) <= table["longest"] or re.search(manual, text):
        return ()
    first = parts[0].lower()
    # Manuals write "Get all Orders"; people do not. Capitals of names that are not the tool's own stay.
    rest = " ".join(w.lower() if w.istitle() and w.lower().strip(",") in named else w for w in parts[1:])
    spoken = _spoken(first, table)
    if not spoken or _names_itself(rest, name):
        return ()
    return tuple(f"{verb} {rest}" for verb in spoken)


def _by_name(tool: Tool, table: Mapping[str, Any]) -> tuple[str, ...]:
    """Phrases made of the tool's name."""
    plain = humanise(tool.name)
    if "by_name" not in table:
        return tuple(each.format(topic=plain) for each in table["phrases"])
    verb, _, rest = plain.partition(" ")
    spoken = _spoken(verb, table) if rest else ()
    thing, verbs = (rest, spoken) if spoken else (plain, tuple(table["by_name_verbs"]))
    return tuple(table["by_name"].format(verb=each, rest=thing) for each in verbs)


def _spoken(verb: str, table: Mapping[str, Any]) -> tuple[str, ...]:
    """How a person says a description's verb; empty where they would not."""
    return tuple(table["verbs"].get(verb, (verb,) if verb in table["bare_verbs"] else ()))


def _names_itself(phrase: str, name: str) -> bool:
    return name in phrase.split() and not name.islower()

"""Phrase what a person says to want a tool: its own phrasings, else the words of its name.

The words are in ``words/<code>/tool_phrasings.toml``. Wishes in natural words are composed by ``worlds/wishes.py``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    cores = _by_name(tool, table)
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

"""Name the thing that a parameter takes as people call it: parameters have names for programs.

The words are in ``words/<code>/parameter_nouns.toml``. Its trait ``names_are_words`` says whether parameters are named in
that language; where they are not, the noun comes from the parameter's description.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wildtool.language.lexicon import words
from wildtool.language.parameter_names import humanise, looks_like_id
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type, properties
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language

_IDENTIFIERS = ("id", "code", "slug", "uuid", "key", "identifier")
"""Names that only say that something is identified, not what."""


def noun(tool: Tool, parameter: str, language: Language) -> str:
    """The noun for what a parameter takes: ``artist`` for ``artistName``."""
    table = words(language, "parameter_nouns")
    schema = properties(tool).get(parameter, {})
    plain = humanise(parameter)
    if table["names_are_words"]:
        return _from_name(tool, parameter, plain, schema, table)
    if known := table["names"].get(plain) or _by_pattern(plain, schema, table):
        return str(known)
    return _from_description(str(schema.get("description", "")), table)


def _by_pattern(plain: str, schema: JsonObject, table: Mapping[str, Any]) -> str | None:
    """The noun of the first pattern that the name (and the format, where the pattern has one) matches."""
    for rule in table.get("patterns", ()):
        if re.search(rule["name"], plain) and rule.get("format", schema.get("format")) == schema.get("format"):
            return str(rule["noun"])
    return None


def _from_description(text: str, table: Mapping[str, Any]) -> str:
    """The noun that a description begins with; the fallback where it gives none that is short enough."""
    rules = table["description"]
    text = re.sub(rules["asides"], "", text)
    text = re.split(rules["end"], text)[0]
    text = re.sub(rules["identifier"], "", text).rpartition(rules["owner"])[2] or text
    text = re.sub(rules["lead"], "", text)
    return text if 1 < len(text) <= table["longest"] and not text.isascii() else str(table["fallback"])


def _from_name(tool: Tool, parameter: str, plain: str, schema: JsonObject, table: Mapping[str, Any]) -> str:
    """The noun in a parameter's own name, without the words that are there for programs."""
    plain = re.sub(r"\b(?:ids|names)\b", lambda hit: hit.group()[:-1], plain)
    plain = re.sub(r"\b(?:paginate|query|path|body) (?=\w)", "", plain)
    number = plain_type(schema) in ("integer", "number")
    if plain in table["names"]:
        return str(table["names"][plain])
    if plain == "page size" and plain_type(schema) == "integer":
        return str(table["number_of_results"])
    bare_name = plain in _IDENTIFIERS
    identifies = looks_like_id(parameter) or bare_name
    if identifies and (told := re.match(table["of_what"], str(schema.get("description", "")), re.IGNORECASE)):
        return told["n"].lower()
    if bare_name:
        return _of_tool(tool) or plain
    event = re.match(r"\b(\w++) (?:after|before|since|until|on|at)$", plain)
    if event and event[1] in table["events"]:
        unit = table["event_units"]["number" if number else "text"]
        return str(table["event"]).format(event=table["events"][event[1]], unit=unit)
    if re.match(r"(?:since|from|until|to|before|after|start|end)(?: (?:date|day|time))?$", plain):
        return str(table["date"])
    plain = re.sub(rf"(?<!^min)(?<!^max) (?:{'|'.join(table['units'])})$", "", plain)
    plain = re.sub(r"^(?:since|min|max|minimum|maximum|from|target|only|include|with|in|is|has|the) (?=\w)", "", plain)
    plain = re.sub(r" (?:only|ids?)$", "", plain)
    head, _, tail = plain.rpartition(" ")
    if head and tail in ("name", "id", "code", "uuid", "key", "slug") and head.split()[-1] not in table["adjectives"]:
        return head
    return plain


def _of_tool(tool: Tool) -> str | None:
    """The thing that a tool's name says it is about: ``showLiveStream`` gives ``live stream``."""
    parts = humanise(tool.name).split()
    if len(parts) < 2 or parts[1] in ("all", "a", "an", "the", "by"):
        return None
    kept = [word for word in parts[1:] if word not in ("by", "id", "for", "with", "details", "info", "single", "one")]
    return " ".join(kept[:2]) if kept and kept[-1].isalpha() else None

"""Which tools a person would ask for in plain words: those of real APIs are often made for programs alone."""

from __future__ import annotations

import re

from wildtool.language.parameter_names import looks_like_id
from wildtool.language.tool_phrasings import derived
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type, properties, required
from wildtool.schemas.tool import Tool, ToolLink
from wildtool.schemas.vocabulary import Language

_SAYABLE = re.compile(
    r"(?:^|[a-z_])(?:city|town|country|region|state|place|location|destination|origin|venue|q|query|search|keywords?|"
    r"search_?term|term|phrase|year|genre|category|topic|language|lang|artist|author|player|team|club|company|symbol|ticker|"
    r"ingredient|since|until|artist_?name|author_?name|team_?name|company_?name|full_?name|first_?name|last_?name|title)$|"
    r"^(?:from|to|email|colou?r|name)$|currency(?:_?from|_?to)?$",
    re.IGNORECASE,
)
"""Texts that a person gives in a chat, and for which there are words that fit."""

_COUNTABLE = re.compile(
    r"(?:^|[a-z_])(?:year|amount|quantity|limit|per_?page|max_?results|min_?price|max_?price|radius|days)$",
    re.IGNORECASE,
)
"""Numbers that a person gives in a chat."""

_FORMAL = re.compile(
    r"\b(?:ip address|hash|uuid|guid|token|regex|regular expression|base64|comma[- ]separated|json|xml|csv|semicolon|iso[- ]?\d+|"
    r"slug|encoded|two[- ]letter|three[- ]letter|alpha-?[23]|wildcard|syntax|boolean operators?|identifier|unix|epoch|"
    r"milliseconds|path|file|code)\b",
    re.IGNORECASE,
)
"""Words of a description that ask for a form which nobody says in a chat."""

_MACHINE = re.compile(
    r"token|secret|key|hash|etag|cursor|offset|callback|format|fields|include|expand|embed|scope|header|version|"
    r"signature|nonce|billing|shipping|mailing|external|internal|schema|xml|json|login|user_?agent|password|filename|file_?name|host_?name|domain_?name|user_?name",
    re.IGNORECASE,
)
"""Parameters that are between programs."""

_CHANGES = re.compile(
    r"(?:update|patch|put|change|modify|edit|set|create|add|post|save|delete|remove|send)", re.IGNORECASE
)
"""Tools that change something: what they take is seldom what people say."""

_WORDS = re.compile(r"[A-Za-z][A-Za-z '-]{2,30}")


def sayable(tool: Tool, parameter: str) -> bool:
    """Whether a person could give a value for a parameter."""
    if tool.phrasings:
        return True
    schema = properties(tool).get(parameter, {})
    if _MACHINE.search(parameter):
        return False
    told = str(schema.get("description", ""))
    if _FORMAL.search(told) and not re.search(r"currency|^lang|language", parameter, re.IGNORECASE):
        return False
    if isinstance(schema.get("enum"), list):
        return 2 <= len(schema["enum"]) <= 25 and all(
            isinstance(e, str) and _WORDS.fullmatch(e) for e in schema["enum"]
        )
    match plain_type(schema):
        case "string":
            if schema.get("format") in ("date", "email"):
                return True
            return bool(_SAYABLE.search(parameter)) and "pattern" not in schema and not looks_like_id(parameter)
        case "integer" | "number":
            return bool(_COUNTABLE.search(parameter))
        case _:
            return False


def suited(tool: Tool, links: tuple[ToolLink, ...], language: Language) -> bool:
    """Whether a person could ask for a tool: in words that are not its manual's, with values they know or were shown."""
    if tool.phrasings:
        return True
    if _CHANGES.match(tool.name):
        return False
    linked = {link.parameter for link in links if link.consumer == tool.name}
    needed = required(tool)
    if not all(sayable(tool, name) or name in linked for name in needed):
        return False
    if any(plain_type(properties(tool)[name]) == "array" for name in needed):
        return False
    return language is Language.EN and bool(derived(tool, language)) and _tells(tool.returns)


def _tells(returns: JsonObject | None) -> bool:
    """Whether a result has something to tell: a result schema with a few named fields."""
    return returns is not None and _fields(returns, 0) >= _LEAST_FIELDS


_LEAST_FIELDS = 2
"""A result of one field is a status."""


def _fields(schema: object, depth: int) -> int:
    if not isinstance(schema, dict) or depth > 4:
        return 0
    inner = schema.get("properties")
    if isinstance(inner, dict) and inner:
        return sum(max(1, _fields(each, depth + 1)) for each in inner.values())
    return _fields(schema.get("items"), depth + 1)


def sensible(link: ToolLink, consumer: Tool) -> bool:
    """Whether a person would use a result so, and whether any value will do for it.

    Nobody names a new thing after an item of a list. Links of real APIs are inferred: those that lie deep, or whose
    taker wants a certain form, seldom hold.
    """
    if _CHANGES.match(link.consumer) and re.search(r"name|title|label|description", link.parameter, re.IGNORECASE):
        return False
    if consumer.phrasings:
        return True
    schema = properties(consumer).get(link.parameter, {})
    strict = any(key in schema for key in ("pattern", "enum", "minLength", "maxLength", "const"))
    return link.path.count(".") <= 1 and not strict and plain_type(schema) in ("string", "integer")

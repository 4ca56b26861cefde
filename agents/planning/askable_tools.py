"""Select the tools that people would ask for: those of real APIs are often made for programs alone."""

from __future__ import annotations

import re

from wildtool.language.parameter_names import humanise, looks_like_id
from wildtool.schemas.json_schema import plain_type, properties, required
from wildtool.schemas.tool import Tool, ToolLink

_SAYABLE = re.compile(
    r"(?:^|[a-z_])(?:city|town|country|region|state|place|location|destination|origin|venue|q|query|search|keywords?|"
    r"search_?term|term|phrase|year|genre|category|topic|language|lang|artist|author|player|team|club|company|symbol|ticker|"
    r"ingredient|since|until|artist_?name|author_?name|team_?name|company_?name|full_?name|first_?name|last_?name|title)$|"
    r"^(?:from|to|email|colou?r|name)$|currency(?:_?from|_?to)?$",
    re.IGNORECASE,
)
"""Text parameters for which a person gives a value in a chat."""

_COUNTABLE = re.compile(
    r"(?:^|[a-z_])(?:year|amount|quantity|limit|per_?page|max_?results|min_?price|max_?price|radius|days)$",
    re.IGNORECASE,
)
"""Number parameters for which a person gives a value in a chat."""

_FORMAL = re.compile(
    r"\b(?:ip address|hash|uuid|guid|token|regex|regular expression|base64|comma[- ]separated|json|xml|csv|semicolon|iso[- ]?\d+|"
    r"slug|encoded|two[- ]letter|three[- ]letter|alpha-?[23]|wildcard|syntax|boolean operators?|identifier|unix|epoch|"
    r"milliseconds|path|file|code)\b",
    re.IGNORECASE,
)
"""Words of a description that ask for a format which nobody types in a chat."""

_MACHINE = re.compile(
    r"token|secret|key|hash|etag|cursor|offset|callback|format|fields|include|expand|embed|scope|header|version|"
    r"signature|nonce|billing|shipping|mailing|external|internal|schema|xml|json|login|user_?agent|password|filename|file_?name|host_?name|domain_?name|user_?name",
    re.IGNORECASE,
)
"""Parameters that only programs fill in."""

_CHANGES = re.compile(
    r"(?:update|patch|put|change|modify|edit|set|create|add|post|save|delete|remove|send)", re.IGNORECASE
)
"""Tools that change something: their parameters are seldom what people say in a chat."""

_WORDS = re.compile(r"[A-Za-z][A-Za-z '-]{2,30}")


def sayable(tool: Tool, parameter: str) -> bool:
    """Return whether a person could give a value for a parameter: one that a phrasing says, else one of a usual name."""
    if tool.phrasings:
        return parameter in tool.optional_phrasings or any("{" + parameter + "}" in each for each in tool.phrasings)
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


def askable(tool: Tool, links: tuple[ToolLink, ...]) -> bool:
    """Return whether people would ask for a tool, with values that they know or were shown.

    It does not matter here who words the wish: what the drafter cannot say is its own matter (``Drafter.can_say``).
    """
    if tool.phrasings:
        return True
    if _CHANGES.match(tool.name) or _is_internal(tool):
        return False
    linked = {link.parameter for link in links if link.consumer == tool.name}
    needed = required(tool)
    if not all(sayable(tool, name) or name in linked for name in needed):
        return False
    if any(plain_type(properties(tool)[name]) == "array" for name in needed):
        return False
    return tool.returns is None or _fields(tool.returns, 0) >= _LEAST_FIELDS


def _is_internal(tool: Tool) -> bool:
    """Return whether a tool serves programs only, by its name or the first sentence of its description."""
    sentence = re.split(r"(?<=[a-z0-9)])[.;:]\s|\n", tool.description)[0]
    return bool(_INTERNAL.search(humanise(tool.name)) or _INTERNAL.search(sentence))


_INTERNAL = re.compile(
    r"\b(?:deprecated|webhooks?|callbacks?|tokens?|credentials?|secrets?|oauth|api keys?|schemas?|health ?checks?|heartbeats?|"
    r"pings?|open ?api|swagger|sdks?|endpoints?|certificates?|cookies?)\b",
    re.IGNORECASE,
)
"""Things that programs need and nobody asks an assistant for."""


_LEAST_FIELDS = 2
"""A result of one field is a status."""


def _fields(schema: object, depth: int) -> int:
    if not isinstance(schema, dict) or depth > 4:
        return 0
    inner = schema.get("properties")
    if isinstance(inner, dict) and inner:
        return sum(max(1, _fields(each, depth + 1)) for each in inner.values())
    return _fields(schema.get("items"), depth + 1)


def plausible(link: ToolLink, consumer: Tool) -> bool:
    """Return whether a person would use a result this way, and whether the consumer takes any value.

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

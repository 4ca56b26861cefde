"""Defaults that stand only in prose: "default is 10", "defaults to JSON", 默认为.

The scorer must know them: a candidate that spells a default out is right. Of 2,131 parameters of the original
benchmark 986 mention a default and 4 declare one.

``default_in_prose`` reads what is certain enough to be written into a schema. ``defaults`` and ``is_default`` judge values
and also take the words next to the mention, however they read.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from wildtool.language.folding import normal
from wildtool.language.lexicon import languages, words
from wildtool.language.numbers import parse_number
from wildtool.schemas.base import JsonObject

_QUOTED = r"[\"'“‘`「] ?(?P<quoted>[^\"'”’`」]{1,80}?) ?[\"'”’`」]"
_NUMBER = r"-?\d{1,20}(?:[.,]\d{1,20}){0,6}%?(?![A-Za-z\d])"
_BARE = rf"(?P<bare>{_NUMBER}|[A-Za-z_](?:[\w./+-]{{0,59}}[\w+/])?)"
_VALUE = rf"(?:{_QUOTED}|{_BARE})"
_CODE = rf"(?:{_QUOTED}|(?P<bare>{_NUMBER}|true|false|(?-i:[a-z]{{2}}(?:[-_][A-Za-z]{{2}})?|[A-Z][A-Z0-9_]+)))"
_UNSAID = (
    r"(?:omitted|not (?:specified|provided|given|set|present|supplied)|unspecified|unset|absent|missing|"
    r"left (?:blank|empty|out|unset))"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:^|[.;,:] ?|\bor ){_VALUE} ?(?:[-–=:]|means) ?[^.;,()]{{1,70}}\( ?default ?\)",
        rf"\bdefault(?: value)? ?(?:(?:is|are|of|to|will be|if (?:not|un)\w{{0,40}} ?(?:is|:))(?!\w)|:|=|-) ?"
        rf"(?:set to |the value )?:? ?{_VALUE}",
        rf"\bdefault(?:s|ed|ing)?(?: value)? (?:back )?(?:to|at|as)(?!\w) ?:? ?(?:the value )?{_VALUE}",
        rf"\bby default ?,? ?(?:it |this (?:\w{{1,40}} )?)?(?:is|it's|this is|set to|uses?|returns?|:) ?(?:set to )?{_VALUE}",
        rf"[(\[] ?default ?[:=]? ?{_VALUE} ?[)\],;.]",
        rf"{_VALUE} ?(?:\((?:the )?default\)|\[default\]|-- ?default\b|,? ?(?:as|(?:which )?is(?: also)?) the default\b"
        rf"|is used by default)",
        rf"{_QUOTED}(?P<bare>(?!))? ?by default\b",
        rf"(?P<quoted>(?!))?(?P<bare>{_NUMBER}|(?:not )?(?:enabled|disabled)|\w{{1,40}}) by default\b",
        rf"\bif {_UNSAID} ?,? ?(?:then )?(?:the )?(?:default(?:s)?(?: value)? (?:is|of|to) )?"
        rf"{_VALUE} (?:is|will be) (?:used|assumed|returned)",
        rf"\b{_UNSAID}[^.]{{0,50}}?\bat most (?P<bare>\d[\d,]{{0,40}})\b(?P<quoted>(?!))?",
        rf"\bdefault(?: value)? {_CODE}(?= ?(?:[.,;)]|$))",
        rf"\bdefault (?:and \w{{1,40}}|(?!values?\b|all\b|the\b|an?\b|by\b)\w+(?: \w{{1,40}})?) (?:is|are) (?:set to )?{_VALUE}",
        rf"(?:默认|缺省|预设)(?:值|情况下)? ?(?:为|是|设为|使用|返回|取|[:：=])? ?(?:每页|前|第)? ?{_VALUE}",
        rf"(?:默认|缺省)(?:值)?(?:为|是)?[^，。,;；（(]{{1,12}}[（(]{_VALUE}[）)]",
        r"(?:默认|缺省)(?:值|情况下)?(?:为|是)? ?(?P<bare>不?(?:关闭|禁用|开启|打开|启用)|否|不(?!填|传|限)\w)(?P<quoted>(?!))?",
    )
)
_NO_VALUE = frozenset(
    """
    the a an all any none null no not empty current today now this that your it its if when and or in on as
    value values set use used using only unset undefined sorted order ordering system server user account
    session blank based where for with by both each every same first last true-or-false what whatever whether
    which behavior behaviour mode setting settings option options page size number count maximum minimum
    language locale timezone to from is are be will can may should must we you they there here then than
    assumed used applied returned ignored chosen selected currently always never one latest most highest lowest time date nothing
    """.split()
)


def default_in_prose(text: str, kind: Any, enum: list[Any] | None) -> Any:
    """The default that a description states, in the schema's type; None where it states none that can be read.

    Words that describe a default instead of spelling it ("the current date", "all") give None. ``kind`` is the schema's
    ``type``; of a list of types, the one beside ``null`` counts.
    """
    if isinstance(kind, list):
        others = [each for each in kind if each != "null"]
        kind = others[0] if len(others) == 1 else None
    if not isinstance(kind, str) or kind not in {"string", "integer", "number", "boolean"} or not _MENTION.search(text):
        return None
    text = " ".join(text.split())  # patterns know single blanks only: with runs of them they would be slow
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            value = _read(found, text, kind, enum)
            if value is not None:
                return value
    return None


_MENTION = re.compile(r"default|默认|缺省|预设|if (?:omitted|not |un|absent|missing|left)", re.IGNORECASE)


def _whole_number(token: str) -> int | None:
    """The whole number that a word says; "one" is mostly a pronoun."""
    said = {parse_number(token, language) for language in languages()} - {None, 1.0}
    only = said.pop() if len(said) == 1 else None
    return int(only) if only is not None and only == int(only) else None


def _read(found: re.Match[str], text: str, kind: str, enum: list[Any] | None) -> Any:
    quoted, bare = found.group("quoted"), found.group("bare")
    token = quoted if quoted is not None else (bare or "").rstrip(".,;:-")
    if not token or _CONDITION.match(text, found.end()):
        return None
    if quoted is None and token[-1:].isdigit() and _other_unit(text, found, kind):
        return None
    match kind:
        case "boolean":
            if re.match(r"不|否|关闭|禁用|开启|打开|启用", token):
                return token in {"开启", "打开", "启用", "不关闭", "不禁用"}
            return {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False, "enabled": True,
                    "disabled": False, "not enabled": False, "1": True, "0": False}.get(token.lower())  # fmt: skip
        case "integer" | "number":
            digits = token.replace(",", "") if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", token) else token
            if re.fullmatch(r"-?\d{1,15}", digits):
                value: int | float = int(digits)
            elif kind == "number" and re.fullmatch(r"-?\d{1,12}\.\d{1,12}", digits):
                value = float(digits)
            elif quoted is None and (said := _whole_number(token)) is not None:
                value = said
            else:
                return None
            return value if enum is None or value in enum else None
        case _:
            return _read_text(token, quoted is not None, text, found.end(), enum)


_CONDITION = re.compile(
    r" (?:if|when|unless) (?!not\b|no\b|un\w|omitted|left|missing|absent|empty|nothing|none)", re.IGNORECASE
)
"""``false if parentId is 0``: no default but a rule."""

_UNITS = {
    unit: (family, unit)
    for family, units in {
        "time": "millisecond second minute hour day week month year ms",
        "size": "byte kb mb gb tb kilobyte megabyte gigabyte",
        "length": "meter metre kilometer kilometre km mile foot feet",
    }.items()
    for unit in units.split()
}


def _other_unit(text: str, found: re.Match[str], kind: str) -> bool:
    """Whether a number is told in a unit that is not the parameter's: "in seconds … the default is 1 hour"."""
    after = re.match(r"\s*([A-Za-z]+)", text[found.end() :])
    own = _UNITS.get(after[1].lower().removesuffix("s")) if after else None
    if own is None:
        return False
    if kind == "string":  # "1 day prior to now" is no literal
        return True
    rest = text[: found.start()] + text[found.end() + len(after[0] if after else "") :]
    others = {_UNITS.get(word.lower().removesuffix("s")) for word in re.findall(r"[A-Za-z]+", rest)} - {None}
    named = {_UNITS.get(word.lower().removesuffix("s")) for word in re.findall(r"\bin ([A-Za-z]+)", rest)} - {None}
    if named:
        return own not in named
    return own not in others and any(other[0] == own[0] for other in others if other)


def _read_text(token: str, quoted: bool, text: str, end: int, enum: list[Any] | None) -> str | None:
    if enum:
        by_fold = {str(value).casefold(): value for value in enum}
        found = by_fold.get(token.casefold())
        return found if isinstance(found, str) else None
    if re.match(r"\s*,\s*\w+(?:\s*,|\s+and)\s+(?:and\s+)?\w+", text[end:]) and not quoted:
        return None  # "metadata, groupType, and name"
    if re.match(r"\s*by\s+default", text[max(0, end - 11) : end]) and not quoted and not token[-1:].isdigit():
        return None  # "not enabled by default" names a state, no literal
    if quoted:
        return token if token.casefold() not in {"null", "none", "undefined"} else None
    if token.casefold() in _NO_VALUE:
        return None
    following = re.match(r"\s*([A-Za-z]+)", text[end:])
    if following and text[end : end + 1] not in ".,;)":
        # "default is sorted order", "defaults to English language": a phrase, not a literal. Codes stay literals.
        return (
            token if re.fullmatch(r"[A-Z]{2,5}|[a-z]{2}(?:[-_][A-Z]{2})?|\d[\w.-]*|[^\W\d_]*+[\d_]\w*", token) else None
        )
    return token


# -- what leaving a parameter out means ------------------------------------------------------------------------------

_BESIDE_AFTER = r"\"[^\"]{0,200}\"|'[^']{0,200}'|“[^”]{0,200}”|`[^`]{0,200}`|\[[^\]]{0,200}\]|[^\s,;，。；)）]{1,200}"
_BESIDE_BEFORE = r"\"[^\"]{0,200}\"|'[^']{0,200}'|`[^`]{0,200}`|[^\s,;()]{1,80}"


@dataclass(frozen=True, slots=True)
class _Mentions:
    after: re.Pattern[str]
    """Group 1 is what follows a word for a default: "defaults to 5"."""
    before: re.Pattern[str]
    """Group 1 is what such words follow: "5 by default"."""
    empty: frozenset[str]
    """Words for a default that is empty."""


@cache
def _mentions() -> _Mentions:
    found = [words(code, "defaults") for code in languages()]
    after, before = ("|".join(one[side] for one in found if one[side]) or r"(?!)" for side in ("after", "before"))
    return _Mentions(
        re.compile(rf"(?:{after}) ?[:：=]? ?({_BESIDE_AFTER})", re.IGNORECASE),
        re.compile(rf"({_BESIDE_BEFORE})(?:{before})", re.IGNORECASE),
        frozenset(word for one in found for word in one["empty"]),
    )


def defaults(schema: JsonObject) -> list[Any]:
    """Values that leaving the parameter out means: the schema's ``default``, or one stated in its description."""
    if "default" in schema:
        return [schema["default"]]
    said = str(schema.get("description", ""))
    kind, enum = schema.get("type"), schema.get("enum")
    stated = default_in_prose(said, kind, enum if isinstance(enum, list) else None)
    if stated is not None:
        return [stated]
    text = _beside_mention(said)
    if text is None:
        return []
    quoted = text[:1] in ('"', "'", "“", "`") and len(text) > 1
    text = text.strip("\"'“”`")
    if text.casefold() in _mentions().empty and not quoted:
        return ["", [], {}]
    if kind == "string":
        return [text]
    try:
        return [json.loads(text.lower() if kind == "boolean" else text.replace("'", '"'))]
    except ValueError:
        return []


def is_default(value: Any, schema: JsonObject) -> bool:
    """Whether a value is the parameter's default, declared or stated, in whatever type JSON gave it."""
    if "default" in schema:
        return _same(schema["default"], value)
    beside = (_beside_mention(str(schema.get("description", ""))) or "").strip("\"'“”`")
    return any(_same(default, value) for default in (*defaults(schema), beside))


def _same(default: Any, value: Any) -> bool:
    if isinstance(default, int | float) and isinstance(value, int | float):
        return default == value and isinstance(default, bool) is isinstance(value, bool)
    if isinstance(default, str | int | float) and isinstance(value, str | int | float):
        sign = [str(one).strip().startswith("-") for one in (default, value)]
        return sign[0] is sign[1] and normal(str(default)) == normal(str(value)) != ""
    return bool(default == value)


def _beside_mention(text: str) -> str | None:
    """What stands next to the first mention of a default, with its quotes; None where none is mentioned."""
    text = " ".join(text.split())  # both patterns know single blanks only: with runs of them they would be slow
    mentions = _mentions()
    found = mentions.before.search(text) or mentions.after.search(text)
    return found[1].rstrip(".。") if found else None

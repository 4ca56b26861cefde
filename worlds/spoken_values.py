"""Draw values that a person could say for a parameter, with the words they would use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from wildtool.language.day_phrases import say_day
from wildtool.language.parameter_names import humanise, looks_like_id
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import plain_type, properties, text_fits
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language
from wildtool.worlds.words import pool, world_words

_PAST = re.compile(r"since|after|start|from|birth|begin|past|history", re.IGNORECASE)


@dataclass(frozen=True)
class Said:
    """A value and the words that say it."""

    value: Any
    words: str
    source: Literal["user", "clock"] = "user"


def speak(value: Any, language: Language) -> str:
    """Word a value: ``garlic and onion`` for a list, ``7.5`` for a number."""
    if isinstance(value, list):
        words = [speak(item, language) for item in value]
        glue = world_words(language)["list"]
        return glue["last"].join([glue["between"].join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
    if isinstance(value, bool):
        return str(world_words(language)["yes" if value else "no"])
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def pick(
    tool: Tool, parameter: str, language: Language, now: str, rng: Random, *, avoid: frozenset[str] = frozenset()
) -> Said | None:
    """Draw a value for a parameter that a person could say; None where nobody could (objects, tokens, bare UUIDs).

    ``avoid`` holds canonical JSON of values that would not be new. Values that equal the default are never picked:
    nobody asks for what they get anyway.
    """
    schema = properties(tool).get(parameter, {})
    text = canonical_json(schema)
    options = [
        said
        for said in _options(tool, parameter, schema, language, now, rng)
        if (known := canonical_json(said.value)) not in avoid
        and said.value != schema.get("default", _NOTHING)
        and text_fits(known, text)
    ]
    return rng.choice(options) if options else None


_NOTHING = object()


def _options(tool: Tool, parameter: str, schema: JsonObject, language: Language, now: str, rng: Random) -> list[Said]:
    if parameter in tool.enum_words and "enum" in schema:
        spoken = tool.enum_words[parameter]
        return [Said(each, spoken[str(each)]) for each in schema["enum"] if str(each) in spoken]
    if tool.examples.get(parameter):
        return [Said(each, speak(each, language)) for each in tool.examples[parameter]]
    if "const" in schema:
        return []
    if "enum" in schema:
        directions = world_words(language)["directions"]
        return [
            Said(each, directions.get(str(each).lower(), _option(str(each))))
            for each in schema["enum"][:20]
            if isinstance(each, str | int) and each != ""
        ]
    match plain_type(schema):
        case "string" | "any":
            return _strings(parameter, schema, language, now, rng)
        case "boolean":
            # The catalogue's fragments say that an option is wanted; none says that it is not.
            if schema.get("default") is True and parameter in tool.optional_phrasings:
                return []
            return [Said(not schema.get("default", False), "")]
        case "integer":
            return [Said(each, str(each)) for each in _numbers(parameter, schema, rng)]
        case "number":
            return [Said(each, speak(each, language)) for each in _numbers(parameter, schema, rng)]
        case "array":
            items = schema.get("items")
            if not isinstance(items, dict) or plain_type(items) in ("object", "array"):
                return []
            singles = [each for each in _options(tool, parameter, items, language, now, rng) if each.source == "user"]
            values = [each.value for each in singles if each.words]
            rng.shuffle(values)
            least = max(1, int(schema.get("minItems", 1)))
            cut = values[: max(least, rng.choice((1, 2)))]
            return [Said(cut, speak(cut, language))] if len(cut) >= least else []
        case _:
            return []


def _option(value: str) -> str:
    """Word an option: ``IN_PROGRESS`` as ``in progress``; short codes stay."""
    return humanise(value.lower() if value.isupper() and len(value) > 3 else value)


def _strings(parameter: str, schema: JsonObject, language: Language, now: str, rng: Random) -> list[Said]:
    form = schema.get("format", "")
    dated = re.search(r"(?:^|_)date$|Date$", parameter) or (
        re.search(
            r"(?:^|_)(?:since|until|after|before|from|to|start|end)$|[a-z](?:Since|Until|After|Before)$", parameter
        )
        and re.search(r"\bdate|YYYY|\bday\b", str(schema.get("description", "")))
    )
    if form == "date" or (form == "" and dated and not schema.get("pattern")):
        day, words = say_day(now, language, rng, past=bool(_PAST.search(parameter)))
        return [Said(day.isoformat(), words, "clock")]
    if form == "date-time":
        day, words = say_day(now, language, rng, past=bool(_PAST.search(parameter)))
        hour = rng.choice((9, 12, 15, 18))
        at = str(world_words(language)["at_hour"]).format(day=words, hour=hour)
        return [Said(f"{day.isoformat()}T{hour:02}:00:00Z", at, "clock")]
    if form == "time":
        hours = rng.sample(range(7, 22), 4)
        return [Said(f"{hour:02}:30", f"{hour:02}:30") for hour in hours]
    if form in ("uuid", "byte", "binary", "password", "ipv6"):
        return []
    if form == "email":
        parameter = "email"
    if form in ("uri", "url"):
        parameter = "url"
    if looks_like_id(parameter):
        return [Said(each, each) for each in (f"{rng.choice('ABCDKMRT')}{rng.randrange(1000, 9999)}" for _ in range(4))]
    if codes := _country_codes(parameter, str(schema.get("description", "")), language):
        return codes
    return [Said(each, each) for each in pool(parameter, language)]


def _country_codes(parameter: str, description: str, language: Language) -> list[Said]:
    """Return codes of countries, said by the countries' names, where a parameter is documented to take codes."""
    if not re.search(r"country|nation|region", parameter, re.IGNORECASE):
        return []
    # Where a description speaks of both, two letters are what it asks for first.
    two, three = (pattern.search(description) for pattern in _CODE_FORMS)
    if not two and not three:
        return []
    names = world_words(language)["countries"]
    short = two and not (three and "alpha" not in two[0].lower())
    codes = {alpha_2: alpha_2 for alpha_2 in names} if short else _ALPHA_3
    return [Said(codes[alpha_2], name) for alpha_2, name in names.items() if alpha_2 in codes]


_ALPHA_3 = {"FR": "FRA", "JP": "JPN", "BR": "BRA", "CA": "CAN", "KE": "KEN", "PT": "PRT", "IN": "IND", "TH": "THA"}
"""ISO 3166-1: alpha-3 by alpha-2, of the countries that ``words/<code>/values.toml`` names."""

_CODE_FORMS = (
    re.compile(
        r"alpha-?2|(?<![A-Za-z])(?:two|2)[- ](?:letter|character|digit)|ISO[ -]?3166(?!-2)|两位字母|两个字母|二字码",
        re.IGNORECASE,
    ),
    re.compile(r"alpha-?3|(?<![A-Za-z])(?:three|3)[- ](?:letter|character)|三位字母|三字码", re.IGNORECASE),
)
"""How descriptions document that a country is given as a code of two, and of three letters."""


def _numbers(parameter: str, schema: JsonObject, rng: Random) -> list[int | float]:
    whole = plain_type(schema) == "integer"
    low, high = schema.get("minimum"), schema.get("maximum")
    if re.search(r"^(?:limit|per_?page|page_?size|max_?results|paginate_?limit)$", parameter, re.IGNORECASE):
        return [each for each in (3, 5, 10, 15, 20) if (low or 0) <= each <= (high or 20)]
    if low is None and high is None:
        if looks_like_id(parameter):
            return [rng.randrange(1000, 99999) for _ in range(4)]
        if re.search(r"year", parameter, re.IGNORECASE):
            return [2019, 2020, 2021, 2022, 2023]
        if re.search(r"^lat", parameter, re.IGNORECASE):
            return [48.85, 35.68, -33.87, 52.52]
        if re.search(r"^l(?:on|ng)", parameter, re.IGNORECASE):
            return [2.35, 139.69, 151.21, 13.4]
        return [2, 3, 5, 10, 20, 25] if whole else [5.5, 12, 20, 49.9, 80]
    low = 0 if low is None else low
    high = low + 50 if high is None else min(high, low + 500)
    steps = [low + (high - low) * share for share in (0.1, 0.25, 0.4, 0.6, 0.8)]
    return sorted({int(step) for step in steps} if whole else {round(step, 1) for step in steps})

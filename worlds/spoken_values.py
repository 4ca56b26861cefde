"""Values that a person could say for a parameter, and the words they would use."""

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

_PAST = re.compile(r"since|after|start|from|birth|begin|past|history", re.IGNORECASE)

POOLS: dict[Language, tuple[tuple[str, tuple[str, ...]], ...]] = {
    Language.EN: (
        (r"email", ("ana.kovac@example.org", "tom.reyes@example.com", "li.meier@example.net")),
        (r"phone|mobile|msisdn", ("+44 20 7946 0958", "+1 415 555 0134", "+49 30 901820")),
        (r"country", ("France", "Japan", "Brazil", "Canada", "Kenya", "Portugal", "India")),
        (r"currency", ("USD", "EUR", "GBP", "JPY", "CHF")),
        (r"lang|locale", ("en", "fr", "de", "es", "ja")),
        (r"city|town|place|location|destination|origin|region|area|address|venue|station",
         ("Lyon", "Porto", "Osaka", "Ghent", "Leipzig", "Bristol", "Vancouver", "Valencia", "Kraków")),
        (r"state|province", ("Texas", "Oregon", "Ohio", "Bavaria", "Ontario")),
        (r"post|zip", ("94110", "10115", "75011", "02139")),
        (r"company|organi[sz]ation|business|vendor|employer|brand",
         ("Brightwater Foods", "Nordwind Energy", "Hollis and Grey", "Kestrel Logistics", "Pine Street Books")),
        (r"user|author|person|owner|member|player|artist|first|last|customer|contact|guest|name",
         ("Maya Lindqvist", "Omar Haddad", "Priya Nair", "Jonas Weber", "Elena Rossi", "Kofi Mensah")),
        (r"team|club", ("Falcons", "Harbour City", "Red Pines", "Northside")),
        (r"symbol|ticker", ("AAPL", "NVDA", "SAP", "TM", "SHEL")),
        (r"url|link|website|domain|host",
         ("https://example.org/news", "https://example.com/menu", "https://example.net/a")),
        (r"colou?r", ("navy blue", "dark green", "coral", "white")),
        (r"categor|genre|type|kind|tag|topic|subject",
         ("travel", "cooking", "science", "history", "jazz", "gardening")),
        (r"title|headline", ("Spring newsletter", "Weekend plans", "Quarterly figures", "Reading club")),
        (r"text|message|comment|content|body|note|desc|reason",
         ("running ten minutes late", "please call before delivery", "looks good to me", "great service, thank you")),
        (r"sort|order", ("date", "name", "price")),
        (r"", ("garden tools", "mountain bikes", "city history", "olive oil", "electric cars", "night trains",
               "board games", "solar panels", "coffee", "open data")),
    ),
    Language.ZH: (
        (r"email", ("wang.fang@example.org", "li.wei@example.com", "chen.jing@example.net")),
        (r"phone|mobile|msisdn", ("+86 10 5555 0134", "+86 21 5555 0178")),
        (r"country", ("法国", "日本", "巴西", "加拿大", "泰国", "葡萄牙")),
        (r"currency", ("CNY", "USD", "EUR", "JPY")),
        (r"lang|locale", ("zh", "en", "ja", "fr")),
        (r"city|town|place|location|destination|origin|region|area|address|venue|station",
         ("杭州", "成都", "厦门", "西安", "青岛", "苏州", "昆明", "长沙")),
        (r"user|author|person|owner|member|player|artist|first|last|customer|contact|guest|name",
         ("王小雨", "李思远", "陈嘉禾", "赵一鸣", "周若兰")),
        (r"symbol|ticker", ("AAPL", "NVDA", "BABA", "TM")),
        (r"url|link|website|domain|host", ("https://example.org/news", "https://example.com/menu")),
        (r"categor|genre|type|kind|tag|topic|subject", ("旅行", "美食", "科学", "历史", "爵士乐", "园艺")),
        (r"", ("园艺工具", "山地车", "城市历史", "橄榄油", "电动汽车", "夜班火车", "桌游", "咖啡")),
    ),
}  # fmt: skip
"""By language: pattern of a parameter's name and what people say; the first that matches, the last always does."""


@dataclass(frozen=True)
class Said:
    """A value and the words that say it."""

    value: Any
    words: str
    source: Literal["user", "clock"] = "user"


def speak(value: Any, language: Language) -> str:
    """A value in plain words: ``garlic and onion`` for a list, ``7.5`` for a number."""
    if isinstance(value, list):
        words = [speak(item, language) for item in value]
        glue = " and " if language is Language.EN else "和"
        comma = ", " if language is Language.EN else "、"
        return glue.join([comma.join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
    if isinstance(value, bool):
        return {(True, "en"): "yes", (False, "en"): "no", (True, "zh"): "是", (False, "zh"): "否"}[value, str(language)]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def pick(
    tool: Tool, parameter: str, language: Language, now: str, rng: Random, *, avoid: frozenset[str] = frozenset()
) -> Said | None:
    """A value for a parameter that a person could say; None where nobody could (objects, tokens, bare UUIDs).

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

_DIRECTIONS = {"asc": "ascending", "desc": "descending"}
"""How people say the directions of an order."""


def _options(tool: Tool, parameter: str, schema: JsonObject, language: Language, now: str, rng: Random) -> list[Said]:
    if parameter in tool.enum_words and "enum" in schema:
        spoken = tool.enum_words[parameter]
        return [Said(each, spoken[str(each)]) for each in schema["enum"] if str(each) in spoken]
    if tool.examples.get(parameter):
        return [Said(each, speak(each, language)) for each in tool.examples[parameter]]
    if "const" in schema:
        return []
    if "enum" in schema:
        return [
            Said(each, _DIRECTIONS.get(str(each).lower(), humanise(str(each))))
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
        at = f"{words} at {hour}:00" if language is Language.EN else f"{words}{hour}点"
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
    pools = POOLS[language]
    spoken = next(pool for pattern, pool in pools if re.search(pattern, parameter, re.IGNORECASE))
    return [Said(each, each) for each in spoken]


def _country_codes(parameter: str, description: str, language: Language) -> list[Said]:
    """Codes of countries, said by the countries' names, where a parameter is documented to take codes; else none."""
    if not re.search(r"country|nation|region", parameter, re.IGNORECASE):
        return []
    # Where a description speaks of both, two letters are what it asks for first.
    two, three = (pattern.search(description) for pattern in _CODE_FORMS)
    if not two and not three:
        return []
    return [
        Said(
            codes[0 if two and not (three and "alpha" not in two[0].lower()) else 1],
            codes[2 if language is Language.EN else 3],
        )
        for codes in COUNTRIES
    ]


COUNTRIES = (
    ("FR", "FRA", "France", "法国"), ("JP", "JPN", "Japan", "日本"), ("BR", "BRA", "Brazil", "巴西"), ("CA", "CAN", "Canada", "加拿大"),
    ("KE", "KEN", "Kenya", "肯尼亚"), ("PT", "PRT", "Portugal", "葡萄牙"), ("IN", "IND", "India", "印度"),
    ("TH", "THA", "Thailand", "泰国"),
)  # fmt: skip
"""ISO 3166-1: alpha-2, alpha-3, and how people say them in English and Chinese."""

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

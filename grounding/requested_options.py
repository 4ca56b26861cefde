"""Whether anybody asked for an optional argument: stricter than whether its value could follow from something."""

from __future__ import annotations

import re
from typing import Any

from wildtool.grounding.evidence import TIMELY, Known, content_words, grounded, is_number, supports
from wildtool.language.counts import Count, counts, kind_of_parameter
from wildtool.language.dates.spoken import expressions, when_said
from wildtool.language.dates.values import days_of_value
from wildtool.language.folding import normal, tokens
from wildtool.schemas.base import JsonObject
from wildtool.schemas.session import Call

CURRENCIES = {
    "usd": r"\$|dollar|buck|usd|美元|美金|刀", "eur": r"€|euro|欧元", "gbp": r"£|pound|quid|sterling|英镑", "jpy": r"¥|yen|日元|日圆",
    "cny": r"¥|yuan|rmb|renminbi|元|块|人民币", "chf": r"franc|瑞郎|法郎", "inr": r"₹|rupee|卢比", "krw": r"₩|won\b|韩元",
    "cad": r"\$|dollar|加元", "aud": r"\$|dollar|澳元", "hkd": r"\$|dollar|港币|港元", "sek": r"kron|瑞典克朗", "nok": r"kron|挪威克朗",
    "dkk": r"kron|丹麦克朗", "mxn": r"peso|比索", "brl": r"real|雷亚尔", "try": r"lira|里拉", "thb": r"baht|泰铢", "pln": r"z[lł]ot|兹罗提",
}  # fmt: skip
LANGUAGES = {
    "en": r"english|英文|英语", "de": r"german|deutsch|德文|德语", "fr": r"french|法文|法语", "es": r"spanish|西班牙", "it": r"italian|意大利",
    "pt": r"portug|葡萄牙", "nl": r"dutch|荷兰", "ru": r"russian|俄文|俄语", "ja": r"japanese|日文|日语", "ko": r"korean|韩文|韩语",
    "zh": r"chinese|mandarin|中文|汉语|普通话", "ar": r"arabic|阿拉伯", "hi": r"hindi|印地", "pl": r"polish|波兰", "sv": r"swedish|瑞典",
    "tr": r"turkish|土耳其", "vi": r"vietnam|越南", "th": r"\bthai|泰文|泰语", "el": r"greek|希腊", "la": r"latin|拉丁",
}  # fmt: skip
_LIMITING = frozenset(("limit", "page", "offset", "size", "top", "max", "results", "per", "skip", "start"))
"""Words of names whose numbers a user says as such or not at all: sums and other units prove nothing."""


def asked_for(known: Known, call: Call, path: str, value: Any, schema: JsonObject) -> bool:
    """Whether something asks for an optional value: words, results, or a trace that holds."""
    if value is None or value == "" or any(supports(known, one) for one in call.trace if one.argument == path):
        return True
    if isinstance(value, bool):
        return bool(content_words(f"{path} {schema.get('description', '')}") & content_words(known.texts)) or _switched(
            path, known
        )
    if "enum" in schema:
        return _choice_said(known, path, str(value), schema)
    if is_number(value):
        if "lat" in path.casefold() or "lon" in path.casefold() or "lng" in path.casefold():
            return True
        return _number_asked(known, path, float(value), schema, call)
    text = str(value)
    if days_of_value(text) is not None or re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", text):
        said = when_said(known.texts, known.session.language, known.session.now)
        return bool(said) or said.unclear or bool(TIMELY.search(known.texts)) or known.observed_day(text)
    if re.fullmatch(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?", text):
        return _code_said(known, path, text, schema)
    return grounded(known, path, value, schema, call.trace)


def _number_asked(known: Known, path: str, value: float, schema: JsonObject, call: Call) -> bool:
    """Somebody said the number, and not of something else: "one child" asks for no stop."""
    kind = kind_of_parameter(tokens(re.sub(r"\[\d+\]$", "", path).rpartition(".")[2]))
    about = set(tokens(f"{path} {schema.get('description', '')}"))
    said = [one for one in counts(known.texts) if value in one.values and not _is_dated(known, one)]
    for one in said:
        if not one.article and (one.kind in (None, kind) or about & (one.kind.parameters | {one.kind.name})):
            return True
    if set(tokens(path)) & _LIMITING and kind is None:
        return False
    timed = re.search(r"year|month|day|date|hour|minute|week|time|年|月|日|时", path.casefold())
    if value in known.spoken_numbers and not timed and (value < 20 or not said):
        return False  # said of something else; and small numbers follow from sums and units by chance
    return grounded(known, path, value, schema, call.trace)


def _is_dated(known: Known, one: Count) -> bool:
    """Whether a number is part of a day or a time: it counts nothing."""
    spans = expressions(known.texts, known.session.language, known.session.now)
    return one.kind is None and any(span.start <= one.number < span.end for span in spans)


def _switched(path: str, known: Known) -> bool:
    """A switch whose name is short (``tv``, ``pet``) and stands in the words."""
    return _in_other_words(path, known) or any(
        len(word) > 1 and word in tokens(known.texts)
        for word in tokens(path)
        if word not in ("is", "has", "with", "include", "only", "no")
    )


_OTHER_WORDS = {
    "automatic": r"\bshifts? (?:gears? )?(?:by itself|on its own)|\bauto\b|自动|不用换挡", "gps": r"\bsat[- ]?nav|\bnavigation|\bnavi\b|导航",
    "wifi": r"\bwi-?fi|\binternet|无线|上网", "pets": r"\bdogs?\b|\bcats?\b|狗|猫|宠物", "pet": r"\bdogs?\b|\bcats?\b|狗|猫|宠物",
    "direct": r"\bnon-?stop|\bwithout (?:a |any )?(?:chang|stop)|直飞|直达|不转机|不中转", "nonstop": r"\bdirect|直飞|直达|不转机",
    "vegetarian": r"\bmeat-?less|\bno meat|\bveggie|素", "outdoor": r"\boutside|\bterrace|室外|露天", "child_seat": r"\bbaby seat|\bcar seat|儿童座椅",
}  # fmt: skip
"""What people say instead of a switch's or a choice's name."""


def _in_other_words(name: str, known: Known) -> bool:
    words = {*tokens(name), name}
    return any(word in words and re.search(said, known.texts.casefold()) for word, said in _OTHER_WORDS.items())


def _choice_said(known: Known, path: str, value: str, schema: JsonObject) -> bool:
    """ "in Fahrenheit", "cheapest first", 按价格: a stem of the value or of what the parameter is about is enough."""
    if (known.said(value) and len(normal(value)) > 1) or _in_other_words(value, known):
        return True
    stems = {token[:4] for token in tokens(value) if token.isascii() and len(token) >= 4}
    own, others = _explained(value, schema)
    specific = content_words(own) - content_words(others)
    heard = content_words(known.texts)
    if specific:
        return bool(specific & heard) or _has_stem(stems - {"pric"}, known) or known_code(known, value)
    about = content_words(f"{re.sub(r'[_-]', ' ', value)} {path} {_described(schema)}")
    path_stems = {token[:4] for token in tokens(path) if token.isascii() and len(token) >= 4}
    return bool(about & heard) or _has_stem(stems | path_stems, known) or known_code(known, value)


def _has_stem(stems: set[str], known: Known) -> bool:
    return any(token.startswith(stem) for stem in stems for token in tokens(known.texts))


def _explained(value: str, schema: JsonObject) -> tuple[str, str]:
    """What the description says of this choice and of the others; nothing where it does not tell them apart."""
    text = str(schema.get("description", ""))
    choices = [str(one) for one in schema.get("enum", ())]
    pieces = re.split(r"[,，;；、()（）:：\n]|\.\s|\bor\b|或", text)
    mine = [piece for piece in pieces if _names(piece, value)]
    theirs = [piece for piece in pieces if any(_names(piece, other) for other in choices if other != value)]
    if len(mine) == 1 and theirs and mine[0] not in theirs and mine[0].strip(" .\"'`") != value:
        return mine[0], " ".join(theirs)
    return "", ""


def _described(schema: JsonObject) -> str:
    """The description without the list of choices, whose words would stand for every choice."""
    text = str(schema.get("description", ""))
    return "" if sum(_names(text, str(one)) for one in schema.get("enum", ())) > 1 else text


def _names(piece: str, choice: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(choice)}(?![A-Za-z0-9_])", piece) is not None


def _code_said(known: Known, path: str, text: str, schema: JsonObject) -> bool:
    about = f"{path} {schema.get('description', '')}".casefold()
    if known.observed(text) or re.search(rf"(?<![A-Za-z]){re.escape(text)}(?![A-Za-z])", known.texts, re.IGNORECASE):
        return True
    if re.search(
        r"country|region|nation|market|airport|iata|state|province|station|origin|destination|国|地区|机场|省|州", about
    ):
        return True  # China is CN, Paris is CDG: places have codes that their names do not hold
    if known_code(known, text):
        return True
    if re.search(r"lang|locale|语言|currenc|货币|币种", about):
        return False
    letters = iter(normal(known.texts))
    return len(text) > 2 and all(letter in letters for letter in text.casefold()) and len(known.texts) < 60


def known_code(known: Known, text: str) -> bool:
    """The value is the code of a currency or a language whose name was said."""
    code = text.casefold()
    pattern = CURRENCIES.get(code) or LANGUAGES.get(code[:2] if len(code) != 3 else code)
    return pattern is not None and re.search(pattern, known.texts.casefold()) is not None

"""Whether a question asks, and for what: words of a slot's name and description, and those of what it takes."""

from __future__ import annotations

import re
from typing import Any

from wildtool.grounding.evidence import content_words
from wildtool.language.counts import kind_of_parameter
from wildtool.language.folding import folded, tokens
from wildtool.language.spoken_numbers import numbers_said
from wildtool.schemas.session import Ask

_ASKS = re.compile(
    r"[?？]|\b(?:what|which|when|where|who|whose|how|could|can|would|will|shall|should|may|might|do you|did you|are you|is it|please|"
    r"tell|let me know|let us know|need|missing|provide|give|share|specify|confirm|choose|name)\b|"
    r"[吗呢几哪谁]|多少|多[久长大远高]|什么|何|怎么|请|告诉|告知|提供|需要|还缺|麻烦|还是|说一下|补充|确认"
)
"""Words and signs of a question or a request; "Okay." has none."""
_COUNT = r"\bhow (?:many|much|big|large)\b|\bnumber\b|\bcount\b|\bquantit|\bhow long\b|几|多少|数量|多大|多久|多长"
_CUES: tuple[tuple[frozenset[str], str], ...] = tuple(
    (frozenset(names.split()), cues)
    for names, cues in (
        (
            "date day checkin checkout",
            r"\bwhen\b|\bdays?\b|\bdates?\b|\bnight\b|\bweek|\bmonth|\bhow (?:long|soon|late)\b|\bfrom\b|\buntil\b|\btoday\b|\btomorrow\b|\btonight\b|(?<=\w)day\b|\bcheck\b|日|天|号|何时|时候|时间|周|星期|多久|月|今|明|晚",
        ),
        (
            "time",
            r"\bwhen\b|\btimes?\b|\bhour|\bo'clock\b|\bhow (?:early|late|soon)\b|\blunch|\bdinner|\bmorning|\bafternoon|\bevening|点|时|几分|早|晚|午",
        ),
        (
            "city town destination origin departure country location place address region",
            r"\bwhere\b|\bwhereabouts\b|\bcit(?:y|ies)\b|\btowns?\b|\bplaces?\b|\bcountr|\blocation|\baddress|\bairport|\bstation|\barea|\bregion|\bstate|"
            r"\bdestination|\bfrom\b|\bto\b|\bgoing\b|\bhome|\bpoint\b|\bspot|\bpost ?code|\bzip\b|\bwhich (?!day|date|time|hour|seat|show|kind|type|category|size|colou?r|number|person|name)|城|哪(?!天|一天|场|位|种|款|类|日|个时)|何处|地|国|出发|到达|去哪|从哪|机场|车站|位置|省|市|区|街",
        ),
        (
            "email mail",
            r"\be-?mails?\b|\bmail\b|\baddress\b|\bwhere\b|\breach you\b|\bsend\b|邮|信箱|发[到给送]|哪里|哪儿",
        ),
        ("phone telephone mobile", r"\bphone|\bnumber|\bmobile|\bcall\b|电话|手机|号码"),
    )
)
"""What a question says that asks for a parameter of a name."""
_COUNT_MORE = {
    "people": r"\bwho\b|\balone\b|\banyone\b|\bparty\b|\bpeople\b|\bguests?\b|\bcoming\b|\btravell?ing\b|\bjust you\b|谁|人|位",
    "children": r"\bchild|\bkids?\b|孩|儿童",
    "money": r"\bbudget|\bprice|\bcost|\bspend|\bpay\b|\bafford|\bamount|\bsum\b|\bfigure|\blimit|\bmost\b|\bmax|\bmin|\bceiling|\bexpensive|上限|下限|最多|最少|预算|价|钱|额|费|花",
    "nights": r"\blong\b|\bnight|\buntil\b|\bleave\b|\bstay|\bcheck|晚|夜|住|离开|退房",
    "days": r"\blong\b|\bdays?\b|\buntil\b|\breturn\b|\bback\b|天|日|还车|回来",
    "weeks": r"\blong\b|\bweeks?\b|\buntil\b|周|星期",
    "hours": r"\blong\b|\bhours?\b|\btime\b|小时|时",
    "minutes": r"\blong\b|\bminutes?\b|\btime\b|分",
    "distance": r"\bfar\b|\bdistance|\bradius|\bwithin\b|\bclose\b|\brange\b|远|距|范围|公里",
    "years of age": r"\bold\b|\bage|\bborn\b|岁|年龄|年纪",
    "stars": r"\brating|\bstars?\b|\bscore|\bgood\b|\bleast\b|\bminimum|星|评分|分",
}
"""The same for what is counted, beside "how many"."""


def faulty_question(ask: Ask, function: Any) -> str | None:
    """Why a question does not ask for its slots; None where it does, or where that cannot be told."""
    text = folded(ask.question)
    if not _ASKS.search(text):
        return "the question asks nothing"
    properties = function.get("parameters", {}).get("properties", {})
    for slot in ask.slots:
        schema = properties.get(slot)
        if isinstance(schema, dict) and _asked(slot, schema, text) is False and not _offers(ask):
            return f"the question does not ask for {slot}"
    return None


def _offers(ask: Ask) -> bool:
    """The question names what the reply chooses: "Rome or Milan?" """
    return re.search(r"\bor\b|还是|或", ask.question.casefold()) is not None and bool(
        set(tokens(ask.reply)) & set(tokens(ask.question))
    )


def _asked(slot: str, schema: Any, text: str) -> bool | None:
    """Whether the text asks for the slot; None where nobody can tell by words."""
    name = tokens(slot)
    description = str(schema.get("description", ""))
    cues = None
    kind = kind_of_parameter(name) if schema.get("type") in ("integer", "number") else None
    if kind is not None:
        if kind.name in ("money", "distance") or "enum" in schema:
            cues = None if "enum" in schema else f"{_COUNT}|{_COUNT_MORE[kind.name]}"
        elif kind.name in ("weeks", "days", "nights", "hours", "minutes"):
            cues = rf"\bhow (?:many|much|long)\b|几|多少|多久|多长|{_COUNT_MORE[kind.name]}"
        else:
            cues = f"{_COUNT}|{_COUNT_MORE.get(kind.name, 'how')}"
    elif "enum" not in schema and schema.get("type") == "string":
        cues = next((pattern for names, pattern in _CUES if names & set(name)), None)
    if cues is None:
        return None
    offered = kind is not None and bool(numbers_said(text) or re.search(r"\bjust (?:one|you)\b", text))
    if offered or re.search(cues, text):  # "one or two?" asks for a number by naming some
        return True
    words = {word[:5] for word in name if len(word) > 2}
    if kind is None and any(word[:5] in words for word in tokens(text)):
        return True
    own = content_words(description) - _VAGUE
    return (bool(own & content_words(text)) and kind is None) or (
        kind is not None and bool(words & {w[:5] for w in tokens(text)})
    )


_VAGUE = frozenset(("numbe", "value", "forma", "yyyy"))
"""Stems of descriptions that are of no slot in particular."""

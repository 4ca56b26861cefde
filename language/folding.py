"""Texts made comparable, and how people point at things, in both languages at once."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from wildtool.language.day_spans import MONTHS
from wildtool.language.number_phrases import CHINESE_NUMBER, chinese_numbers, folded

REFERS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|there|this|that|these|those|same|former|latter|such|he|she|him|her|his|hers|both|either|"
    r"neither|other|another|ones?|above|earlier|previous|again|last|here|back|then|whose|which|instead|unchanged)\b|它|这|那|该|其|他|她|同一|同样|一样|前者|后者|上述|"
    r"上面|刚才|之前|上次|另|两者|此|再|还是|哪|不变|照旧|原来|也|头一|中间|\b(?:cheap|clos|near|high|low|long|short|dear|earli|pric[ie]+|larg|bigg|small|fast|late|new|old)est\b|\bbest\b|\bthe (?:most|least|final|middle|lot)\b|\bany\b|whatever|你定|随便|最"
)
"""Words that point at something said before."""

_ORDINAL_WORDS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "seventh": 6, "eighth": 7,
                  "ninth": 8, "tenth": 9, "eleventh": 10, "twelfth": 11}  # fmt: skip
_POSITIONS = {word: position for position, word in enumerate(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))}  # fmt: skip


@lru_cache(maxsize=8192)  # gates compare the values of one session again and again
def normal(text: str) -> str:
    """Text for comparing: compatible forms and cases folded, only letters and digits kept."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in folded if char.isalnum())


def tokens(text: str) -> list[str]:
    """Words of Latin scripts and single Chinese characters, folded; camelCase and snake_case are taken apart."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", unicodedata.normalize("NFKC", text))
    return re.findall(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+", spaced.casefold())


def weight(text: str) -> int:
    """How telling a text is: its letters and digits, a Chinese character counting as two."""
    return sum(2 if "\u3400" <= char <= "\u9fff" else 1 for char in normal(text))


_NO_ITEM = (
    r"times?\b|of all|things?\b|half|week|day|night|floor|class|requests?|messages?|lists?\b|results\b|search|questions?|answers?|"
    r"step|round|two|three|four|five|few|couple|\d|person|name|letter|quarter|month|year|weekend|century|opinion|thought|hand|world|"
    r"\w+est\b|most|least|best|worst|cheap|aid|language|generation|season|episode|chapter|edition|grade|degree|party|and foremost|of (?:the month|"
    rf"(?:{'|'.join(MONTHS)}))"
)
"""What follows an ordinal that points at no item of a list: "the first time", "the very first list", "the second cheapest"."""
_NO_LAST = (
    r"time|week|month|year|night|day|weekend|minute|second\b|hour|name|chance|call|train|bus|ferry|few|couple|two|three|four|five|six|\d|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|summer|winter|spring|autumn|fall|quarter|season|century|decade|thing|"
    r"question|message|request|search|spring|resort|"
    rf"{'|'.join(MONTHS)}"
)
_ADJECTIVE_ZH = "便贵高低大小快慢近远好新早晚长短多少热冷强弱轻重老旧"


def ordinals_said(text: str) -> set[int]:
    """Positions that a text points at: 0 for the first, -1 for the last. Days of a month and 第二天 are none."""
    plain = folded(text)
    months = "|".join((*MONTHS, *(name[:3] for name in MONTHS)))
    named = "|".join(_ORDINAL_WORDS)
    plain = re.sub(rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)?|(?:{named})(?: of)?) (?:{months})\b", " ", plain)
    plain = re.sub(rf"\b(?:{months})\.? (?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?|{named})\b", " ", plain)
    plain = re.sub(r"\b(?:on|by|until|till|before|after|from|to) the \d{1,2}(?:st|nd|rd|th)\b", " ", plain)
    found: set[int] = set()
    backwards = r"\b(second|third|fourth|2nd|3rd|4th)[- ](?:(?:to|from)(?: the)?[- ])?(?:last|end)\b|\b(next[- ]to[- ]last|last but one|penultimate|one before (?:the )?last)\b"
    for word, other in re.findall(backwards, plain):
        found.add(
            {"second": -2, "2nd": -2, "third": -3, "3rd": -3, "fourth": -4, "4th": -4}.get(word, -2)
            if not other
            else -2
        )
    plain = re.sub(backwards, " ", plain)
    for word in re.findall(rf"倒数第?({CHINESE_NUMBER}|\d+)(?!天)", plain):
        found.update(-position for position in _ordinal_numbers(word))
    plain = re.sub(rf"倒数第?(?:{CHINESE_NUMBER}|\d+)", " ", plain)
    if re.search(
        rf"\bthe (?:very )?last\b(?! (?:{_NO_LAST}))(?=\W*\w|\W*$)|(?<!at )\blast (?:one|option|item|entry|result)\b|\bthe final (?:one|option|item|entry|result|choice)\b",
        plain,
    ):
        found.add(-1)
    if re.search(
        r"最后(?:的)?(?:一|那)?(?:一)?[个条家场部首项款张本只份间辆位篇班趟种件座处道](?!月|星期|小时)|末尾那|排在?最后的",
        plain,
    ):
        found.add(-1)
    if re.search(r"\bthe former\b|前者", plain):
        found.add(0)
    if re.search(r"\bthe latter\b|后者", plain):
        found.update((1, -1))
    for word, position in _ORDINAL_WORDS.items():
        if re.search(
            rf"\b(?:the|that|this|your|their|my) (?:very )?{word}\b(?![- ](?:{_NO_ITEM}))(?!'s)|(?<!\bat )\b{word} (?:one|option|item|result|entry|choice|suggestion)\b",
            plain,
        ) or (
            re.search(rf"\b(?:and|or) (?:the )?{word}\b(?= (?:one|option|item|result)s?\b|\W*$|[.,?!])", plain)
            and re.search(rf"\bthe (?:{named})\b", plain)
        ):
            found.add(position)
    for digits in re.findall(
        r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! (?:of|floor|century|street|avenue|\w+est\b|most|best))", plain
    ):
        found.add(int(digits) - 1)
    for word in re.findall(
        r"\b(?:number|option|no\.|item|choice|result|entry) ?#?(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\b|(?<!\w)#(\d{1,2})\b",
        plain,
    ):
        chosen = word[0] or word[1]
        found.add(int(chosen) - 1 if chosen.isdigit() else _POSITIONS[chosen])
    for word in re.findall(
        rf"第({CHINESE_NUMBER}|\d+)(?!天|次|季|集|章|届|周|层|楼|期|页|步|轮|版|号线|大道|街|年|月|人|时间|[{_ADJECTIVE_ZH}]|最|[个条份](?:请求|消息|问题|列表|清单|名单|月|星期|小时))",
        plain,
    ):
        found.update(position - 1 for position in _ordinal_numbers(word))
    plural = rf"\b(?:numbers|options|items|choices) ((?:(?:\d{{1,2}}|{'|'.join(_POSITIONS)})\b(?:, ?(?:and )?| and | & )?)+)\b"
    for run in re.findall(plural, plain):  # "numbers two and four"
        for word in re.findall(r"[a-z0-9]+", run):
            if word != "and":
                found.add(int(word) - 1 if word.isdigit() else _POSITIONS[word])
    if re.search(r"头一?[个班家趟款间场条张](?!月|星期)|首个|首选", plain):
        found.add(0)
    return {position for position in found if -50 < position < 50}


def _ordinal_numbers(word: str) -> set[int]:
    return {int(word)} if word.isdigit() else {int(number) for number in chinese_numbers(word)}

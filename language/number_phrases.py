"""Numbers as people say them, in both languages at once, each with the words around it.

Readers answer what was said for certain; where a number has several readings they give all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from wildtool.language.folding import folded

ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: number for number, word in enumerate(ONES)} | {"couple": 2, "pair": 2, "both": 2, "twice": 2}
_TENS = {word: 20 + 10 * index for index, word in enumerate(TENS)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
_SUFFIXES = {
    "k": 1e3, "thousand": 1e3, "千": 1e3, "m": 1e6, "million": 1e6, "百万": 1e6, "万": 1e4, "亿": 1e8, "dozen": 12,
    "百": 100,
}  # fmt: skip
_WORDS = "|".join(sorted((*_SMALL, *_TENS, *_SCALES), key=len, reverse=True))
_ENGLISH = re.compile(
    rf"\b(?:half a dozen|(?:an? (?=hundred|thousand|million|dozen))?(?:{_WORDS})(?:(?:[ -]|,? and )(?:{_WORDS}))*)\b"
)
_DIGITS = re.compile(
    r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?=[^\w.,]|[.,](?!\d)|[.,]?$|[a-z\u3400-\u9fff%°])|(?<=[\u3400-\u9fff$€£¥#])\d[\d,]*(?:\.\d+)?"
)
_SUFFIX = re.compile(r"\s?(k|thousand|千|m|million|百万|万|亿|dozen|百)(?![a-z])")
_CHINESE_DIGITS = {sign: digit for digit, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
CHINESE_NUMBER = "[零〇一二两俩三四五六七八九十百千万亿]{1,24}"
"""Bounded, since it is looked for at each place: 九千九百九十九亿九千九百九十九万九千九百九十九 has 23 signs."""
CLASSIFIERS = "把打台双对根块包袋箱桶碗朵棵匹头条家场部首项款张本篇只份名位则处间道班趟种件支座辆人晚天夜周星小分公元块岁次段杯瓶盒套"
_CHINESE = re.compile(rf"(?<![第零〇一二两俩三四五六七八九十百千万亿])({CHINESE_NUMBER}(?:点{CHINESE_NUMBER})?)(半)?")
_NO_ONE_BEFORE = re.compile(
    r"(?:the|this|that|which|each|every|any|no|some|another|other|first|second|third|fourth|fifth|sixth|seventh|last|next|"
    r"\w{1,30}est|best|worst|good|right|wrong|same|only|new|old|big|small|nice)\s*$"
)
_NO_ONE_AFTER = re.compile(
    r"^\s*(?:$|[^\w\s]|(?:of|in|at|on|with|that|is|was|are|for|by|from|near|you|please|and|or|to|too|more|thing|who|"
    r"which|sounds|looks|has|does|would|will|can|could|i|we|it|again|then|if|but|so|before|after)\b)"
)


@dataclass(frozen=True)
class Quantity:
    """A number that was said."""

    values: frozenset[float]
    """Its readings."""
    before: str
    """Up to 40 characters before it, folded."""
    after: str
    """Up to 40 characters after it, folded."""
    start: int = 0
    """Where it begins in the folded text."""
    end: int = 0
    """Where it ends."""
    article: bool = False
    """It is an ``a`` or ``an`` that may be meant as one."""


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATED_BEFORE = re.compile(rf"(?:\b{_MONTH}(?: the)? |周|星期|礼拜|月|\d[-/.:年])$")
_DATED_AFTER = re.compile(
    rf"^(?:st\b|nd\b|rd\b|th\b| (?:of )?{_MONTH}\b|[-/.:]\d|月|号|日(?![元圆本])|年|点| ?[ap]\.?m\b| o'clock)"
)


def is_dated(one: Quantity) -> bool:
    """The number is part of a day or a time: it counts nothing."""
    return bool(_DATED_BEFORE.search(one.before) or _DATED_AFTER.match(one.after))


@lru_cache(maxsize=2048)  # gates ask again and again of the texts of one session
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of a text, in digits or words of either language, in order of its kind."""
    plain = folded(text)

    def made(values: set[float], start: int, end: int, article: bool = False) -> Quantity:
        return Quantity(
            frozenset(values), plain[max(0, start - 40) : start], plain[end : end + 40], start, end, article
        )

    found = [
        made(values, start, end)
        for values, start, end in (*_in_digits(plain), *_in_english(plain), *_in_chinese(plain))
    ]
    for article in re.finditer(r"\ban? (?=[a-z])(?!hundred|thousand|million|dozen|couple|pair|few|lot|bit)", plain):
        found.append(made({1.0}, article.start(), article.end(), True))
    for fortnight in re.finditer(r"\b(?:a|one) fortnight\b", plain):  # counts as two weeks
        found.append(
            Quantity(frozenset((2.0,)), plain[max(0, fortnight.start() - 40) : fortnight.start()],
                     " weeks" + plain[fortnight.end() : fortnight.end() + 34], fortnight.start(), fortnight.end())
        )  # fmt: skip
    return tuple(found)


def _in_digits(plain: str) -> Iterator[tuple[set[float], int, int]]:
    for match in _DIGITS.finditer(plain):
        text = match[0].rstrip(",")
        parts = {text.replace(",", "")} | (
            {*text.split(",")} if not re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", text) else set()
        )
        values = {float(part) for part in parts if part not in ("", "-")}
        end = match.end()
        if suffix := _SUFFIX.match(plain, end):
            values |= {value * _SUFFIXES[suffix[1]] for value in values}
            if suffix[1] != "m":
                end = suffix.end()
        yield values | {abs(value) for value in values}, match.start(), end


def _in_english(plain: str) -> Iterator[tuple[set[float], int, int]]:
    for match in _ENGLISH.finditer(plain):
        if match[0] == "half a dozen":
            yield {6.0}, match.start(), match.end()
            continue
        start = match.start()
        for value, begin, end in _english_values(match[0]):
            rest = plain[start + end :]
            if match[0][begin:end].strip() == "one" and (
                _NO_ONE_BEFORE.search(plain[: start + begin]) or _NO_ONE_AFTER.match(rest)
            ):
                continue
            values = {value, value + 0.5} if re.match(r" and a half\b", rest) else {value}
            yield values, start + begin, start + end


def _english_values(words: str) -> list[tuple[float, int, int]]:
    """Numbers in a run of number words: "two hundred and five" is one, "two three" are two."""
    done: list[tuple[float, int, int]] = []
    total, current, begin, last = 0.0, -1.0, 0, 0
    for token in re.finditer(r"[a-z]+", words):
        word = token[0]
        if word in ("and", "a", "an"):
            if word == "and" and current >= 0 and (current < 100 or current % 100):
                done.append((total + current, begin, last))
                total, current = 0.0, -1.0
            continue
        fresh = current < 0
        if word in _SCALES:
            factor = _SCALES[word]
            if factor == 100 or factor == 12:
                current = max(current, 1) * factor if not fresh else factor
            else:
                total, current = total + (max(current, 1) if not fresh else 1) * factor, 0.0
        else:
            value = _SMALL.get(word, _TENS.get(word, 0))
            joins = not fresh and (
                (current % 100 == 0 and (current > 0 or total > 0))
                or (word in _SMALL and value < 10 and current % 100 >= 20 and current % 10 == 0)
            )
            if joins:
                current += value
            else:
                if not fresh:
                    done.append((total + current, begin, last))
                    total = 0.0
                current, fresh = float(value), True
        if fresh:
            begin = token.start()
        last = token.end()
    if current >= 0:
        done.append((total + current, begin, last))
    return done


def _in_chinese(plain: str) -> Iterator[tuple[set[float], int, int]]:
    for match in _CHINESE.finditer(plain):
        word, half = match[1], match[2]
        after = plain[match.end() : match.end() + 1]
        if (
            word == "一"
            and not half
            and (
                after == "" or after not in CLASSIFIERS or re.search(r"[另下上哪这那每同统唯]$", plain[: match.start()])
            )
        ):
            continue  # 一下, 一起, 另一家 count nothing
        whole, _, fraction = word.partition("点")
        values = chinese_numbers(whole)
        if fraction and all(char in _CHINESE_DIGITS for char in fraction):
            values |= {
                value + float("0." + "".join(str(_CHINESE_DIGITS[c]) for c in fraction)) for value in set(values)
            }
        if half or plain[match.end() : match.end() + 2].endswith("半"):
            values |= {value + 0.5 for value in set(values)}
        yield values, match.start(), match.end()
    for match in re.finditer(rf"(半|{CHINESE_NUMBER})打(?![开电折听扫的车印包算工卡])", plain):
        yield (
            {12 * value for value in ({0.5} if match[1] == "半" else chinese_numbers(match[1]))},
            match.start(),
            match.end(),
        )
    for match in re.finditer(r"半(?=个?(?:小时|天|年|月|价|斤|公里))", plain):
        yield {0.5}, match.start(), match.end()


def numbers_said(text: str) -> set[float]:
    """All numbers that a text says, in digits or words of either language; articles are none."""
    plain = folded(text)
    found = {value for one in quantities(text) if not one.article for value in one.values}
    for digits in re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", plain)):
        found.add(float(digits))  # also inside of words: "20240713", "A4"
    if "half" in plain:
        found.add(0.5)
    if re.search(r"\b(?:single|solo|alone|myself|just me|once)\b", plain):
        found.add(1)
    return found


def chinese_numbers(word: str) -> set[float]:
    """Readings of a Chinese numeral: 一百二十 is 120, 一千二 is 1200 (or 1002), 三五 may be 35, 3 or 5."""
    readings: set[float] = set()
    total = section = digit = 0
    unit = 1
    for char in word:
        if char in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[char]
            unit = 1 if char in "零〇" else unit
        else:
            unit = _CHINESE_UNITS[char]
            if unit >= 10_000:
                total += (section + digit or 1) * unit
                section = digit = 0
            else:
                section += (digit or 1) * unit
                digit = 0
    readings.add(total + section + digit)
    if digit and unit >= 100:
        readings.add(total + section + digit * unit // 10)
    if all(char in _CHINESE_DIGITS for char in word):
        readings.add(int("".join(str(_CHINESE_DIGITS[char]) for char in word)))
        readings.update(_CHINESE_DIGITS[char] for char in word)
    return readings


# -- how many results ------------------------------------------------------------------------------------------------

_UNIT = (
    r"%|percent|km|kilomet|mile|met(?:er|re)|minute|hour|day|night|week|month|year|dollar|euro|pound|buck|usd|eur|gbp|"
    r"yuan|rmb|star|people|person|adult|child|kid|guest|passenger|ticket|degree|kg|kilo|gram|lit(?:er|re)|am\b|pm\b|o'clock|"
    r"of us|times|copies|copy|bed|room|seat"
)
"""Words after a number that say that it counts no results."""
_ASKING = (
    r"show|give|list|find|get|recommend|suggest|fetch|name|bring|send|pick|pull up|look up|search for|i need|i want|"
    r"i'd like|return|display|see"
)
_BEST = r"(?:best|top|latest|newest|most recent|nearest|closest|cheapest|first|next|highest|good|great|nice|popular|other|more|\w+est|\w+-\w+)"
_LIMIT_BEFORE = re.compile(
    r"(?:\btop|\bat most|\bup to|\bno more than|\bnot more than|\bmax(?:imum)?(?: of)?|\blimit(?:ed)?(?: it| them| that| this| results| the results)?(?: to)?|"
    r"\b(?:just|only)(?: the)?(?: first)?|\bfirst|\bcap(?:ped)?(?: it| them)? at|\bno more results than|\bfewer than)\s*$"
)
_LIMIT_AFTER = re.compile(
    r"^(?: [\w'-]+){0,2} (?:at (?:the |the very )?most|max|maximum|or fewer|or less|tops)\b|^ ?(?:results?|hits?|entries|options|suggestions|"
    r"matches|picks|recommendations|examples)\b"
)
_ASKED_BEFORE = re.compile(
    rf"\b(?:{_ASKING})(?: me| us)?(?: (?:the|just|only|some|about|maybe|any)(?=\s|$)){{0,8}}+(?: {_BEST}(?=\s|$)){{0,8}}+\s*+$"
)
"""In the 40 characters before a number; more words than eight have no room there."""
_ASKED_AFTER = re.compile(r"^ (?:[a-z'-]+ )?[a-z'-]+")
_LIMIT_BEFORE_ZH = re.compile(
    r"(?:最多|至多|顶多|不超过|不要超过|别超过|不多于|前|头|只要|只看|只给我?|限|限制在|控制在)(?:给我|列出?|看|要|显示|返回|推荐|来)?$"
)
_ASKED_BEFORE_ZH = re.compile(
    r"(?:给我?|来|找|列出?|推荐|查|看|要|介绍|选|搜|搜索|返回|显示|挑)(?:到|出|一下|我|我们|大家)*(?:最[\u3400-\u9fff]的?|附近的?|评分最高的?|热门的?)?$"
)
_RESULT_ZH = re.compile(
    r"^(?:个|条|家|场|部|首|项|款|篇|名|则|处|道|班|趟|种|件|支|座|本|只|份)(?!人|小时|月|星期|大人|孩子|小孩|成人|晚)"
)


def limits_said(text: str) -> set[int]:
    """Numbers of results that a text asks for: ``top 3``, ``5 at most``, ``show me four hotels``, 最多3场, 推荐五家."""
    found: set[int] = set()
    for one in quantities(text):
        if one.article:
            continue
        before, after = one.before, one.after
        unit = re.match(rf"\s?(?:{_UNIT})", after)
        money = re.search(r"[$€£¥]\s*$", before)
        said = (
            not unit
            and not money
            and (
                _LIMIT_BEFORE.search(before)
                or _LIMIT_AFTER.match(after)
                or (_ASKED_BEFORE.search(before) and _ASKED_AFTER.match(after))
            )
        )
        chinese = _RESULT_ZH.match(after) and (_LIMIT_BEFORE_ZH.search(before) or _ASKED_BEFORE_ZH.search(before))
        if said or chinese:
            found |= {int(value) for value in one.values if value == int(value) and value > 0}
    return found


# -- bounds ----------------------------------------------------------------------------------------------------------

_UPPER_BEFORE = re.compile(
    r"(?:\bunder|\bbelow|\b(?<!no )(?<!not )less than|\bat most|\b(?:no|not) (?:more|longer|higher|later|further|farther|bigger|older) than|\bup to|\bwithin|"
    r"\bmax(?:imum)?(?: of| is)?|\bnot over|\b(?:not|doesn't|don't|without) exceed(?:ing)?|\b(?:cheaper|fewer|lower|smaller|shorter|younger) than|"
    r"\bbudget(?: of| is|:)?|<=?|不超过|不要超过|别超过|不能超过|不高于|不大于|不多于|最多|至多|顶多|最高|最贵|(?<![不别])(?:低于|少于|小于)|上限(?:为|是)?|预算)"
    r"\s*+(?:(?:about|around|the|of|花|付|出|是|为|只)\s*+)?(?:[$€£¥]\s*+)?$"
)
_UPPER_AFTER = re.compile(
    r"^\W?\s?(?:[\w$€£¥]+ ){0,2}(?:or (?:less|fewer|under|below|cheaper|lower|younger)|max|maximum|at most|tops|and under)\b|"
    r"^[\u3400-\u9fff]{0,3}?(?:以内|以下|之内|之下|封顶|为限|内)"
)
_LOWER_BEFORE = re.compile(
    r"(?:(?<!not )\bover|\babove|(?<!no )(?<!not )\bmore than|\bat least|\b(?:no|not) (?:less|fewer|lower|shorter|smaller|younger) than|"
    r"\bmin(?:imum)?(?: of| is)?|\bstarting (?:at|from)|\b(?<!no )(?<!not )(?:higher|longer|bigger|older|greater) than|>=?|"
    r"不低于|不少于|不小于|至少|最少|起码|最低|(?<![不别])(?:高于|多于|大于)|(?<![不别能要])超过|下限(?:为|是)?)\s*+(?:(?:about|around|the|要|有|花)\s*+)?(?:[$€£¥]\s*+)?$"
)
_LOWER_AFTER = re.compile(
    r"^\W?\s?(?:[\w$€£¥]+ ){0,2}(?:or (?:more|above|higher|better|over|older)|and (?:up|above|over)|minimum|at least)\b|^\+|^[\u3400-\u9fff]{0,3}?(?:以上|之上|起步|起(?!飞|床|来))"
)


_NEGATED = re.compile(r"(?:n't|\bnot|\bnever|\bwithout|\bnothing|\bno|别|不要?|不想)(?: [a-z]+){0,3}\s*$")
_STRICT = re.compile(
    r"(?:under|below|less than|over|above|more than|fewer than|cheaper than|higher than|低于|少于|小于|高于|多于|超过|大于)\D{0,8}$"
)
"""Bounds that do not belong to what they bound: fewer than 5 may be given as 4."""


_RANGE_BEFORE = re.compile(r"(?:\bbetween|\bfrom|在|介于)\s*+(?:(?:about|around)\s*+)?(?:[$€£¥]\s*+)?$")
_RANGE_BETWEEN = re.compile(
    r"^(?:\s?[a-z€$£]+)?\s?(?:and|to|-|–|到|至|~|和)\s?[$€£¥]?$|^[\u3400-\u9fff]{0,2}[到至~和-]$"
)


def bounds_said(text: str) -> tuple[list[Quantity], list[Quantity]]:
    """(Upper bounds, lower bounds) of a text: "no more than 50 euros", "at least four stars", 不超过两百元."""
    sides: dict[Literal["upper", "lower"], list[Quantity]] = {"upper": [], "lower": []}
    said = [one for one in quantities(text) if not one.article]
    for one in said:
        if _UPPER_BEFORE.search(one.before) or _UPPER_AFTER.match(one.after):
            sides["upper"].append(_with_neighbour(one, -1))
        elif (match := _LOWER_BEFORE.search(one.before)) or _LOWER_AFTER.match(one.after):
            # "I won't pay over eighty" bounds from above.
            negated = match is not None and _NEGATED.search(one.before[: match.start()])
            sides["upper" if negated else "lower"].append(_with_neighbour(one, -1 if negated else 1))
    plain = folded(text)
    for low in said:
        for high in said:
            between = plain[low.end : high.start] if low.end < high.start else ""
            led = _RANGE_BEFORE.search(low.before) or "之间" in high.after[:8]
            if (
                between
                and len(between) < 14
                and led
                and _RANGE_BETWEEN.match(between)
                and max(high.values) > min(low.values)
            ):
                sides["lower"].append(replace(low, after=high.after))
                sides["upper"].append(high)
    return sides["upper"], sides["lower"]


def _with_neighbour(one: Quantity, step: int) -> Quantity:
    if not _STRICT.search(one.before) or re.search(
        r"(?:no|not|不要?|别) ?(?:\w+ than|超过|[低少小高多大]于)\D{0,8}$", one.before
    ):
        return one
    return replace(one, values=one.values | {value + step for value in one.values})

"""Numbers, days, ordinals and limits as people say them, in both languages at once.

These readers answer what was said for certain; what is ambiguous they leave out, or give every reading of it.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ENGLISH_NUMBERS: dict[str, int] = {
    **{word: number for number, word in enumerate(_ONES)},
    **{word: 20 + 10 * index for index, word in enumerate(_TENS)},
    **{f"{ten}{sign}{one}": 20 + 10 * i + j for i, ten in enumerate(_TENS) for j, one in enumerate(_ONES[:10]) if j
       for sign in ("-", " ")},
    "a couple": 2, "couple": 2, "both": 2, "pair": 2, "dozen": 12, "hundred": 100, "thousand": 1000, "once": 1,
    "twice": 2, "a": 1, "an": 1, "single": 1,
}  # fmt: skip
_CHINESE_DIGITS = {sign: digit for digit, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_CHINESE_NUMBER = "[零〇一二两俩三四五六七八九十百千万亿]+"

_ORDINAL_WORDS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "seventh": 6, "eighth": 7,
                  "ninth": 8, "tenth": 9}  # fmt: skip
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS_ZH = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_RELATIVE_DAYS = {
    "the day after tomorrow": 2, "day after tomorrow": 2, "the day before yesterday": -2,
    "tomorrow": 1, "yesterday": -1, "tonight": 0, "today": 0,
    "大后天": 3, "后天": 2, "明天": 1, "明日": 1, "明早": 1, "明晚": 1,
    "今天": 0, "今日": 0, "今晚": 0, "今早": 0, "大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1,
}  # fmt: skip

SPAN = re.compile(
    r"weekend|week\b|weeks\b|month|year|\bdays\b|nights?\b|before|after\b|until|till|since|from\b|between|through|later|"
    r"\bago\b|within|past\b|last\b|next\b|earlier|周末|个星期|一周|本周|下周|上周|月底|月初|个月|年|之前|之后|以前|以后|以来|起|到|至|"
    r"天后|天前|天内|晚$|近",
    re.IGNORECASE,
)
"""Words by which a message means more than, or something else than, the days that it names."""


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


def numbers_said(text: str) -> set[float]:
    """All numbers that a text says, in digits or words of either language."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    found: set[float] = set()
    for digits in re.findall(r"\d[\d,]*(?:\.\d+)?", plain):
        found.update(float(part) for part in {digits.replace(",", ""), *digits.split(",")} if part)
    for digits, unit in re.findall(r"(\d+(?:\.\d+)?)\s*(k|thousand|m|million|千|万|百万|亿)(?![a-z])", plain):
        scale = {"k": 1e3, "thousand": 1e3, "千": 1e3, "万": 1e4, "m": 1e6, "million": 1e6, "百万": 1e6, "亿": 1e8}[
            unit
        ]
        found.add(float(digits) * scale)
    for word, number in ENGLISH_NUMBERS.items():
        if re.search(rf"\b{word}\b", plain):
            found.add(number)
    if "half a dozen" in plain:
        found.add(6)
    for word in re.findall(_CHINESE_NUMBER, plain):
        found.update(chinese_numbers(word))
    if "半" in plain or "half" in plain:
        found.add(0.5)
    return found


def chinese_numbers(word: str) -> set[float]:
    """Readings of a Chinese numeral: 一百二十 is 120, 三五 may be 35, 3 or 5."""
    readings: set[float] = set()
    total = section = digit = 0
    for char in word:
        if char in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[char]
        else:
            unit = _CHINESE_UNITS[char]
            if unit >= 10_000:
                total += (section + digit) * unit
                section = digit = 0
            else:
                section += (digit or 1) * unit
                digit = 0
    readings.add(total + section + digit)
    if all(char in _CHINESE_DIGITS for char in word):
        readings.add(int("".join(str(_CHINESE_DIGITS[char]) for char in word)))
        readings.update(_CHINESE_DIGITS[char] for char in word)
    return readings


def days_said(text: str, now: str) -> set[date]:
    """Every day that a text names, both readings where a weekday may be this or the next one."""
    today = datetime.fromisoformat(now).date()
    plain = unicodedata.normalize("NFKC", text).casefold()
    found: set[date] = set()
    for words, ahead in sorted(_RELATIVE_DAYS.items(), key=lambda item: -len(item[0])):
        if words in plain:
            found.add(today + timedelta(days=ahead))
            plain = plain.replace(words, " ")
    for index, name in enumerate(_WEEKDAYS):
        if re.search(rf"\b{name}\b", plain):
            found |= _weekday(today, index)
    for sign in re.findall(r"(?:周|星期|礼拜)([一二三四五六日天])", plain):
        found |= _weekday(today, _WEEKDAYS_ZH[sign])
    for year, month, day in re.findall(r"(?<!\d)(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)", plain):
        found |= _day(today, int(month), int(day), int(year))
    for month, day in re.findall(r"(?<!\d)(?<![-/.年]\d)(?<![-/.年])(\d{1,2})月(\d{1,2})[日号]?", plain):
        found |= _day(today, int(month), int(day))
    for number, name in enumerate(_MONTHS, 1):
        short = rf"{name[:3]}(?:{name[3:]}|t)?\.?" if len(name) > 3 else name
        nth = r"(\d{1,2})(?:st|nd|rd|th)?"
        pattern = rf"(?:\b{nth}(?: of)? )?\b{short}(?: (?:the )?{nth}\b)?(?:,? (\d{{4}}))?"
        for before, after, year in re.findall(pattern, plain):
            if before or after:
                found |= _day(today, number, int(before or after), int(year) if year else None)
    return found


def _weekday(today: date, index: int) -> set[date]:
    ahead = (index - today.weekday()) % 7
    return {today + timedelta(days=ahead + shift) for shift in (-7, 0, 7)}


def _day(today: date, month: int, day: int, year: int | None = None) -> set[date]:
    found = set()
    for chosen in (year,) if year else (today.year - 1, today.year, today.year + 1):
        try:
            found.add(date(chosen, month, day))
        except ValueError:
            continue
    return found


_NO_ITEM = (
    r"time|of all|thing|half|week|day|place|floor|class|requests?|messages?|lists?|results\b|search|questions?|"
    r"answers?|step|round|two|three|four|five|few|\d"
)
"""What follows an ordinal that points at no item of a list: "the first time", "the very first list"."""


def ordinals_said(text: str) -> set[int]:
    """Positions that a text points at: 0 for the first, -1 for the last. Days of a month and 第二天 are none."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    months = "|".join((*_MONTHS, *(name[:3] for name in _MONTHS)))
    named = "|".join(_ORDINAL_WORDS)
    plain = re.sub(rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)?|(?:{named}) of) (?:{months})\b", " ", plain)
    plain = re.sub(rf"\b(?:{months})\.? (?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?|{named})\b", " ", plain)
    found: set[int] = set()
    last = r"(?<!at )\blast (?:one|option|result|item|entry)\b|最后(?:一|那)?[个条家场部首项款张本只份间辆]"
    backwards = r"\b(second|third|2nd|3rd)[- ](?:to[- ])?last\b"
    found.update({"second": -2, "2nd": -2, "third": -3, "3rd": -3}[word] for word in re.findall(backwards, plain))
    plain = re.sub(backwards, " ", plain)
    for word in re.findall(rf"倒数第?({_CHINESE_NUMBER}|\d+)", plain):
        found.update(-position for position in _ordinal_numbers(word))
    plain = re.sub(rf"倒数第?(?:{_CHINESE_NUMBER}|\d+)", " ", plain)
    if re.search(last, plain):
        found.add(-1)
    for word, position in _ORDINAL_WORDS.items():
        if re.search(rf"\bthe (?:very )?{word}\b(?! (?:{_NO_ITEM}))", plain):
            found.add(position)
    for digits in re.findall(r"\b(?:the )(\d{1,2})(?:st|nd|rd|th)\b(?! (?:of|floor|century))", plain):
        found.add(int(digits) - 1)
    for word in re.findall(
        rf"第({_CHINESE_NUMBER}|\d+)(?!天|次|季|集|章|届|周|层|楼|期|页|步|轮|版|[个条份](?:请求|消息|问题|列表|清单|名单))",
        plain,
    ):
        found.update(position - 1 for position in _ordinal_numbers(word))
    return found


def _ordinal_numbers(word: str) -> set[int]:
    return {int(word)} if word.isdigit() else {int(number) for number in chinese_numbers(word)}


_COUNT = rf"(\d+|{'|'.join(_ONES[1:13])})"
_NO_UNIT = r"(?! ?(?:%|percent|km|kilomet|mile|met(?:er|re)|minute|hour|day|week|month|year|dollar|euro|usd|eur|star))"
_LIMIT_EN = re.compile(
    r"\b(?:top|at most|up to|no more than|not more than|maximum of|max|limit(?:ed)? (?:it |them |that |this )?to|"
    rf"(?:just|only)(?: the)?(?: first)?|first) {_COUNT}\b{_NO_UNIT}"
    rf"|\b{_COUNT}(?: \w+)? (?:at most|max|maximum|or fewer|tops)\b"
)
_LIMIT_ZH = re.compile(
    rf"(?:最多|至多|不超过|前|只要|只看|限)(?:给我|列|看|要|显示|返回)?({_CHINESE_NUMBER}|\d+)(?:个|条|家|场|部|首|项|款|张|本|篇|只|份|名|位)"
)


def limits_said(text: str) -> set[int]:
    """Numbers of results that a text asks for: ``top 3``, ``5 at most``, 最多3场."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    found: set[int] = set()
    for groups in _LIMIT_EN.findall(plain):
        word = next(group for group in groups if group)
        found.add(int(word) if word.isdigit() else ENGLISH_NUMBERS[word])
    for word in _LIMIT_ZH.findall(plain):
        found |= _ordinal_numbers(word)
    return found

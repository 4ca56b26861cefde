"""Days and spans of days as people say them, in both languages at once, by the session's clock."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from wildtool.language.folding import folded
from wildtool.language.number_phrases import CHINESE_NUMBER, ONES, chinese_numbers

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS_ZH = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_RELATIVE = {
    "the day after tomorrow": 2, "day after tomorrow": 2, "the day before yesterday": -2, "overmorrow": 2,
    "tomorrow": 1, "tmrw": 1, "yesterday": -1, "last night": -1, "tonight": 0, "today": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "right now": 0,
    "大后天": 3, "后天": 2, "后日": 2, "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "明儿": 1, "明晨": 1,
    "今天": 0, "今日": 0, "今晚": 0, "今早": 0, "今儿": 0, "当天": 0, "大前天": -3, "前天": -2, "前日": -2, "昨天": -1,
    "昨日": -1, "昨晚": -1,
}  # fmt: skip
_FEASTS = {
    r"christmas eve|平安夜": (12, 24), r"christmas(?! eve)|xmas|圣诞(?:节)?": (12, 25), r"new year'?s eve|跨年夜?": (12, 31),
    r"new year'?s(?: day)?(?! eve)|元旦": (1, 1), r"valentine'?s(?: day)?|情人节": (2, 14), r"halloween|万圣节": (10, 31),
    r"国庆(?:节)?|十一(?=黄金周|长假|假期)": (10, 1), r"劳动节|五一": (5, 1), r"儿童节|六一": (6, 1),
    r"fourth of july|independence day": (7, 4),
}  # fmt: skip
_NUMBER = rf"(\d+|an?|{'|'.join(ONES[1:])}|twenty|thirty|sixty|ninety|a couple(?: of)?|a fortnight)"
_NUMBER_ZH = rf"((?<!\d)\d{{1,4}}|{CHINESE_NUMBER})"
_ORDINAL_DAYS = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
         "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
         "twentieth"), 1)
}  # fmt: skip
_UNITS = {"day": 1, "night": 1, "week": 7, "fortnight": 14}
UNCLEAR = re.compile(
    r"\bspring|\bsummer|\bautumn|\bfall\b|\bwinter|\byear|\bquarter|\bseason|\blately|\brecent|\bsoon\b|\blater\b|\bholiday|"
    r"\bbirthday|\banniversary|\bmonths?\b|\bdecade|\bcentur|\beaster|\bthanksgiving|\bramadan|\bsame day|\bthat day|"
    r"\bday (?:before|after)\b|\bnext day|\bfollowing|\bprevious|\bother days?|\banother day|\bevery|\beach|\bdaily|\bweekly|"
    r"(?<!\d)年|季|最近|近来|近期|暑假|寒假|春节|中秋|端午|清明|生日|纪念日|个月|那天|同一天|第二天|次日|改天|别的日子|每天|每周|前一天|后一天"
)
"""Words of time that name no day that could be reckoned here: beside them nothing is certain."""
_BESIDE = re.compile(
    rf"\b(?:the )(?:{'|'.join(WEEKDAYS)}|weekend|week|day|night) (?:after|before|following)\b(?! (?:next|tomorrow|yesterday)\b)"
)
"""A day beside another one that was named before."""
_OPEN = re.compile(
    r"\bbefore\b|\bafter\b|\buntil\b|\btill\b|\bsince\b|\bby (?:the )?(?=\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|"
    r"jul|aug|sep|oct|nov|dec|tomorrow|next|end)|之前|之后|以前|以后|以来|(?<=[日号一二三四五六天])[前后]|为止|截止"
)
"""Words by which a day is an end of a span that may or may not belong to it: the day beside it may be meant too."""
_LENGTH = re.compile(r"\bnights?\b|\bdays\b|\bweeks?\b|\bfortnight\b|[天晚夜周]")


@dataclass(frozen=True)
class Spoken:
    """What a text says of time."""

    days: frozenset[date]
    """Days it names, every reading."""
    spans: tuple[tuple[date, date], ...]
    """First and last day of each span it names, every reading."""
    unclear: bool
    """It also speaks of time in words that are not reckoned here."""

    ends: frozenset[date] = frozenset()
    """Of the days, those that only follow from a length: \"from the 1st for ten days\"."""

    def __bool__(self) -> bool:
        return bool(self.days or self.spans)

    def allows(self, day: date) -> bool:
        """The text may mean this day."""
        return day in self.days or any(first <= day <= last for first, last in self.spans)


@lru_cache(maxsize=2048)  # gates ask again and again of the texts of one session
def when_said(text: str, now: str) -> Spoken:
    """The days and spans that a text names, seen from ``now``."""
    today = datetime.fromisoformat(now).date()
    days: set[date] = set()
    plain = _weekdays(folded(text), today, days)
    spans, plain = _spans(plain, today)
    plain = _days(plain, today, days)
    if _OPEN.search(re.sub(r"\bday (?:after|before)\b", " ", text.casefold())):  # "the day after tomorrow" is one day
        days |= {day + timedelta(days=shift) for day in days for shift in (1, -1)}
    if re.search(r"weekend|周末", text.casefold()):  # "this weekend, Saturday and Sunday": the days say which
        spans = [(first, last) for first, last in spans if not any(first <= day <= last for day in days)]
    ends = _around(plain, days) - days if _LENGTH.search(plain) else set()
    unclear = bool(UNCLEAR.search(plain) or _BESIDE.search(text.casefold()))
    return Spoken(frozenset(days | ends), tuple(spans), unclear, frozenset(ends))


def days_said(text: str, now: str) -> set[date]:
    """Every day that a text names, both readings where a weekday may be this or the next one."""
    today = datetime.fromisoformat(now).date()
    found: set[date] = set()
    _days(_weekdays(folded(text), today, found), today, found)
    return found


def _around(plain: str, days: set[date]) -> set[date]:
    """Ends of spans that begin at a named day: "three nights from July 20" ends on the 23rd, or with the 22nd."""
    lengths: set[int] = set()
    for number, unit in re.findall(rf"\b{_NUMBER}[ -](day|night|week|fortnight)s?\b", plain):
        lengths |= {(n := _count(number) * _UNITS[unit]), n - 1}
    for number, unit in re.findall(rf"{_NUMBER_ZH}个?(天|晚|夜|周|星期|礼拜)", plain):
        for n in _counts_zh(number):
            lengths |= {(n := n * (1 if unit in "天晚夜" else 7)), n - 1}
    return {day + timedelta(days=length) for day in days for length in lengths}


def _count(word: str) -> int:
    if word.isdigit():
        return int(word)
    if word.startswith("a couple"):
        return 2
    if word == "a fortnight":
        return 1
    named = {"a": 1, "an": 1, "twenty": 20, "thirty": 30, "sixty": 60, "ninety": 90}
    return named.get(word) or ONES.index(word)


def _counts_zh(word: str) -> set[int]:
    return {int(word)} if word.isdigit() else {int(value) for value in chinese_numbers(word)}


def _spans(plain: str, today: date) -> tuple[list[tuple[date, date]], str]:
    """Spans that a text names, and the text without them."""
    monday = today - timedelta(days=today.weekday())
    found: list[tuple[date, date]] = []

    def take(pattern: str, *ranges: tuple[date, date]) -> None:
        nonlocal plain
        if re.search(pattern, plain):
            found.extend(ranges)
            plain = re.sub(pattern, " ", plain)

    def week(ahead: int) -> tuple[date, date]:
        return monday + timedelta(days=7 * ahead), monday + timedelta(days=7 * ahead + 6)

    def weekend(ahead: int) -> tuple[date, date]:
        return monday + timedelta(days=7 * ahead + 4), monday + timedelta(days=7 * ahead + 7)

    def month(ahead: int, begin: int = 1, end: int = 31) -> tuple[date, date]:
        index = today.year * 12 + today.month - 1 + ahead
        first = date(index // 12, index % 12 + 1, 1)
        after = date((index + 1) // 12, (index + 1) % 12 + 1, 1)
        last = after - timedelta(days=1)
        return first + timedelta(days=min(begin, last.day) - 1), min(
            last, first + timedelta(days=end - 1)
        ) if end < 31 else last

    def days(first: int, last: int) -> tuple[date, date]:
        return today + timedelta(days=first), today + timedelta(days=last)

    take(
        r"(?:\bnext weekend|\bthe weekend after(?: next)?|下(?:个)?周末|下(?:个)?星期末)",
        weekend(1),
        weekend(0) if today.weekday() < 4 else weekend(1),
    )
    take(r"(?:\blast weekend|\bpast weekend|上(?:个)?周末)", weekend(-1))
    take(
        r"(?:\b(?:this |the |coming |at the |on the ){0,3}weekend|(?:这|本|这个)?周末)",
        weekend(0),
        *((weekend(1),) if today.weekday() >= 5 else ()),
    )
    take(r"\bthe week after next\b|下下(?:个)?(?:周|星期|礼拜)(?![一二三四五六日天])", week(2))
    take(
        r"\bnext week\b(?! ?(?:on )?(?:mon|tue|wed|thu|fri|sat|sun))|下(?:个)?(?:周|星期|礼拜)(?![一二三四五六日天末])",
        week(1),
        days(7, 7),
    )
    take(
        r"\bthis (?:coming )?week\b(?! ?(?:on )?(?:mon|tue|wed|thu|fri|sat|sun))|(?:本|这|这个)(?:周|星期|礼拜)(?![一二三四五六日天末])",
        week(0),
        days(0, 7),
    )
    take(
        r"\b(?:last|past) week\b|上(?:个)?(?:周|星期|礼拜)(?![一二三四五六日天末])|过去一周|最近一周|近一周",
        week(-1),
        days(-8, 0),
    )
    take(
        r"\b(?:over |for |in )?the next (?:few|couple of|several) days\b|(?:未来|接下来)几天|这几天|这两天", days(0, 8)
    )
    take(
        r"\b(?:over |for |in )?the (?:last|past) (?:few|couple of|several) days\b|前几天|过去几天|最近几天", days(-8, 0)
    )
    take(r"\bend of (?:the|this) month\b|月底|月末", month(0, 24), month(1, 1, 1))
    take(r"\b(?:beginning|start) of next month\b|下(?:个)?月初", month(1, 1, 10))
    take(r"\bnext month\b|下(?:个)?月(?!初)", month(1), days(28, 32))
    take(r"\bthis month\b|本月|这个月|当月", month(0))
    take(r"\b(?:last|past) month\b|上(?:个)?月|过去一个月|最近一个月|近一个月", month(-1), days(-32, 0))
    for number, unit in re.findall(rf"\b(?:last|past|previous) {_NUMBER} (day|night|week)s?\b", plain):
        found.append(days(-_count(number) * _UNITS[unit] - 1, 0))
    for number, unit in re.findall(
        rf"\b(?:next|coming|following) {_NUMBER} (day|night|week)s?\b|\bwithin {_NUMBER} (day|week)s?\b", plain
    ) and [
        (a or c, b or d)
        for a, b, c, d in re.findall(
            rf"\b(?:next|coming|following) {_NUMBER} (day|night|week)s?\b|\bwithin {_NUMBER} (day|week)s?\b", plain
        )
    ]:
        found.append(days(0, _count(number) * _UNITS[unit] + 1))
    for number, unit in re.findall(rf"(?:过去|最近|近){_NUMBER_ZH}个?(天|周|星期)", plain):
        found += [days(-n * (1 if unit == "天" else 7) - 1, 0) for n in _counts_zh(number)]
    for number, unit in re.findall(rf"(?:未来|接下来|今后){_NUMBER_ZH}个?(天|周|星期)", plain):
        found += [days(0, n * (1 if unit == "天" else 7) + 1) for n in _counts_zh(number)]
    plain = re.sub(
        rf"\b(?:last|past|previous|next|coming|following) {_NUMBER} (?:day|night|week)s?\b|(?:过去|最近|近|未来|接下来|今后){_NUMBER_ZH}个?(?:天|周|星期)",
        " ",
        plain,
    )
    for index, name in enumerate(MONTHS):
        # "in August": the whole month; "August 3" is a day and not matched.
        if re.search(rf"\b(?:in|during|all|early|late|mid) {name}\b(?!,? (?:the )?\d)", plain):
            found += [_whole_month(today.year + ahead, index + 1) for ahead in (-1, 0, 1)]
    for number in re.findall(r"(?<!\d)(\d{1,2})月(?:份|底|初|中旬)", plain):
        if 1 <= int(number) <= 12:
            found += [_whole_month(today.year + ahead, int(number)) for ahead in (-1, 0, 1)]
    return found, plain


def _whole_month(year: int, month: int) -> tuple[date, date]:
    after = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), after - timedelta(days=1)


def _days(plain: str, today: date, found: set[date]) -> str:
    """Add the days that a text names; the text without the words that are reckoned to the end."""
    for words, ahead in sorted(_RELATIVE.items(), key=lambda item: -len(item[0])):
        if words in plain:
            found.add(today + timedelta(days=ahead))
            plain = plain.replace(words, " ")
    for pattern, (month, day) in _FEASTS.items():
        if re.search(pattern, plain):
            found |= _day(today, month, day)
            plain = re.sub(pattern, " ", plain)
    plain = left = _reckoned(plain, today, found)
    for year, month, day in re.findall(r"(?<!\d)(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)", plain):
        found |= _day(today, int(month), int(day), int(year))
    plain = re.sub(r"(?<!\d)\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}[日号]?(?!\d)", " ", plain)
    for first, second, year in re.findall(r"(?<![\d/])(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d{2})(?![\d/])", plain):
        whole = int(year) if len(year) == 4 else 2000 + int(year)
        found |= _day(today, int(first), int(second), whole) | _day(today, int(second), int(first), whole)
    for month, day, until in re.findall(rf"{_NUMBER_ZH}月{_NUMBER_ZH}[日号]?(?:[到至~-]{_NUMBER_ZH}[日号])?", plain):
        for m in _counts_zh(month):
            for d in (*_counts_zh(day), *(_counts_zh(until) if until else ())):
                found |= _day(today, m, d)
    plain = re.sub(rf"{_NUMBER_ZH}月{_NUMBER_ZH}[日号]?(?:[到至~-]{_NUMBER_ZH}[日号])?", " ", plain)
    plain = _with_months(plain, today, found)
    for led, digits in re.findall(
        r"\b(on |by |until |till |before |after |from |to |and )?the (\d{1,2})(?:st|nd|rd|th)\b(?! (?:floor|century|street|avenue))",
        plain,
    ):
        if led or int(digits) > 12:  # "the 2nd" alone is rather an item of a list
            found |= _day_of_month(today, int(digits))
    for digits in re.findall(
        rf"(?<![月\d零〇一二三四五六七八九十]){_NUMBER_ZH}号(?!线|楼|院|店|门|馆|桌|房|厅|站|机|码|称|召)", plain
    ):
        for day in _counts_zh(digits):
            found |= _day_of_month(today, day)
    return left


def _reckoned(plain: str, today: date, found: set[date]) -> str:
    """Add "in three days", "two weeks ago", "a week from Friday" (both), 三天后, 两周前."""
    patterns = (
        (rf"\bin (?:about )?{_NUMBER} (day|night|week|fortnight)s?(?:' time|'s time| time)?\b(?! or)", 1),
        (rf"\b{_NUMBER} (day|week)s? (?:from (?:now|today)|hence|ahead)\b", 1),
        (rf"\b{_NUMBER} (day|night|week)s? (?:ago|back)\b", -1),
    )
    for pattern, sign in patterns:
        for number, unit in re.findall(pattern, plain):
            found.add(today + timedelta(days=sign * _count(number) * _UNITS[unit]))
        plain = re.sub(pattern, " ", plain)
    for pattern, sign in (
        (rf"{_NUMBER_ZH}个?(天|周|星期|礼拜)(?:之|以)?后", 1),
        (rf"{_NUMBER_ZH}个?(天|周|星期|礼拜)(?:之|以)?前", -1),
    ):
        for number, unit in re.findall(pattern, plain):
            found |= {today + timedelta(days=sign * n * (1 if unit == "天" else 7)) for n in _counts_zh(number)}
        plain = re.sub(pattern, " ", plain)
    return plain


def _weekdays(plain: str, today: date, found: set[date]) -> str:
    """A weekday by its modifier; without one the coming and the last are possible."""
    for weekday in re.findall(rf"\ba week (?:from|on) (?:this )?({'|'.join(WEEKDAYS)}|today|tomorrow)\b", plain):
        if weekday in WEEKDAYS:
            ahead = (WEEKDAYS.index(weekday) - today.weekday()) % 7
            found |= {today + timedelta(days=ahead + 7)} | ({today + timedelta(days=14)} if not ahead else set())
        else:
            found.add(today + timedelta(days=8 if weekday == "tomorrow" else 7))
    plain = re.sub(rf"\ba week (?:from|on) (?:this )?(?:{'|'.join(WEEKDAYS)}|today|tomorrow)\b", " ", plain)
    monday = today - timedelta(days=today.weekday())
    for index, name in enumerate(WEEKDAYS):
        # "sat down", "the sun is up": of the short names these are days only behind a word that asks for one.
        short = rf"{name[:3]}(?:s|rs|nes|r)?\.?"
        if name[:3] in ("sat", "sun", "mon", "wed"):
            short = rf"(?<=\bon ){name[:3]}|(?<=\bthis ){name[:3]}|(?<=\bnext ){name[:3]}|(?<=\bby ){name[:3]}|(?<=\blast ){name[:3]}|(?<=\bfor ){name[:3]}(?=[.,?!]|$)"
        pattern = rf"\b(?:(this coming|this|next|last|past|coming)\s+(?:week(?:'s)?\s+(?:on\s+)?)?)?(?:{name}s?|{short})\b(\s+(?:of\s+)?next week|\s+after next|\s+week\b)?"
        for modifier, suffix in re.findall(pattern, plain):
            this = monday + timedelta(days=index)
            coming = today + timedelta(days=(index - today.weekday()) % 7 or 7)
            before = today - timedelta(days=(today.weekday() - index) % 7 or 7)
            if "next week" in suffix:
                found.add(this + timedelta(days=7))
            elif suffix.strip():
                found |= {coming + timedelta(days=7), this + timedelta(days=14)}
            elif modifier == "next":
                found |= {coming, this + timedelta(days=7)}
            elif modifier in ("last", "past"):
                found |= {before, this - timedelta(days=7)}
            elif modifier:
                found |= {this, coming} if this >= today else {coming}
            else:
                found |= {coming, before} | ({today} if index == today.weekday() else set())
        plain = re.sub(pattern, " ", plain)
    pattern = r"(下下|下|上|本|这|这个|下个|上个|上上)?(?:周|星期|礼拜)([一二三四五六日天])(?!个)"
    for modifier, sign in re.findall(pattern, plain):
        this = monday + timedelta(days=_WEEKDAYS_ZH[sign])
        shift = {"下": 7, "下个": 7, "下下": 14, "上": -7, "上个": -7, "上上": -14, "本": 0, "这": 0, "这个": 0}.get(
            modifier
        )
        if shift is not None:
            found.add(this + timedelta(days=shift))
        else:
            index = _WEEKDAYS_ZH[sign]
            found |= {
                today + timedelta(days=(index - today.weekday()) % 7),
                today - timedelta(days=(today.weekday() - index) % 7 or 7),
                this,
            }
    return re.sub(pattern, " ", plain)


def _with_months(plain: str, today: date, found: set[date]) -> str:
    nth = rf"(\d{{1,2}}|{'|'.join(_ORDINAL_DAYS)}|twenty-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|thirtieth|thirty-first)"
    until = r"(?:(?: ?[-–—~] ?| to | and | through | until )(?:the )?(\d{1,2})(?:st|nd|rd|th)?\b(?! (?:people|guests|adults|tickets|nights|days)))?"
    for number, name in enumerate(MONTHS, 1):
        short = rf"{name[:3]}(?:{name[3:]}|t)?\.?" if len(name) > 3 else name
        pattern = (
            rf"(?:\b(?:(\d{{1,2}})(?:st|nd|rd|th)?(?: ?[-–—~] ?| to | and ))?(?:the )?{nth}(?:st|nd|rd|th)?(?: of)? )?\b{short}"
            rf"(?!\w)(?: (?:the )?{nth}(?:st|nd|rd|th)?\b{until})?(?:,? (\d{{4}}))?"
        )
        for start, before, after, end, year in re.findall(pattern, plain):
            for day in (start, before, after, end):
                if day:
                    found |= _day(today, number, _day_number(day), int(year) if year else None)
        plain = re.sub(
            rf"\b{nth}(?:st|nd|rd|th)?(?: of)? {short}(?!\w)|\b{short} (?:the )?{nth}(?:st|nd|rd|th)?\b", " ", plain
        )
    return plain


def _day_number(word: str) -> int:
    if word.isdigit():
        return int(word)
    tens, _, one = word.partition("-")
    if one:
        return {"twenty": 20, "thirty": 30}[tens] + _ORDINAL_DAYS[one]
    return 30 if word == "thirtieth" else _ORDINAL_DAYS[word]


def _day(today: date, month: int, day: int, year: int | None = None) -> set[date]:
    found = set()
    for chosen in (year,) if year else (today.year - 1, today.year, today.year + 1):
        try:
            found.add(date(chosen, month, day))
        except ValueError:
            continue
    return found


def _day_of_month(today: date, day: int) -> set[date]:
    index = today.year * 12 + today.month - 1
    found = set()
    for month in (index - 1, index, index + 1):
        try:
            found.add(date(month // 12, month % 12 + 1, day))
        except ValueError:
            continue
    return found

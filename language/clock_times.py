"""Times of day as people say them, in both languages at once, and as tools take them; in minutes since midnight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from wildtool.language.folding import folded
from wildtool.language.number_phrases import CHINESE_NUMBER, ONES, chinese_numbers

DAY = 24 * 60
_VALUE = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2}[T ])?(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d)(?:\.\d+)?)?"
    r"\s?(?P<half>[AaPp]\.?[Mm]\.?)?(?P<zone>Z|[+-]\d{2}:?\d{2})?"
)


@dataclass(frozen=True)
class ClockValue:
    """A time of day that an argument holds."""

    minute: int
    """Minutes since midnight."""
    dated: bool
    """It stands behind a day."""
    zone: str | None
    """Its offset as written; None where it has none."""

    @property
    def bounds_a_day(self) -> bool:
        """It is written for a day as a whole: its first or its last minute."""
        return self.dated and self.minute in (0, DAY - 1)


def clock_value(value: object) -> ClockValue | None:
    """The time of day that an argument such as ``19:30``, ``7:30 PM`` or ``2024-07-20T19:30:00Z`` holds; None for none."""
    match = _VALUE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    hour = int(match["h"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"][0] in "Pp" else 0)
    return ClockValue(hour * 60 + int(match["m"]), match["day"] is not None, match["zone"])


@dataclass(frozen=True)
class Clock:
    """What a text says of times of day."""

    times: frozenset[int]
    """Times it names, every reading."""
    spans: tuple[tuple[int, int], ...]
    """First and last minute of each span that it names beside them ("after eight", "around noon", "in the evening")."""
    unclear: bool
    """It also speaks of time in words that are not reckoned here."""

    def __bool__(self) -> bool:
        return bool(self.times or self.spans)

    def allows(self, minute: int) -> bool:
        """The text may mean this time."""
        return minute in self.times or any(first <= minute <= last for first, last in self.spans)


_HOURS = {word: number for number, word in enumerate(ONES) if 0 < number <= 12}
_HOUR = rf"(?:[01]?\d|2[0-4]|{'|'.join(sorted(_HOURS, key=len, reverse=True))})"
_MINUTES = {
    "five": 5, "ten": 10, "quarter": 15, "a quarter": 15, "twenty": 20, "twenty five": 25, "twenty-five": 25, "half": 30, "5": 5,
    "10": 10, "15": 15, "20": 20, "25": 25, "fifteen": 15, "thirty": 30, "forty": 40, "forty-five": 45, "forty five": 45, "fifty": 50,
    "thirty-five": 35, "thirty five": 35, "fifty-five": 55, "fifty five": 55,
}  # fmt: skip
_SPOKEN = "|".join(sorted((word for word in _MINUTES if not word.isdigit()), key=len, reverse=True))
_HALF = r"(?P<half>\s?[ap]\.?\s?m\b\.?)"
_ENDS = r"(?=\s*(?:$|[.,;!?)\n]|(?:on|tomorrow|today|tonight|sharp|please|in|this|next|and|or|to|till|until|for|with|at|if|then|but|so|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b))"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # 6 to 8 pm, between six and 7:30 pm: the first
        rf"\b(?P<h>{_HOUR})(?=\s?(?:-|–|to|and|or|till|until)\s?(?:{_HOUR})(?:[:.][0-5]\d)?(?P<shared>\s?[ap]\.?\s?m\b))",
        # half past six, a quarter to eight, ten minutes after nine
        rf"\b(?P<off>{'|'.join(sorted(_MINUTES, key=len, reverse=True))})(?: minutes?)? (?P<way>past|after|to|before|till|of) (?P<h>{_HOUR})\b(?!:\d){_HALF}?(?! (?:minutes|hours|days|people|guests))",
        # 7:30 pm, 19:30, 7.30pm
        rf"(?<![\d:./-])(?P<h>[01]?\d|2[0-4])[:：](?P<m>[0-5]\d)(?::[0-5]\d)?(?![\d:/]){_HALF}?",
        rf"(?<![\d:./-])(?P<h>1?\d)\.(?P<m>[0-5]\d){_HALF}",
        r"\bat (?P<h>1?\d)\.(?P<m>[0-5]\d)(?![\d%])(?! ?(?:dollars|euros|pounds|usd|eur|stars|km|miles))",
        # 7 pm, seven thirty p.m.
        rf"\b(?P<h>{_HOUR})(?:[ -](?P<words>{_SPOKEN}))?{_HALF}",
        # seven o'clock, 19h30, 1930 hours
        rf"\b(?P<h>{_HOUR})\s?o['’ ]?clock\b",
        r"\b(?P<h>[01]?\d|2[0-3])h(?P<m>[0-5]\d)?\b",
        r"\b(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)\s?(?:hours|hrs)\b",
        # seven thirty; half seven (of a quarter past or to an hour above)
        rf"\b(?P<h>{'|'.join(_HOURS)})[ -](?P<words>fifteen|thirty|forty[ -]five)\b",
        rf"\bhalf[ -](?P<h>{'|'.join(_HOURS)})\b(?P<british>)(?! (?:of|hours?|dozen|years?|days?))",
        # from nine to five; at eight, by 7, from nine
        rf"\b(?:from|between) (?P<h>{_HOUR}) (?:to|and|till|until|-) (?P<h2>{_HOUR})\b",
        rf"\b(?:at|by|around|about|until|till|before|after|from|since|past|make it) (?P<h>{_HOUR}){_ENDS}",
        rf"\b(?P<h>{_HOUR}) (?=in the (?:morning|afternoon|evening)|at night|tonight|this (?:morning|evening|afternoon)|tomorrow (?:morning|evening|afternoon|night))",
    )
)
_PART_ZH = "凌晨|清晨|清早|大清早|早上|早晨|上午|一早|中午|正午|下午|午后|傍晚|晚上|今晚|明晚|昨晚|今早|明早|当晚|夜里|夜间|深夜|半夜|晚间|晚|早"
_ZH = re.compile(
    rf"(?P<part>{_PART_ZH})?的?\s?(?P<h>\d{{1,2}}|[零〇一二两三四五六七八九十]{{1,3}})(?:点钟?|时(?![间候长段差代]))"
    rf"(?P<m>半|一刻|三刻|整|过?(?:\d{{1,2}}|[零〇][一二三四五六七八九]|[一二三四五]?十[一二三四五六七八九]?)(?:分(?!钟))?|[一二三四五六七八九]分(?!钟))?"
    r"(?P<less>差(?:一刻|五分|十分))?(?![要建意问希]|[心评赞击菜餐单])"
)
_LESS_ZH = re.compile(rf"差(?P<m>一刻|五分|十分|\d+分)钟?到?(?P<h>\d{{1,2}}|{CHINESE_NUMBER})点")
_NAMED = (
    (re.compile(r"\bnoon\b|\bmidday\b|正午|中午(?!\s?(?:\d|[一二两十]+点))"), (12 * 60,)),
    (re.compile(r"\bmidnight\b|午夜|零点"), (0, DAY)),
)
_PARTS = (
    (re.compile(r"\bmorning\b|\bbreakfast\b|\bbrunch\b|早上|早晨|上午|清晨|一早|今早|明早|早餐|早饭"), (4 * 60, 12 * 60 + 30)),
    (re.compile(r"\blunch|\bmidday\b|中午|午饭|午餐"), (11 * 60, 15 * 60)),
    (re.compile(r"\bafternoon\b|下午|午后"), (12 * 60, 19 * 60)),
    (re.compile(r"\bevening\b|\btonight\b|\bdinner\b|\bsupper\b|晚上|今晚|明晚|傍晚|晚间|晚饭|晚餐"), (16 * 60, DAY)),
    (re.compile(r"\bnight\b(?!s)|夜里|夜间|深夜|半夜|凌晨|晚上|今晚|明晚"), (18 * 60, DAY)),
    (re.compile(r"\bnight\b(?!s)|夜里|夜间|深夜|半夜|凌晨"), (0, 6 * 60)),
)  # fmt: skip
_LATE = re.compile(r"\bafternoon\b|\bevening\b|\btonight\b|\bdinner\b|\bsupper\b|下午|晚|傍晚|夜里")
_EARLY = re.compile(r"\bmorning\b|\bbreakfast\b|\bdawn\b|(?<![a-z])am\b|早|上午|凌晨|清晨|夜里|\bnight\b|\blate\b")
_BESIDE = 24
"""Characters around a time in which a part of the day says which half is meant."""
_AFTER = re.compile(
    r"\b(?:after|since|not before|no earlier than|(?<!no )(?<!not )later than|starting(?: at)?|onwards?) ?(?:about |around )?$|(?:过了|不早于|晚于)$"
)
_BEFORE = re.compile(
    r"\b(?:before|by|until|till|no later than|(?<!no )(?<!not )earlier than|latest) ?(?:about |around )?$|(?:不晚于|早于|最晚|最迟)$"
)
_AFTER_ZH = re.compile(r"^(?:钟)?(?:之?后|以后|开外|起|往后|\s?(?:or later|onwards|and later))")
_BEFORE_ZH = re.compile(r"^(?:钟)?(?:之?前|以前|为止|\s?(?:or earlier|at the latest))")
_ABOUT = re.compile(r"\b(?:around|about|roughly|circa|approximately|say|near|close to) ?$|(?:大概|大约|差不多)\S{0,3}$")
_ABOUT_AFTER = re.compile(r"^(?:-?ish\b|左右|上下|前后| or so\b)")
_LENGTH = re.compile(
    rf"(?P<n>(?<!\d)\d++(?:\.\d++)?|an?|{'|'.join(ONES[1:])}|twenty|thirty|forty|fifty|half an|one and a half|a couple of)(?: and a half)?[ -]?(?P<u>hours?|hrs?|minutes?|mins?)\b"
)
_LENGTH_ZH = re.compile(rf"(?P<n>(?<!\d)\d++(?:\.\d++)?|{CHINESE_NUMBER}|半)个?(?P<more>半)?(?P<u>小时|钟头|分钟|刻钟)")
_IN = re.compile(r"\b(?:in|within) (?:about |around )?$|(?:过|再过|等)$")
_FROM_NOW = re.compile(r"^ (?:from now|from today|hence)\b|^(?:之?后|以后|内|之内)")
UNCLEAR = re.compile(
    r"\bsunset|\bsunrise|\bdawn\b|\bdusk\b|\bsame (?:time|hour)|\b(?:that|another|other|different|usual|any|some) (?:time|hour|slot)|\b(?:later|earlier|sooner)\b(?! than)|\busual\b|"
    r"\bafter (?:work|lunch|dinner|school|breakfast|the|it|that|my|our)\b|\bbefore (?:work|lunch|dinner|school|breakfast|the|it|that|my|our)\b|\bopening\b|\bclosing\b|\basap\b|\bas soon as\b|"
    r"\btime ?zones?\b|\blocal time\b|\butc\b|\bgmt\b|\b[ecmp][sd]t\b|\bcest?\b|\bevery\b|\bhourly\b|"
    r"时区|当地时间|北京时间|日落|日出|黄昏|同一时间|同样的?时间|别的时间|那个时间|早些|晚些|早一点|晚一点|早点|晚点|提前|推迟|下班|放学|饭后|饭前|尽快|每"
)  # fmt: skip
"""Words of times of day that cannot be reckoned here: beside them nothing is certain."""


@lru_cache(maxsize=2048)  # gates ask again and again of the texts of one session
def times_said(text: str, now: str) -> Clock:
    """The times of day that a text names, seen from ``now``."""
    plain = folded(text)
    times: set[int] = set()
    spans: list[tuple[int, int]] = []
    english, left = _english(plain)
    for start, end, readings in (*english, *_chinese(plain)):
        readings = {reading for reading in readings if 0 <= reading <= DAY}
        times |= {reading % DAY for reading in readings}
        spans += [span for reading in readings for span in _open(plain[:start], plain[end:], reading % DAY)]
    for pattern, named in _NAMED:
        for match in pattern.finditer(plain):
            times |= {one % DAY for one in named}
            for one in named:
                spans += _open(plain[: match.start()], plain[match.end() :], one % DAY)
    moment = datetime.fromisoformat(now)
    clock = moment.hour * 60 + moment.minute
    lengths = list(_lengths(left))
    for length, ahead in lengths:
        if ahead:
            spans.append(((clock + length - 15) % DAY, (clock + length + 15) % DAY))
    # An end may be said as a length: "from seven, for two hours".
    times |= {(one + sign * length) % DAY for one in set(times) for length, _ in lengths for sign in (1, -1)}
    if re.search(r"\bnow\b|\bright away\b|\bimmediately\b|现在|马上|立刻|立即|此刻", plain):
        spans.append(((clock - 15) % DAY, (clock + 15) % DAY))
    if not times:
        spans += [span for pattern, span in _PARTS if pattern.search(plain)]
    wrapped = [(first, DAY) if first > last else (first, last) for first, last in spans]
    wrapped += [(0, last) for first, last in spans if first > last]
    return Clock(frozenset(times), tuple(wrapped), bool(UNCLEAR.search(plain)))


def _open(before: str, after: str, at: int) -> Iterator[tuple[int, int]]:
    """The span that belongs to a time: "after eight", "around eight", 八点以前."""
    if _AFTER.search(before[-30:]) or _AFTER_ZH.match(after):
        yield at, DAY
    if _BEFORE.search(before[-30:]) or _BEFORE_ZH.match(after):
        yield 0, at
    if _ABOUT.search(before[-20:]) or _ABOUT_AFTER.match(after):
        yield max(0, at - 30), min(DAY, at + 30)


def _english(plain: str) -> tuple[list[tuple[int, int, set[int]]], str]:
    """(Start, end, readings) of each time in English or digits, and the text with blanks in their place."""
    found: list[tuple[int, int, set[int]]] = []
    left = plain
    for pattern in _PATTERNS:
        for match in pattern.finditer(left):
            found.append((match.start("h"), match.end(), _readings(plain, match)))
            if second := match.groupdict().get("h2"):
                hour = _HOURS.get(second) or int(second)
                found.append((match.start("h2"), match.end(), _halves(plain, match, hour, 0, None, second)))
            if "off" in match.groupdict():
                found[-1] = (match.start(), match.end(), found[-1][2])
        left = pattern.sub(lambda match: " " * len(match[0]), left)
    return found, left


def _readings(plain: str, match: re.Match[str]) -> set[int]:
    found = match.groupdict()
    hour = _HOURS.get(found["h"]) or int(found["h"])
    minute = int(found.get("m") or 0) or _MINUTES.get(found.get("words") or "", 0)
    if off := found.get("off"):
        minute = _MINUTES[off] if found["way"] in ("past", "after") else -_MINUTES[off]
    if shared := found.get("shared"):  # "11 to 1 pm" begins in the morning
        both = {"a", "p"} if hour in (9, 10, 11) else {shared.strip()[0]}
        return {reading for half in both for reading in _halves(plain, match, hour, minute, half, found["h"])}
    if "british" in found:  # half six is half past six, or as in German half an hour before
        return {one for shift in (30, -30) for one in _halves(plain, match, hour, shift, None, found["h"])}
    return _halves(plain, match, hour, minute, found.get("half"), found["h"])


def _halves(plain: str, match: re.Match[str], hour: int, minute: int, half: str | None, written: str) -> set[int]:
    """The readings of an hour: one where am or pm, its form or a part of the day beside it says which half is meant."""
    if half:
        return {(hour % 12 + (12 if half.strip()[0] == "p" else 0)) * 60 + minute}
    if hour > 12 or hour == 0 or (written.startswith("0") and len(written) == 2):
        return {hour % 24 * 60 + minute}
    around = plain[max(0, match.start() - _BESIDE) : match.start()] + " " + plain[match.end() : match.end() + _BESIDE]
    late, early = _LATE.search(around), _EARLY.search(around)
    second = {(hour % 12 + 12) * 60 + minute}
    first = {hour % 12 * 60 + minute}
    if hour == 12:
        return first | second
    if late and not early:
        return second
    if early and not late and re.search(r"\bmorning\b|早|上午|清晨", around):
        return first
    return first | second


def _chinese(plain: str) -> Iterator[tuple[int, int, set[int]]]:
    for match in _LESS_ZH.finditer(plain):
        less = {"一刻": 15, "五分": 5, "十分": 10}.get(match["m"]) or int(match["m"][:-1])
        for hour in _hours_zh(match["h"]):
            yield match.start(), match.end(), _halves_zh(plain, match, hour, None, -less)
    for match in _ZH.finditer(_LESS_ZH.sub(lambda match: " " * len(match[0]), plain)):
        part, minutes = match["part"], match["m"]
        after = plain[match.end() :]
        bare = match["h"] == "一" and not part and not minutes and not match[0].endswith(("钟", "时"))
        if bare and not re.search(r"[在到于约至]$", plain[: match.start()]):
            continue  # 便宜一点
        if not part and not minutes and re.match(r"[\u3400-\u9fff]{0,2}(?:要求|建议|意见|问题|希望)", after):
            continue
        less = {"差一刻": 15, "差五分": 5, "差十分": 10}.get(match["less"] or "", 0)
        for hour in _hours_zh(match["h"]):
            yield match.start(), match.end(), _halves_zh(plain, match, hour, part, _minute_zh(minutes) - less)


def _hours_zh(said: str) -> set[int]:
    hours = {int(said)} if said.isdigit() else {int(one) for one in chinese_numbers(said)}
    return {hour for hour in hours if hour <= 24}


def _minute_zh(said: str | None) -> int:
    if not said or said == "整":
        return 0
    if said in ("半", "一刻", "三刻"):
        return {"半": 30, "一刻": 15, "三刻": 45}[said]
    plain = said.lstrip("过").rstrip("分").lstrip("零〇") or "0"
    return int(plain) if plain.isdigit() else int(max(chinese_numbers(plain)))


def _halves_zh(plain: str, match: re.Match[str], hour: int, part: str | None, minute: int) -> set[int]:
    if hour > 12 or hour == 0:
        return {hour % 24 * 60 + minute}
    if part and re.search("凌晨|早|上午", part):
        return {hour % 12 * 60 + minute} if hour != 12 or part == "凌晨" else {12 * 60 + minute, minute}
    if part and re.search("中午|正午", part):
        return {(hour + 12 if hour < 4 else hour) * 60 + minute}
    if part and re.search("夜", part):
        return {hour % 12 * 60 + minute, (hour % 12 + 12) * 60 + minute}
    if part:
        return {(hour % 12 + 12) * 60 + minute} if hour != 12 else {minute, 12 * 60 + minute}
    return _halves(plain, match, hour, minute, None, "")


def _lengths(plain: str) -> Iterator[tuple[int, bool]]:
    """(Minutes, whether it is counted from now) of each length of time."""
    for match in _LENGTH.finditer(plain):
        word = match["n"]
        named = {"a": 1.0, "an": 1.0, "half an": 0.5, "one and a half": 1.5, "a couple of": 2.0, "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0}  # fmt: skip
        hours = named.get(word) or (float(ONES.index(word)) if word in ONES else float(word))
        hours += 0.5 if "and a half" in match[0] and word != "one and a half" else 0
        minutes = round(hours * (60 if match["u"].startswith("h") else 1))
        yield minutes, bool(_IN.search(plain[: match.start()]) or _FROM_NOW.match(plain[match.end() :]))
    for match in _LENGTH_ZH.finditer(plain):
        numbers = (
            {0.5}
            if match["n"] == "半"
            else ({float(match["n"])} if match["n"][0].isdigit() else chinese_numbers(match["n"]))
        )
        unit = {"小时": 60, "钟头": 60, "分钟": 1, "刻钟": 15}[match["u"]]
        for count in numbers:
            minutes = round((count + (0.5 if match["more"] else 0)) * unit)
            yield minutes, bool(_IN.search(plain[: match.start()]) or _FROM_NOW.match(plain[match.end() :]))

"""What personal data looks like: one table of patterns, each with a cheap test without which it cannot match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from mining import checksums


class PersonalData(StrEnum):
    """Kinds of personal data; a placeholder is ``[KIND_n]``."""

    URL = "URL"
    """An address with credentials in it."""
    EMAIL = "EMAIL"
    KEY = "KEY"
    """An API key or token."""
    IBAN = "IBAN"
    CARD = "CARD"
    ID = "ID"
    """A national identifier or passport number."""
    IP = "IP"
    MAC = "MAC"
    PHONE = "PHONE"
    ADDRESS = "ADDRESS"
    BIRTH = "BIRTH"
    """A date of birth, where the words say that it is one."""
    NAME = "NAME"
    ACCOUNT = "ACCOUNT"
    """A messenger account, where the words say so."""
    PLATE = "PLATE"
    """A Chinese licence plate."""


class Clues:
    """Cheap facts on a text: most texts hold nothing personal, and then no expression is tried."""

    __slots__ = (
        "birth", "colons", "dashes", "digit", "dotted", "foreign", "long_number", "lower", "name", "secret", "street", "text",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = text
        self.lower: str = text.lower()
        """The text in lower case."""
        self.foreign: bool = not text.isascii()
        """Signs beyond ASCII."""
        self.digit: bool = _DIGIT.search(text) is not None
        self.long_number: bool = self.digit and _LONG_NUMBER.search(text) is not None
        """Seven digits with little between them: the shortest telephone number."""
        self.dotted: bool = self.digit and _DOTTED.search(text) is not None
        """Two dots around few digits, as in an IP address."""
        self.street: bool = self.digit and _HOUSE.search(text) is not None
        """A number before a capital, as a house number stands."""
        self.colons: int = text.count(":")
        self.dashes: int = text.count("-")
        self.secret: bool = self.digit and _holds_any(self.lower, _SECRET_WORDS)
        """A word that announces a secret."""
        self.birth: bool = self.digit and _holds_any(self.lower, _BIRTH_WORDS)
        """A word that announces a date of birth."""
        self.name: bool = _holds_any(self.lower, _NAME_WORDS)
        """Words by which people give names."""


def _holds_any(text: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110 - a generator takes twice as long
        if word in text:
            return True
    return False


_NINO = re.compile(r"\d [A-D]\b|\d[A-D]\b")
_DIGIT = re.compile(r"\d")
_LONG_NUMBER = re.compile(r"\d(?:\D{0,3}\d){6}")
_DOTTED = re.compile(r"\d\.\d{1,3}\.\d")
_HOUSE = re.compile(r"\d[A-Za-z]?,? [A-Z]")
_SECRET_WORDS = ("key", "token", "secret", "passw", "pwd", "密码", "密钥", "口令")
_BIRTH_WORDS = ("born", "birth", "dob", "d.o.b", "出生", "生日", "生的", "生于")
_NAME_WORDS = (
    "name", "this is ", "i'm ", "i’m ", "i am ", "call me", "signed", "regards", "mr.", "mrs.", "ms.", "dr.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to see one kind. Group ``v`` is what is replaced, the whole match where there is none."""

    kind: PersonalData
    expression: re.Pattern[str]
    holds: Callable[[str], bool] = lambda value: True
    """Whether a match is really one."""
    hint: Callable[[Clues], bool] = lambda clues: True
    """A cheap test of the whole text without which the expression cannot match anywhere in it."""


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _any(*marks: str) -> Callable[[Clues], bool]:
    """A test for marks; those that are all beyond ASCII are not looked for in ASCII text."""
    foreign = not any(mark.isascii() for mark in marks)
    return lambda clues: (clues.foreign or not foreign) and _holds_any(clues.text, marks)


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _grouped_as_card(text: str) -> bool:
    """13 to 19 digits, in one run or in groups as on a card: an order number such as 354-9511985-9596963 is none."""
    groups = re.split(r"[ -]", text)
    return 13 <= len(_digits(text)) <= 19 and (
        len(groups) == 1 or all(len(group) in (4, 5, 6) for group in groups[:-1])
    )


def _is_ip(text: str) -> bool:
    return all(int(part) <= 255 for part in text.split("."))


_P = PersonalData
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = (
    rf"(?:\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}|\d{{4}}[./-]\d{{1,2}}[./-]\d{{1,2}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+\d{{4}}|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    r"|\d{4}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?[日号])"
)
_STREET = (
    r"(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|place|pl|terrace|crescent|close|"
    r"square|way|row|hill|gardens|grove|mews|parkway|pkwy|highway|hwy)"
)
_CN_SURNAME = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
_NOT_NAMES = frozenset(
    "going looking trying planning not in at on a an the from just here so also still thinking sure sorry afraid "
    "interested happy new back done good fine ok okay tired hungry bored wondering getting having feeling using "
    "running living staying visiting travelling traveling flying leaving coming working studying doing being really "
    "very too only about all allergic vegetarian vegan lost late stuck confused curious able supposed asking "
    "calling writing checking moving driving".split()
)


def _is_name(text: str) -> bool:
    """Capitalised, and no word that often follows "I'm"."""
    words = text.split()
    return bool(words) and words[0][0].isupper() and words[0].lower() not in _NOT_NAMES


PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        _P.URL, re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,100}:[^\s/@]{1,100}@[^\s]{1,300}"), hint=_any("://")
    ),
    Pattern(
        _P.EMAIL,
        re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}"),
        hint=_any("@"),
    ),
    Pattern(
        _P.KEY,
        re.compile(
            r"(?<![\w-])(?:sk-[A-Za-z0-9_-]{12,}|gh[pousr]_[A-Za-z0-9]{16,}|AKIA[0-9A-Z]{12,}|xox[abprs]-[A-Za-z0-9-]{10,}"
            r"|AIza[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{16,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?)"
        ),
        hint=_any("sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "AKIA", "xox", "AIza", "hf_", "eyJ"),
    ),
    Pattern(
        _P.KEY,
        re.compile(
            r"(?i)(?<![A-Za-z0-9])(?:api[ _-]?key|token|secret|password|passwd|pwd|密码|密钥)\s{0,3}(?:is|=|:|：|是|为)\s{0,3}"
            r"[\"'`]?(?P<v>[A-Za-z0-9_\-!@#$%^&*+/=.]{6,100})"
        ),
        holds=lambda value: _has_digit(value) and not re.fullmatch(r"[\d.,]+", value),
        hint=lambda clues: clues.secret,
    ),
    Pattern(
        _P.IBAN,
        re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"),
        holds=lambda value: 15 <= len(value.replace(" ", "")) <= 34 and checksums.iban(value.replace(" ", "")),
        hint=lambda clues: clues.long_number,
    ),
    Pattern(
        _P.ID,
        re.compile(r"(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)"),
        holds=checksums.cn_resident_id,
        hint=lambda clues: clues.long_number,
    ),
    Pattern(
        _P.ID,
        re.compile(r"身份证(?:号码?|号)?\s{0,3}(?:是|为|:|：)?\s{0,3}(?P<v>\d{17}[\dXx]|\d{15})(?!\d)"),
        hint=_any("身份证"),
    ),
    Pattern(
        _P.CARD,
        re.compile(r"(?<![\d.-])(?:\d[ -]?){12,18}\d(?![\d-])"),
        holds=lambda value: _grouped_as_card(value) and value[0] in "23456" and checksums.luhn(_digits(value)),
        hint=lambda clues: clues.long_number,
    ),
    Pattern(
        _P.CARD,
        re.compile(r"(?:银行卡|信用卡|储蓄卡|卡)号?\s{0,3}(?:是|为|:|：)?\s{0,3}(?P<v>(?:\d[ -]?){14,18}\d)(?!\d)"),
        hint=_any("卡"),
    ),
    Pattern(
        _P.ID,
        re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])"),
        holds=lambda value: checksums.us_ssn(_digits(value)),
        hint=lambda clues: clues.long_number,
    ),
    Pattern(
        _P.ID,
        re.compile(r"\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b"),
        hint=lambda clues: clues.digit and _NINO.search(clues.text) is not None,
    ),
    Pattern(
        _P.ID,
        re.compile(r"(?i)\bnhs\b[^\d\n]{0,20}(?P<v>\d{3} ?\d{3} ?\d{4})(?!\d)"),
        holds=lambda value: checksums.uk_nhs(_digits(value)),
        hint=lambda clues: clues.long_number and "nhs" in clues.lower,
    ),
    Pattern(
        _P.ID,
        re.compile(
            r"(?i)(?:passport|护照)[^\dA-Za-z\n]{0,6}(?:no|number|号码?|is|是|#|\s|:|：|\.){0,6}(?P<v>[A-Z]{0,2}\d{7,9})\b"
        ),
        hint=lambda clues: clues.digit and ("passport" in clues.lower or "护照" in clues.text),
    ),
    Pattern(
        _P.MAC,
        re.compile(r"(?<![\w:-])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![\w:-])"),
        hint=lambda clues: clues.colons > 4 or clues.dashes > 4,
    ),
    Pattern(
        _P.IP,
        re.compile(r"(?<![\w.])(?<!version )(?<!v)(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)"),
        holds=_is_ip,
        hint=lambda clues: clues.dotted,
    ),
    Pattern(
        _P.IP,
        re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4}){1,6}(?![\w:])"),
        holds=lambda value: value.count(":") >= 4 or "::" in value,
        hint=lambda clues: clues.colons > 3 or "::" in clues.text,
    ),
    Pattern(
        _P.BIRTH,
        re.compile(
            rf"(?i)(?:\bborn(?: on| in)?|\bdate of birth|\bdob\b|\bbirth ?day|\bbirthdate|出生(?:日期|年月|于)?|生日)"
            rf"[^\d\n]{{0,14}}?(?P<v>{_DATE})"
        ),
        hint=lambda clues: clues.birth,
    ),
    Pattern(
        _P.BIRTH, re.compile(rf"(?P<v>{_DATE})\s?(?:出生|生的|生日)"), hint=lambda clues: clues.birth and clues.foreign
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(
            rf"\b\d{{1,5}}[A-Za-z]?,? (?:[A-Z][\w'.-]{{1,20}} ){{1,4}}(?i:{_STREET})\b\.?"
            r"(?:,? (?:apt|apartment|flat|unit|suite|#)\.? ?\w{1,6})?"
        ),
        hint=lambda clues: clues.street,
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(
            r"(?:[一-鿿]{2,8}(?:省|自治区))?(?:[一-鿿]{2,8}[市州])?(?:[一-鿿]{1,8}[区县])?"
            r"[一-鿿A-Za-z0-9]{1,12}(?:路|街|大道|胡同|巷|弄|村)\s?\d{1,5}\s?(?:号院?|弄)"
            r"(?:\s?[一-鿿A-Za-z0-9]{0,12}?\d{1,4}\s?(?:号楼|栋|幢|单元|层|室|楼)){0,4}(?:\s?\d{1,4}(?:\s?室)?)?"
        ),
        hint=_any("号", "弄"),
    ),
    Pattern(
        _P.PLATE,
        re.compile(
            r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z][·\s]?[A-HJ-NP-Z0-9]{5,6}(?![A-Z0-9])"
        ),
        hint=lambda clues: clues.foreign and clues.digit,
    ),
    Pattern(
        _P.ACCOUNT,
        re.compile(
            r"(?i)(?:微信号?|wechat|qq号?|vx)\s{0,2}(?:id)?\s{0,2}(?:是|为|is|:|：)?\s{0,2}(?P<v>[A-Za-z0-9][A-Za-z0-9_-]{4,24})"
        ),
        holds=_has_digit,
        hint=lambda clues: _holds_any(clues.lower, ("微信", "wechat", "qq", "vx")),
    ),
    Pattern(
        _P.NAME,
        re.compile(
            r"\b(?:[Mm]y (?:full |last |first )?name(?: is|'s|:)|[Tt]his is|[Ii](?:'m| am)|[Nn]ame:|under(?: the name(?: of)?)?|"
            r"call me|signed,?|[Rr]egards,?|[Mm](?:rs?|s)\.|[Dd]r\.)\s{1,2}"
            r"(?P<v>[A-Z][a-zA-Z'’-]{1,20}(?: (?:[A-Z]\. )?[A-Z][a-zA-Z'’-]{1,20}){0,2})"
        ),
        holds=_is_name,
        hint=lambda clues: clues.name or "under " in clues.text,
    ),
    Pattern(
        _P.NAME,
        re.compile(
            rf"(?:我叫|我是|本人|姓名(?:是|为|:|：)|联系人(?:是|为|:|：)?|收件人(?:是|为|:|：)?|叫我|名字(?:是|叫))\s?"
            rf"(?P<v>(?:欧阳|司马|上官|诸葛|慕容|[{_CN_SURNAME}])[一-鿿]{{1,2}})(?=[，。,.、；！!\s\d电手的]|$)"
        ),
        hint=_any("叫", "是", "本人", "姓名", "人"),
    ),
)
"""In order: what an earlier one took, a later one does not see."""

PHONE_REGIONS = ("US", "GB", "CN")
"""Regions that national numbers are tried as; numbers with a country code need none."""

FEWEST_NATIONAL = 10
"""Digits of a number in national form, area code and all, in each of the regions: dates and times have fewer."""

MOST_VERIFIED = 500
"""Candidates of one conversation that are verified, at some tenths of a millisecond each; what more looks like a telephone
number is taken for one."""

_PHONE_SHAPE = re.compile(r"(?<![\w.\-/])(?:\+|00)?\(?\d[\d \t\xa0().-]{5,18}\d(?![\w/-]|\.\d)")
_DATE_FIRST = re.compile(r"(?:19|20)\d\d([-.])\d{1,2}\1\d{1,2}(?!\d)")
_GROUPED = re.compile(r"[ \t\xa0().-]")
_CN_PHONE = re.compile(
    r"(?<!\d)(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)|(?<![\d-])0\d{2,3}-[2-9]\d{6,7}(?![\d-])"
)
"""Mobile numbers, and fixed ones with an area code."""
_FICTION = re.compile(r"(?<![\d.-])(?:\(?\d{3}\)?[ .-]?)?555[ .-]\d{4}(?![\d-])")
"""555 numbers are reserved for fiction: phonenumbers calls them invalid, people type them all the same."""
_NO_PHONE_BEFORE = re.compile(
    r"(?i)(?:order|ref(?:erence)?|isbn|tracking|invoice|ticket|no\.|#|订单|单号|编号|version|v)\W{0,4}(?:\w+\W{0,3})?$"
)


def phones(text: str) -> Iterator[tuple[int, int]]:
    """Spans of telephone numbers, which phonenumbers finds valid in a region, or which are written like fiction's."""
    taken: set[int] = set()
    for expression in (_CN_PHONE, _FICTION):
        for match in expression.finditer(text):
            taken.update(match.span())
            yield match.span()
    matches = list(_PHONE_SHAPE.finditer(text))
    if not matches:
        return
    import phonenumbers

    for number, match in enumerate(matches):
        piece = match.group()
        digits = len(_digits(piece))
        if not 7 <= digits <= 15 or match.start() in taken or match.end() in taken:
            continue
        if number >= MOST_VERIFIED:
            yield match.span()
            continue
        if _NO_PHONE_BEFORE.search(text[max(0, match.start() - 24) : match.start()]):
            continue
        regions: tuple[str | None, ...] = (None,)
        if not piece.startswith(("+", "00")):
            # A bare run of digits is an order number more often than a telephone.
            likely = digits >= FEWEST_NATIONAL and _GROUPED.search(piece) and not _DATE_FIRST.match(piece)
            regions = PHONE_REGIONS if likely else ()
        for region in regions:
            found = next(iter(phonenumbers.PhoneNumberMatcher(piece, region)), None)
            if found is not None:
                yield match.start() + found.start, match.start() + found.end
                break

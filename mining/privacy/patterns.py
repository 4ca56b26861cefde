"""Table of patterns of personal data, each with a cheap test without which it cannot match."""

from __future__ import annotations

import re

from wildtool.language import check_digits as checksums
from wildtool.mining.privacy.foreign_addresses import ABROAD
from wildtool.mining.privacy.pattern import Pattern, PersonalData, any_of, holds_any

_MAC_PART = re.compile("[:-][0-9A-Fa-f]{2}[:-][0-9A-Fa-f]{2}[:-]")
_IPV6_PART = re.compile(":[0-9A-Fa-f]{1,4}:")
_NINO = re.compile(r"\d [A-D]\b|\d[A-D]\b")


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


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


FEWEST_ID_DIGITS = 4
"""Digits of a number of a customer, a passport or a licence."""
_ID_WORDS = (
    "passport",
    "licen",
    "customer",
    "client",
    "member",
    "patient",
    "loyalty",
    "account",
    "flyer",
    "id card",
    "identity card",
)

_P = PersonalData
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_DATE = (
    rf"(?:\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}|\d{{4}}[./-]\d{{1,2}}[./-]\d{{1,2}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+\d{{4}}|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    r"|\d{4}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?[日号])"
)
_STREET = (
    r"(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|place|pl|terrace|crescent|close|"
    r"square|way|row|hill|gardens|grove|mews|parkway|pkwy|highway|hwy)"
)
_COMPASS = r"(?:(?:North|South)?(?:[Ee]ast|[Ww]est)|North|South|[NS]?[EW]|[NS])\b"

_SAID_BEFORE = re.compile(r"\A.*(?:地址|位于|住址|[在是到去住寄往]|从(?!化)|为(?!民)|的(?!士))")
"""What stands before a Chinese address in one run of letters with it: 我家的地址是在…"""
_STREET_SIGN = re.compile(r"[路街巷弄村]|大道|胡同")


def _before_address(value: str) -> int:
    """Letters before the address itself, up to the first street sign at most."""
    street = _STREET_SIGN.search(value)
    said = _SAID_BEFORE.match(value, 0, street.start() - 1 if street else len(value))
    return said.end() if said else 0


PATTERNS: tuple[Pattern, ...] = (
    Pattern(
        _P.URL,
        re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,100}:[^\s/@]{1,100}@[^\s]{1,300}"),
        hint=any_of("://"),
    ),
    Pattern(
        _P.EMAIL,
        re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}"),
        hint=any_of("@"),
    ),
    Pattern(
        _P.KEY,
        re.compile(
            r"(?<![\w-])(?:sk-[A-Za-z0-9_-]{12,}|gh[pousr]_[A-Za-z0-9]{16,}|AKIA[0-9A-Z]{12,}|xox[abprs]-[A-Za-z0-9-]{10,}"
            r"|AIza[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{16,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?)"
        ),
        hint=any_of("sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "AKIA", "xox", "AIza", "hf_", "eyJ"),
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
        # The edge of the word is looked at from its second letter: what begins with a letter is searched for five times faster.
        re.compile(r"[A-Z](?<!\w[A-Z])[A-Z]\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"),
        holds=lambda value: 15 <= len(value.replace(" ", "")) <= 34 and checksums.iban(value.replace(" ", "")),
        hint=lambda clues: bool(clues.numbers),
    ),
    Pattern(
        _P.ID,
        re.compile(r"(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)"),
        holds=checksums.cn_resident_id,
        hint=lambda clues: bool(clues.numbers),
        number=True,
    ),
    Pattern(
        _P.ID,
        re.compile(r"身份证(?:号码?|号)?\s{0,3}(?:是|为|:|：)?\s{0,3}(?P<v>\d{17}[\dXx]|\d{15})(?!\d)"),
        hint=any_of("身份证"),
    ),
    Pattern(
        _P.CARD,
        re.compile(r"(?<![\d.-])(?:\d[ -]?){12,18}\d(?![\d-])"),
        holds=lambda value: _grouped_as_card(value) and value[0] in "23456" and checksums.luhn(_digits(value)),
        hint=lambda clues: bool(clues.numbers),
        number=True,
    ),
    Pattern(
        _P.CARD,
        re.compile(r"(?:银行卡|信用卡|储蓄卡|卡)号?\s{0,3}(?:是|为|:|：)?\s{0,3}(?P<v>(?:\d[ -]?){14,18}\d)(?!\d)"),
        hint=any_of("卡"),
    ),
    Pattern(
        _P.ID,
        re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])"),
        holds=lambda value: checksums.us_ssn(_digits(value)),
        hint=lambda clues: bool(clues.numbers),
        number=True,
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
        hint=lambda clues: bool(clues.numbers) and "nhs" in clues.lower,
    ),
    Pattern(
        _P.ID,
        re.compile(
            r"(?i)(?:passport|护照)[^\dA-Za-z\n]{0,6}(?:no|number|号码?|is|是|#|\s|:|：|\.){0,6}(?P<v>[A-Z]{0,2}\d{7,9})\b"
        ),
        hint=lambda clues: clues.digit and ("passport" in clues.lower or "护照" in clues.text),
    ),
    Pattern(
        _P.ID,
        re.compile(
            r"(?i)\b(?:passport|driv(?:er['’]?s?|ing) licen[cs]e|licen[cs]e|customer|client|member(?:ship)?|patient|loyalty|account"
            r"|frequent flyer|identity card|id card)\s(?:number|no\b\.?|id|num\b|#)\s{0,2}(?:is|was|:|=|#)?\s{0,2}(?:it['’]?s )?"
            r"(?P<v>(?=[A-Z-]{0,6}\d)[A-Z0-9](?:[A-Z0-9-]| (?=\d)){3,20})(?!\w)"
        ),
        holds=lambda value: len(_digits(value)) >= FEWEST_ID_DIGITS,
        hint=lambda clues: clues.digit and holds_any(clues.lower, _ID_WORDS),
    ),
    Pattern(
        _P.MAC,
        re.compile(r"(?<![\w:-])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![\w:-])"),
        hint=lambda clues: (clues.colons > 4 or clues.dashes > 4) and _MAC_PART.search(clues.text) is not None,
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
        hint=lambda clues: (clues.colons > 3 or "::" in clues.text) and _IPV6_PART.search(clues.text) is not None,
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
        _P.BIRTH, re.compile(rf"(?P<v>{_DATE})\s?(?:出生|生的|生日)"), hint=lambda clues: clues.birth and clues.han
    ),
    Pattern(
        _P.ADDRESS,
        re.compile(
            rf"(?<![\w$€£.-])(?:\d{{1,3}}-)?\d{{1,5}}[A-Za-z]?,? (?:[A-Z][\w'.-]{{1,20}} ){{1,4}}(?i:{_STREET})\b(?!-)"
            rf"(?! (?i:met(?:er|re)s?|feet|foot|ft|miles?|inch(?:es)?|footage|km)\b)(?: {_COMPASS})?"
            r"(?:\.?,? (?i:apt|apartment|flat|unit|suite|ste|floor|#)\.? ?\w{1,6})?"
            r"(?:\.?,? (?:[A-Z][A-Za-z.'-]{1,20},? ){0,4}[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b"
            r"|\.?,? (?:[A-Z][A-Za-z.]{1,15},? ){1,5}\d{4,5}(?:-\d{4})?(?!\d))?"
        ),
        hint=lambda clues: clues.street,
    ),
    *ABROAD,
    Pattern(
        _P.ADDRESS,
        re.compile(
            r"(?:[一-鿿]{2,8}(?:省|自治区))?(?:[一-鿿]{2,8}[市州])?(?:[一-鿿]{1,8}[区县])?"
            r"[一-鿿A-Za-z0-9]{1,12}(?:路|街|大道|胡同|巷|弄|村)\s?\d{1,5}\s?(?:号院?|弄)"
            r"(?:\s?[一-鿿A-Za-z0-9]{0,12}?\d{1,4}\s?(?:号楼|栋|幢|单元|层|室|楼)){0,4}(?:\s?\d{1,4}(?:\s?室)?)?"
        ),
        hint=any_of("号", "弄"),
        skips=_before_address,
    ),
    Pattern(
        _P.PLATE,
        re.compile(
            r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z][·\s]?[A-HJ-NP-Z0-9]{5,6}(?![A-Z0-9])"
        ),
        hint=lambda clues: clues.han and clues.digit,
    ),
    Pattern(
        _P.ACCOUNT,
        re.compile(
            r"(?i)(?:微信号?|wechat|qq号?|vx)\s{0,2}(?:id)?\s{0,2}(?:是|为|is|:|：)?\s{0,2}(?P<v>[A-Za-z0-9][A-Za-z0-9_-]{4,24})"
        ),
        holds=_has_digit,
        hint=lambda clues: holds_any(clues.lower, ("微信", "wechat", "qq", "vx")),
    ),
)
"""In order: what an earlier one took, a later one does not see."""

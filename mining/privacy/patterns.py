"""Finders of personal data: a finder is a function from text to spans, run only where its trigger occurs.

They run over a whole conversation at once, its messages joined by a separator that no pattern crosses.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from enum import StrEnum

from mining.privacy import checks


class PersonalData(StrEnum):
    """Kinds of personal data, which are the names of their placeholders."""

    URL = "URL"
    SECRET = "SECRET"
    EMAIL = "EMAIL"
    IBAN = "IBAN"
    CARD = "CARD"
    NATIONAL_ID = "NATIONAL_ID"
    MAC = "MAC"
    IP = "IP"
    PHONE = "PHONE"
    DATE_OF_BIRTH = "DATE_OF_BIRTH"
    ADDRESS = "ADDRESS"
    ACCOUNT = "ACCOUNT"
    NAME = "NAME"


Found = tuple[int, int, PersonalData]
"""Start, end, kind."""

EMAIL = re.compile(
    r"[\w.+%-]+[ ]?@[ ]?[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}", re.ASCII
)
EMAIL_SPOKEN = re.compile(
    r"\b[\w.+-]+ ?(?:\(at\)|\[at\]| at ) ?[\w-]+ ?(?:\(dot\)|\[dot\]| dot ) ?(?:com|org|net|de|cn|edu|io|co\.uk)\b",
    re.I,
)
URL_LOGIN = re.compile(r"\b[a-zA-Z][\w+.-]{1,15}://[^\s/:@]+:[^\s/@]+@[^\s\"'<>）)]+")
URL_QUERY = re.compile(
    r"(?i)(?<=[?&])((?:access_?|auth_?|api_?|refresh_?|session_?)?(?:token|key|sig|signature|password|passwd|secret|pwd)=)([^&\s\"'<>#]{6,})"
)
SECRET_SHAPES = re.compile(
    r"\b(?:sk-(?:proj-|ant-|live-)?[\w-]{16,}|[spr]k_(?:live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|"
    r"(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|xox[abeprs]-[\w-]{10,}|ya29\.[\w-]{20,}|hf_\w{20,}|npm_\w{30,}|pypi-[\w-]{30,}|"
    r"SG\.[\w-]{16,}\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{6,})|"
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\w+/=\s]*(?:-----END [A-Z ]*PRIVATE KEY-----)?"
)
SECRET_CUES = re.compile(
    r"(?i)(?:\b(?:pass ?(?:word|code|phrase|wd)|pwd|api[ _-]?key|secret(?:[ _-]?(?:key|access[ _-]?key))?|(?:access|auth|bearer)[ _-]?token|token|"
    r"pin(?: ?code| number)?|cvv|cvc|security code|otp|verification code)\b|密码|口令|密钥|令牌|验证码|支付密码)"
    r"(?:[ \t]*(?:is|was|are|=|:|：|是|为|叫)[ \t]*|[ \t]+)[\"'“‘`]?([^\s\"'“”’`,，。;；]{3,})"
)
BEARER = re.compile(r"(?i)\bbearer[ \t]+([\w.~+/-]{16,}=*)")
IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")
NUMBER = re.compile(r"(?<![\w.,/$€£¥#+-])(?:\+|\(\+?)?\d(?:[ \t.()/-]{0,3}\d){5,24}[Xx]?(?![\w%])(?!,\d)")
CN_ID = re.compile(r"(?<!\d)[1-8]\d{16}[\dXx](?![\dA-Za-z])")
UK_NINO = re.compile(r"(?i)\b[A-Z]{2}[ ]?\d{2}[ ]?\d{2}[ ]?\d{2}[ ]?[A-D]\b")
ES_DNI = re.compile(r"\b(?:[XYZ]-?\d{7}|\d{8})[ -]?[A-Za-z]\b")
IPV4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d]|\.\d)")
IPV6 = re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])")
MAC = re.compile(
    r"(?<![\w:-])(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![\w:-])|\b(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}\b",
    re.I,
)

_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)?[ -]{_MONTH}\.?,?[ -]'?(?:19|20)?\d\d|{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? (?:19|20)\d\d|"
    r"(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:(?:19|20)\d\d|\d\d)|(?:19|20)?\d\d ?年 ?\d{1,2} ?月 ?\d{1,2} ?[日号]?|"
    r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))"
)
BIRTH = re.compile(
    rf"(?i)(?:\b(?:born|birth ?day|birth ?date|date of birth|d\.?o\.?b\.?|née? le|nacid[oa]|fecha de nacimiento|geboren)\b|生日|出生|生于|生辰)"
    rf"[^\n.!?。！？\x1e]{{0,24}}?({_DATE})(?!\d)|({_DATE})(?:出生|生的|生人|出世)"
)

_STREET = (
    r"street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|square|sq|terrace|way|crescent|close|"
    r"highway|hwy|parkway|pkwy|row|gardens|grove|mews|walk"
)
STREET = re.compile(
    rf"\b\d{{1,5}}[A-Za-z]?(?:[/-]\d{{1,4}})?,?[ ]((?:[A-Za-z0-9][\w'’.-]*[ ]){{1,4}}?)(?:{_STREET})\b\.?(?![ ](?:to|from|in|on)[ ]the)"
    r"(?:,?[ ](?:apt|apartment|unit|suite|ste|flat|floor|#)\.?[ ]?#?\w{1,5}\b)?"
    r"(?:,[ ][A-Z][\w'’.-]+(?:[ ][A-Z][\w'’.-]+){0,2}(?:,?[ ][A-Z]{2})?(?:,?[ ]\d{5}(?:-\d{4})?)?(?!\w))?",
    re.IGNORECASE,
)
STREET_OTHER = re.compile(
    r"\b\d{1,4}(?:[ ]?(?:bis|ter))?,?[ ](?:rue|avenue|boulevard|place|allée|impasse|quai|via|piazza)[ ](?:de[ ]|du[ ]|des[ ]|la[ ]|l'|d')*[A-ZÀ-Ö][\w'’-]+(?:[ ][A-ZÀ-Ö][\w'’-]+)*"
    r"|\b(?:calle|avenida|plaza|paseo|via|rua)[ ](?:de[ ]|del[ ]|la[ ]|los[ ])*[A-ZÀ-Ö][\w'’-]+(?:[ ][A-ZÀ-Ö][\w'’-]+)*,?[ ](?:n[º°.]?[ ]?)?\d{1,4}\b"
    r"|\b[A-ZÄÖÜ][\wäöüß-]+(?:straße|strasse|weg|platz|allee|gasse)[ ]\d{1,4}[a-z]?\b",
)
POSTCODE_UK = re.compile(r"\b(?:[A-Z]{1,2}\d[A-Z\d]?) \d[ABD-HJLNP-UW-Z]{2}\b")
NO_STREET = frozenset(
    "minute minutes min mins hour hours day days week weeks month months year years mile miles km kilometers block blocks "
    "meter meters metre metres people persons person stars star the a an this that my your our their of from to on in at for "
    "with and or way one dollars dollar euros pounds percent bed bedroom bedrooms seats tickets adults nights night am pm is "
    "are was by per x different best other more top guests rooms items stops times".split()
)
"""Words that no street is called by, between a number and "street" or "way": "5 minutes down the road"."""

CN_STREET = re.compile(
    r"(?:[\u4e00-\u9fff]{2,7}(?:省|自治区))?(?:[\u4e00-\u9fff]{2,6}市)?(?:[\u4e00-\u9fff]{1,6}[区县镇乡])?"
    r"[\u4e00-\u9fff]{1,8}(?:大街|大道|路|街|道|巷|弄|胡同|里)(?:[东南西北中]段)?(?:甲|乙)?\d{1,5}(?:号|弄)(?:院|楼)?"
    r"(?:[\u4e00-\u9fff]{0,8}\d{1,4}(?:号楼|栋|幢|座|单元|层|楼|室|号))*"
    r"|[\u4e00-\u9fff]{2,10}(?:小区|花园|公寓|苑|家园|新村|大厦|广场)[A-Z]?\d{1,4}(?:号楼|栋|幢|座)(?:\d{1,3}单元)?(?:\d{1,4}(?:室|号|层))?"
)
CN_LEAD = re.compile(
    r"^(?:.*?(?:地址(?:是|为|在|:|：)?|住在|住|寄到|寄给|送到|送去|位于|家在|来到|公司在|就在|是在|导航到|导航去)|[我你他她]?(?:在|到|去|从|是|的|叫))"
)

DIGIT_CUE = re.compile(
    r"(?i)\b(?:call|phone|tel|telephone|mobile|cell|cellphone|contact|whats ?app|sms|text(?: me)?|ring|fax|reach(?: me)?(?: at| on)?|hotline|"
    r"teléfono|móvil|téléphone|portable|appelez|telefon|handy|celular|number is)\b|电话|手机|号码|致电|拨打|打给|联系|微信|座机|热线"
)
NUMBER_NOT_PERSONAL = re.compile(
    r"(?i)\b(?:order|invoice|tracking|ref|reference|ticket|confirmation|booking|case|item|sku|isbn|part|model|serial|version|build|"
    r"flight|train|parcel|shipment|article|product|id|no|nr|article|page|timestamp|epoch|population)\b\.?[ \t]*(?:number|no|nr|code|id|num)?\.?[ \t]*"
    r"(?:is|was|:|#|=)?[ \t]*#?$|(?:订单|单号|快递|运单|编号|流水|票号|型号|版本|发票|书号|货号|商品|条码)[^\d\n]{0,5}$"
)
ACCOUNT_CUE = re.compile(
    r"(?i)(?:\b(?:account|acct|routing|sort code|passport|licen[cs]e|policy|membership|member|driver'?s licen[cs]e)\b[ \t]*(?:number|no|nr|num|#|id)?\.?[ \t]*(?:is|:|=|ends? in)?[ \t]*#?|"
    r"(?:账号|账户|卡号|护照|驾照|社保|QQ|微信)(?:号码|号)?[ \t]*(?:是|为|:|：)?[ \t]*)([A-Za-z]{0,3}\d(?:[ -]?\d){4,20})\b"
)
SSN_CUE = re.compile(r"(?i)\b(?:ssn|social(?: security)?(?: number| no)?)\b")
NHS_CUE = re.compile(r"(?i)\bnhs\b")
DATE_LIKE = re.compile(
    r"(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d|(?:19|20)\d\d[ -]+(?:19|20)\d\d"
)

DETECTION_REGIONS = ("US", "GB", "CN", "DE", "FR", "ES", "IN")
"""Regions whose local forms a number is tried in, when a cue says that it is a phone number."""


def find_links(text: str) -> Iterator[Found]:
    """URLs with a login, tokens in queries, e-mail addresses."""
    if "://" in text:
        for found in URL_LOGIN.finditer(text):
            yield found.start(), found.end(), PersonalData.URL
        for found in URL_QUERY.finditer(text):
            yield found.start(2), found.end(2), PersonalData.SECRET
    if "@" in text:
        for found in EMAIL.finditer(text):
            yield found.start(), found.end(), PersonalData.EMAIL
    if " dot " in text or "[dot]" in text or "(dot)" in text:
        for found in EMAIL_SPOKEN.finditer(text):
            yield found.start(), found.end(), PersonalData.EMAIL


def find_secrets(text: str) -> Iterator[Found]:
    """API keys and tokens by shape, passwords and codes by cue."""
    for found in SECRET_SHAPES.finditer(text):
        yield found.start(), found.end(), PersonalData.SECRET
    for found in BEARER.finditer(text):
        yield found.start(1), found.end(1), PersonalData.SECRET
    for found in SECRET_CUES.finditer(text):
        value = found.group(1).rstrip(".!?)")
        # "my password is wrong" and "pin it" name no secret: one holds a digit, or a sign amid letters.
        if any(sign.isdigit() for sign in value) or re.search(r"\w[!@#$%^&*_+=~]", value):
            yield found.start(1), found.start(1) + len(value), PersonalData.SECRET


def find_network(text: str) -> Iterator[Found]:
    """IP and MAC addresses."""
    if text.count(".") > 2:
        for found in IPV4.finditer(text):
            before = text[max(0, found.start() - 12) : found.start()].casefold()
            if all(int(part) < 256 for part in found.group().split(".")) and not re.search(
                r"(?:version|release|build|ver|chrome/|firmware|版本|v)[ .:]*$", before
            ):
                yield found.start(), found.end(), PersonalData.IP
    for found in MAC.finditer(text):
        yield found.start(), found.end(), PersonalData.MAC
    if text.count(":") > 1:
        for found in IPV6.finditer(text):
            if _is_ip6(found.group()):
                yield found.start(), found.end(), PersonalData.IP


def _is_ip6(text: str) -> bool:
    if len(text) < 6 or not re.search(r"[0-9A-Fa-f]", text):
        return False
    try:
        return ipaddress.ip_address(text).version == 6
    except ValueError:
        return False


def find_birth(text: str) -> Iterator[Found]:
    """Dates of birth: dates beside a word of birth."""
    for found in BIRTH.finditer(text):
        group = 1 if found.group(1) else 2
        yield found.start(group), found.end(group), PersonalData.DATE_OF_BIRTH


def find_streets(text: str, *, chinese: bool) -> Iterator[Found]:
    """Street addresses with a house number."""
    for found in STREET.finditer(text):
        words = found.group(1).casefold().split()
        if not any(word in NO_STREET for word in words):
            yield found.start(), found.end(), PersonalData.ADDRESS
    for pattern in (STREET_OTHER, POSTCODE_UK):
        for found in pattern.finditer(text):
            yield found.start(), found.end(), PersonalData.ADDRESS
    if chinese:
        for found in CN_STREET.finditer(text):
            lead = CN_LEAD.match(found.group())
            yield found.start() + (lead.end() if lead else 0), found.end(), PersonalData.ADDRESS


def find_numbers(text: str) -> Iterator[Found]:
    """Cards, IBANs, national ids, account numbers, phones: every long number, told apart by form, check and cue."""
    for found in IBAN.finditer(text):
        end = _iban_end(found.group())
        if end:
            yield found.start(), found.start() + end, PersonalData.IBAN
    for found in CN_ID.finditer(text):
        if checks.cn_id(found.group()):
            yield found.start(), found.end(), PersonalData.NATIONAL_ID
    for found in UK_NINO.finditer(text):
        if checks.uk_nino(found.group()):
            yield found.start(), found.end(), PersonalData.NATIONAL_ID
    for found in ES_DNI.finditer(text):
        if checks.es_dni(found.group()):
            yield found.start(), found.end(), PersonalData.NATIONAL_ID
    for found in ACCOUNT_CUE.finditer(text):
        yield found.start(1), found.end(1), PersonalData.ACCOUNT
    for found in NUMBER.finditer(text):
        kind = _number_kind(text, found.start(), found.group())
        if kind is not None:
            yield found.start(), found.end(), kind


def _iban_end(text: str) -> int:
    """Length of the IBAN at the start of the text, 0 if there is none: words after it may look like more groups."""
    length = checks.IBAN_LENGTHS.get(text[:2].upper())
    if length is None:
        return 0
    seen = 0
    for place, sign in enumerate(text):
        seen += sign.isalnum()
        if seen == length:
            follows = text[place + 1 : place + 2]
            return place + 1 if not follows.isalnum() and checks.iban(text[: place + 1]) else 0
    return 0


def _number_kind(text: str, start: int, number: str) -> PersonalData | None:
    digits = re.sub(r"\D", "", number)
    before = text[max(0, start - 48) : start].rpartition("\x1e")[2]
    if DATE_LIKE.match(number.strip("()+ ")) and len(digits) <= 12:
        return None
    plain = number[0] != "+" and "(" not in number
    if plain and len(digits) == 9 and (re.fullmatch(r"\d{3}-\d\d-\d{4}", number) or SSN_CUE.search(before)):
        return PersonalData.NATIONAL_ID if checks.us_ssn(digits) else None
    if plain and NHS_CUE.search(before) and checks.uk_nhs(digits):
        return PersonalData.NATIONAL_ID
    if re.fullmatch(r"\d{3}\.\d{3}\.\d{3}-\d\d", number) and checks.br_cpf(digits):
        return PersonalData.NATIONAL_ID
    not_personal = NUMBER_NOT_PERSONAL.search(before) is not None
    if plain and 13 <= len(digits) <= 19 and "." not in number and "/" not in number:
        if len(digits) == 15 and checks.fr_nir(digits):
            return PersonalData.NATIONAL_ID
        return PersonalData.CARD if checks.card(digits) and not not_personal else None
    return PersonalData.PHONE if not not_personal and _is_phone(number, digits, before) else None


_US = re.compile(r"(?:1[ .-]?)?\(?[2-9]\d\d\)?[ .-]{0,2}[2-9]\d\d[ .-]\d{4}")
_CN = re.compile(
    r"(?:86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}|\(?0\d{2,3}\)?[ -]?[2-9]\d{2,3}[ -]?\d{4}(?:-\d{1,4})?|[48]00-?\d{3,4}-?\d{3,4}"
)
_TRUNK = re.compile(r"\(?0\d{1,4}\)?(?:[ /-]\d{2,8}){1,4}|0[67]\d{8,9}")


def _is_phone(number: str, digits: str, before: str) -> bool:
    """A phone number: with +, by a known national form, or by a cue and a possible length."""
    if not 7 <= len(digits) <= 15:
        return False
    if number.startswith(("+", "(+")):
        return _possible(number.strip("()"), None)
    bare = number.strip()
    if _US.fullmatch(bare) or _CN.fullmatch(bare):
        return True
    if _TRUNK.fullmatch(bare) and any(_possible(bare, region) for region in ("GB", "DE", "FR")):
        return True
    if re.search(r"\.\d{1,2}$", bare) and bare.count(".") == 1:  # an amount of money
        return False
    return DIGIT_CUE.search(before[-40:]) is not None and any(_possible(bare, region) for region in DETECTION_REGIONS)


def _possible(number: str, region: str | None) -> bool:
    import phonenumbers

    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number, region))
    except phonenumbers.NumberParseException:
        return False

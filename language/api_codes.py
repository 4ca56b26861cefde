"""What anyone knows: the codes that APIs use for what people call by name, in English and Chinese."""

from __future__ import annotations

from functools import cache

_COUNTRIES = """US USA United States|America|U.S.|美国
GB GBR United Kingdom|UK|Britain|England|英国
CN CHN China|中国
JP JPN Japan|日本
KR KOR South Korea|Korea|韩国
FR FRA France|法国
DE DEU Germany|德国
IT ITA Italy|意大利
ES ESP Spain|西班牙
PT PRT Portugal|葡萄牙
NL NLD Netherlands|Holland|荷兰
BE BEL Belgium|比利时
CH CHE Switzerland|瑞士
AT AUT Austria|奥地利
SE SWE Sweden|瑞典
NO NOR Norway|挪威
DK DNK Denmark|丹麦
FI FIN Finland|芬兰
PL POL Poland|波兰
CZ CZE Czechia|Czech Republic|捷克
GR GRC Greece|希腊
IE IRL Ireland|爱尔兰
TR TUR Turkey|Türkiye|土耳其
RU RUS Russia|俄罗斯
UA UKR Ukraine|乌克兰
CA CAN Canada|加拿大
MX MEX Mexico|墨西哥
BR BRA Brazil|巴西
AR ARG Argentina|阿根廷
CL CHL Chile|智利
AU AUS Australia|澳大利亚|澳洲
NZ NZL New Zealand|新西兰
IN IND India|印度
ID IDN Indonesia|印度尼西亚|印尼
TH THA Thailand|泰国
VN VNM Vietnam|越南
MY MYS Malaysia|马来西亚
SG SGP Singapore|新加坡
PH PHL Philippines|菲律宾
HK HKG Hong Kong|香港
TW TWN Taiwan|台湾
AE ARE United Arab Emirates|UAE|阿联酋
SA SAU Saudi Arabia|沙特
IL ISR Israel|以色列
EG EGY Egypt|埃及
ZA ZAF South Africa|南非
KE KEN Kenya|肯尼亚
NG NGA Nigeria|尼日利亚
IS ISL Iceland|冰岛"""

_CURRENCIES = """USD dollar|US dollar|$|bucks|美元|美金
EUR euro|€|欧元
GBP pound|sterling|£|英镑
JPY yen|日元|日圆
CNY yuan|renminbi|RMB|人民币
CHF franc|Swiss franc|瑞郎|瑞士法郎
CAD Canadian dollar|加元
AUD Australian dollar|澳元
NZD New Zealand dollar|新西兰元
HKD Hong Kong dollar|港币|港元
SGD Singapore dollar|新加坡元|新币
KRW won|韩元
INR rupee|卢比
BRL real|reais|雷亚尔
MXN peso|比索
SEK Swedish krona|kronor|瑞典克朗
NOK Norwegian krone|挪威克朗
DKK Danish krone|丹麦克朗
THB baht|泰铢
RUB rouble|ruble|卢布
BTC bitcoin|比特币
ETH ethereum|ether|以太坊|以太币"""

_LANGUAGES = """en eng English|英语|英文
zh zho Chinese|Mandarin|中文|汉语
fr fra French|法语|法文
de deu German|德语|德文
es spa Spanish|西班牙语|西语
it ita Italian|意大利语
pt por Portuguese|葡萄牙语
ja jpn Japanese|日语|日文
ko kor Korean|韩语|韩文
ru rus Russian|俄语|俄文
ar ara Arabic|阿拉伯语
nl nld Dutch|荷兰语
sv swe Swedish|瑞典语
pl pol Polish|波兰语
tr tur Turkish|土耳其语
hi hin Hindi|印地语"""

_UNITS = """metric celsius|centigrade|°C|摄氏|摄氏度|公制
imperial fahrenheit|°F|华氏|华氏度|英制
celsius centigrade|°C|摄氏|摄氏度|metric
fahrenheit °F|华氏|华氏度|imperial
km kilometre|kilometer|公里|千米
mi mile|英里
kg kilogram|kilo|公斤|千克
lb pound|磅
asc ascending|lowest first|oldest first|cheapest|升序|从低到高
desc descending|highest first|newest|latest|降序|从高到低|最新
male man|men|男
female woman|women|女"""


@cache
def _names() -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for table in (_COUNTRIES, _CURRENCIES, _LANGUAGES, _UNITS):
        for line in table.splitlines():
            codes: list[str] = []
            rest = line
            while True:
                head, _, tail = rest.partition(" ")
                # Codes are what stands before the first name; units have one code.
                is_code = head.isascii() and head.isalpha() and (len(head) <= 3 or table is _UNITS) and tail
                if not is_code or (table is _UNITS and codes):
                    break
                codes.append(head)
                rest = tail
            names = rest.split("|")
            everything = {*codes, *names}
            for each in everything:
                found.setdefault(each.casefold(), set()).update(everything - {each})
    return {key: tuple(sorted(names, key=len, reverse=True)) for key, names in found.items()}


def names_of(value: str) -> tuple[str, ...]:
    """Other names of a country, currency, language or unit, by code or by name; empty for anything else."""
    return _names().get(value.strip().casefold(), ())


@cache
def _things(kind: str) -> dict[str, frozenset[str]]:
    """Codes and names of a kind, folded, each with all of the same thing."""
    table = {"currency": _CURRENCIES, "language": _LANGUAGES, "country": _COUNTRIES}[kind]
    found: dict[str, frozenset[str]] = {}
    for line in table.splitlines():
        first, *names = line.split("|")
        *codes, name = _code_parts(first)
        everything = frozenset(each.casefold() for each in (*codes, name, *names))
        for each in everything:
            found[each] = found.get(each, frozenset()) | everything
    return found


def _code_parts(first: str) -> list[str]:
    """The codes before the first name of a line, and that name."""
    parts: list[str] = []
    rest = first
    while (cut := rest.partition(" "))[1] and cut[0].isascii() and cut[0].isalpha() and len(cut[0]) <= 3:
        parts.append(cut[0])
        rest = cut[2]
    return [*parts, rest]


def same_thing(kind: str, one: str, other: str) -> bool:
    """Are both the same currency, language or country, by code or by name? False where one is not in the tables."""
    first, second = (_things(kind).get(_singular(each, kind), frozenset()) for each in (one, other))
    return bool(first) and first == second


def _singular(name: str, kind: str) -> str:
    folded = " ".join(name.casefold().split())
    known = _things(kind)
    return folded if folded in known else folded.removesuffix("s")

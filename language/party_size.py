"""How many people a message says come along, where it names each of them: "me and my three kids", 我和我老婆还有两个孩子."""

from __future__ import annotations

import re

from wildtool.language.folding import folded
from wildtool.language.number_phrases import CHINESE_NUMBER, ONES, chinese_numbers

_NUMBERS = {word: number for number, word in enumerate(ONES) if 1 < number < 13}
_N = rf"(?:\d{{1,2}}|{'|'.join(_NUMBERS)})"
_ONE = (
    r"wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|son|daughter|mum|mom|mother|dad|father|brother|sister|boss|"
    r"grandma|grandpa|grandmother|grandfather|aunt|uncle|cousin|flatmate|roommate|colleague|friend|kid|child|baby"
)
_MANY = r"kids|children|sons|daughters|friends|brothers|sisters|colleagues|cousins|boys|girls|adults|babies|toddlers"
_ITEM = rf"(?:me|myself|i|my (?:(?:best|old|little|elder|older|younger|dear) )?(?:{_ONE})|(?:my |our )?{_N} (?:(?:small|little|young|other|good|old) )?(?:{_MANY})|(?:a|one) (?:{_ONE})|my parents|both my parents)"
_LIST = re.compile(rf"(?<![\w'])(?P<list>{_ITEM}(?:(?:,| and|, and| plus| with|,? as well as) {_ITEM})+)(?![\w'])")
_OF = re.compile(
    rf"\b(?:(?:family|party|group) of (?P<a>{_N})|(?:the )?(?P<b>{_N}) of us|(?:there are|there'll be|there will be|we are|we're) (?P<c>{_N})(?= of us|\s*(?:[.,;!?]|$)))"
)
_PERSON_ZH = "老婆|妻子|太太|老公|丈夫|先生|女朋友|男朋友|女友|男友|对象|妈妈|爸爸|母亲|父亲|妈|爸|儿子|女儿|哥哥|姐姐|弟弟|妹妹|闺蜜|室友|孩子|宝宝"
_ITEM_ZH = rf"(?:我自己|(?:我的?)?(?:父母|爸妈|爸爸妈妈)|(?:我的?)?(?:{_PERSON_ZH})|(?:我的?)?(?:\d{{1,2}}|{CHINESE_NUMBER})[个位名](?:小)?(?:孩子|孩|朋友|同事|同学|大人|老人|儿子|女儿|娃)|我)"
_LIST_ZH = re.compile(
    rf"(?:{_ITEM_ZH})(?:(?:、|，?和|，?跟|，?与|，?还有|，?加上|，?以及|，?带着?)(?:{_ITEM_ZH}))+(?![们的家])"
)
_OF_ZH = re.compile(
    rf"(?:我们|咱们|咱|一家|一行|总共|一共)(?P<n>\d{{1,2}}|{CHINESE_NUMBER})(?:个人|个|口|人|位|(?=[，。,.\s]|$))(?!孩|小|朋|大|老|房|票)|(?P<two>我们俩|咱俩|咱们俩|夫妻俩|我们夫妻|两口子)"
)


def party_said(text: str) -> int | None:
    """The number of people that a text says come along; None where it names none, not all, or different numbers."""
    plain = folded(text)
    totals = {sum(_worth(one) for one in re.findall(_ITEM, match["list"])) for match in _LIST.finditer(plain)}
    for match in _OF.finditer(plain):
        word = match["a"] or match["b"] or match["c"]
        totals.add(int(word) if word.isdigit() else _NUMBERS[word])
    for match in _LIST_ZH.finditer(plain):
        if "我" in match[0]:
            totals.add(sum(_worth_zh(one) for one in re.findall(_ITEM_ZH, match[0])))
    for match in _OF_ZH.finditer(plain):
        if match["two"]:
            totals.add(2)
        else:
            totals |= {int(match["n"])} if match["n"].isdigit() else {int(one) for one in chinese_numbers(match["n"])}
    return totals.pop() if len(totals) == 1 else None


def _worth(item: str) -> int:
    if "parents" in item:
        return 2
    number = re.search(rf"\b({_N})\b", item)
    if number is None or number[1] == "one":
        return 1
    return int(number[1]) if number[1].isdigit() else _NUMBERS[number[1]]


def _worth_zh(item: str) -> int:
    if re.search("父母|爸妈|爸爸妈妈", item):
        return 2
    number = re.search(rf"(\d{{1,2}}|{CHINESE_NUMBER})[个位名]", item)
    if number is None:
        return 1
    return int(number[1]) if number[1].isdigit() else int(max(chinese_numbers(number[1])))

"""Names of persons by cues: "my name is", "this is … from", "Dr.", 我叫, 联系人.

A cue is followed by much else ("I'm hungry", "this is great", 我是学生). A capital or a surname decides where there is one;
what is written small must be a known given name, except after the cues that nothing but a name follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

_CUES = {
    "name": ("", re.compile(r"(?i)(?:name(?: is|['’]?s|:)|name of|name)\s{1,3}")),
    "called ": ("whose", re.compile(r"(?i)called\s{1,3}")),
    "it's ": ("whose", re.compile(r"(?i)it's\s{1,3}")),
    "it is ": ("whose", re.compile(r"(?i)it is\s{1,3}")),
    "call me ": ("name", re.compile(r"(?i)call me\s{1,3}")),
    "signed": ("name", re.compile(r"(?i)signed,?\s{1,3}")),
    "regards": ("name", re.compile(r"(?i)regards,?\s{1,3}")),
    "sincerely": ("name", re.compile(r"(?i)sincerely,?\s{1,3}")),
    "this is ": ("this", re.compile(r"(?i)this is\s{1,3}")),
    "i'm ": ("am", re.compile(r"(?i)i'm\s{1,3}")),
    "i’m ": ("am", re.compile(r"(?i)i’m\s{1,3}")),
    "im ": ("am", re.compile(r"(?i)im\s{1,3}")),
    "i am ": ("am", re.compile(r"(?i)i am\s{1,3}")),
    "under ": ("under", re.compile(r"(?i)under\s{1,3}")),
    "mr": ("title", re.compile(r"(?i)mrs?\.?\s{1,3}")),
    "ms. ": ("title", re.compile(r"(?i)ms\.\s{1,3}")),
    "dr": ("title", re.compile(r"(?i)dr\.?\s{1,3}")),
    "prof": ("title", re.compile(r"(?i)(?:professor|prof\.?)\s{1,3}")),
    "mister ": ("title", re.compile(r"(?i)mister\s{1,3}")),
    "doctor ": ("title", re.compile(r"(?i)doctor\s{1,3}")),
}
"""Cues by a piece that stands in each, written small, with its kind and the expression of the whole from there on: a plain search
for pieces costs a fifth of one expression for all."""
_NAME_OF = (
    ("mine", re.compile(r"(?i)\b(?:my|his|her) (?:full |last |first |real |maiden )?$")),
    ("under", re.compile(r"(?i)\b(?:under|in) the $")),
    ("whole", re.compile(r"(?i)\b(?:full|last|first|maiden) $")),
    ("whose", re.compile(r"")),
)
"""What "name is" is the end of, by what stands before it."""
_ASKED = re.compile(
    r"(?i)name\b[^?\n]{0,40}\?[^\n\0]{0,20}\n\0{3}\n(?:(?:yes|sure|yeah|ok|okay|of course)[,.!]? )?"
    r"(?:(?:it['’]?s|it is|i['’]?m|i am|this is|my name is|(?:put (?:it|that) |book it )?under(?: the name)?"
    r"|please use|use|make (?:it|that)"
    r"|that(?:['’]?s| is|['’]?d be| would be)) )?"
)
"""A question for the name at the end of a message; messages are parted by nulls."""
_YOUR = (
    "your ",
    "your full ",
    "your first ",
    "your last ",
    "your good ",
    "what name",
    "which name",
    "whose name",
    "what last name",
    "under the name",
)
"""What stands before "name" in a question for it, or with it; the latter ask what it is to be."""
_FOR_A_BOOKING = re.compile(
    r"name (?:for|on|under|of) the (?:booking|reservation|order|account|appointment|tickets?|guests?|passengers?)\b"
)
_FIELD = re.compile(r"(?:^|[\n\0;,(])[^\S\n]{0,3}(?i:(?:full|first|last|guest|passenger|contact|customer) )?$")
"""What stands before "Name:" where a form is filled in."""
_NO_PERSONS = frozenset(
    "hotel restaurant cafe café bar inn museum park house grand central station street road hall club hostel resort lodge theatre "
    "theater cinema gallery hospital clinic school university college church tower center centre plaza kitchen grill pizza palace "
    "garden gardens suites apartments company ltd inc gmbh llc bank airport bistro bakery pub diner spa salon shop store market".split()
)
"""Words in names of places and firms, which forms hold as well."""
HERE_CHARS = 80
_TITLE = re.compile(r"(?:M(?:rs?|s)|Dr|Prof)\b\.? {1,2}")
_CAPITAL = "[A-ZÀ-ÖØ-ÞĀ-Ž]"
_LETTERS = "(?:[^\\W\\d_]|['’-](?=[^\\W\\d_]))"
_CAPITALISED = re.compile(
    rf"{_CAPITAL}{_LETTERS}{{1,20}}(?: (?:{_CAPITAL}\.? )?{_CAPITAL}{_LETTERS}{{1,20}}){{0,2}}(?: (?:Jr|Sr)\b\.?)?"
)
_HERE = re.compile(
    rf"(?:^|[\n.!,]|\b)(?i:hi|hello|hey|dear \w{{1,20}}|good (?:morning|afternoon|evening|day))(?i: there| all| team| everyone)?[,.!]? "
    rf"(?:[Ii]t['’]s )?(?P<name>{_CAPITALISED.pattern})\Z"
)
_WORD = re.compile(rf"{_LETTERS}{{2,20}}")
_ALONE = re.compile(rf"({_LETTERS}{{2,20}}(?: {_LETTERS}{{2,20}}){{0,2}})\s?[.!]?\s?(?:\n\0|$)")
"""One to three words that are all of a message."""
_GOING_ON = re.compile(rf"({_LETTERS}{{2,20}}(?: {_LETTERS}{{2,20}}){{0,2}})\s?[,;.!]\s")
"""One to three words before more."""
_SECOND = re.compile(rf" ({_LETTERS}{{2,20}})")
_ENDS = re.compile(
    r"""(?x)\s{0,2}(?:[,.!?;:\n()"\[]|-\s|$)|\s{1,2}(?i:and|from|here|speaking|calling|with|again|in|at|on|by|i|i'm|im|i’m|my|the|
    please|can|could|is|was|but|so|the|for|need|want|would|like|or|who|who's|you)\b"""
)
"""What may stand after a name: the end of the clause, or a word that goes on with the sentence."""
_SAYS_WHO = re.compile(
    r"(?i)\s{0,2}(?:[.!\n]|$|,(?! ?(?:right|correct|isn|no\b|yes\b|yeah|ok)))|\s(?:and|from|here|speaking|calling|again)\b"
)
_CLAUSE = re.compile(
    r"(?i)(?:^|[.!?,;:\"(-]|\b(?:hi|hello|hey|yes|yeah|yep|yo|ok|okay|morning|afternoon|evening|there))\s*+$|\n[^\S\n]*+$"
)
"""What stands before a clause in which somebody says who he is."""
_BOOKED = re.compile(
    r"(?i)\b(?:book|booked|booking|reserv\w{1,8}|appointment|order|account|table|name|registered|ticket|tickets)\b"
)

_NOT_NAMES = frozenset(
    "going looking trying planning not in at on a an the from just here so also still thinking sure sorry afraid "
    "interested happy new back done good fine ok okay tired hungry bored wondering getting having feeling using "
    "running living staying visiting travelling traveling flying leaving coming working studying doing being really "
    "very too only about all allergic vegetarian vegan lost late stuck confused curious able supposed asking "
    "calling writing checking moving driving great amazing awesome perfect excited right wrong correct ready sick single "
    "married pregnant old young busy free open available aware certain glad sad angry mad impressed worried batman siri alexa "
    "appointment doctor mrs mr ms dr prof premium economy business first second no yes what which who where when why how my your "
    "his her our their this that it its for to of by with and or but if as is was are be been has have had do does did can could "
    "will would should may might must need want like please thanks thank hello hi hey number title date name event address email "
    "phone english french spanish german italian chinese japanese korean american british canadian australian indian mexican "
    "brazilian russian ukrainian polish dutch swedish danish norwegian finnish irish scottish welsh greek turkish arab african "
    "asian european jewish muslim catholic buddhist hindu atheist republican democrat section article chapter settings windows "
    "linux general construction warranty contract".split()
)
"""Words that follow these cues with a capital (in titles, at the start of a line) and are not names."""

_KNOWN_WORKS = frozenset(
    "who strangelove dolittle pepper seuss martens dre oz house robot bean nobody president chairman speaker doubtfire right "
    "word excel office paint teams t ai bot strange drive suite".split()
)
"""What goes on "Dr.", "Mr." and their like in titles of works, brands and forms of address."""

_GOES_ON = frozenset(
    "and from here speaking calling with again in at on by the please can could is was but so for need needs want wants would "
    "like or who you looking trying going have has had am are will do does did not i'm im i'd i've i'll my me we our it this that "
    "there to of as just also still now then today tomorrow tonight thanks thank hi hello hey if when where what why how which "
    "because about using writing working living asking wondering planning hoping new currently really very too your yours her his "
    "age aged account number phone email order booking reservation id pin ok okay yes no don't book find help get make".split()
)
"""Words after a name that are not surnames."""

_NO_SMALL_NAME = (
    _NOT_NAMES
    | _GOES_ON
    | frozenset(
        "spelled spelt misspelled misspelt incorrect same hard long short common different unique already listed missing showing "
        "displayed written pronounced being used known kind kinda up under none null unknown private irrelevant unimportant "
        "confidential mud legion changed change never always often sometimes probably maybe supposed actually required more less "
        "nevermind both john's below above attached following one two three".split()
    )
)


@lru_cache(maxsize=1)
def given_names() -> frozenset[str]:
    """Given names in lower case that are not everyday words: ``given_names.txt`` says how it came to be."""
    lines = files("wildtool.mining.privacy").joinpath("given_names.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(" ".join(line for line in lines if not line.startswith("#")).split())


def introduced(text: str, lower: str) -> Iterator[tuple[int, int]]:
    """Spans of names that follow a cue or a question for the name in English; some may overlap.

    Args:
        text: the text.
        lower: the same in lower case.
    """
    if len(lower) != len(text):  # a few scripts change their length
        lower = "".join(one.lower() if one.isascii() else one for one in text)
    yield from _greeting(text, lower)
    for piece, (kind, expression) in _CUES.items():
        place = lower.find(piece)
        while place >= 0:
            if place == 0 or not lower[place - 1].isalnum():
                span = None
                if piece == "name" and _asks(lower, place):
                    asked = _ASKED.match(text, place)
                    span = None if asked is None else _answer(text, asked.end())
                    if asked is None and (cue := expression.match(text, place)) is not None:
                        span = _after(text, cue, kind or _of_name(text, cue))
                else:
                    cue = expression.match(text, place)
                    span = None if cue is None else _after(text, cue, kind or _of_name(text, cue))
                if span is not None:
                    yield span
            place = lower.find(piece, place + len(piece))


def _asks(lower: str, place: int) -> bool:
    """Does a "name" here belong to a question for the name of a person?"""
    return (
        lower.endswith(_YOUR, 0, place)
        or lower.endswith(_YOUR, 0, place + len("name"))
        or _FOR_A_BOOKING.match(lower, place) is not None
    )


def _greeting(text: str, lower: str) -> Iterator[tuple[int, int]]:
    """Names in "Hi, Anna Berg here": behind a greeting, a known name or two words with capitals."""
    place = lower.find(" here")
    while place >= 0:
        found = _HERE.search(text, max(0, place - HERE_CHARS), place)
        if found is not None and not text[place + 5 : place + 6].isalnum():
            words = [word.lower() for word in found["name"].split()]
            if not _NO_SMALL_NAME.intersection(words) and (words[0] in given_names() or len(words) > 1):
                yield found.span("name")
        place = lower.find(" here", place + 5)


def _of_name(text: str, cue: re.Match[str]) -> str:
    """The kind of a cue that ends in "name"."""
    before = text[max(0, cue.start() - 16) : cue.start()]
    if cue.group().rstrip().endswith(":") and _FIELD.search(before):
        return "field"
    kind = next(kind for kind, expression in _NAME_OF if expression.search(before))
    said = cue.group().rstrip().lower()
    if kind == "under":
        return "stated" if said in ("name", "name of") else ""
    if said in ("name", "name of") or (kind != "mine" and not said.endswith(("is", ":"))):
        return ""
    return kind


def _answer(text: str, place: int) -> tuple[int, int] | None:
    """The name that a message from here on gives, where the one before asked for it."""
    found = _CAPITALISED.match(text, place)
    if found is not None and not found.group().isupper():
        words = found.group().lower().split()
        if words[0] not in given_names() and not _NO_PERSONS.isdisjoint(words):
            return None
        return found.span() if words[0] not in _NO_SMALL_NAME and _ENDS.match(text, found.end()) else None
    found = _ALONE.match(text, place) or _GOING_ON.match(text, place)
    if found is not None and found.re is _GOING_ON:
        first = found[1].split()[0]
        if not (first.lower() in given_names() or (found[1].isupper() and " " in found[1])):
            return None
    if found is None or any(word.lower() in _NO_SMALL_NAME for word in found[1].split()):
        return None
    return found.span(1)


def _after(text: str, cue: re.Match[str], kind: str) -> tuple[int, int] | None:
    place = cue.end()
    if kind == "title":
        if not text[cue.start()].isupper():
            return None
    elif not kind:
        return None
    else:
        titled = _TITLE.match(text, place)
        place = titled.end() if titled else place
    found = _CAPITALISED.match(text, place)
    if kind == "field" and (found is None or (" " not in found.group() and found.group().lower() not in given_names())):
        return None  # "Name: Waterloo"
    if found is None or (found.group().isupper() and kind not in ("mine", "title")):
        # Written small, or all in capitals: letters say nothing.
        return None if kind == "title" or not _stands(text, cue, kind) else _small(text, place, kind)
    words = found.group().split()
    first = words[0].lower()
    if first in _NOT_NAMES or (kind == "title" and (first in _KNOWN_WORKS or words[0].isupper())):
        return None
    known = first in given_names()
    if kind == "field" and not known and not _NO_PERSONS.isdisjoint(found.group().lower().split()):
        return None
    if kind == "whose" and not known:
        return None  # "its name is Grand Central": most things with a name are not persons
    if kind == "this" and not (_ENDS if known else _SAYS_WHO).match(text, found.end()):
        return None
    if kind == "under" and not (known or _BOOKED.search(text, max(0, cue.start() - 80), cue.start())):
        return None
    if not _stands(text, cue, kind):
        return None
    end = found.end()
    for word in reversed(words[1:]):  # "I'm Ben Looking For": titles of rows
        if word.lower() not in _GOES_ON:
            break
        end -= len(word) + 1
    return place, end


def _stands(text: str, cue: re.Match[str], kind: str) -> bool:
    """Does a cue begin its clause, where it must? "A hit from This is Acting", "pets allowed? yes it is"."""
    begins = kind == "this" or cue.group()[:2].lower() == "it"
    return not begins or _CLAUSE.search(text, max(0, cue.start() - 12), cue.start()) is not None


def _small(text: str, place: int, kind: str) -> tuple[int, int] | None:
    """A name written small: a known one, or whatever stands after "my name is" and goes on as a name does."""
    first = _WORD.match(text, place)
    if first is None:
        return None
    word = first.group().lower()
    known = word in given_names()
    if not known and (kind != "mine" or word in _NO_SMALL_NAME):
        return None
    end = first.end()
    second = _SECOND.match(text, end)
    if second is not None and second[1].lower() not in _NO_SMALL_NAME and _ENDS.match(text, second.end()):
        return place, second.end()
    if _ENDS.match(text, end) or (second is not None and second[1].lower() in _GOES_ON):
        return place, end
    return (place, end) if kind == "mine" and known else None


_CN_SURNAME = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊"
    "秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
_CN_FULL = rf"(?:欧阳|司马|上官|诸葛|慕容|[{_CN_SURNAME}])[一-鿿]{{1,2}}"
_CN_ENDS = r"(?=[，。,.、；;：:！!？?\s\d）)的我你想要请帮来住今是有需就吧啊呀哦哈电手]|$)"
_CN_CUE = re.compile(
    r"(?P<cue>我叫|我姓[一-鿿]{1,2}[，,]?\s?叫|我的名字(?:是|叫)|名字(?:是|叫)|叫我|我是|本人|姓名(?:是|为|:|：)?|(?:联系|收件)人(?:是|为|:|：)?|乘客(?:是|为|:|：))\s?"
    rf"(?:(?P<full>{_CN_FULL}){_CN_ENDS}|(?P<small>[小老阿][一-鿿]{{1,2}}){_CN_ENDS}|"
    r"(?P<latin>[A-Z][a-z]{1,15}(?: [A-Z][a-z]{1,15}){0,2})(?![A-Za-z]))"
)
_CN_ASKED = re.compile(
    rf"(?:姓名|名字|称呼|贵姓)[^\n\0？?]{{0,10}}[？?][^\n\0]{{0,8}}\n\0{{3}}\n(?P<full>{_CN_FULL})[。，,！!\s]{{0,2}}(?:\n\0|$)"
)
_CN_NOT_NAMES = re.compile(
    "高[中一二三校级管铁兴考血层原手]|程[序度]|白[领天色酒班血衣云]|江[西苏浙南北]|武[汉警术昌]|周[一二三四五六日末天期边围年]|马[上来虎路]|方[便向案法面形言]|"
    "金[牌融色华属卡领]|石[家油头材]|万[一分能达科事]|何[时处地人况必]|谢[谢]|张家|黄[山石色金昏冈]|郑州|[宋唐汉]朝|余[额下]|任[何务意职性]|卢森|于[是今此]|"
    "范[围]|夏[天季令威]|龙[岩井虾]|雷[达锋]|毛[病坯衣]|陶瓷|罗[马]|林[业区场]|田[径园]|曾[经]|向[你您导来往]|段[子落]|史[上学]|黎[明]|顾[客问]|严[格肃重]|"
    "钱[包不多少]|付[款费了账]|叶[子]|杜[绝]|苏[州宁]|韩[国语]|丁[克香]|沈[阳]|姜[黄]|钟[点头爱]|陆[续地军]|熊[猫孩]|秦[皇]|孔[雀]|贾[府]|侯[爵]|"
    "[一-鿿]{1,2}(?:人|员|生|者|客|友|迷|控|族|党|兵|师|族|户)$|老[师板人家外乡公婆年同是客用]|小(?:[白孩学朋时说区吃程号众偷额]|红书)|阿[姨拉里]|[一-鿿]{2}[的了想要]$"
)
"""What begins like a name after "I am" and says what somebody is, where he is from, or when."""

_CN_SURE = frozenset({"我叫", "叫我", "我的名字是", "我的名字叫", "名字是", "名字叫"})


def introduced_han(text: str) -> Iterator[tuple[int, int]]:
    """Spans of names that follow a cue in Chinese, in order."""
    for match in _CN_ASKED.finditer(text):
        if not _CN_NOT_NAMES.match(match["full"]):
            yield match.span("full")
    for match in _CN_CUE.finditer(text):
        group = "full" if match["full"] else "small" if match["small"] else "latin"
        value = match[group]
        cue = match["cue"].rstrip(":：为是") if not match["cue"].startswith("我是") else "我是"
        if group == "latin":
            sure = match["cue"] in _CN_SURE or cue in ("姓名", "联系人", "收件人", "乘客")
            if not sure and value.split()[0].lower() not in given_names():
                continue
        elif _CN_NOT_NAMES.match(value) or (group == "small" and match["cue"] not in _CN_SURE):
            continue
        yield match.span(group)


_CN_RELATED = re.compile(
    r"(?:同事|朋友|老公|老婆|妻子|丈夫|儿子|女儿|爸爸|妈妈|父亲|母亲|哥哥|弟弟|姐姐|妹妹|邻居|房东|室友|客户|经理|老板|领导|同学|老师|医生|患者|病人|乘客|"
    r"收件人|联系人|寄件人|申请人|持卡人|户主|司机|学生|员工|闺蜜|男友|女友|男朋友|女朋友|表哥|表姐|给|叫|转告|通知|约|联系|提醒|帮)"
    rf"(?:是|叫|为|:|：|，|,)?\s?(?P<full>{_CN_FULL})(?=[，。,.、；;：:！!？?\s（(的说和与跟在来去打发订送一今明后有要]|$)"
)


def addressed_han(text: str) -> Iterator[tuple[int, int]]:
    """Spans of Chinese names before a form of address, or behind the word for who somebody is."""
    for match in _CN_RELATED.finditer(text):
        if not _CN_NOT_NAMES.match(match["full"]) and len(match["full"]) > 2:
            yield match.span("full")
    for match in re.finditer(
        rf"(?P<full>{_CN_FULL})(?=先生|女士|小姐|太太|老师|医生|大夫|经理|主任|同学|律师|教授|师傅)", text
    ):
        if not _CN_NOT_NAMES.match(match["full"]):
            yield match.span("full")

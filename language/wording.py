"""Free text: what may differ between two wordings of one value, and what never may.

Spelling, case, accents, punctuation, politeness, forms of a word and words that carry nothing may differ. A number, a
date, a name, a negation or any word that carries something may not, however long the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import pairwise

from wildtool.language.date_parsing import in_digits
from wildtool.language.dates.tables import ordinals, time_words
from wildtool.language.folding import bare, composed, plain
from wildtool.language.lexicon import languages
from wildtool.language.numbers import small_numbers
from wildtool.language.numbers_text import digits_in

_FILLER_WORDS = "a an the of for in on please is are be my me i it its this that some any about 的 了 吧 请 呢 啊"
# Not among them: to, from, with, and, or. "from A to B" is not "to A from B".
FILLERS = frozenset(_FILLER_WORDS.split())
ARTICLES = frozenset({"a", "an", "the"})
_NEGATION_WORDS = """no not never none without nothing neither nor non except excluding exclude nobody nowhere
    hardly barely scarcely rarely seldom 不 没 无 非 别 未 勿 除"""
NEGATIONS = frozenset(_NEGATION_WORDS.split())
_IS = re.compile(r"\b(what|where|who|how|when|it|that|there|here)'s\b")
_CONTRACTED = re.compile(r"\b(do|does|did|is|are|was|were|should|would|could|has|have|had|must|need)n'?t\b")
_IRREGULAR = {"can't": "can not", "cant": "can not", "cannot": "can not", "won't": "will not", "wont": "will not"}
HAN = re.compile(r"[\u3400-\u9fff]")
_TOKEN = re.compile(r"[\u3400-\u9fff]|\d+(?:[.,:]\d+)*|[^\W\d_\u3400-\u9fff]+")


@cache
def _digits() -> Mapping[str, str]:
    """Words that are a number or a place in an order each, and their digits."""
    small = {word: number for language in languages() for word, number in small_numbers(language).items()}
    return {word: str(number) for word, number in ({**ordinals(), **small}).items() if " " not in word}


@cache
def _date_words() -> frozenset[str]:
    """Words of time that may not differ between two wordings; shorter ones are words of other senses as well: may, sun."""
    return frozenset(word for word in time_words(spaced=True) if len(word) > 3 and word.isalpha())


@cache
def _joined_dates() -> re.Pattern[str]:
    """The same of languages that write no spaces."""
    return re.compile("|".join(sorted(map(re.escape, time_words(spaced=False)), key=len, reverse=True)))


LONG = 5
"""Content words from which forms of a word may differ: in shorter texts each word is the value (Lyon, Lyons)."""

LONG_ENOUGH_FOR_A_WORD_LESS = 8
"""Content words from which words of ``LIGHT`` may be left out or added."""

LIGHT = frozenset("and to with at as also too just very really quite kindly then will there thanks".split())
"""Words that a long text may have or lack. One in place of another is another meaning ("to", "with"), and so no word of
another kind is here: what was said *from*, *or*, *only*, *by* or of *whose* is no ornament."""

SHARE_OF_LIGHT = 1 / 7
"""Most words of a text that may be light and on one side only."""

_PERSONS = {"my": "i", "me": "i", "its": "it"}
"""Fillers that stand for someone: either may be left out ("remind me", "remind"), but "my" is not "its"."""

FILLABLE = 3
"""Content words from which fillers may differ: "Jane please" is no name, "jazz in central Paris please" is a query."""

_STEM = 4
"""Least letters of a stem, so that caring and cars, filled and filed stay two words."""

_DOUBLED = 8
"""Letters from which a doubled one may stand for a single one: accomodation, but not desert and dessert."""

_CUT = 7
"""Letters of a word from which its last may be cut off by mistake: statio."""

_MAKES_WORDS = frozenset("dehrsty")
"""Last letters that make another word of a word: receive and receiver, honest and honesty, cover and covert."""

_REQUEST = re.compile(
    # Not "请客", nor "帮我妈": what is asked for then is the helping itself.
    r"^(?:请|麻烦|劳驾|劳烦|烦请)?(?:您|你)?(?:帮我|帮忙|替我)(?![爸妈爷奶公婆姐妹哥弟叔阿姨父母们家朋同老儿女先太的和跟])"
    r"|^(?:麻烦|劳驾|劳烦|烦请)(?:您|你)?(?=..)|(?<![，,。!！\s])[，,。!！\s]*+(?:谢谢|多谢)(?:您|你|啦|了)?[。!！\s]*$"
)
_BRIEFLY = re.compile(r"(?<=[提查看问找试等说醒知诉认解绍询系])一下(?![午子个])")
"""``提醒一下``: to remind, said softly. Not ``一下午``, a whole afternoon."""

_BRITISH = (
    (re.compile(r"(?<=[a-z]{2})our(?=s?$|ed$|ing$|ful$|ite|able|ist)"), "or"),
    (re.compile(r"(?<=[a-z]{3})is(?=e[sd]?$|ing$|ation|er)"), "iz"),
    (re.compile(r"(?<=[a-z]{2})ys(?=e[sd]?$|ing$|er)"), "yz"),
    (re.compile(r"(?<=cent|heat)re(?=s?$)|(?<=met|lit|fib)re(?=s?$)"), "er"),
    # Four letters before, so that filled and filed stay two words.
    (re.compile(r"(?<=[a-z]{4})ll(?=ed$|ing$|er)"), "l"),
    (re.compile(r"ogue(?=s?$)"), "og"),
    (re.compile(r"^grey"), "gray"),
    (re.compile(r"ence(?=s?$)"), "ense"),
    (re.compile(r"^programme(?=s?$)"), "program"),
    (re.compile(r"^aluminium$"), "aluminum"),
    (re.compile(r"^jewellery$"), "jewelry"),
)


@lru_cache(maxsize=4096)
def american(word: str) -> str:
    """A word in American spelling, for comparing only: what it gives need not be a word."""
    for pattern, spelling in _BRITISH:
        word = pattern.sub(spelling, word)
    return word


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """Words, numbers and single Han characters, plain."""
    spelled = _IS.sub(r"\1 is", in_digits(plain(text)).replace("’", "'"))
    spelled = _CONTRACTED.sub(r"\1 not", spelled)
    spelled = " ".join(_IRREGULAR.get(word, word) for word in spelled.split(" "))
    spelled = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", spelled)
    found = _TOKEN.findall(spelled.replace("'", ""))
    return tuple(_number(_digits().get(word, word)) for word in found)


def _number(word: str) -> str:
    """A decimal by value; ``007`` and ``10:30`` stay as they are."""
    return f"{float(word):.12g}" if re.fullmatch(r"(?:0|[1-9]\d*)(?:\.\d+)?", word) else word


def numbers(text: str) -> list[str]:
    """Numbers in a text, signed, by value, in order: ``1,000.0`` is ``1000``."""
    return [f"{number:.12g}" for _, number in digits_in(text)]


def _marks(text: str) -> list[str]:
    """Marks that carry meaning: C++, C#, 5 %, $5."""
    return re.findall(r"[+#%$€£¥&]", composed(text))


def _spelled(text: str) -> list[str]:
    """The text's words, small number words as digits."""
    return [_digits().get(plain(word).strip(".,;:!?"), word) for word in in_digits(text).split()]


def names(text: str) -> list[str]:
    """Words that look like names, in order: capitalised, plain. The first word of a sentence is among them: it may be a
    name, and another one in its place is mostly another value anyhow."""
    found = (word for word in re.findall(r"[^\W\d_]+", text) if word[0].isupper())
    return [american(word) for word in map(plain, found) if word not in FILLERS]


_AMPERSAND = re.compile(r"(?<=\w)\s?&\s?(?=\w)")
"""The sign between two words."""


def compare_wording(gold: str, got: str) -> tuple[bool, str]:
    """Do both wordings say the same? With the id of the rule that decided."""
    if gold == got:
        return True, "equal"
    if plain(gold) == plain(got):
        return True, "text.plain"
    if ("&" in gold) is not ("&" in got):
        gold, got = (_AMPERSAND.sub(" and ", text) for text in (gold, got))
    if HAN.search(gold) and HAN.search(got):
        asked, reasked = _unasked(gold), _unasked(got)
        if (asked, reasked) != (gold, got):
            same, rule = _compare_unasked(asked, reasked)
            return same, "text.filler" if same else rule
    return _compare_unasked(gold, got)


def _compare_unasked(gold: str, got: str) -> tuple[bool, str]:
    if plain(gold) == plain(got):
        return True, "text.plain"
    if _marks(gold) != _marks(got):
        return False, "text.mark"
    left, right = [[american(word) for word in tokens(text)] for text in (gold, got)]
    counted, recounted = (numbers(" ".join(_spelled(text))) for text in (gold, got))
    if left == right and left and counted == recounted:
        return True, "text.spelling"
    if sorted(counted) != sorted(recounted):
        return False, "text.number"
    if bare(gold) == bare(got):
        return (True, "text.punctuation") if bare(gold) else (False, "text.differs")
    if sorted(word for word in left if word in NEGATIONS) != sorted(word for word in right if word in NEGATIONS):
        return False, "text.negation"
    dated, redated = (
        [word for word in words if word in _date_words()] + _joined_dates().findall(text)
        for words, text in ((left, gold), (right, got))
    )
    if dated != redated:
        return False, "text.date"
    if _without_rank(gold) == _without_rank(got):
        return True, "text.place"
    content_left = [word for word in left if word not in FILLERS]
    content_right = [word for word in right if word not in FILLERS]
    if content_left and [w for w in left if w not in ARTICLES] == [w for w in right if w not in ARTICLES]:
        return True, "text.article"
    if _other_person(left, right):
        return False, "text.differs"
    if content_left == content_right and len(content_left) >= FILLABLE:
        return True, "text.filler"
    named = set(names(gold)) | set(names(got))
    if [word for word in left if word in named] != [word for word in right if word in named]:
        return False, "text.name"
    same = _alike(content_left, content_right) or _alike(content_right, content_left)
    return (True, "text.similar") if same else (False, "text.differs")


def _without_rank(text: str) -> str:
    """A Chinese place without the word for what it is: 北京市, 北京."""
    return re.sub(r"(?<=[\u3400-\u9fff]{2})[市省]$", "", plain(text))


def _unasked(text: str) -> str:
    """A Chinese text without the words that only make it a polite request: 请帮我, 麻烦您, 一下, 谢谢."""
    return _BRIEFLY.sub("", _REQUEST.sub("", text.strip())) or text


def _other_person(left: list[str], right: list[str]) -> bool:
    """Does each side name somebody, by a filler, whom the other does not?"""
    ours, theirs = ({_PERSONS.get(word, word) for word in words} & {"i", "it"} for words in (left, right))
    return bool(ours - theirs) and bool(theirs - ours)


def _alike(longer: list[str], shorter: list[str]) -> bool:
    """Are the words the same in order, in whatever form, but for light words that the shorter text lacks?"""
    at = light = 0
    row = 0
    while row < len(longer):
        word, other = longer[row], shorter[at] if at < len(shorter) else ""
        if _one_word(word, other):
            row, at = row + 1, at + 1
        elif other and "".join(longer[row : row + 2]) == other:
            row, at = row + 2, at + 1  # time sheets, timesheets
        elif other and "".join(shorter[at : at + 2]) == word:
            row, at = row + 1, at + 2
        elif word in LIGHT:
            row, light = row + 1, light + 1
        else:
            return False
    if at < len(shorter) or len(shorter) < (LONG_ENOUGH_FOR_A_WORD_LESS if light else LONG):
        return False
    return light <= SHARE_OF_LIGHT * len(longer)


def _one_word(word: str, other: str) -> bool:
    """Are both one word: the same, one an inflection of the other, or one misspelt by a letter doubled or cut off?

    A prefix, or a suffix that is no inflection, makes another word: unsafe, careless, employee. So do two inflections
    that are not each other's: employed is not employing.
    """
    if word == other:
        return True
    if not (word.isalpha() and other.isalpha() and word[:3] == other[:3] and min(len(word), len(other)) >= _STEM):
        return False
    singles, others = _singular(word), _singular(other)
    if singles & others or singles & _uninflected(other) or others & _uninflected(word):
        return True
    long, short = (word, other) if len(word) > len(other) else (other, word)
    if len(long) >= _CUT and long[:-1] == short and long[-1] not in _MAKES_WORDS:
        return True
    return len(short) >= _DOUBLED and _undoubled(word) == _undoubled(other)


@lru_cache(maxsize=4096)
def _singular(word: str) -> frozenset[str]:
    """The word, and what it may be the plural (or third person) of: hotels, boxes, cities."""
    found = {word}
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        found.add(word[:-1])
        if word.endswith("ies"):
            found.add(f"{word[:-3]}y")
        elif word.endswith(("xes", "ches", "shes", "sses", "zes", "oes")):
            found.add(word[:-2])
    return frozenset(each for each in found if len(each) >= _STEM)


@lru_cache(maxsize=4096)
def _uninflected(word: str) -> frozenset[str]:
    """What the word may be a past or a participle of: booked, booking, planned, moving, tried."""
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            found = {stem, f"{stem}e"}
            if stem.endswith("i"):
                found.add(f"{stem[:-1]}y")
            if len(stem) > 1 and stem[-1] == stem[-2]:
                found.add(stem[:-1])
            return frozenset(each for each in found if len(each) >= _STEM)
    return frozenset()


def _undoubled(word: str) -> str:
    return word[:1] + "".join(letter for before, letter in pairwise(word) if letter != before)

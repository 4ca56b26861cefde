"""Free text: what may differ between two wordings of one value, and what never may.

Spelling, case, accents, punctuation, politeness and single filler words may differ. A number, a date, a name or a
negation may not.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rapidfuzz import fuzz

from evaluation.moments import MONTHS, RELATIVE_DAYS, WEEKDAYS, han_numbers

_FILLER_WORDS = "a an the of for in on please is are be my me i it its this that some any about 的 了 吧 请 呢 啊"
# Not among them: to, from, with, and, or. "from A to B" is not "to A from B".
FILLERS = frozenset(_FILLER_WORDS.split())
ARTICLES = frozenset({"a", "an", "the"})
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "1st first 2nd second 3rd third 4th fourth 5th fifth 6th sixth 7th seventh 8th eighth 9th ninth 10th tenth"
_DIGITS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split())} | {
    word: str(place // 2 + 1) for place, word in enumerate(_ORDINALS.split())
}
_NEGATION_WORDS = (
    """no not never none without nothing neither nor non except excluding exclude nobody 不 没 无 非 别 未 勿 除"""
)
NEGATIONS = frozenset(_NEGATION_WORDS.split())
_IS = re.compile(r"\b(what|where|who|how|when|it|that|there|here)'s\b")
DATE_WORDS = frozenset(
    word for words in (RELATIVE_DAYS, WEEKDAYS, MONTHS) for word in words if len(word) > 4 and word.isascii()
) | {"june", "july", "morning", "afternoon", "evening", "night", "noon", "midnight", "weekend", "week", "month", "year"}
_CONTRACTED = re.compile(r"\b(do|does|did|is|are|was|were|should|would|could|has|have|had|must|need)n'?t\b")
_IRREGULAR = {"can't": "can not", "cant": "can not", "cannot": "can not", "won't": "will not", "wont": "will not"}
_HAN_DATES = re.compile(
    r"今[天日早晚年]|明[天日早晚年]|后[天年]|昨[天日晚]|前[天年]|去年|[本上下这](?:个)?(?:周|星期|礼拜|月)"
    r"|(?:周|星期|礼拜)[一二三四五六日天末]|凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|午夜|工作日"
)
HAN = re.compile(r"[\u3400-\u9fff]")
_TOKEN = re.compile(r"[\u3400-\u9fff]|\d+(?:[.,:]\d+)*|[^\W\d_\u3400-\u9fff]+")

SIMILAR = 0.85
"""Least share of equal words (F1 over content words) of a long text: one word in seven may differ. At 0.7, the
original's threshold for ROUGE-L, "cancel my last order" passes for "track my last order"."""

LONG = 5
"""Content words from which a text is long: in shorter ones every word carries the value."""

LONG_ENOUGH_FOR_A_WORD_LESS = 8
"""Content words from which one may be left out or added; in shorter texts only forms of a word may differ."""

LONG_ENOUGH_FOR_ANOTHER_WORD = 12
"""Content words from which one may be another word: in a shorter text the word that differs is mostly the point ("under
100 euros" and "over 100 euros"), while one that is left out is mostly not."""

OPPOSED = frozenset(
    "on off over under above below before after up down in out more less most least min max minimum maximum high low "
    "highest lowest cheap cheapest expensive best worst first last next previous open closed start stop increase decrease "
    "include enable disable add remove buy sell male female mother father brother sister left right north south east west "
    "inbound outbound arrival departure incoming outgoing ascending descending newest oldest latest earliest".split()
)
"""Words that turn a text into its opposite, one way or another: none may be missing on one side."""

FILLABLE = 3
"""Content words from which fillers may differ: "Jane please" is no name, "jazz in central Paris please" is a query."""

INFLECTED = 86.0
"""Least Indel similarity (0 to 100) of two forms of one long word: hotel/hotels 91, booking/bookings 93."""

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


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Text without what never matters: width and composition of characters, case, accents, runs of blanks."""
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKD", text).casefold()
    return " ".join("".join(char for char in folded if not unicodedata.combining(char)).split())


@lru_cache(maxsize=8192)
def bare(text: str) -> str:
    """``plain`` text without blanks and punctuation. Signs, decimal points and marks that mean (C++, C#, 5%) stay."""
    return re.sub(r"(?<!\w)([-+])(?=\d)|(?<=\d)([.])(?=\d)|[^\w+#%$€£¥&]+|_", lambda m: m[1] or m[2] or "", plain(text))


@lru_cache(maxsize=4096)
def american(word: str) -> str:
    """A word in American spelling, for comparing only: what it gives need not be a word."""
    for pattern, spelling in _BRITISH:
        word = pattern.sub(spelling, word)
    return word


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """Words, numbers and single Han characters, plain."""
    spelled = _IS.sub(r"\1 is", han_numbers(plain(text)).replace("’", "'"))
    spelled = _CONTRACTED.sub(r"\1 not", spelled)
    spelled = " ".join(_IRREGULAR.get(word, word) for word in spelled.split(" "))
    spelled = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", spelled)
    found = _TOKEN.findall(spelled.replace("'", ""))
    return tuple(_number(_DIGITS.get(word, word)) for word in found)


def _number(word: str) -> str:
    """A decimal by value; ``007`` and ``10:30`` stay as they are."""
    return f"{float(word):.12g}" if re.fullmatch(r"(?:0|[1-9]\d*)(?:\.\d+)?", word) else word


def numbers(text: str) -> list[str]:
    """Numbers in a text, signed, by value, in order: ``1,000.0`` is ``1000``."""
    found = []
    for match in re.finditer(
        r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?", unicodedata.normalize("NFKC", text)
    ):
        digits = match[0].replace(",", "").replace("−", "-")
        found.append(f"{float(digits):.12g}")
    return found


def _marks(text: str) -> list[str]:
    """Marks that carry meaning: C++, C#, 5 %, $5."""
    return re.findall(r"[+#%$€£¥&]", unicodedata.normalize("NFKC", text))


def _spelled(text: str) -> list[str]:
    """The text's words, small number words as digits."""
    return [_DIGITS.get(plain(word).strip(".,;:!?"), word) for word in han_numbers(text).split()]


def names(text: str) -> list[str]:
    """Words that look like names, in order: capitalised, plain. The first word of a sentence is among them: it may be a
    name, and another one in its place is mostly another value anyhow."""
    found = (word for word in re.findall(r"[^\W\d_]+", text) if word[0].isupper())
    return [american(word) for word in map(plain, found) if word not in FILLERS]


def compare_wording(gold: str, got: str) -> tuple[bool, str]:
    """Do both wordings say the same? With the id of the rule that decided."""
    if gold == got:
        return True, "equal"
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
        [word for word in words if word in DATE_WORDS] + _HAN_DATES.findall(text)
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
    if content_left == content_right and len(content_left) >= FILLABLE:
        return True, "text.filler"
    named = set(names(gold)) | set(names(got))
    if [word for word in left if word in named] != [word for word in right if word in named]:
        return False, "text.name"
    if min(len(content_left), len(content_right)) < LONG:
        return False, "text.differs"
    common = _common(content_left, content_right)
    missing, added = len(content_left) - common, len(content_right) - common
    least = min(len(content_left), len(content_right))
    if (missing or added) and least < LONG_ENOUGH_FOR_A_WORD_LESS:
        return False, "text.differs"
    if missing and added and least < LONG_ENOUGH_FOR_ANOTHER_WORD:
        return False, "text.differs"
    if any(HAN.match(word) for word in (*content_left, *content_right)) and (missing or added):
        return False, "text.differs"  # a Chinese character more or less is another word
    if OPPOSED & set(content_left) ^ OPPOSED & set(content_right):
        return False, "text.differs"
    share = 2 * common / (len(content_left) + len(content_right))
    return (True, "text.similar") if share >= SIMILAR else (False, "text.differs")


def _without_rank(text: str) -> str:
    """A Chinese place without the word for what it is: 北京市, 北京."""
    return re.sub(r"(?<=[\u3400-\u9fff]{2})[市省]$", "", plain(text))


def _common(left: list[str], right: list[str]) -> int:
    """Length of the longest common run of words in order; forms of one long word count as equal."""
    row = [0] * (len(right) + 1)
    for word in left:
        before = 0
        for column, other in enumerate(right, start=1):
            kept = row[column]
            row[column] = before + 1 if _one_word(word, other) else max(kept, row[column - 1])
            before = kept
    return row[-1]


def _one_word(word: str, other: str) -> bool:
    if word == other:
        return True
    return len(word) > 4 < len(other) and word[:3] == other[:3] and fuzz.ratio(word, other) >= INFLECTED

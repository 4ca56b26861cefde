"""Whether a name in Latin letters and one in Chinese characters may be the same name.

Names of places are carried from one script into the other by sound (雷克雅未克, Reykjavik; 杭州, Hangzhou), or have a name
of their own there (旧金山, San Francisco), which ``exonyms.json`` lists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from rapidfuzz import fuzz
from text_unidecode import unidecode

_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_INITIAL = re.compile(r"zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw]")
_SOUNDS = {
    "b": "bpvfw", "p": "pbf", "m": "m", "f": "fvpwh", "d": "dt", "t": "td", "n": "nl", "l": "lrn", "g": "gkcqjh", "k": "kcqghx",
    "h": "hxkgwfjc", "j": "jgkczdxy", "q": "qctkghj", "x": "sxhczjg", "zh": "jzgdtc", "ch": "ctsjqz", "sh": "scxth", "r": "rjlyng",
    "z": "zstdc", "c": "cszt", "s": "sczthx", "y": "jyg", "w": "vwgh",
}  # fmt: skip
"""Latin consonants that a pinyin initial may stand for."""
_SONORANT = "rlnmhwyg"
"""Consonants that leave no syllable of their own where no vowel follows: Perth, London, Edinburgh."""
ALIKE = 45
"""Least likeness of the two spellings, 0 to 100, vowels and all. Of 99 cities of the world that the rules were not made on, 94 were
known again so, and of the names of other cities one in seven passed for one in a sentence of 20 characters."""
_ENDINGS = re.compile(r"(?:市|省|州|县|区|机场|站|城|国|岛|湖|山|河)$")
_LATIN_ENDINGS = re.compile(
    r"\b(?:city|province|county|district|airport|international|station|island|lake|river|mount|mountain|republic|of|the|downtown|central|old town)\b"
)


@lru_cache(maxsize=1)
def _exonyms() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(Path(__file__).with_name("exonyms.json").read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=4096)
def named_in_chinese(latin: str, text: str) -> bool:
    """A Chinese text names what is given in Latin letters, by its own name there or by its sound."""
    plain = " ".join(re.findall(r"[a-z]+", unidecode(latin).casefold()))
    core = " ".join(_LATIN_ENDINGS.sub(" ", plain).split()) or plain
    if any(chinese in text and (plain in names or core in names) for chinese, names in _exonyms().items()):
        return True
    return any(_sounds(core, run) for run in _CHINESE.findall(text))


@lru_cache(maxsize=4096)
def named_in_latin(chinese: str, text: str) -> bool:
    """A text names in Latin letters what is given in Chinese characters."""
    core = _ENDINGS.sub("", chinese) if len(chinese) > 2 else chinese
    plain = " ".join(re.findall(r"[a-z]+", unidecode(text).casefold()))
    names = [name for key, ways in _exonyms().items() if chinese == key or core.startswith(key) for name in ways]
    if any(re.search(rf"\b{re.escape(name)}\b", plain) for name in names):
        return True
    words = re.findall(r"\b[A-Z][A-Za-z]+(?:[ '-][A-Z][A-Za-z]+){0,2}", unidecode(text))
    pieces = {piece for word in words for piece in (word, *re.split(r"[ '-]", word))}
    return any(_sounds(piece.casefold(), core, whole=True) for piece in pieces if len(piece) > 2)


def _sounds(latin: str, run: str, *, whole: bool = False) -> bool:
    """A stretch of a run of Chinese characters (or all of it) may be the Latin name as it sounds."""
    syllables = unidecode(run).casefold().split()
    spelled = "".join(syllables)
    letters = re.sub(r"[^a-z]", "", latin)
    if letters and (letters == spelled if whole else len(letters) > 3 and letters in spelled):
        return True
    consonants = list(_consonants(letters))
    if not consonants:
        return False
    budget = sum(cost > 0 for _, cost in consonants) // 3
    starts = (0,) if whole else range(len(syllables))
    return any(_match(letters, consonants, syllables[start:], budget, whole) for start in starts)


def _consonants(letters: str) -> Iterator[tuple[str, int]]:
    """(Consonant, what it costs to leave it out): 2 before a vowel, 1 at the end of a syllable, nothing for sonorants there."""
    plain = re.sub(r"(?<=[^aeiou])e$|(?<=eau)x$", "", letters).replace("x", "ks").replace("qu", "k").replace("ck", "k")
    plain = re.sub(r"(?<=[csptkgr])h", "", plain)
    plain = re.sub(r"([b-df-hj-np-tv-z])\1", r"\1", plain)
    for at, letter in enumerate(plain):
        after = plain[at + 1 : at + 2]
        if letter in "aeiou" or (letter == "y" and (at == 0 or after not in tuple("aeiou")) and at > 0):
            continue
        before_vowel = after != "" and after in "aeiouy"
        yield letter, (0 if letter in "hwy" else 2) if before_vowel else (0 if letter in _SONORANT else 1)


def _match(letters: str, consonants: list[tuple[str, int]], syllables: list[str], budget: int, whole: bool) -> bool:
    """Consonants in order against the initials of syllables in order, each of which must be one of them."""
    initials = [(match[0] if (match := _INITIAL.match(one)) else "") for one in syllables]
    if not initials:
        return False
    vowels = (letters[0] in "aeiou", initials[0] in ("", "y", "w"))
    if vowels[0] != vowels[1] and letters[0] not in "hjyuwvb":
        return False
    states = {(0, 0)}  # (consonants done, cost)
    matched: dict[tuple[int, int], int] = {(0, 0): 0}
    least = max(1, (sum(cost > 0 for _, cost in consonants) + 1) // 2)
    for at, initial in enumerate(initials):
        following: dict[tuple[int, int], int] = {}
        for done, cost in states:
            so_far = matched[done, cost]
            if initial in ("", "y", "w"):
                _keep(following, (done, cost), so_far)
            spent = cost
            for place in range(done, len(consonants)):
                letter, price = consonants[place]
                if letter in _SOUNDS.get(initial, ""):
                    _keep(following, (place + 1, spent), so_far + 1)
                spent += price
                if spent > budget or (at == 0 and letters[0] not in "aeiouhjywv"):
                    break
        states, matched = set(following), following
        for done, cost in states:
            rest = sum(price for _, price in consonants[done:])
            fits = cost + rest <= budget and matched[done, cost] >= least and (not whole or at == len(initials) - 1)
            if fits and fuzz.ratio(_coarse("".join(syllables[: at + 1])), _coarse(letters)) >= ALIKE:
                return True
        if not states:
            return False
    return False


def _coarse(spelled: str) -> str:
    """Letters of either spelling with those that stand for each other made one."""
    plain = re.sub(r"c(?=[ei])|zh|ch|sh|[zxqj]", "s", spelled.replace("ck", "k").replace("x", "s"))
    plain = re.sub(r"[gc]", "k", plain).replace("ng", "n").replace("ph", "f")
    return re.sub(r"(.)\1", r"\1", plain.translate(str.maketrans("dbvwryu", "tpfflio")))


def _keep(found: dict[tuple[int, int], int], state: tuple[int, int], count: int) -> None:
    found[state] = max(count, found.get(state, 0))

"""Phrases by which behaviour shows, found in a text by one expression a language.

The phrases of all cues, of the topics and of the function words form one tree, which becomes one regular expression
without repetitions: a text is read once, whatever the number of cues, in linear time (``mining.behaviour.reading``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from wildtool.language.lexicon import languages, readable, spaced
from wildtool.language.phrase_tree import tree
from wildtool.mining.scenarios.topics import TOPICS, topic_words
from wildtool.mining.words import words as words_of

Hits = list[tuple[int, str]]
"""Places and phrases found in a text, in order."""


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The phrases of one language. What is found is a set of names, kept as the bits of an integer."""

    marks: dict[str, int]
    """Phrase to what it counts for, as bits."""
    names: tuple[str, ...]
    """Cues, then topics (``topic:NAME``), then function words (``word:WORD``)."""
    bits: dict[str, int]
    """Bit of each name."""
    topics: int
    """Bits of all topics."""
    language: str
    """Code of the language."""
    spaced: bool
    """Are its words parted by spaces?"""
    heads: dict[str, tuple[str, ...]]
    """Phrases by their beginning. Where there are spaces: what stands before the first one in phrases that hold one. Where
    there are none: the first letter of all phrases."""

    def expression(self) -> re.Pattern[str]:
        """Its group 1 is the longest phrase at a place."""
        phrases = tree(self.marks)
        return re.compile(rf"(?<![\w'])(?=({phrases})(?!\w))" if self.spaced else rf"(?=({phrases}))")

    def longer(self, head: str) -> re.Pattern[str]:
        """What finds the longest of the phrases that begin so. Made when it is first wanted: a text meets few of them."""
        return re.compile(tree(self.heads[head]) + (r"(?!\w)" if self.spaced else ""))

    def any_of(self, cues: tuple[str, ...]) -> int:
        """Bits of several names."""
        return _together(self, cues)

    def within(self, hits: Hits, start: int, end: int) -> int:
        """Bits of what was found between two places."""
        marks, found = self.marks, 0
        for place, phrase in hits:
            if start <= place < end:
                found |= marks[phrase]
        return found

    def where(self, hits: Hits, cue: str) -> Hits:
        """Places and phrases of a cue among what was found."""
        wanted = self.bits[cue]
        return [(place, phrase) for place, phrase in hits if wanted & self.marks[phrase]]


@lru_cache(maxsize=256)  # every turn asks for the same few
def _together(words: Lexicon, cues: tuple[str, ...]) -> int:
    found = 0
    for cue in cues:
        found |= words.bits[cue]
    return found


def lexicon(language: str) -> Lexicon:
    """The lexicon of a language; of one that is not registered, that of the language that stands in for it, so that
    structure still counts."""
    return _lexicon(readable(language))


@cache
def _lexicon(code: str) -> Lexicon:
    raw = dict(words_of(code, "behaviour"))
    parted = spaced(code)
    words = _phrases(raw.pop("words"))
    cues = {name: _phrases(text) for name, text in raw.items()}
    names = (*cues, *(f"topic:{topic.name}" for topic in TOPICS), *(f"word:{word}" for word in words))
    bits = {name: 1 << place for place, name in enumerate(names)}
    marks: dict[str, int] = {}

    def mark(phrase: str, name: str) -> None:
        marks[phrase] = marks.get(phrase, 0) | bits[name]

    for name, phrases in cues.items():
        for phrase in phrases:
            mark(phrase, name)
    # Latin words stand in languages of other letters too (NBA, PDF), and their lists name such words for all.
    latin = [one for one in languages() if not spaced(one)]
    for topic in TOPICS:
        shared = (word for one in latin for word in topic_words(one)[topic.name].words if word.isascii())
        for word in (*topic_words(code)[topic.name].words, *shared):
            mark(word.lower(), f"topic:{topic.name}")
    for word in words:
        mark(word, f"word:{word}")
    for phrase in marks:  # a phrase counts for its first word too: "can you" is a "can"
        first = phrase.split(" ")[0] if parted else phrase[:1]
        marks[phrase] |= bits.get(f"word:{first}", 0)
    return Lexicon(
        marks=marks,
        names=names,
        bits=bits,
        topics=sum(bits[f"topic:{topic.name}"] for topic in TOPICS),
        language=code,
        spaced=parted,
        heads=_heads(marks, whole_words=parted),
    )


def _heads(phrases: Iterable[str], *, whole_words: bool) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for phrase in phrases:
        if not whole_words or " " in phrase:
            found.setdefault(phrase.split(" ", 1)[0] if whole_words else phrase[0], []).append(phrase)
    return {head: tuple(alike) for head, alike in found.items()}


def _phrases(text: str) -> list[str]:
    """Phrases of a list, alternatives spelt out, those in alternatives too."""
    found = [phrase for line in re.split(r"[;\n]", text) for phrase in _spelt_out(line.strip()) if line.strip()]
    return list(dict.fromkeys(" ".join(phrase.split()) for phrase in found))


def _spelt_out(phrase: str) -> list[str]:
    """What a phrase with alternatives stands for: ``(a|(b|c) d) e`` for "a e", "b d e" and "c d e"."""
    inner = re.search(r"\(([^()]*)\)", phrase)
    if inner is None:
        return [phrase]
    before, after = phrase[: inner.start()], phrase[inner.end() :]
    return [one for choice in inner[1].split("|") for one in _spelt_out(f"{before}{choice}{after}")]

"""A message read once: the phrases of the lexicon in it, its content words and numbers.

Words come back: what a piece between two spaces holds is worked out once and looked up afterwards. Languages without
spaces are read by the lexicon's expression alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from operator import add
from typing import NamedTuple

from wildtool.language.lexicon import languages, letters_of, readable
from wildtool.mining.behaviour.lexicon import Hits, Lexicon, lexicon
from wildtool.mining.words import words as words_of

MOST_KNOWN = 50_000
"""Pieces that are remembered (some 20 MB); then memory starts anew. Four of five pieces of a log are among its commonest."""

LONGEST_KNOWN = 24
"""Letters of a piece up to which it is worth remembering."""

_CAPITAL = re.compile(r"[A-Z](?<=[a-z,] [A-Z])[\w'-]+")  # what begins with a letter is searched for faster
_BEGINS = re.compile(r"(?<![\w'])(?=.)", re.DOTALL)
_QUESTION_MARKS = ("?", "？")


@dataclass(frozen=True, slots=True)
class Measures:
    """A language's ``reading.toml``."""

    start: int
    """Letters in which a message's beginning lies: "yes, but", "no, make it"."""
    last: int
    """Letters of a reply's end, where it asks."""
    joint_reach: int
    """Letters after a joint in which the verb of a second need stands."""
    inverse_penalty: float
    """``C`` of the logistic regressions that are trained."""
    annotates_several: bool
    """Do the annotated dialogues say that a message holds several needs?"""
    wants: re.Pattern[str] | None
    """Matches a part that says what the user wants or how things are, where another part may say it again as a request."""
    joined: re.Pattern[str] | None
    """Matches the beginning of a part that adds to the one before."""
    go_ahead: re.Pattern[str] | None
    """Matches a whole part that lets the assistant act: "go ahead and book it" does one thing."""
    question: re.Pattern[str] | None
    """Matches a part that puts a question of its own. Without it, any word of asking will do."""


@cache
def measures(language: str) -> Measures:
    """How a registered language is read."""
    said = words_of(language, "reading")

    def pattern(name: str) -> re.Pattern[str] | None:
        text = said.get("patterns", {}).get(name)
        return re.compile(text) if text else None

    return Measures(
        start=said["start"],
        last=said["last"],
        joint_reach=said["joint_reach"],
        inverse_penalty=said["inverse_penalty"],
        annotates_several=said["annotates_several"],
        wants=pattern("wants"),
        joined=pattern("joined"),
        go_ahead=pattern("go_ahead"),
        question=pattern("question"),
    )


@cache
def _reading_words(name: str) -> frozenset[str]:
    return frozenset(word for code in languages() for word in words_of(code, "reading")[name])


def empty_words() -> frozenset[str]:
    """Words of all languages whose return means nothing."""
    return _reading_words("empty")


def greeting_words() -> frozenset[str]:
    """What a message may hold beside its greeting and say nothing else, in all languages."""
    return _reading_words("greeting")


@cache
def _token_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Words and numbers, and letters of languages without spaces."""
    letters, single = letters_of(spaced=True), letters_of(spaced=False)
    return re.compile(rf"[{letters}][{letters}'-]{{2,}}|\d+(?:[:.]\d+)*|[{single}]+"), re.compile(f"[{single}]")


class Text(NamedTuple):
    """One message, read once."""

    text: str
    """Cut to its beginning and end where it is long."""
    hits: Hits
    """Phrases of the lexicon, with their places."""
    present: int
    """Names found, as bits."""
    start: int
    """Names found in its beginning."""
    end: int
    """Names found in its end."""
    tokens: set[str]
    """Content words, or pairs of letters of languages without spaces, and numbers, in lower case."""
    numbers: int
    capitals: int
    """Names in the middle of a sentence."""
    marks: int
    """Question marks."""
    ends_asking: bool


NOTHING = Text("", [], 0, 0, 0, set(), 0, 0, 0, False)
"""Where no reply stands."""


Match = Callable[[str, int], re.Match[str] | None]
"""Finds a phrase at a place of a text."""


class Matches(dict[str, Match | None]):
    """What finds the phrases that have a beginning, by this; None where no phrase begins so."""

    def __init__(self, words: Lexicon) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, head: str) -> Match | None:
        found = self._words.longer(head).match if head in self._words.heads else None
        if found is not None or len(head) == 1:  # single letters are few, pieces are not
            self[head] = found
        return found


class Piece(NamedTuple):
    """What stands between two spaces."""

    size: int
    """Letters, with the space after."""
    hits: Hits
    """Phrases in it, each the longest at its place."""
    present: int
    """Names found, as bits."""
    longer: tuple[tuple[int, Match, frozenset[str]], ...]
    """Places from which on it is the beginning of phrases with spaces, what matches these at a place, and with which letters
    they go on after the space (``_go_on``)."""
    tokens: tuple[str, ...]
    numbers: int


class Reader:
    """Reads messages of one language. What it remembers changes its speed only."""

    def __init__(self, language: str) -> None:
        self._words: Lexicon = lexicon(language)
        read = measures(language)
        self._start, self._last = read.start, read.last
        self._known: dict[str, Piece] = {}
        self._matches = Matches(self._words)
        self._pieces = self._words.expression() if self._words.spaced else None

    def __call__(self, text: str) -> Text:
        """The message read. (Lowering may shift places by a letter in a few scripts.)"""
        lowered = text.lower()
        ascii_ = lowered.isascii()
        tokens: set[str] = set()
        if self._words.spaced:
            hits, present, numbers = self._by_pieces(lowered, ascii_, tokens)
            capitals = len(_CAPITAL.findall(text)) if text != lowered else 0
        else:
            hits, present, numbers = self._whole(lowered, tokens)
            capitals = 0
        marks = self._words.marks
        start, end = 0, present
        for place, phrase in hits:
            if place >= self._start:
                break
            start |= marks[phrase]
        last = len(text) - self._last
        if last > 0:
            end = 0
            for place, phrase in reversed(hits):
                if place < last:
                    break
                end |= marks[phrase]
        questions = text.count("?") if ascii_ else text.count("?") + text.count("？")
        ends_asking = questions > 0 and text.rstrip().endswith(_QUESTION_MARKS)
        return Text(text, hits, present, start, end, tokens, numbers, capitals, questions, ends_asking)

    def _whole(self, lowered: str, tokens: set[str]) -> tuple[Hits, int, int]:
        plain = lowered.replace("’", "'")
        hits: Hits = []
        marks, present, matches = self._words.marks, 0, self._matches
        for place, letter in enumerate(plain):
            # One expression for all would try hundreds of first letters one after the other, at each place.
            match = matches[letter]
            if match is not None:
                found = match(plain, place)
                if found is not None:
                    phrase = found.group()
                    hits.append((place, phrase))
                    present |= marks[phrase]
        return hits, present, _tokens(lowered, tokens)

    def _by_pieces(self, lowered: str, ascii_: bool, tokens: set[str]) -> tuple[Hits, int, int]:
        plain = lowered if ascii_ else lowered.replace("’", "'")
        known = self._known
        hits: Hits = []
        place = present = numbers = 0
        for part in lowered.split(" "):
            piece = known.get(part) or self._learn(part)
            size, found, bits, longer, words, count = piece
            for spot, match, letters in longer:
                next_ = place + size
                if plain[next_ : next_ + 2] not in letters and plain[next_ : next_ + 1] not in letters:
                    continue
                grown = match(plain, place + spot)
                if grown is not None:  # the longest phrase at a place is the one that counts
                    found = sorted([(spot, grown.group()), *(one for one in found if one[0] != spot)])
                    bits = self._words.within(found, 0, size)
            if bits:
                present |= bits
                for spot, phrase in found:
                    hits.append((place + spot, phrase))
            if words:
                tokens.update(words)
            numbers += count
            place += size
        return hits, present, numbers

    def _learn(self, letters: str) -> Piece:
        assert self._pieces is not None
        plain = letters.replace("’", "'")
        hits = [(found.start(), found[1]) for found in self._pieces.finditer(plain)]
        present = self._words.within(hits, 0, len(plain))
        begins = (found.start() for found in _BEGINS.finditer(plain, max(0, len(plain) - LONGEST_KNOWN)))
        longer = tuple(
            (start, match, _go_on(self._words.heads[plain[start:]]))
            for start in begins
            if (match := self._matches[plain[start:]]) is not None
        )
        tokens: set[str] = set()
        numbers = _tokens(letters, tokens)
        piece = Piece(len(letters) + 1, hits, present, longer, tuple(tokens), numbers)
        if len(letters) <= LONGEST_KNOWN:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[letters] = piece
        return piece


def _go_on(phrases: tuple[str, ...]) -> frozenset[str]:
    """First two letters of the second word of each, one where it has no more: most that follows goes on in another way, and
    to see that costs a quarter of an expression."""
    seconds = (phrase.split(" ", 2)[1] for phrase in phrases)
    return frozenset(second[:2] for second in seconds)


@cache
def _reader(code: str) -> Reader:
    return Reader(code)


def reader(language: str) -> Reader:
    """The reader of a language; of one that is not registered, that of the language that stands in for it."""
    return _reader(readable(language))


def _tokens(lowered: str, tokens: set[str]) -> int:
    """Adds the tokens of a text; returns how many are numbers."""
    numbers = 0
    pattern, single = _token_patterns()
    empty = empty_words()
    for token in pattern.findall(lowered):
        if token[0] < "a":
            numbers += 1
            tokens.add(token)
        elif not token[0].isascii() and single.match(token):
            tokens.update(map(add, token, token[1:]))
        elif token not in empty:
            tokens.add(token)
    return numbers

"""Replace personal data by typed placeholders, equal for equal values within a conversation.

Own patterns with check digits, patterns of what words announce, and phonenumbers for telephone numbers, over a whole conversation
at once: a thousand conversations a CPU-second, where a named entity model does 12. Names are found by cues ("my name is", 我叫)
and in lists of the names of 70 countries; a model (``NameFinder``) may find more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wildtool.mining.privacy.cued import CUED, PHONES, grown
from wildtool.mining.privacy.gazetteer import asked_names, known_names, small_names
from wildtool.mining.privacy.obfuscated_emails import spelt_addresses
from wildtool.mining.privacy.pattern import Clues, Pattern, PersonalData, Spans, around
from wildtool.mining.privacy.patterns import PATTERNS
from wildtool.mining.privacy.person_names import addressed_han, introduced, introduced_han
from wildtool.mining.privacy.phones import phones, spelt_phones
from wildtool.schemas.conversation import Conversation, Message

__all__ = ["NameFinder", "PersonalData", "Scrubbed", "Scrubber", "scrub", "scrub_texts"]

NameFinder = Callable[[str], Sequence[tuple[int, int]]]
"""A model that finds names of persons: from a text to spans."""

_PLACEHOLDER = re.compile(r"\[[A-Z]+_\d")

Pair = tuple[str, str | None]
"""A text as patterns see it and, where that differs from how it was written, as it was written; of the same length."""

NULLS = "\0\0\0"
SEPARATOR = f"\n{NULLS}\n"
"""Between messages that are scrubbed in one go. No pattern takes both a line feed and a null."""

MOST_NAMES = 300
"""Names whose further mentions are replaced: no conversation holds more, and a hostile one must not cost its square."""


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """Texts without personal data."""

    texts: tuple[str, ...]
    """The texts, with placeholders such as ``[EMAIL_1]``."""
    found: Counter[str]
    """Different values found, by kind."""


@dataclass(slots=True)
class Scrubber:
    """Replaces personal data; one per conversation, so that equal values get equal placeholders."""

    values: dict[str, str] = field(default_factory=dict)
    """Placeholder to the value that it first stood for: for judging what is found, never to be kept."""
    _given: dict[tuple[PersonalData, str], str] = field(default_factory=dict)
    _numbers: dict[PersonalData, int] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    """Names as they were found, to their placeholders."""
    _parts: dict[str, str] = field(default_factory=dict)
    """Names and their parts, as written and capitalised."""

    def __call__(self, text: str, names: NameFinder | None = None) -> str:
        """The text with placeholders such as ``[EMAIL_1]``."""
        seen = narrowed(text)
        pair = (seen, None if seen is text else text)
        clues = Clues(seen)
        for pattern in PATTERNS:
            if pattern.hint(clues):
                numbers = clues.numbers if pattern.number and pair[0] is seen else None
                pair = self._swap(pair, pattern.kind, _spans(pattern, pair[0], numbers))
        if clues.spelt:
            pair = self._swap(pair, PersonalData.EMAIL, spelt_addresses(pair[0], foreign=clues.foreign))
        for pattern in CUED:
            if pattern.hint(clues):
                pair = self._swap(pair, pattern.kind, _spans(pattern, pair[0]))
        if clues.numbers:
            pair = self._swap(pair, PersonalData.PHONE, phones(pair[0], clues.numbers if pair[0] is seen else None))
        for pattern in PHONES:
            if pattern.hint(clues):
                pair = self._swap(pair, pattern.kind, found_by(pattern, pair[0]))
        for finder in (asked_names, known_names):
            pair = self._swap(pair, PersonalData.NAME, finder(pair[0]))
        pair = self._swap(
            pair, PersonalData.NAME, introduced(pair[0], clues.lower if pair[0] is seen else pair[0].lower())
        )
        pair = self._swap(pair, PersonalData.NAME, small_names(pair[0]))
        if clues.han:
            pair = self._swap(pair, PersonalData.PHONE, spelt_phones(pair[0]))
            pair = self._swap(pair, PersonalData.NAME, addressed_han(pair[0]))
            pair = self._swap(pair, PersonalData.NAME, introduced_han(pair[0]))
        if names is not None:
            pair = self._swap(pair, PersonalData.NAME, names(pair[0]))
        return pair[0] if pair[1] is None else pair[1]

    def mentions(self, text: str) -> str:
        """The text with the names found so far replaced where they stand without a cue: whole, or one part of them."""
        parts = self._parts
        longest = sorted((part for part in parts if len(part) > 1), key=len, reverse=True)[:MOST_NAMES]
        longest = [part for part in longest if part in text]
        if not longest:  # most names are said once, and making an expression costs as much as all other scrubbing
            return text
        expression = re.compile(
            "|".join(re.escape(part) if not part.isascii() else rf"\b{re.escape(part)}\b" for part in longest)
        )
        return expression.sub(lambda match: parts[match.group()], text)

    @property
    def found(self) -> Counter[str]:
        """Different values found so far, by kind."""
        return Counter({kind.value: count for kind, count in self._numbers.items()})

    def _swap(self, pair: Pair, kind: PersonalData, spans: Iterable[tuple[int, int]]) -> Pair:
        """Placeholders for these spans in both texts of a pair; a span in a placeholder is none.

        A bracket may be part of an e-mail address alone: "anna [at] gmail [dot] com".
        """
        edits: list[tuple[int, int, str]] = []
        position = 0
        seen = pair[0]
        for start, end in sorted(set(spans)):
            value = seen[start:end]
            if start >= position and not (
                "[" in value and (kind is not PersonalData.EMAIL or _PLACEHOLDER.search(value))
            ):
                edits.append((start, end, self._label(kind, value)))
                position = end
        if not edits:
            return pair
        return _patched(seen, edits), None if pair[1] is None else _patched(pair[1], edits)

    def _label(self, kind: PersonalData, value: str) -> str:
        """The placeholder of a value; a name's parts share it."""
        if kind is not PersonalData.NAME:
            return self._placeholder(kind, value)
        if value not in self._names:
            self._names[value] = self._parts.get(value) or self._placeholder(kind, value)
            for part in (value, *value.split()):
                self._parts.setdefault(part, self._names[value])
                self._parts.setdefault(part.title(), self._names[value])  # "i'm priya" is answered "Hello Priya"
        return self._names[value]

    def _placeholder(self, kind: PersonalData, value: str) -> str:
        key = (kind, re.sub(r"\W", "", value).casefold())
        if key not in self._given:
            self._numbers[kind] = self._numbers.get(kind, 0) + 1
            self._given[key] = f"[{kind.value}_{self._numbers[kind]}]"
            self.values[self._given[key]] = value
        return self._given[key]


def _spans(pattern: Pattern, text: str, numbers: Spans | None = None) -> Iterator[tuple[int, int]]:
    """Spans of a pattern's values; an address with all lines that belong to it."""
    for start, end in found_by(pattern, text, numbers):
        yield grown(text, start, end) if pattern.kind is PersonalData.ADDRESS else (start, end)


def found_by(pattern: Pattern, text: str, numbers: Spans | None = None) -> Iterator[tuple[int, int]]:
    """Spans of a pattern's values in a text; of a pattern of numbers about ``numbers`` alone, where these are given."""
    group = "v" if "v" in pattern.expression.groupindex else 0
    for start, end in around(text, numbers):
        for match in pattern.expression.finditer(text, start, end):
            value = match[group]
            if pattern.holds(value):
                yield match.start(group) + pattern.skips(value), match.end(group)


def narrowed(text: str) -> str:
    """The text with full-width digits, letters and signs as narrow ones, letter by letter; the same object where it has none."""
    if text.isascii() or _WIDE.search(text) is None:
        return text
    return text.translate(_NARROW)


_WIDE = re.compile("[０-９Ａ-Ｚａ-ｚ＠]")
_NARROW = {
    0xFF00 + code: 0x20 + code
    for code in range(1, 0x5F)
    if chr(0x20 + code).isalnum() or chr(0x20 + code) in "@.-+()_#/"
}


def _patched(text: str, edits: list[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, label in edits:
        pieces += (text[position:start], label)
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def scrub_texts(texts: Sequence[str], *, names: NameFinder | None = None) -> Scrubbed:
    """Replace personal data in the messages of one conversation.

    Equal values get equal placeholders over all of them, and a name once found is replaced wherever it stands.

    Args:
        texts: the messages' texts in order.
        names: a model that finds more names than the cues do.
    """
    scrubber = Scrubber()
    whole = SEPARATOR.join(text.replace("\0", "\ufffd") if "\0" in text else text for text in texts)
    once = scrubber(whole, names)
    scrubbed = scrubber.mentions(once)
    parts = scrubbed.split(NULLS) if texts else []
    last = len(parts) - 1
    # A pattern may have taken a line feed beside the nulls, as the blank at the end of an address.
    bare = (
        (part.removeprefix("\n") if place else part).removesuffix("\n" if place < last else "")
        for place, part in enumerate(parts)
    )
    return Scrubbed(tuple(bare), scrubber.found)


def scrub(conversation: Conversation, *, names: NameFinder | None = None) -> Conversation:
    """The conversation with personal data replaced in every message."""
    scrubbed = scrub_texts([message.content for message in conversation.messages], names=names)
    messages = tuple(
        Message.trusted(role=message.role, content=text)
        for message, text in zip(conversation.messages, scrubbed.texts, strict=True)
    )
    return conversation.model_copy(update={"messages": messages})

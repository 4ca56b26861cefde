"""Personal data out of texts: typed placeholders, equal for equal values within a conversation.

Own patterns with check digits, and phonenumbers for telephone numbers, over a whole conversation at once: some thousand
conversations a CPU-second, where a named entity model does 12. Names are found by cues ("my name is", 我叫), which see
about two thirds of them; a model (``NameFinder``) may find more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from mining.privacy.patterns import PATTERNS, Clues, Pattern, PersonalData, phones
from schemas.conversation import Conversation, Message

__all__ = ["NameFinder", "PersonalData", "Scrubbed", "Scrubber", "scrub", "scrub_texts"]

NameFinder = Callable[[str], Sequence[tuple[int, int]]]
"""A model that finds names of persons: from a text to spans."""

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

    _given: dict[tuple[PersonalData, str], str] = field(default_factory=dict)
    _numbers: dict[PersonalData, int] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _parts: dict[str, str] = field(default_factory=dict)

    def __call__(self, text: str, names: NameFinder | None = None) -> str:
        """The text with placeholders such as ``[EMAIL_1]``."""
        clues = Clues(text)
        for pattern in PATTERNS:
            if pattern.hint(clues):
                text = pattern.expression.sub(lambda match, pattern=pattern: self._replace(pattern, match), text)  # type: ignore[misc]
        if clues.long_number:
            text = self._replace_spans(PersonalData.PHONE, phones(text), text)
        if names is not None:
            spans = [span for span in names(text) if "[" not in text[slice(*span)]]
            for start, end in spans:
                self._names.setdefault(text[start:end], self._placeholder(PersonalData.NAME, text[start:end]))
            text = self._replace_spans(PersonalData.NAME, spans, text)
        return text

    def mentions(self) -> Callable[[str], str]:
        """Replaces the names found so far where they stand without a cue: whole, or one part of them capitalised."""
        parts = {part: label for name, label in self._names.items() for part in (name, *name.split()) if len(part) > 1}
        if not parts:
            return lambda text: text
        longest = sorted(parts, key=len, reverse=True)[:MOST_NAMES]
        expression = re.compile(
            "|".join(re.escape(part) if not part.isascii() else rf"\b{re.escape(part)}\b" for part in longest)
        )
        return lambda text: expression.sub(lambda match: parts[match.group()], text)

    @property
    def found(self) -> Counter[str]:
        """Different values found so far, by kind."""
        return Counter({kind.value: count for kind, count in self._numbers.items()})

    def _replace_spans(self, kind: PersonalData, spans: Iterable[tuple[int, int]], text: str) -> str:
        pieces: list[str] = []
        position = 0
        for start, end in sorted(set(spans)):
            if start >= position and "[" not in text[start:end]:
                pieces += (text[position:start], self._placeholder(kind, text[start:end]))
                position = end
        return "".join((*pieces, text[position:]))

    def _replace(self, pattern: Pattern, match: re.Match[str]) -> str:
        whole = match.group()
        value = match.groupdict().get("v") or whole
        if "[" in value or not pattern.holds(value):
            return whole
        start = match.start("v") - match.start() if "v" in match.groupdict() else 0
        if pattern.kind is PersonalData.NAME:
            if value not in self._names:
                self._names[value] = self._parts.get(value) or self._placeholder(pattern.kind, value)
                for part in value.split():
                    self._parts.setdefault(part, self._names[value])
            return whole[:start] + self._names[value] + whole[start + len(value) :]
        return whole[:start] + self._placeholder(pattern.kind, value) + whole[start + len(value) :]

    def _placeholder(self, kind: PersonalData, value: str) -> str:
        key = (kind, re.sub(r"\W", "", value).casefold())
        if key not in self._given:
            self._numbers[kind] = self._numbers.get(kind, 0) + 1
            self._given[key] = f"[{kind.value}_{self._numbers[kind]}]"
        return self._given[key]


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
    scrubbed = scrubber.mentions()(once)
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

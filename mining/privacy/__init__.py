"""Privacy: personal data out, typed placeholders in, consistent within a conversation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mining.privacy.names import chinese_names, english_names
from mining.privacy.patterns import (
    Found,
    PersonalData,
    find_birth,
    find_links,
    find_network,
    find_numbers,
    find_secrets,
    find_streets,
)

__all__ = ["PLACEHOLDER", "NameFinder", "PersonalData", "Scrubbed", "scrub"]

NameFinder = Callable[[str], Sequence[tuple[int, int]]]
"""A model that finds person names: text to spans. Optional; the cues always run."""

PLACEHOLDER = re.compile(r"\[(?:" + "|".join(PersonalData) + r")_\d+\]")
"""What personal data is replaced by."""

_SEPARATOR = "\n\x1e\n"
"""Between messages: a control sign that no pattern crosses, so that one pass serves the whole conversation."""

_CHINESE = re.compile("[\u4e00-\u9fff]")
_LONG_NUMBER = re.compile(r"\d[^A-Za-z\n]{0,3}\d[^A-Za-z\n]{0,3}\d[^A-Za-z\n]{0,3}\d[^A-Za-z\n]{0,3}\d")
_SECRET_HINT = re.compile(
    r"(?i)pass|pwd|key|secret|token|\bpin\b|cvv|cvc|code|otp|密|口令|令牌|验证码|bearer|sk[-_]|gh[pousr]_|glpat|AKIA|ASIA|AIza|xox|ya29|hf_|npm_|pypi-|SG\.|eyJ|PRIVATE"
)
_BIRTH_HINT = re.compile(r"(?i)born|birth|d\.?o\.?b|née? le|nacid|nacim|geboren|生日|出生|生于|生辰|生的|生人|出世")
_STREET_HINT = re.compile(
    r"(?i)\d[A-Za-z]?,? [^\n]{2,40}?\b(?:st|street|ave|avenue|road|rd|blvd|boulevard|lane|ln|drive|dr|court|ct|place|pl|square|sq|terrace|way|"
    r"crescent|close|highway|hwy|parkway|pkwy|row|gardens|grove|mews|walk)\b|\brue\b|calle|avenida|plaza|paseo|\bvia\b|\brua\b|stra(?:ß|ss)e|weg |platz|"
    r"allee|gasse|piazza|quai|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\d(?:号|栋|幢|座|弄)"
)
_NAME_HINT = re.compile(
    r"(?i)name|call me|\bi['’]?m |\bi am |this is|\bit['’]?s |llamo|nombre|appelle|hei(?:ß|ss)e|chiamo|\bnom\b|\bmy (?:wife|husband|son|daughter|boss|friend|"
    r"mother|father|mum|mom|dad|brother|sister|colleague|partner|girlfriend|boyfriend)|regards|cheers,|thanks,|sincerely|attn|passenger|signed|\bdear|\bhi |"
    r"hello |hey |\bm(?:r|rs|s|x|iss)\b|\bdr\b|prof|herr|frau|señor|monsieur|madame"
)
_CN_NAME_HINT = re.compile("叫|我是|姓名|名字|本人|联系人|收件人|收货人|预订人|持卡人|先生|女士|小姐|太太|用")


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """Texts without personal data."""

    texts: tuple[str, ...]
    """The texts, with placeholders."""
    found: Counter[PersonalData]
    """Distinct values found, by kind."""


def scrub(texts: Sequence[str], *, names: NameFinder | None = None) -> Scrubbed:
    """Replace personal data in the messages of one conversation by typed placeholders such as ``[EMAIL_1]``.

    Equal values get equal placeholders over the whole conversation; numbers compare by their digits, names without
    case. A name once found is replaced wherever it stands, and its parts where they stand alone with a capital.
    English and Chinese forms; e-mail, IBAN and other international forms in any language.

    Args:
        texts: the messages' texts in order.
        names: a model that finds more names than the cues do.
    """
    joined = _SEPARATOR.join(text.replace("\x1e", " ") if "\x1e" in text else text for text in texts)
    spans = _resolve(_find(joined, names))
    if not spans:
        return Scrubbed(tuple(joined.split(_SEPARATOR)) if texts else (), Counter())
    labels = _Labels()
    pieces: list[str] = []
    position = 0
    for start, end, kind in spans:
        pieces += (joined[position:start], labels.of(kind, joined[start:end]))
        position = end
    pieces.append(joined[position:])
    scrubbed = labels.replace_names("".join(pieces))
    return Scrubbed(tuple(scrubbed.split(_SEPARATOR)), Counter(kind for kind, _ in labels.known))


def _find(text: str, names: NameFinder | None) -> Iterator[Found]:
    chinese = _CHINESE.search(text) is not None
    if "@" in text or "://" in text or "dot" in text:
        yield from find_links(text)
    if _SECRET_HINT.search(text):
        yield from find_secrets(text)
    if text.count(".") > 2 or text.count(":") > 1 or text.count("-") > 4:
        yield from find_network(text)
    if _LONG_NUMBER.search(text):
        yield from find_numbers(text)
    if _BIRTH_HINT.search(text):
        yield from find_birth(text)
    if _STREET_HINT.search(text):
        yield from find_streets(text, chinese=chinese)
    if _NAME_HINT.search(text):
        for start, end in english_names(text):
            yield start, end, PersonalData.NAME
    if chinese and _CN_NAME_HINT.search(text):
        for start, end in chinese_names(text):
            yield start, end, PersonalData.NAME
    if names is not None:
        for start, end in names(text):
            yield start, end, PersonalData.NAME


_ORDER = {kind: place for place, kind in enumerate(PersonalData)}


def _resolve(found: Iterator[Found]) -> list[Found]:
    """Spans without overlaps: the kind that comes first in ``PersonalData`` wins, then the longer span."""
    taken: list[Found] = []
    for start, end, kind in sorted(found, key=lambda one: (_ORDER[one[2]], one[0] - one[1], one[0])):
        if all(end <= other_start or start >= other_end for other_start, other_end, _ in taken):
            taken.append((start, end, kind))
    return sorted(taken)


class _Labels:
    """Placeholders given out in one conversation."""

    def __init__(self) -> None:
        self.known: dict[tuple[PersonalData, str], str] = {}
        self._count: Counter[PersonalData] = Counter()

    def of(self, kind: PersonalData, value: str) -> str:
        key = (kind, _canonical(kind, value))
        label = self.known.get(key)
        if label is None and kind is PersonalData.NAME:
            label = self._name_part(key[1])
        if label is None:
            self._count[kind] += 1
            label = f"[{kind}_{self._count[kind]}]"
        self.known[key] = label
        return label

    def _name_part(self, name: str) -> str | None:
        """Placeholder of a longer name that this one is a part of, as "Anna" is of "Anna Lund"."""
        for (kind, other), label in self.known.items():
            if kind is PersonalData.NAME and name in other.split():
                return label
        return None

    def replace_names(self, text: str) -> str:
        """Replace further mentions of the names found."""
        for (kind, name), label in list(self.known.items()):
            if kind is not PersonalData.NAME:
                continue
            if _CHINESE.search(name):
                if len(name) > 1:
                    text = text.replace(name, label)
                continue
            text = re.sub(rf"(?i)(?<![\w\[]){re.escape(name)}(?!\w)", label, text)
            for part in name.split():
                if len(part) > 2 and len(name) > len(part):
                    text = re.sub(rf"(?<![\w\[]){re.escape(part.capitalize())}(?!\w)", label, text)
        return text


_NUMBERS = frozenset({PersonalData.PHONE, PersonalData.CARD, PersonalData.IBAN, PersonalData.ACCOUNT})


def _canonical(kind: PersonalData, value: str) -> str:
    if kind in _NUMBERS:
        return re.sub(r"[^0-9A-Za-z]", "", value).casefold().removeprefix("00")
    if kind is PersonalData.SECRET:
        return value
    return " ".join(value.casefold().split())

"""Tell what a text asks its reader for: its clauses, each with its act.

A clause requests by question ("Which city?"), command ("tell me the city"), need ("I'd need the city"), choice ("Lyon or
Nice?") or ellipsis ("City?"). Refusals, courtesies, offers, values taken for granted, quotations and what is waved away
request nothing. What a request is for: ``language.request_slots``. The words: ``words/<code>/requests.toml``; Han text is
read by the words of languages without spaces, other text by those of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise

from wildtool.language.folding import as_said
from wildtool.language.lexicon import languages, letters_of, spaced, words


class Act(StrEnum):
    """How a clause requests."""

    REQUEST = "request"
    """By question, command or need."""
    CHOICE = "choice"
    """By naming values."""
    ELLIPTIC = "elliptic"
    """By a noun alone."""
    POINTING = "pointing"
    """By "which one?"."""


@dataclass(frozen=True, slots=True)
class Request:
    """A clause that requests."""

    text: str
    """Its folded words, from where the request begins."""
    act: Act
    certainty: float
    """How surely it is a request."""
    spaced: bool
    """Is it of a language with spaces?"""


@dataclass(frozen=True, slots=True)
class RequestWords:
    """Patterns of ``requests.toml``, of all languages of one kind."""

    clause: re.Pattern[str]
    part: re.Pattern[str]
    asking: re.Pattern[str]
    idle_asking: re.Pattern[str]
    inquiry: re.Pattern[str]
    command: re.Pattern[str]
    need: re.Pattern[str]
    after: re.Pattern[str]
    refused: re.Pattern[str]
    courtesy: re.Pattern[str]
    elsewhere: re.Pattern[str]
    offer: re.Pattern[str]
    tag: re.Pattern[str]
    choice: re.Pattern[str]
    idle_choice: re.Pattern[str]
    verb_first: re.Pattern[str]
    finite: re.Pattern[str]
    open: re.Pattern[str]
    measure: re.Pattern[str]
    pointing: re.Pattern[str]
    told: re.Pattern[str]


_BARE = ("clause", "part", "tag", "choice")
"""Patterns that say themselves where they begin and end."""


def edged(pattern: str, with_spaces: bool) -> str:
    """The pattern between word edges, in languages that have them."""
    return rf"(?<![\w'])(?:{pattern})(?!\w)" if with_spaces else f"(?:{pattern})"


@cache
def request_words(with_spaces: bool) -> RequestWords:
    """The words of all languages with, or without, spaces. Raises ``LanguageError`` where one has none."""
    tables = [words(code, "requests") for code in languages() if spaced(code) is with_spaces]
    found = {}
    for name in RequestWords.__dataclass_fields__:
        pattern = "|".join(table[name] for table in tables if table[name]) or r"(?!)"
        found[name] = re.compile(pattern if name in _BARE else edged(pattern, with_spaces))
    return RequestWords(**found)


@cache
def _unspaced_letter() -> re.Pattern[str]:
    letters = letters_of(spaced=False)
    return re.compile(f"[{letters}]" if letters else r"(?!)")


def of_spaced(text: str) -> bool:
    """Is the text of a language with spaces?"""
    return not _unspaced_letter().search(text)


_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|«[^»]*»|(?<!\w)'[^'\n]{3,}'(?!\w)|^>.*$", re.MULTILINE)
_END = re.compile(r"(?<=[.!?。！？…\n])(?=\s|[^\x00-\x7f]|$)")
_SHORT_FORM = re.compile(r"\b(e)\.\s?(g)\.|\b(i)\.\s?(e)\.|\b(no|nr|st|dr|mr|mrs|ms|approx|etc)\.(?=\s\S)")
_ASIDE = re.compile(r"\([^)]*\)|（[^）]*）")


def sentences(text: str) -> list[str]:
    """Folded sentences with their marks, without quotations."""
    unquoted = _QUOTED.sub(" … ", text.replace("’", "'"))
    folded = "\n".join(as_said(line) for line in unquoted.split("\n"))
    folded = _SHORT_FORM.sub(lambda hit: "".join(part for part in hit.groups() if part), folded)
    return [part for part in (each.strip(" \n*_#>•-…") for each in _END.split(folded)) if re.search(r"\w", part)]


def requests(text: str) -> list[Request]:
    """What the text requests, in order; empty if it requests nothing."""
    found: list[Request] = []
    told = sentences(text)
    for sentence in told:
        found += _of_sentence(_ASIDE.sub(" ", sentence) or sentence, len(told) == 1)
    return found + _bare_pairs(told)


def asks_back(text: str) -> bool:
    """Does the text request something, or ask any question that is no courtesy?"""
    if requests(text):
        return True
    return any(
        sentence.rstrip(" )\"'").endswith("?") and not request_words(of_spaced(sentence)).courtesy.search(sentence)
        for sentence in sentences(text)
    )


def _bare_pairs(told: Sequence[str]) -> list[Request]:
    """Values put one after the other: "Dollars? Yen?"."""
    return [
        Request(f"{one} {other}", Act.CHOICE, 0.8, of_spaced(one))
        for one, other in pairwise(told)
        if _is_bare(one) and _is_bare(other)
    ]


def _is_bare(sentence: str) -> bool:
    """Is it a question of some words without verb?"""
    said = request_words(of_spaced(sentence))
    if sentence[-1:] != "?" or said.asking.search(sentence) or said.verb_first.match(sentence):
        return False
    return _length(sentence) <= 4


def _length(text: str) -> int:
    """Words, or pairs of characters in languages without spaces."""
    return len(text.split()) if of_spaced(text) else (len(re.sub(r"\W", "", text)) + 1) // 2


def _of_sentence(sentence: str, alone: bool) -> Iterator[Request]:
    with_spaces = of_spaced(sentence)
    said = request_words(with_spaces)
    question = sentence.rstrip(" )）\"'").endswith("?")
    clauses = [part.strip() for part in said.clause.split(sentence) if part and re.search(r"\w", part)]
    granted = question and any(said.tag.fullmatch(clause) for clause in clauses)
    made: list[Request] = []
    quiet = ""
    for number, clause in enumerate(clauses):
        one = _act(clause, question, granted, alone and len(clauses) == 1, said, with_spaces)
        if one is not None:
            if quiet and _length(clause) <= 4:  # 城市和日期，请告诉我
                one = Request(f"{quiet}，{one.text}", one.act, one.certainty, with_spaces)
            made.append(one)
            quiet = ""
        elif made and not with_spaces and number and _length(clause) <= 8 and not _inert(clause, said):
            last = made[-1]
            made[-1] = Request(f"{last.text}，{clause}", last.act, last.certainty, with_spaces)
        else:
            named = not with_spaces and not question and _length(clause) <= 4 and not _inert(clause, said)
            quiet = clause if named and not re.search(r"\d", clause) and not said.told.search(clause) else ""
    yield from made


def _has_verb(text: str, said: RequestWords) -> bool:
    return bool(said.verb_first.match(text) or said.finite.search(text))


def _inert(clause: str, said: RequestWords) -> bool:
    return bool(said.refused.search(clause) or said.courtesy.search(clause))


def _act(
    clause: str, question: bool, granted: bool, alone: bool, said: RequestWords, with_spaces: bool
) -> Request | None:
    """The request that a clause makes, if any."""
    if _inert(clause, said) or (not question and said.elsewhere.search(clause)):
        return None
    text = said.idle_asking.sub(" ", clause)
    asking = said.asking.search(text)
    inquiry = said.inquiry.search(text)
    order = _first(said.command.search(text), said.need.search(text))
    if question:
        return _of_question(text, clause, asking, inquiry, order, granted, said, with_spaces)
    if said.told.match(clause):
        return None
    if order is not None and with_spaces:
        return Request(text[order.end() :] if order.end() < len(text) else "", Act.REQUEST, 0.95, with_spaces)
    if order is not None:
        return Request(text, Act.REQUEST, 0.9, with_spaces)
    if (last := said.after.search(text)) is not None and last.end() >= len(text.rstrip(" .!。！,，~")):
        return Request(text[: last.end()], Act.REQUEST, 0.85, with_spaces)
    if inquiry is not None and inquiry.start() <= 12 and (not with_spaces or _length(inquiry[0]) >= 3):
        return Request(text[inquiry.start() :] if with_spaces else text, Act.REQUEST, 0.8, with_spaces)
    if asking and not with_spaces:
        return Request(text, Act.REQUEST, 0.85, with_spaces)
    if asking and asking.start() <= 10 and _length(text) <= 9:
        return Request(text, Act.REQUEST, 0.7, with_spaces)
    if alone and _length(text) <= 5 and not re.search(r"\d", text) and not _has_verb(text, said):
        return Request(text, Act.ELLIPTIC, 0.6, with_spaces)
    return None


def _of_question(
    text: str,
    clause: str,
    asking: re.Match[str] | None,
    inquiry: re.Match[str] | None,
    order: re.Match[str] | None,
    granted: bool,
    said: RequestWords,
    with_spaces: bool,
) -> Request | None:
    if said.pointing.search(text):
        return Request(text, Act.POINTING, 0.8, with_spaces)
    offer = said.offer.match(re.sub(r"^(?:and|or|also|so|but|then|ok|okay|sure|great|well),? ", "", text))
    choice = said.choice.search(said.idle_choice.sub(" ", text))
    if with_spaces and offer and not inquiry:
        if asking and text.find(asking[0]) < 12 and not text.startswith(offer[0]):
            return Request(text, Act.REQUEST, 0.95, with_spaces)
        return Request(text, Act.CHOICE, 0.85, with_spaces) if choice else None
    if asking:
        return Request(text, Act.REQUEST, 0.95, with_spaces)
    if inquiry:
        return Request(text[inquiry.start() :] if with_spaces else text, Act.REQUEST, 0.9, with_spaces)
    if choice:
        return Request(text, Act.CHOICE, 0.9, with_spaces)
    granted = granted or bool(said.tag.search(clause))
    if order is not None and (not granted or order.start() <= 3) and not (offer and not with_spaces):
        return Request(text[order.start() :], Act.REQUEST, 0.85, with_spaces)
    if granted or offer or said.verb_first.match(text) or re.search(r"\d", text):
        return None
    if _length(text) <= 7 and text == clause:
        return Request(text, Act.ELLIPTIC, 0.85, with_spaces)
    return None


def _first(*found: re.Match[str] | None) -> re.Match[str] | None:
    return min((one for one in found if one is not None), key=lambda one: one.start(), default=None)

"""Find names of persons without a cue: words with capitals of which one is a known given name or surname.

The names are those of Faker's locales (MIT): 31,000 given names and 30,000 surnames of 70 countries. A word that is also an
everyday word, a place, a firm or a month is a name only beside another one.
"""

# ruff: noqa: E501 - tables read best one entry a line
from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

from wildtool.mining.privacy.person_names import given_names

_CAP = "[A-ZÀ-ÖØ-ÞĀ-ŽЀ-ЯΑ-Ω]"
_LETTER = "(?:[^\\W\\d_]|['’-](?=[^\\W\\d_]))"
_WORD = rf"(?:{_CAP}{_LETTER}{{1,24}}|{_CAP}\.)"
_PARTICLE = r"(?:de la|de las|de los|del|de|da|das|dos|do|di|du|van der|van den|van de|van|von der|von|zu|bin|ibn|al|el|la|le|y|e)"
_RUN = re.compile(
    rf"{_CAP}(?<![\w@#/.&-]{_CAP})(?:{_LETTER}{{1,24}}|\.)(?:[ ](?:{_PARTICLE}[ ])?{_WORD}){{0,4}}(?![\w@]|/\w)"
)

_BEFORE = re.compile(
    r"(?i)(?:\b(?:dear|hi|hello|hey|remind|tell|ask|call|text|email|mail|message|contact|meet|meeting|with|from|by|for|to|and|or|of|"
    r"named|called|name|name is|mr|mrs|ms|miss|dr|prof|sir|madam|señora?|sra?|herr|frau|monsieur|madame|signora?|dona?|"
    r"wife|husband|son|daughter|brother|sister|mother|father|mum|mom|dad|uncle|aunt|cousin|friend|boss|colleague|neighbour|neighbor|"
    r"landlord|landlady|manager|doctor|dentist|teacher|nurse|patient|passenger|customer|client|guest|tenant|employee|girlfriend|"
    r"boyfriend|partner|fiancée?|regards|sincerely|thanks|cheers|love|signed|user|contact|cc|attn|attention|thank you|is|was|met|producer|"
    r"cardholder|holder|owner|recipient|sender|author|student|nephew|niece|grandma|grandpa|grandson|invite|send|give|told|asked|says?|said)"
    r"[:,.]?|[,;:(–.?!\"“-]|^|\n)\s*$"
)
"""What stands before a name that is one word."""

_SURELY = re.compile(
    r"(?i)\b(?:producer|director|directed by|author|singer|actor|actress|assistant to|written by|by|officer|sergeant|captain|senator|"
    r"president|minister|coach|mr|mrs|ms|miss|dr|prof|señora?|herr|frau|monsieur|madame|signora?|wife|husband|landlord|named|passenger|"
    r"patient|cardholder|regards|sincerely|name is|name:|names:|attn|dear|signed)[:,.]?\s{1,3}$"
)
"""What stands before the name of a person whatever it is."""

_BEFORE_STRANGE = re.compile(
    r"(?i)\b(?:by|with|and|from|tell|ask|call|text|email|remind|contact|meet|met|been to an?|not by|him|her|told|asked|saw|invite)\s$"
)
"""What stands before a name of which no word is known."""

_SMALL = re.compile(
    r"(?:(?m:^)|\b(?:with|dear|tell|ask|call|email|remind|contact|for|to|is|from|name) )([a-zà-öø-ÿ]{3,20}) ([a-zà-öø-ÿ]{4,20})(?=[ \t]*(?:$|[,.!?\n]| in\b| at\b| on\b| and\b))"
)
_ASKED = re.compile(
    rf"(?i:(?:last|first|full|middle|maiden|sur|family|given)\s?name|your name|name on the \w+)\??\s{{0,3}}(?:[A-Z][a-z]+:\s)?(?P<v>(?-i:{_WORD}(?: {_WORD}){{0,2}}))(?=\s*(?:[.!\n]|$))"
)

_AFTER = re.compile(
    r"(?:['’]s\b|\s*(?:[,.!?:;)\n]|$)|\s+(?:is|was|has|had|and|who|here|said|says|will|can|wants?|needs?|lives?|works?|asked|told|called|were|are|went|did|spent|explained|got|or|wrote|sings?)\b)"
)
"""What stands behind it."""

_ORGANISATION = frozenset(
    "hotel restaurant cafe bar inn museum park house grand central station street road hall club hostel resort lodge theatre theater "
    "cinema gallery hospital clinic school university college church tower center centre plaza kitchen grill palace garden gardens "
    "suites apartments company ltd inc gmbh llc plc ag bank airport bistro bakery pub diner spa salon shop store market orchestra "
    "band records group corp corporation foundation institute society association league cup stadium arena island islands river lake "
    "mountain mount bay beach bridge castle county city town village valley province state avenue ave st boulevard square lane drive "
    "airlines air rail railway line express act bill law award prize festival university press times post news magazine football fc "
    "united rovers day eve war revolution republic kingdom empire union party north south east west new old saint san santa los las "
    "el fort port cape studios pictures films entertainment games software systems technologies labs media network insurance "
    "motors foods energy apartment sauce peppers bears dodgers giants warriors vs life practitioner brothers sisters hot chili party auntie "
    "general lady golden red album movie film song show family home homes garden hills heights creek ranch villa villas manor court courts plaza mall "
    "dermatologist gynecologist ophthalmologist dentist cream milk latte coffee tea pizza burger chicken salad soup cake grill".split()
)  # fmt: skip
"""Words of names that are no person's."""

_NEVER = frozenset(
    "i you he she it we they this that these those the a an my your his her our their what when where who why how which is are was were "
    "am be do does did can could will would shall should may might must have has had no not yes ok okay please thanks thank hello hi hey "
    "dear sir madam mr mrs ms dr prof monday tuesday wednesday thursday friday saturday sunday january february march april june july "
    "august september october november december english french german spanish italian chinese japanese portuguese russian american "
    "british european indian bot user assistant human system agent customer name address phone email subject date order ticket card "
    "account number if in on at to for from by with of and or but so as then also just only more most all any some one two three first "
    "last next re fw fwd ps pm am usd eur gbp play set find book convert translate show tell give get make add remove turn open close "
    "start stop call send write read check search look need want section room track port wall world internet google facebook twitter "
    "instagram amazon apple microsoft windows android linux python java excel word christmas easter god baby big killed doctor mister nurse officer captain i'm i’m i'd i'll i've it's he's she's that's what's who's let's don't can't you're we're they're there's here's".split()
)  # fmt: skip
"""Words that are no names wherever they stand, whatever their capital."""


@lru_cache(maxsize=1)
def _known() -> tuple[frozenset[str], frozenset[str]]:
    """Return given names and surnames in small letters."""
    import faker.providers.person as person

    given: set[str] = set()
    family: set[str] = set()
    for module in pkgutil.iter_modules(person.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for name in dir(provider):
            if name.startswith("first_"):
                given.update(_texts(getattr(provider, name)))
            elif name.startswith("last_"):
                family.update(_texts(getattr(provider, name)))
    return frozenset(given | given_names()), frozenset(family)


def _texts(held: Any) -> Iterator[str]:
    if isinstance(held, tuple | list | dict):
        for each in held:
            if isinstance(each, str) and len(each) > 1:
                yield each.lower()


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    """Return names that are words or places as well: they count beside another name alone."""
    lines = files("wildtool.mining.privacy").joinpath("everyday_names.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(" ".join(line for line in lines if not line.startswith("#")).split())


def known_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans of names that are known, without a cue for them."""
    given, family = _known()
    everyday = _everyday()
    for hit in _RUN.finditer(text):
        yield from _names(text, hit, given, family, everyday)


def _names(
    text: str, hit: re.Match[str], given: frozenset[str], family: frozenset[str], everyday: frozenset[str]
) -> Iterator[tuple[int, int]]:
    words = [
        (one.start() + hit.start(), one.end() + hit.start(), one.group()) for one in re.finditer(r"[^\s]+", hit.group())
    ]
    while words and words[0][2].lower().rstrip(".") in _NEVER:
        words.pop(0)
    while words and words[-1][2].lower().rstrip(".") in _NEVER:
        words.pop()
    if not words or any(word.lower().rstrip(".") in _NEVER for _, _, word in words):
        return
    # "Producer James Sparks": what stands before the first known given name is a title or a role.
    for place, (_, _, word) in enumerate(words[:-1]):
        if word.lower() in given and word.lower() not in everyday:
            if place and not any(each[2].lower() in family for each in words[:place]):
                words = words[place:]
            break
    low = [word.lower().rstrip(".") for _, _, word in words]
    long = [word for word in low if len(word) > 1]
    if (
        not long
        or not _ORGANISATION.isdisjoint(low)
        or (all(word.isupper() for _, _, word in words if len(word) > 2) and len(long) < 2)
    ):
        return
    first = any(part in given for part in _parts(low[0]))
    last = any(part in family or part in given for part in _parts(low[-1]))
    start, end = words[0][0], words[-1][1]
    if len(long) == 2 and not first and low[-1] in given and low[0] not in family and low[-1] not in everyday:
        yield words[-1][0], end  # "Unfortunately John"
        return
    if len(long) > 1:
        plain = [word for word in long if word in everyday]
        initial = any(len(word) == 1 for word in low[1:-1])
        ahead = _SURELY.search(text[max(0, start - 40) : start]) is not None
        strange = (
            not (first or last)
            and start > 0
            and text[max(0, start - 2) : start].strip() not in ("", ".", "?", "!", ":")
        )
        before = strange and _BEFORE_STRANGE.search(text[max(0, start - 24) : start]) is not None
        if not plain and (initial or ahead or before):
            yield start, end
            return
        if (
            (first or last)
            and len(plain) < len(long)
            and (first or (low[0] not in everyday and _BEFORE.search(text[max(0, start - 30) : start])))
        ):
            yield start, end
        return
    if len(low) > 1 and len(long) == 1:  # an initial before or behind it
        if long[0] not in everyday:
            yield start, end
        return
    word = long[0]
    if word in everyday or not (word in given or word in family):
        return
    before = _BEFORE.search(text[max(0, start - 30) : start]) is not None
    after = _AFTER.match(text, end) is not None
    if word in given or (before and after):
        yield start, end


def small_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans of a known given name and a known surname that are both written small."""
    given, family = _known()
    everyday = _everyday()
    for hit in _SMALL.finditer(text):
        first, last = hit[1], hit[2]
        if (
            first in given
            and last in family
            and not {first, last} & (everyday | _NEVER)
            and len(first) > 2
            and len(last) > 3
        ):
            yield hit.start(1), hit.end(2)


def asked_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans of the word that answers a question for a name."""
    for hit in _ASKED.finditer(text):
        yield hit.span("v")


def _parts(word: str) -> list[str]:
    return [word, *word.split("-"), word.replace("’", "'").split("'")[-1]]

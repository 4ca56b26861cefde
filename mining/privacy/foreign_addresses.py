"""Street addresses as they are written outside the English-speaking countries: the number after the street ("Storgata 14, 0184
Oslo"), or before a French one ("12 rue de la Paix, 75002 Paris").

"Windows 11, 2021" is written alike, so either a postcode and a town follow, or the street ends as streets do, or words before
say that an address comes.
"""

# ruff: noqa: E501 - expressions read best whole
from __future__ import annotations

import re

from wildtool.language.dates.tables import months, weekdays
from wildtool.mining.privacy.pattern import Pattern, PersonalData, holds_any

_CAP = "[A-ZÀ-ÖØ-ÞĀ-Ž]"
_TOWN = rf"{_CAP}[^\W\d_]{{1,20}}(?:[ -]{_CAP}[^\W\d_]{{1,20}}){{0,2}}"
_POSTCODE = r"(?:[A-Z]{1,3}-)?(?:\d{5}(?:-\d{3})?|\d{4}-\d{3}|\d{4}(?: ?[A-Z]{2}\b)?|\d{3} \d{2}|\d{2}-\d{3})(?!\d)"
"""Of four and five digits, Brazilian, Dutch, Swedish, Polish and Portuguese."""
_NUMBER = r"\d{1,4}(?: ?[a-zA-Z]\b)?(?:[-/]\d{1,4})?(?!\w)"
_SMALL = "(?:de|del|della|dei|di|da|do|dos|du|des|van|von|der|den|dem|het|la|le|les|los|las|el|am|an|im|zum|zur|auf|gate|gata|vei|vej|weg|gade|allé|och|og|e|y)"
"""Words of a street's name that are written small."""
_STREET = rf"(?:ul\. |al\. |av\. )?{_CAP}[\w'’.-]{{1,30}}(?: (?:{_CAP}[\w'’.-]{{0,20}}|{_SMALL}\b)){{0,4}} {_NUMBER}"
_PLACE = rf"(?:,\s?|\n| )(?:{_POSTCODE} )?{_TOWN}"

_SUFFIX = (
    "straße|strasse|str\\.|gasse|platz|allee|weg|gata|gaten|veien|vegen|vägen|gatan|vej|straat|laan|gracht|plein|utca"
)
_STREET_WORD = "Straße|Strasse|Gasse|Allee|Weg|Platz"
_ENDS_AS_STREET = re.compile(
    rf"(?i)(?:{_SUFFIX}|gate|gade|vei|\b(?:calle|via|rua|rue|avenida|plaza|piazza|viale|corso|ul))\b|\b(?:ul|av)\."
)
_SURE_FRENCH = re.compile(r"(?i)\b(?:rue|quai|allée|chemin|impasse)\b")
_FRENCH_PLACE = re.compile(r"\d{5}")
_SHORT_WORD = re.compile(r"\A(?:ul|al|av)\. ")
_YEAR = re.compile(r"[,\n ]\s?(?:19|20)\d\d (?![A-Z]{2}\b)")

_NO_STREETS = frozenset(
    "windows iphone ipad galaxy pixel chapter room gate table "
    "platform page line version season episode day week level part section article flight train bus tram terminal act vol volume "
    "apollo formula top zone floor seat hall building unit suite apartment flat studio track question item order number option "
    "step figure group class grade phase round section stage team type python java android ios office photoshop nikon canon "
    "boeing airbus nokia it's it’s its is at the yes sure that's that’s no ok okay "
    "sitzplatz stellplatz arbeitsplatz parkplatz startplatz".split()
)
"""What else a number stands after, beside months and weekdays."""


def _no_street(word: str) -> bool:
    return word in _NO_STREETS or word in months() or word in weekdays()


def _is_street(value: str) -> bool:
    said, value = value, _SHORT_WORD.sub("", value)
    first = re.split(r"[ .]", value, maxsplit=1)[0].lower()
    words = value.lower().split()
    last = next((words[place - 1] for place, word in enumerate(words) if place and word[0].isdigit()), first)
    # "Karl Johans gate 22" is a street, "Gate 22" is none.
    if _no_street(first) or (_no_street(last) and last != "gate") or value.split()[0].isupper():
        return False
    # "Summer Games 12, 2024 Paris": what looks like a year is a postcode only behind what ends as a street does.
    return _YEAR.search(value) is None or said != value or _ENDS_AS_STREET.search(value) is not None


_SAID = (
    r"(?i:\b(?:(?:i|we|she|he) lives? (?:at|on)|my (?:(?:home|new|delivery|shipping|billing|postal|current) )?address(?: is|:)?"
    r"|(?:deliver|ship|send|post)(?:ed)? (?:it |them |this |that )?to|address(?: is|:)|pick (?:me|us) up (?:at|from)|living at))"
)
_ASKED = r"(?i:(?<!mail )\baddress\b[^?\n\0]{0,60}\?[^\n\0]{0,20}\n\0{3}\n(?:(?:it['’]?s|it is|sure|yes|ok|okay|to|at|deliver it to)[,:.]? ){0,2})"

_POSTED = re.compile(r"\d ?[a-zA-Z]?[,\n] ?(?:[A-Z]{1,3}-)?\d{2}")
_SUFFIXED = re.compile(rf"(?:{_SUFFIX}|{_STREET_WORD}) \\d")

ABROAD: tuple[Pattern, ...] = (
    Pattern(
        PersonalData.ADDRESS,
        re.compile(
            rf"(?<![\w.-])\d{{1,4}}(?: ?(?:bis|ter|[A-D]))?,? (?i:rue|quai|allée|chemin|impasse|boulevard|bd|avenue|place|cours|route)"
            rf"(?: (?:d[eu]s?|la|les?|et|à|aux?)\b){{0,3}}(?: (?:{_CAP}|[dl]['’])[\w'’.-]{{1,24}}(?: d[eu]s?\b)?){{1,4}}"
            rf"(?:,?\s\d{{5}} {_TOWN})?"
        ),
        holds=lambda value: _SURE_FRENCH.search(value) is not None or _FRENCH_PLACE.search(value) is not None,
        hint=lambda clues: (
            clues.digit
            and holds_any(
                clues.lower,
                (
                    "rue ",
                    "quai ",
                    "allée ",
                    "chemin ",
                    "impasse ",
                    "boulevard ",
                    "bd ",
                    "avenue ",
                    "place ",
                    "cours ",
                    "route ",
                ),
            )
        ),
    ),
    Pattern(
        PersonalData.ADDRESS,
        re.compile(rf"(?<![\w'’.-]){_STREET}(?:,\s?|\n){_POSTCODE} {_TOWN}"),
        holds=_is_street,
        hint=lambda clues: clues.digit and _POSTED.search(clues.text) is not None,
    ),
    Pattern(
        PersonalData.ADDRESS,
        re.compile(
            rf"(?<![\w'’.-])(?:{_CAP}[^\W\d_]{{1,20}}[- ]){{0,2}}"
            rf"(?:{_CAP}[^\W\d_]{{0,24}}(?:{_SUFFIX})|{_STREET_WORD}) {_NUMBER}(?:,?\s{_POSTCODE} {_TOWN})?"
        ),
        holds=_is_street,
        hint=lambda clues: clues.digit and _SUFFIXED.search(clues.text) is not None,
    ),
    Pattern(
        PersonalData.ADDRESS,
        re.compile(rf"(?:{_SAID}|{_ASKED})\s{{0,2}}(?P<v>{_STREET}(?:{_PLACE})?)"),
        holds=_is_street,
        hint=lambda clues: clues.digit and holds_any(clues.lower, ("address", "live", "living", " to ", "pick ")),
    ),
)

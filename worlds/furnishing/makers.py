"""Draw the values that are computed rather than listed: addresses, codes, places, people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from text_unidecode import unidecode

from wildtool.language.day_phrases import weekday
from wildtool.language.folding import plain
from wildtool.worlds.furnishing.data import City, city_names, country_cities, name_words, names, pool
from wildtool.worlds.furnishing.facts import Facts, digits_of
from wildtool.worlds.furnishing.moments import moment_maker

_UPPER = "ABCDEFGHJKLMNPRSTUVWXYZ"
_HEX = "0123456789abcdef"
_FILES = ("pdf", "docx", "jpg", "png", "csv", "txt")
_MIMES = ("application/pdf", "image/jpeg", "image/png", "text/csv", "text/plain", "application/json")
_WINDS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@dataclass(frozen=True)
class Named:
    """The field that a value is for."""

    name: str
    scope: str
    examples: tuple[Any, ...] = ()

    @property
    def stem(self) -> str:
        """Return what a code of the field begins with."""
        dull = {"id", "code", "key", "url", "uri", "uuid", "slug", "ref", "number", "reference", "hash", "token", "the"}
        words = [word for word in name_words(self.name) if word not in dull and word.isascii()]
        return (words[0] if words else "ref")[:3]


Coded = Callable[[Facts, Named], Any]


def like(example: str, facts: Facts) -> str:
    """Vary a code: draw its digits anew, or its capitals where it has no digits."""
    if any(character.isdigit() for character in example):
        first = True
        made = []
        for character in example:
            if character.isdigit():
                made.append(str(facts.whole(1, 9) if first else facts.whole(0, 9)))
                first = False
            else:
                made.append(character)
        return "".join(made)
    if example.isupper():
        return "".join(facts.pick(_UPPER) if character.isalpha() else character for character in example)
    return example


def slug_of(text: str) -> str:
    """Return a text as addresses hold it: small Latin letters, digits and hyphens."""
    words = "".join(c if c.isalnum() else " " for c in unidecode(text).lower().replace("'", "")).split()
    return "-".join(words)


def _email(facts: Facts, named: Named) -> str:
    if named.scope in facts.people or not (facts.company or facts.label):
        return f"{facts.person(named.scope).handle}@example.com"
    host = slug_of(facts.company or facts.label)[:32].strip("-")
    return f"info@{host or 'desk'}.example"


def _phone(facts: Facts, named: Named) -> str:
    # Numbers set aside for fiction: 555-01xx.
    city = facts.place(named.scope if named.scope in facts.places else "")
    return f"+{city.calling} {facts.whole(20, 98)} 555 01{facts.whole(10, 99)}"


def _url(facts: Facts, named: Named) -> str:
    if facts.id is not None:
        return (
            f"https://www.example.org/{slug_of(facts.noun) or 'items'}/{slug_of(str(facts.id)) or digits_of(facts.id)}"
        )
    tail = slug_of(facts.label)[:40].strip("-") if facts.label else str(facts.whole(1000, 9999))
    return f"https://www.example.org/{tail or facts.whole(1000, 9999)}"


def _image(facts: Facts, named: Named) -> str:
    return f"https://img.example.org/{named.stem}/{_own_digits(facts)}.jpg"


def _media(facts: Facts, named: Named) -> str:
    return f"https://media.example.org/{named.stem}/{_own_digits(facts)}.mp4"


def _own_digits(facts: Facts) -> str:
    return digits_of(facts.id) if facts.id is not None else str(facts.whole(10_000, 99_999))


def _domain(facts: Facts, named: Named) -> str:
    host = slug_of(facts.company or facts.label)[:32].strip("-")
    return f"{host or facts.pick(pool_of('domain_name', facts))}.example" if host else _pooled(facts, "domain_name")


def pool_of(kind: str, facts: Facts) -> tuple[str, ...]:
    """Return the plain list of a pool."""
    return tuple(names(facts.scene.language)[kind].get("say", ())) or (_pooled(facts, kind),)


def _pooled(facts: Facts, kind: str) -> str:
    held = pool(kind, facts.scene.language)
    assert held is not None
    return held.name(int(facts.random() * held.count))


def _file(facts: Facts, named: Named) -> str:
    stem = slug_of(facts.label)[:40].strip("-") or slug_of(_pooled(facts, "document")) or f"file-{facts.whole(10, 99)}"
    return f"{stem}.{facts.pick(_FILES)}"


def _path(facts: Facts, named: Named) -> str:
    return f"/{slug_of(facts.noun) or 'files'}/{slug_of(facts.label)[:40].strip('-') or facts.whole(100, 999)}"


def _username(facts: Facts, named: Named) -> str:
    return facts.person(named.scope).handle.replace(".", "_")


def _from_examples(named: Named, facts: Facts, part: str) -> tuple[City, ...]:
    if part == "city":
        known = city_names(facts.scene.language)
        return tuple(known[plain(each)] for each in named.examples if isinstance(each, str) and plain(each) in known)
    known_countries = country_cities(facts.scene.language)
    return tuple(
        city for each in named.examples if isinstance(each, str) for city in known_countries.get(plain(each), ())
    )


def _place(part: str) -> Coded:
    def draw(facts: Facts, named: Named) -> Any:
        scope = named.scope
        if scope not in facts.places:
            options = _from_examples(named, facts, "city" if part == "name" else "country") if named.examples else ()
            return getattr(facts.place(scope, options), part)
        return getattr(facts.places[scope], part)

    return draw


def _region_code(facts: Facts, named: Named) -> str:
    return facts.place(named.scope).region_code


def _postcode(facts: Facts, named: Named) -> str:
    if named.examples:
        return like(str(facts.pick(named.examples)), facts)
    return f"{facts.whole(10, 98)}{facts.whole(100, 999)}"


def _street(facts: Facts, named: Named) -> str:
    told = names(facts.scene.language)
    return str(told["street_line"].format(number=facts.whole(1, 120), street=facts.pick(told["street_name"]["say"])))


def _address(facts: Facts, named: Named) -> str:
    told = names(facts.scene.language)
    return str(
        told["address_line"].format(
            number=facts.whole(1, 120),
            street=facts.pick(told["street_name"]["say"]),
            postcode=_postcode(facts, Named("", "")),
            city=facts.place(named.scope if named.scope in facts.places else "").name,
        )
    )


def _locale(facts: Facts, named: Named) -> str:
    city = facts.place(named.scope)
    return f"{city.spoken}-{city.code}"


def _hex_text(facts: Facts, named: Named) -> str:
    size = max((len(str(each)) for each in named.examples), default=32)
    return "".join(facts.pick(_HEX) for _ in range(min(size, 64)))


def _digits(facts: Facts, named: Named) -> str:
    if named.examples:
        return like(str(facts.pick(named.examples)), facts)
    return f"{named.stem[:2].upper()}-{facts.whole(100_000, 999_999)}"


def _slug(facts: Facts, named: Named) -> str:
    if named.examples:
        return like(str(facts.pick(named.examples)), facts)
    words = set(name_words(named.name))
    if words & {"slug", "permalink", "key"} and facts.label:
        return slug_of(facts.label)[:48].strip("-") or f"{named.stem}-{facts.whole(1000, 9999)}"
    return f"{named.stem.upper()}-{facts.whole(1000, 9999)}"


def _initials(facts: Facts, named: Named) -> str:
    letters = [word[0].upper() for word in unidecode(facts.label).split() if word[0].isalpha()]
    while len(letters) < 3:
        letters.append(facts.pick(_UPPER))
    return "".join(letters[:4])


def _ean(facts: Facts, named: Named) -> str:
    body = f"4{facts.whole(10**10, 10**11 - 1)}"
    check = -sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(body)) % 10
    return f"{body}{check}"


def _utc_offset(facts: Facts, named: Named) -> str:
    away = ZoneInfo(facts.place(named.scope).timezone).utcoffset(facts.scene.now) or timedelta()
    minutes = int(away.total_seconds()) // 60
    return f"UTC{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _iban(facts: Facts, named: Named) -> str:
    body = f"{facts.whole(10**17, 10**18 - 1)}"
    check = 98 - int(body + "131400") % 97  # DE00
    return f"DE{check:02}{body}"


def _version(facts: Facts, named: Named) -> str:
    return f"{facts.whole(1, 4)}.{facts.whole(0, 9)}.{facts.whole(0, 9)}"


def _weekday(facts: Facts, named: Named) -> str:
    day = facts.scene.now.date() + timedelta(days=facts.whole(0, 6))
    return weekday(day, facts.scene.language)


def _person(facts: Facts, named: Named) -> str:
    if named.examples and facts.random() < 0.5:
        return str(facts.pick(named.examples))
    if named.scope == "" and "" in facts.people and facts.people[""].full == facts.label:
        # A person's own row speaks of other people too.
        return facts.person(named.name).full
    return facts.person(named.scope or named.name).full


def _company(facts: Facts, named: Named) -> str:
    if not facts.company:
        facts.company = str(facts.pick(named.examples)) if named.examples else _pooled(facts, "company")
        return facts.company
    return _pooled(facts, "company")


MAKERS: dict[str, Coded] = {
    "email": _email,
    "phone": _phone,
    "url": _url,
    "image_url": _image,
    "media_url": _media,
    "domain": _domain,
    "ip": lambda facts, named: f"203.0.113.{facts.whole(1, 254)}",
    "mime": lambda facts, named: facts.pick(_MIMES),
    "file_name": _file,
    "path": _path,
    "username": _username,
    "first_name": lambda facts, named: facts.person(named.scope).first,
    "last_name": lambda facts, named: facts.person(named.scope).last,
    "person": _person,
    "company": _company,
    "city": _place("name"),
    "country": _place("country"),
    "country_code": _place("code"),
    "country_code3": _place("code3"),
    "continent": lambda facts, named: pool_of("continent", facts)[
        {"EU": 0, "AS": 1, "AF": 2, "NA": 3, "SA": 4, "OC": 5}[facts.place(named.scope).continent]
    ],
    "region": _place("region"),
    "region_code": _region_code,
    "timezone": _place("timezone"),
    "utc_offset": _utc_offset,
    "airport_code": _place("airport"),
    "currency": _place("currency"),
    "currency_symbol": _place("symbol"),
    "language_code": lambda facts, named: facts.place(named.scope).spoken,
    "locale": _locale,
    "latitude": lambda facts, named: facts.point(named.scope)[0],
    "longitude": lambda facts, named: facts.point(named.scope)[1],
    "postcode": _postcode,
    "street": _street,
    "street_number": lambda facts, named: str(facts.whole(1, 120)),
    "address": _address,
    "colour_hex": lambda facts, named: f"#{facts.whole(0, 0xFFFFFF):06x}",
    "version": _version,
    "ean": _ean,
    "iban": _iban,
    "bic": lambda facts, named: "".join(facts.pick(_UPPER) for _ in range(4)) + f"{facts.place('').code}2X",
    "digits": _digits,
    "plate": lambda facts, named: f"{facts.pick(_UPPER)}{facts.pick(_UPPER)} {facts.whole(1000, 9999)}",
    "hex": _hex_text,
    "slug": _slug,
    "initials": _initials,
    "weekday": _weekday,
    "clock": lambda facts, named: moment_maker(named.name, "clock")(facts),
    "month_name": lambda facts, named: f"{facts.scene.now:%B}",
    "wind_direction": lambda facts, named: facts.pick(_WINDS),
    "http_method": lambda facts, named: facts.pick(("GET", "POST", "PUT", "DELETE")),
    "seat": lambda facts, named: f"{facts.whole(1, 32)}{facts.pick('ABCDEF')}",
}
"""Makers by kind."""

PLACES = frozenset(
    (
        "city",
        "country",
        "country_code",
        "country_code3",
        "region",
        "region_code",
        "timezone",
        "airport_code",
        "currency",
        "latitude",
        "longitude",
        "continent",
    )
)
"""Kinds that say where a thing is."""

CODES = frozenset(
    (
        "url",
        "image_url",
        "media_url",
        "email",
        "phone",
        "digits",
        "slug",
        "hex",
        "plate",
        "ean",
        "iban",
        "bic",
        "postcode",
        "username",
        "ip",
        "domain",
    )
)
"""Kinds of which two things never share a value: their examples are varied, not repeated."""

TEXTS = frozenset(
    ("description", "summary", "plot", "bio", "review", "comment", "message", "headline", "question", "answer")
)
"""Kinds of texts that speak of the thing itself: their examples speak of another one."""

"""What a number counts: nouns of both languages and the parameters that take them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wildtool.language.number_phrases import Quantity, quantities


@dataclass(frozen=True)
class Kind:
    """A kind of thing that is counted or measured."""

    name: str
    """What it is called in a report."""
    parameters: frozenset[str]
    """Words of a parameter's name that say it takes this kind."""
    after: re.Pattern[str]
    """What follows a number of this kind."""
    before: re.Pattern[str] | None = None
    """What may stand before it instead: a currency sign, "table for"."""
    factors: tuple[float, ...] = (1,)
    """Between the unit that is said and the one that a tool takes."""


def _kind(name: str, parameters: str, after: str, before: str | None = None, factors: tuple[float, ...] = (1,)) -> Kind:
    shape = rf"^[\s-]?(?:(?!and\b|or\b|with\b|for\b|in\b|at\b|from\b|to\b|of\b(?! us))[a-z-]+ )?(?:{after})"
    return Kind(
        name,
        frozenset(parameters.split()),
        re.compile(shape),
        re.compile(rf"(?:{before})\s*$") if before else None,
        factors,
    )


_PEOPLE = (
    r"people\b|persons?\b|guests?\b|of us\b|passengers?\b|travell?ers?\b|diners?\b|attendees?\b|participants?\b|adults?\b|"
    r"grown-?ups?\b|friends?\b|players?\b|(?:个|位|名)?(?:大人|成人|成年人|客人|乘客|旅客|人(?!民))"
)
KINDS: tuple[Kind, ...] = (
    _kind(
        "people",
        "people persons guests adults passengers travelers travellers party pax attendees diners headcount participants players "
        "covers occupancy",
        _PEOPLE,
        r"\b(?:table|party|family|group|dinner|lunch|breakfast|reservation|booking) (?:for|of)|一行|一家",
    ),
    _kind(
        "children",
        "children kids infants child",
        r"children\b|kids?\b|child\b|infants?\b|bab(?:y|ies)\b|toddlers?\b|(?:个|名)?(?:孩子|小孩|儿童|婴儿|小朋友)",
    ),
    _kind("tickets", "tickets count quantity qty", r"tickets?\b|张"),
    _kind("copies", "copies", r"cop(?:y|ies)\b|份|册"),
    _kind("bedrooms", "bedrooms bedroom", r"bed(?:room)?s?\b|br\b|(?:间|个)?(?:卧室|卧|室)"),
    _kind("bathrooms", "bathrooms bathroom", r"bath(?:room)?s?\b|(?:间|个)?(?:浴室|卫生间|卫)"),
    _kind("rooms", "rooms room_count", r"rooms?\b|间(?:房间|房|客房|大床房)?|个(?:房间|客房|单人间|双人间|标间)"),
    _kind("nights", "nights", r"nights?\b|个?(?:晚上?|夜)"),
    _kind("days", "days", r"days?\b|个?(?:天(?!气)|日(?![元圆本语文]))"),
    _kind("weeks", "weeks", r"weeks?\b|个?(?:周|星期|礼拜)"),
    _kind("hours", "hours", r"(?:hours?|hrs?)\b|个?(?:小时|钟头)"),
    _kind("minutes", "minutes", r"min(?:ute)?s?\b|分钟"),
    _kind("stars", "stars star rating", r"stars?\b|\+|星|分(?!钟)"),
    _kind("years of age", "age", r"(?:years?[ -]old|yo)\b|岁", r"\baged?"),
    _kind("servings", "servings portions", r"servings?\b|portions?\b|人份"),
    _kind(
        "money",
        "price budget cost amount fare spend payment total",
        r"(?:dollars?|euros?|pounds?|bucks|usd|eur|gbp|cny|rmb|yuan|yen|jpy|francs?|chf|crowns?|rupees?|cents?)\b|(?:美元|欧元|英镑|日元|港币|人民币|元|块|美金)|[€£$]",
        r"[$€£¥]|(?:usd|eur|gbp|cny|rmb|chf)",
    ),
    _kind(
        "distance",
        "distance radius km kilometers kilometres meters metres miles range",
        r"(?:km|kms|kilomet(?:er|re)s?|k|miles?|mi|met(?:er|re)s?|m|feet|ft|yards?)\b|公里|千米|米(?!饭)|里(?!面)",
        None,
        (1, 1000, 0.001, 1.609344, 1609.344, 1609, 1600, 0.621371, 0.3048, 0.9144),
    ),
)
"""Kinds in the order in which a number is asked for them: a bedroom is no room."""
_CONVERSIONS: dict[tuple[str, str], tuple[float, ...]] = {
    ("weeks", "days"): (7,),
    ("weeks", "nights"): (7,),
    ("days", "nights"): (1,),
    ("nights", "days"): (1,),
    ("days", "hours"): (24,),
    ("days", "weeks"): (1 / 7,),
    ("hours", "minutes"): (60,),
    ("minutes", "hours"): (1 / 60,),
}
"""Kinds whose numbers another kind may follow from."""
NEIGHBOURS = {"nights": 1, "days": 1}
"""Three nights are four days."""


def kind_of_quantity(one: Quantity) -> Kind | None:
    """What a said number counts; None where its words do not tell."""
    return next(
        (
            kind
            for kind in KINDS
            if kind.after.match(one.after) or (kind.before is not None and kind.before.search(one.before))
        ),
        None,
    )


def kind_of_parameter(words: list[str]) -> Kind | None:
    """What a parameter counts, by the words of its name."""
    return next((kind for kind in KINDS if kind.parameters.intersection(words)), None)


def counted(text: str) -> tuple[dict[str, set[float]], set[float]]:
    """Numbers of a text by the kind they count, and those whose kind the words do not tell."""
    found: dict[str, set[float]] = {}
    bare: set[float] = set()
    for one in quantities(text):
        kind = kind_of_quantity(one)
        if kind is not None:
            found.setdefault(kind.name, set()).update(one.values)
        elif not one.article:
            bare |= one.values
    return found, bare


def expected(kind: Kind, found: dict[str, set[float]]) -> set[float]:
    """Values that a parameter of a kind may take, given what was counted; empty where nothing of it was."""
    values = {value * factor for value in found.get(kind.name, ()) for factor in kind.factors}
    for (said, wanted), factors in _CONVERSIONS.items():
        if wanted == kind.name and said in found:
            values |= {value * factor for value in found[said] for factor in factors}
    if shift := NEIGHBOURS.get(kind.name):
        others = found.get("nights" if kind.name == "days" else "days", set())
        values |= {value + (shift if kind.name == "days" else -shift) for value in others}
    if kind.name == "tickets" and not values:  # a plain ``count`` takes whatever else is counted in pieces
        values = set(found.get("copies", ())) | set(found.get("servings", ()))
    if kind.name == "people" and values:
        # Adults and children, or "me and three friends".
        values |= {a + b for a in found["people"] for b in (*found.get("children", ()), 1)} | {sum(found["people"])}
    return values

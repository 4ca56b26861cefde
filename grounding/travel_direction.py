"""From where to where: "from Lyon to Porto", Lyon → Porto, 从成都飞上海."""

from __future__ import annotations

import re

from wildtool.language.folding import folded
from wildtool.schemas.base import JsonObject

_PAIRS = (
    ("origin", "destination"), ("from", "to"), ("departure", "arrival"), ("start", "end"), ("source", "target"), ("from_city", "to_city"),
    ("departure_city", "arrival_city"), ("origin_city", "destination_city"), ("from_station", "to_station"), ("departure_airport", "arrival_airport"),
    ("from_currency", "to_currency"), ("pickup", "dropoff"),
)  # fmt: skip
"""Names of the two ends of a way."""


_BOTH_WAYS = re.compile(
    r"\bback\b|\breturn|\bround[- ]trip|\bboth ways\b|\bother way\b|\breverse|回来|返|往返|回程|来回|回去"
)
"""Who also speaks of the way back names both directions with one pair of places."""


def swapped(text: str, arguments: JsonObject) -> tuple[str, str] | None:
    """(Origin, destination) of a call where the text names both, the other way round only; else None."""
    if _BOTH_WAYS.search(folded(text)):
        return None
    for first, second in _PAIRS:
        origin, destination = arguments.get(first), arguments.get(second)
        if isinstance(origin, str) and isinstance(destination, str) and folded(origin) != folded(destination):
            plain = folded(text)
            if _way(plain, destination, origin) and not _way(plain, origin, destination):
                return origin, destination
    return None


def _way(plain: str, origin: str, destination: str) -> bool:
    a, b = (re.escape(folded(one.strip())) for one in (origin, destination))
    if not a or not b:
        return False
    english = rf"\bfrom {a}\b(?:[^.;!?\n]{{0,40}}?)\b(?:to|into) {b}\b|\bto {b} from {a}\b|(?<!\w){a} ?(?:→|->|–>) ?{b}(?!\w)|(?<!\w)(?<!to ){a} to {b}(?!\w)"
    chinese = rf"(?:从|由){a}(?:市)?(?:出发)?[^。；\n]{{0,8}}?(?:到|去|飞|飞往|前往|至|回|换成?){b}|{a}(?:到|飞|飞往|至|→|->){b}|(?:去|飞|到){b}[^。；\n]{{0,4}}从{a}(?:出发|走)"
    return re.search(f"{english}|{chinese}", plain) is not None

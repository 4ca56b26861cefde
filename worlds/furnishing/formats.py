"""Make values of the formats of JSON Schema that are neither times nor names."""

from __future__ import annotations

from collections.abc import Callable

from wildtool.worlds.furnishing.facts import Facts

_COLOURS = ("navy", "teal", "coral", "olive", "maroon", "slateblue", "seagreen", "goldenrod", "crimson", "steelblue")


def uuid(facts: Facts) -> str:
    """Make a UUID of version 4."""
    bits = f"{facts.rng.getrandbits(128):032x}"
    return f"{bits[:8]}-{bits[8:12]}-4{bits[13:16]}-a{bits[17:20]}-{bits[20:]}"


def address_of_page(facts: Facts) -> str:
    """Make the address of a page of the thing; only reserved hosts are used (RFC 2606)."""
    return f"https://www.example.org/{facts.whole(1000, 9999)}"


FORMATS: dict[str, Callable[[Facts], str]] = {
    "uri": address_of_page,
    "url": address_of_page,
    "iri": address_of_page,
    "uri-reference": address_of_page,
    "iri-reference": address_of_page,
    "uri-template": lambda facts: f"https://www.example.org/{facts.whole(100, 999)}/{{id}}",
    "uuid": uuid,
    "guid": uuid,
    "time": lambda facts: f"{facts.whole(7, 21):02}:{15 * facts.whole(0, 3):02}:00Z",
    "duration": lambda facts: f"PT{facts.whole(1, 12)}H",
    "ipv4": lambda facts: f"203.0.113.{facts.whole(1, 254)}",
    "ip": lambda facts: f"203.0.113.{facts.whole(1, 254)}",
    "ipv6": lambda facts: f"2001:db8::{facts.whole(1, 9999):x}",
    "hostname": lambda facts: f"host{facts.whole(1, 99)}.example.org",
    "idn-hostname": lambda facts: f"host{facts.whole(1, 99)}.example.org",
    "json-pointer": lambda facts: f"/items/{facts.whole(0, 9)}",
    "relative-json-pointer": lambda facts: f"{facts.whole(0, 3)}/name",
    "regex": lambda facts: "^[a-z]+$",
    "color": lambda facts: facts.pick(_COLOURS),
    "byte": lambda facts: "c2FtcGxl",
    "base64": lambda facts: "c2FtcGxl",
}
"""Makers by format. Addresses of machines are those set aside for documentation (RFC 5737, RFC 3849)."""

"""Values that name something exactly: codes, addresses, phone numbers, numbers in text. Each in one form, so that harmless
ways to write it are equal; None where a text is no such thing."""

from __future__ import annotations

import ipaddress
import re
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


def code(text: str) -> str:
    """An identifier without blanks (IBANs and phone numbers are written in groups).

    Case matters in some identifiers, and no API says in which: it is folded only where all letters are of one case on
    either side, which keeps base64 and short links apart.
    """
    text = "".join(text.split())
    return text.casefold() if text.isupper() or text.islower() else text


def ip(text: str) -> Any:
    try:
        return ipaddress.ip_address(text.strip())
    except ValueError:
        pass
    try:
        return ipaddress.ip_network(text.strip(), strict=False) if "/" in text else None
    except ValueError:
        return None


def url(text: str) -> Any:
    """A URL's parts: scheme and host folded, default ports, a lone slash and percent-encoding made one."""
    text = text.strip()
    if not re.match(r"(?i)[a-z][a-z0-9+.-]*://\S+$|www\.\S+$", text):
        return None
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        port = parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    host = (parts.hostname or "").lower()
    port = None if (scheme, port) in (("http", 80), ("https", 443)) else port
    path = unquote(parts.path)
    return (
        scheme,
        host,
        port,
        path.rstrip("/") if path != "/" else "",
        tuple(sorted(parse_qsl(parts.query, keep_blank_values=True), key=lambda pair: pair[0])),
        parts.fragment,
        parts.username,
    )


def same_address(gold: str, got: str) -> bool | None:
    """Are both the same address, where only one of them says ``https://``? None where it is not so."""
    left, right = url(gold), url(got)
    if (left is None) == (right is None):
        return None
    bare = got if right is None else gold
    if not re.fullmatch(r"\s*[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:/\S*)?\s*", bare):
        return None
    given = left or right
    return given[0] in ("http", "https") and url(f"{given[0]}://{bare.strip()}") == given


def email(text: str) -> Any:
    found = re.fullmatch(r"\s*(?:mailto:)?<?([^@\s<>]+@[^@\s<>]+\.[^@\s<>]+)>?\s*", text, re.IGNORECASE)
    return found[1].casefold() if found else None


def phone(text: str) -> Any:
    """An international phone number without its grouping."""
    digits = re.sub(r"[\s().\-/]", "", text)
    return digits if re.fullmatch(r"\+\d{7,15}", digits) else None


def phone_digits(text: str, home: str = "") -> str | None:
    """A phone number without grouping; None where the text is none.

    ``00`` before a country's prefix is ``+``. ``home`` is the prefix of the country whose numbers need none.
    """
    digits = re.sub(r"[\s().\-/]", "", text)
    if not re.fullmatch(r"\+?\d{5,17}", digits):
        return None
    digits = f"+{digits[2:]}" if digits.startswith("00") else digits
    return digits.removeprefix(f"+{home}") if home else digits


def number_with_unit(text: str) -> Any:
    """A number written as text, with its unit if it has one: ``1,000`` is ``1000``; ``007`` stays a code."""
    found = re.fullmatch(r"\s*([-+]?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?:\.\d+)?)\s*+(%|[°a-zA-Z]{1,4}|)\s*", text)
    # km and KM are one unit, m and M are two.
    unit = found[2].casefold() if found and len(found[2]) > 1 else found[2] if found else ""
    return (Decimal(found[1].replace(",", "")), unit) if found else None


def numbers_in_row(text: str) -> Any:
    """Coordinates and other lists of numbers: ``48.85, 2.35``."""
    found = re.fullmatch(
        r"\s*+(?:\(\s*+)?[-+]?\d++(?:\.\d++)?(?:\s*+[,;]\s*+[-+]?\d++(?:\.\d++)?)+\s*+(?:\)\s*+)?", text
    )
    return tuple(map(float, re.findall(r"[-+]?\d+(?:\.\d+)?", text))) if found else None

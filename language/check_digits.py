"""Check digits that tell a real identifier from a number that only looks like one."""

from __future__ import annotations

_CN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CN_CHECK = "10X98765432"


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1: card numbers."""
    if len(set(digits)) == 1:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def payment_card(digits: str) -> bool:
    """A number that an issuer of cards may give: its first digits, its length and its check digit.

    Of the 2-series only Mastercard's (2221 to 2720) and Mir's (2200 to 2204) count, with 16 digits: a moment such as
    20240713093000 begins with a 2 as well.
    """
    if digits[:1] == "2":
        issued = len(digits) == 16 and ("2221" <= digits[:4] <= "2720" or "2200" <= digits[:4] <= "2204")
    else:
        issued = digits[:1] in ("3", "4", "5", "6") and len(digits) >= 14
    return issued and luhn(digits)


def iban(text: str) -> bool:
    """ISO 13616: remainder 1 modulo 97, letters as 10 to 35. ``text`` is upper case without blanks."""
    moved = text[4:] + text[:4]
    return int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1


def cn_resident_id(text: str) -> bool:
    """GB 11643: 17 digits and a check character, 0-9 or X."""
    total = sum(int(digit) * weight for digit, weight in zip(text[:17], _CN_WEIGHTS, strict=True))
    return _CN_CHECK[total % 11] == text[17].upper()


def us_ssn(text: str) -> bool:
    """Social Security numbers have no check digit, but blocks that were never issued."""
    area, group, serial = text[:3], text[3:5], text[5:]
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"


def uk_nhs(digits: str) -> bool:
    """NHS number: ten digits, the last one a check modulo 11."""
    check = 11 - sum(int(digit) * (10 - place) for place, digit in enumerate(digits[:9])) % 11
    return check != 10 and (0 if check == 11 else check) == int(digits[9])

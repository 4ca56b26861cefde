"""Check digits: what tells an identifier from a number that merely looks like one. Pure functions of digits."""

from __future__ import annotations

import re

IBAN_LENGTHS = {
    code: int(length)
    for code, length in (
        pair.split(":")
        for pair in "AD:24 AE:23 AT:20 BE:16 BG:22 BH:22 BR:29 CH:21 CY:28 CZ:24 DE:22 DK:18 EE:20 ES:24 FI:18 FR:27 GB:22 "
        "GE:22 GI:23 GR:27 HR:21 HU:28 IE:22 IL:23 IS:26 IT:27 KW:30 LB:28 LI:21 LT:20 LU:20 LV:21 MC:27 MD:24 ME:22 "
        "MK:19 MT:31 NL:18 NO:15 PL:28 PT:25 QA:29 RO:24 RS:22 SA:24 SE:24 SI:19 SK:24 SM:27 TR:26 UA:29".split()
    )
}
"""Length by country (SWIFT IBAN registry)."""

CN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
"""GB 11643-1999: weights of the first 17 digits."""

UK_NINO_NEVER = frozenset({"BG", "GB", "NK", "KN", "TN", "NT", "ZZ"})
"""Prefixes that HMRC never gives out."""


def luhn(digits: str) -> bool:
    """Luhn's check over all digits."""
    total = 0
    for place, sign in enumerate(reversed(digits)):
        value = int(sign) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def card(digits: str) -> bool:
    """A payment card: an issuer's prefix with a length it uses, and Luhn's check."""
    length = len(digits)
    first2, first4 = int(digits[:2] or 0), int(digits[:4] or 0)
    known = (
        (digits[:1] == "4" and length in (13, 16, 19))
        or ((51 <= first2 <= 55 or 2221 <= first4 <= 2720) and length == 16)
        or (first2 in (34, 37) and length == 15)
        or ((first4 == 6011 or first2 in (64, 65)) and length in (16, 19))
        or (first2 in (60, 81) and length == 16)
        or (first2 == 62 and 16 <= length <= 19)
        or (first2 == 35 and length == 16)
        or (first2 in (30, 36, 38, 39) and length == 14)
    )
    return known and luhn(digits)


def iban(text: str) -> bool:
    """ISO 13616: the country's length, and the number modulo 97 is 1."""
    compact = re.sub(r"[\s-]", "", text).upper()
    if IBAN_LENGTHS.get(compact[:2]) != len(compact):
        return False
    return int("".join(str(int(sign, 36)) for sign in compact[4:] + compact[:4])) % 97 == 1


def cn_id(text: str) -> bool:
    """Chinese resident identity number: 17 digits and a check sign modulo 11."""
    if not re.fullmatch(r"[1-8]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]", text):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(text[:17], CN_WEIGHTS, strict=True))
    return "10X98765432"[total % 11] == text[17].upper()


def us_ssn(digits: str) -> bool:
    """US social security number: it has no check digit, but areas, groups and serials never given out."""
    return (
        len(digits) == 9
        and digits[:3] not in ("000", "666")
        and digits[0] != "9"
        and digits[3:5] != "00"
        and digits[5:] != "0000"
    )


def uk_nino(text: str) -> bool:
    """UK national insurance number: letters that HMRC uses, six digits, a suffix from A to D."""
    compact = re.sub(r"\s", "", text).upper()
    shape = re.fullmatch(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]", compact)
    return shape is not None and compact[:2] not in UK_NINO_NEVER


def uk_nhs(digits: str) -> bool:
    """UK NHS number: ten digits, modulo 11."""
    if len(digits) != 10:
        return False
    check = 11 - sum(int(digit) * (10 - place) for place, digit in enumerate(digits[:9])) % 11
    return (0 if check == 11 else check) == int(digits[9])


def es_dni(text: str) -> bool:
    """Spanish DNI or NIE: the letter is the number modulo 23."""
    compact = text.replace("-", "").replace(" ", "").upper()
    number = compact[:-1].translate(str.maketrans("XYZ", "012"))
    return number.isdigit() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == compact[-1]


def br_cpf(digits: str) -> bool:
    """Brazilian CPF: two check digits modulo 11."""
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    for length in (9, 10):
        total = sum(int(digit) * (length + 1 - place) for place, digit in enumerate(digits[:length]))
        if (total * 10 % 11) % 10 != int(digits[length]):
            return False
    return True


def fr_nir(digits: str) -> bool:
    """French social security number: 13 digits and 97 minus their remainder."""
    return len(digits) == 15 and digits[0] in "12" and 97 - int(digits[:13]) % 97 == int(digits[13:])

"""Personal data that must not leave the house: addresses, numbers, keys that look real."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wildtool.schemas.base import canonical_json
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.validation.gate import Gate, each_task

RESERVED = re.compile(r"@(?:[\w-]+\.)*(?:example\.(?:com|org|net)|example|test|invalid|localhost)\b", re.IGNORECASE)
"""Domains that RFC 2606 keeps for examples: nobody's address."""

PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("an e-mail address", re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+", re.ASCII)),
    # The 555-01xx numbers of North America are kept for fiction.
    ("a telephone number", re.compile(r"(?<![\w.-])\+\d{1,3}[ -]?(?:\(?\d{1,4}\)?[ -]?){2,4}\d{2,4}(?![\w-])(?!\.\d)")),
    ("a Chinese mobile number", re.compile(r"(?<!\d)1[3-9]\d{9}(?!\d)")),
    ("a US social security number", re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-\d{2}-\d{4}(?![\d-])")),
    ("an access key", re.compile(r"\b(?:sk-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36})\b")),
    ("a private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
)
CARD = re.compile(r"(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])")
CHINESE_ID = re.compile(r"(?<!\d)\d{17}[\dXx](?!\w)")
FICTION = re.compile(r"\b555[ -]?01\d\d\b")


def personal_data(text: str) -> Iterator[tuple[str, str]]:
    """(What it is, the words) for each thing in a text that looks like personal data."""
    for name, pattern in PATTERNS:
        for found in pattern.finditer(text):
            if not RESERVED.search(found[0]) and not FICTION.search(found[0]):
                yield name, found[0]
    for found in CARD.finditer(text):
        digits = re.sub(r"\D", "", found[0])
        if digits[0] in "3456" and len(digits) >= 14 and _luhn(digits):
            yield "a payment card number", found[0]
    for found in CHINESE_ID.finditer(text):
        if _chinese_id(found[0]):
            yield "a Chinese identity number", found[0]


def _luhn(digits: str) -> bool:
    total = 0
    for position, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if position % 2 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _chinese_id(text: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    if not ("19" <= text[6:8] <= "20" and "01" <= text[10:12] <= "12"):
        return False
    return "10X98765432"[sum(w * int(d) for w, d in zip(weights, text[:17], strict=True)) % 11] == text[17].upper()


def masked(text: str) -> str:
    """The first and last character only: a report must not spread what it warns of."""
    return f"{text[0]}…{text[-1]}"


def _clean(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    texts: list[tuple[int | None, str]] = [(None, task.user)]
    for index, action in enumerate(task.actions):
        match action:
            case Call():
                texts.append((index, canonical_json([action.arguments, action.observation])))
            case Ask():
                texts.append((index, f"{action.question}\n{action.reply}"))
            case Answer():
                texts.append((index, action.text))
    for action_index, text in texts:
        for name, words in personal_data(text):
            yield action_index, f"looks like {name}: {masked(words)}"


PRIVACY_GATES: tuple[Gate, ...] = (Gate("privacy", "nothing looks like personal data", each_task(_clean)),)

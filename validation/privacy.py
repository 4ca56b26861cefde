"""Personal data that must not leave the house: addresses, numbers, keys that look real."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wildtool.language.check_digits import cn_resident_id, payment_card
from wildtool.schemas.base import canonical_json
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.validation.rule import Finding, found, task_rule

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
CARD = re.compile(r"(?<![\d-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5})(?![\d-])")
"""Card numbers, unbroken or in the groups that are printed on cards; order numbers have other groups."""
CHINESE_ID = re.compile(r"(?<!\d)\d{17}[\dXx](?!\w)")
FICTION = re.compile(r"\b555[ -]?01\d\d\b")


def personal_data(text: str) -> Iterator[tuple[str, str]]:
    """(What it is, the words) for each thing in a text that looks like personal data."""
    for name, pattern in PATTERNS:
        for hit in pattern.finditer(text):
            if not RESERVED.search(hit[0]) and not FICTION.search(hit[0]):
                yield name, hit[0]
    for hit in CARD.finditer(text):
        if payment_card(re.sub(r"\D", "", hit[0])):
            yield "a payment card number", hit[0]
    for hit in CHINESE_ID.finditer(text):
        if _chinese_id(hit[0]):
            yield "a Chinese identity number", hit[0]


def _chinese_id(text: str) -> bool:
    return "19" <= text[6:8] <= "20" and "01" <= text[10:12] <= "12" and cn_resident_id(text)


def masked(text: str) -> str:
    """The first and last character only: a report must not spread what it warns of."""
    return f"{text[0]}…{text[-1]}"


@task_rule("privacy", "nothing looks like personal data", reads_text=True)
def privacy(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """Neither words nor arguments nor results hold an address, a number or a key that looks real."""
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
            yield found(action_index, f"looks like {name}: {masked(words)}")

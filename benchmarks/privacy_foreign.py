"""Scrubbing on lines that others wrote: what must go and what may stay, by kind."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

MUST_GO = frozenset("PERSON STREET_ADDRESS CREDIT_CARD PHONE_NUMBER EMAIL_ADDRESS IBAN_CODE US_SSN IP_ADDRESS".split())
"""Kinds of presidio-research's spans that must not leave; the others may stay."""


def judge(folder: Path) -> dict[str, Any]:
    """Return recall and precision of scrubbing on the files of a folder, by kind, and the ids of rows that keep something.

    Rows hold ``text`` and ``spans`` (kind, value), or ``must_go`` values of one ``kind``, or neither: then nothing may go. A
    replaced value counts as right where it overlaps a value of the row, or where the row is one with ``must_go``.
    """
    from wildtool.mining.privacy import Scrubber

    total: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    right = wrong = 0
    left: list[str] = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            scrubber = Scrubber()
            text = scrubber(row["text"])
            spans = [(span["kind"], span["value"]) for span in row.get("spans", ())]
            due = [(kind, value) for kind, value in spans if kind in MUST_GO]
            due += [(row["kind"], value) for value in row.get("must_go", ())]
            for kind, value in due:
                total[kind] += 1
                gone[kind] += value not in text
            if any(value in text for _, value in due):
                left.append(row["id"])
            allowed = [value for _, value in spans]
            for value in scrubber.values.values():
                good = "must_go" in row or any(value in each or each in value for each in allowed)
                right, wrong = right + good, wrong + (not good)
    return {
        "rows_with_something_left": len(left),
        "recall": round(sum(gone.values()) / max(1, sum(total.values())), 4),
        "precision": round(right / max(1, right + wrong), 4),
        "by_kind": {kind: round(gone[kind] / total[kind], 3) for kind in sorted(total)},
        "left": left,
    }

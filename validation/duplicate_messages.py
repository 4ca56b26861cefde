"""Near-equal user messages across sessions: a benchmark that says one thing twice measures it twice."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wildtool.grounding.value_mentions import fold
from wildtool.schemas.draft import Verdict
from wildtool.schemas.session import Session
from wildtool.validation.verdicts import doubt, shorten

NEAR = 92.0
"""Least Indel similarity (0 to 100) of near-equal messages: one word in twelve may differ."""

SHORTEST = 16
"""Characters from which messages are compared; "and tomorrow?" may be said by anyone. Chinese counts double."""

_ROWS = 512
"""Messages compared at a time, which bounds the memory: 512 rows of 10,000 messages take 5 MB."""


def near_duplicates(sessions: Sequence[Session]) -> dict[str, tuple[Verdict, ...]]:
    """Verdicts by session id on opening messages that an earlier one (in the order given) nearly equals.

    Equal messages have confidence 0.9, near-equal ones 0.6. The evidence is the id of the session, the task and the
    words of the first one.
    """
    import numpy as np
    from rapidfuzz import fuzz, process

    said: list[tuple[int, int, str]] = []
    for place, session in enumerate(sessions):
        for number, task in enumerate(session.tasks):
            text = re.sub(r"[^\w\s]|_", "", fold(task.user))
            if len(text) + sum(char > "\u3400" for char in text) >= SHORTEST:
                said.append((place, number, text))
    texts = [text for _, _, text in said]
    found: dict[str, list[Verdict]] = {}
    for start in range(0, len(texts), _ROWS):
        rows = texts[start : start + _ROWS]
        scores = process.cdist(
            rows, texts[: start + len(rows)], scorer=fuzz.ratio, score_cutoff=NEAR, dtype=np.uint8, workers=1
        )
        for offset, line in enumerate(scores):
            here = start + offset
            near = np.flatnonzero(line[:here])
            if not near.size:
                continue
            first = int(near[np.argmax(line[near])])
            place, number, text = said[here]
            other, at, words = said[first]
            equal = text == words
            verdict = doubt(
                "near_duplicate",
                f"{'equals' if equal else 'nearly equals'} a message of {sessions[other].id}, task {at}",
                task=number,
                confidence=0.9 if equal else 0.6,
                evidence=f"{sessions[other].id} {at}: {shorten(sessions[other].tasks[at].user, 200)}",
            )
            found.setdefault(sessions[place].id, []).append(verdict)
    return {session: tuple(verdicts) for session, verdicts in found.items()}

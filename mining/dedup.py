"""Exact and near duplicates: the representative stays and remembers how many it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mining.language import user_text
from schemas.base import sha256_hex
from schemas.conversation import Conversation

SHINGLE = 5
"""Characters a shingle: works for Chinese and English alike, and a typo breaks five shingles only."""

PERMUTATIONS = 128
BANDS = 32
"""32 bands of 4 rows: pairs with Jaccard .7 are candidates with a chance of 99.98 %."""

THRESHOLD = 0.8
"""Jaccard from which two conversations are one: paraphrases lie below .5, copies with edited details above .85."""

FEWEST_SHINGLES = 20
"""Shorter texts ("hello", "谢谢") are compared exactly only: they are alike without being copies."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A conversation that another one stands for."""

    conversation: Conversation
    """The copy."""
    of: str
    """Id of the representative."""
    exact: bool
    """Equal up to case and blanks, or only nearly."""


def fold(conversations: Sequence[Conversation], *, seed: int) -> tuple[list[Conversation], list[Copy]]:
    """Representatives (the first of each group, with ``copies`` counted) and what they stand for."""
    kept: list[Conversation] = []
    copies: list[Copy] = []
    by_text: dict[str, Conversation] = {}
    for conversation in conversations:
        key = sha256_hex(_normal(_whole(conversation)))
        if key in by_text:
            copies.append(Copy(conversation, by_text[key].id, exact=True))
        else:
            by_text[key] = conversation
            kept.append(conversation)
    representatives, near = _fold_near(kept, seed)
    copies += near
    standing: dict[str, str] = {copy.conversation.id: copy.of for copy in near}
    counts: dict[str, int] = {}
    for copy in copies:
        representative = standing.get(copy.of, copy.of)
        counts[representative] = counts.get(representative, 1) + 1
    return [one.model_copy(update={"copies": counts.get(one.id, 1)}) for one in representatives], copies


def _fold_near(conversations: Sequence[Conversation], seed: int) -> tuple[list[Conversation], list[Copy]]:
    from rensa import RMinHash, RMinHashLSH

    index = RMinHashLSH(THRESHOLD, PERMUTATIONS, BANDS)
    shingles: dict[int, frozenset[str]] = {}
    kept: list[Conversation] = []
    copies: list[Copy] = []
    for number, conversation in enumerate(conversations):
        pieces = frozenset(_shingles(_normal(user_text(conversation))))
        if len(pieces) < FEWEST_SHINGLES:
            kept.append(conversation)
            continue
        sketch = RMinHash(PERMUTATIONS, seed)
        sketch.update(sorted(pieces))
        near = (other for other in sorted(index.query(sketch)) if jaccard(pieces, shingles[other]) >= THRESHOLD)
        original = next(near, None)
        if original is None:
            index.insert(number, sketch)
            shingles[number] = pieces
            kept.append(conversation)
        else:
            copies.append(Copy(conversation, conversations[original].id, exact=False))
    return kept, copies


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared over all."""
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared) if shared else 0.0


def _whole(conversation: Conversation) -> str:
    return "\n".join(f"{message.role}\t{message.content}" for message in conversation.messages)


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())


def _shingles(text: str) -> Iterator[str]:
    return (text[start : start + SHINGLE] for start in range(max(0, len(text) - SHINGLE + 1)))

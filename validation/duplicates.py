"""Duplicates: sessions that say or ask nearly the same, here or in earlier releases, and messages said twice."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

from wildtool.grounding.ngrams import session_ngrams, user_text
from wildtool.language.folding import as_said
from wildtool.schemas.base import canonical_json
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.session import Session
from wildtool.validation.rule import Finding, found, in_session, release_rule
from wildtool.validation.session_parts import calls_of, shorten

SHINGLE = 5
"""Characters of a shingle: long enough that two sessions about one city share few."""
NEAR = 0.85
"""Jaccard of shingles from which on two sessions are the same: a changed city in four messages leaves about 0.8."""
PERMUTATIONS = 64
BANDS = 16
"""16 bands of 4 rows: a pair at 0.85 is found with 99.9 %, one at 0.5 costs a comparison in 64 % of cases."""
BUCKET = 200
"""Sessions of one bucket that are compared: where more share a band, their first ones stand for all."""
SLACK = 0.2
"""Three standard errors of the similarity that 64 equal or different places estimate."""


def shingles(text: str) -> set[str]:
    """The text's pieces of five characters."""
    return {text[at : at + SHINGLE] for at in range(max(1, len(text) - SHINGLE + 1))}


@release_rule("near_equal", "no two sessions say nearly the same", reads_text=False)
def near_equal(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """The users' words of two sessions differ in more than a value or two."""
    by_id = {session.id: session for session in sessions}
    texts = [(session.language.value, session.id, user_text(session)) for session in sessions]
    for id, other in near_pairs(texts):
        yield in_session(by_id[id], f"says nearly the same as {other}")


def near_pairs(texts: Sequence[tuple[str, str, str]], known: int = 0) -> Iterator[tuple[str, str]]:
    """(Id, earlier id) of texts, given as (language, id, text), that are nearly the same; the first ``known`` are not judged.

    MinHash with banding finds candidates, equal places of the signatures thin them out, Jaccard decides.
    """
    import numpy as np

    if len(texts) < 2:
        return
    random = np.random.default_rng(0)
    multiply = random.integers(1, 2**32, PERMUTATIONS, dtype=np.uint64) | np.uint64(1)
    add = random.integers(0, 2**32, PERMUTATIONS, dtype=np.uint64)
    buckets: dict[tuple[str, int, bytes], list[int]] = defaultdict(list)
    signatures = np.zeros((len(texts), PERMUTATIONS), dtype=np.uint32)
    rows = PERMUTATIONS // BANDS
    for position, (language, id, text) in enumerate(texts):
        own = shingles(text)
        hashes = np.array([_hash32(piece) for piece in own], dtype=np.uint64)
        signature = ((hashes[:, None] * multiply + add) & np.uint64(0xFFFFFFFF)).min(axis=0).astype(np.uint32)
        signatures[position] = signature
        candidates: set[int] = set()
        for band in range(BANDS):
            bucket = buckets[language, band, signature[band * rows : (band + 1) * rows].tobytes()]
            candidates.update(bucket[:BUCKET])
            bucket.append(position)
        if not candidates or position < known:
            continue
        chosen = np.array(sorted(candidates))
        alike = (signatures[chosen] == signature).mean(axis=1)
        for other in chosen[alike >= NEAR - SLACK].tolist():
            if texts[other][1] == id:
                continue  # a session of the release that this one follows
            theirs = shingles(texts[other][2])
            if len(own & theirs) >= NEAR * len(own | theirs):
                yield id, texts[other][1]
                break


@release_rule("same_gold", "no two sessions have the same gold calls", reads_text=False)
def same_gold(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """Sessions whose gold calls are all the same are one session in other words."""
    seen: dict[str, str] = {}
    for session in sessions:
        calls = [[(call.name, call.arguments) for _, call in calls_of(task)] for task in session.tasks]
        if sum(map(len, calls)) < 3:
            continue  # two short sessions may well ask for the same
        other = seen.setdefault(canonical_json([session.language.value, calls]), session.id)
        if other != session.id:
            yield in_session(session, f"has the same gold calls as {other}")


def _hash32(piece: str) -> int:
    return zlib.crc32(piece.encode("utf-8", "surrogatepass"))


@release_rule("overlap", "no session repeats an earlier release or a file given", reads_text=False)
def overlap(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """No session says nearly what an earlier release says, or shares a run of 13 words with a file."""
    by_id = {session.id: session for session in sessions}
    if context.earlier:
        # Twins in two languages share no text, so the language needs no column here.
        known = [("", id, text) for id, text in context.earlier.items()]
        new = [("", session.id, user_text(session)) for session in sessions if session.id not in context.earlier]
        for id, other in near_pairs([*known, *new], len(known)):
            if other in context.earlier:
                yield in_session(by_id[id], f"says nearly the same as {other} of an earlier release")
    for session in sessions:
        if context.foreign:
            shared = session_ngrams(session) & context.foreign
            if shared:
                yield in_session(session, f"shares {len(shared)} n-grams with the files given")


NEAR_MESSAGE = 92.0
"""Least Indel similarity (0 to 100) of near-equal messages: one word in twelve may differ."""

SHORTEST = 16
"""Characters from which messages are compared; "and tomorrow?" may be said by anyone. Chinese counts double."""

_ROWS = 512
"""Messages compared at a time, which bounds the memory: 512 rows of 10,000 messages take 5 MB."""


def near_duplicates(sessions: Sequence[Session]) -> dict[str, tuple[Finding, ...]]:
    """Findings by session id on opening messages that an earlier one (in the order given) nearly equals.

    Equal messages have certainty 0.9, near-equal ones 0.6. The evidence is the id of the session, the task and the
    words of the first one.
    """
    import numpy as np
    from rapidfuzz import fuzz, process

    said: list[tuple[int, int, str]] = []
    for place, session in enumerate(sessions):
        for number, task in enumerate(session.tasks):
            text = re.sub(r"[^\w\s]|_", "", as_said(task.user))
            if len(text) + sum(char > "\u3400" for char in text) >= SHORTEST:
                said.append((place, number, text))
    texts = [text for _, _, text in said]
    by_session: dict[str, list[Finding]] = {}
    for start in range(0, len(texts), _ROWS):
        rows = texts[start : start + _ROWS]
        scores = process.cdist(
            rows, texts[: start + len(rows)], scorer=fuzz.ratio, score_cutoff=NEAR_MESSAGE, dtype=np.uint8, workers=1
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
            one = found(
                None,
                f"{'equals' if equal else 'nearly equals'} a message of {sessions[other].id}, task {at}",
                task=number,
                certainty=0.9 if equal else 0.6,
                evidence=f"{sessions[other].id} {at}: {shorten(sessions[other].tasks[at].user, 200)}",
            )
            by_session.setdefault(sessions[place].id, []).append(one)
    return {session: tuple(findings) for session, findings in by_session.items()}

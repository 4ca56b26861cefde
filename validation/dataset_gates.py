"""Gates on the whole: near-equal sessions, overlap with earlier releases, licences, agreement."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from wildtool.grounding.evidence import task_words
from wildtool.language.folding import normal
from wildtool.schemas.base import canonical_json
from wildtool.schemas.release import GateFailure
from wildtool.schemas.session import Session
from wildtool.validation.gate import Gate, GateContext, fail
from wildtool.validation.structure_gates import calls_of

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
AGREEMENT_FIELDS = ("type", "topology", "hidden_intent")
"""Fields of gold. Alpha of the decision is left out: where nearly all is accepted it is near 0 by chance alone."""


NO_LICENCE = re.compile(
    r"unknown|none|n/?a|null|tbd|unlicen[sc]ed|no licen[sc]e|undefined|-+|\?+|proprietary|all rights reserved|未知|无",
    re.IGNORECASE,
)
"""Words that stand where a licence should, and are none that lets anybody publish. (``Unlicense`` is one.)"""


def user_text(session: Session) -> str:
    """All that the user says in a session, normalised."""
    return normal(" ".join(text for task in session.tasks for text in task_words(task)))


def shingles(text: str) -> set[str]:
    """The text's pieces of five characters."""
    return {text[at : at + SHINGLE] for at in range(max(1, len(text) - SHINGLE + 1))}


def _near_equal(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    by_id = {session.id: session for session in sessions}
    texts = [(session.language.value, session.id, user_text(session)) for session in sessions]
    for id, other in near_pairs(texts):
        yield fail(by_id[id], f"says nearly the same as {other}")


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


def _same_gold(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    """Sessions whose gold calls are all the same are one session in other words."""
    seen: dict[str, str] = {}
    for session in sessions:
        calls = [[(call.name, call.arguments) for _, call in calls_of(task)] for task in session.tasks]
        if sum(map(len, calls)) < 3:
            continue  # two short sessions may well ask for the same
        other = seen.setdefault(canonical_json([session.language.value, calls]), session.id)
        if other != session.id:
            yield fail(session, f"has the same gold calls as {other}")


def _hash32(piece: str) -> int:
    import zlib

    return zlib.crc32(piece.encode("utf-8", "surrogatepass"))


def _overlap(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    by_id = {session.id: session for session in sessions}
    if context.earlier:
        # Twins in two languages share no text, so the language needs no column here.
        known = [("", id, text) for id, text in context.earlier.items()]
        new = [("", session.id, user_text(session)) for session in sessions if session.id not in context.earlier]
        for id, other in near_pairs([*known, *new], len(known)):
            if other in context.earlier:
                yield fail(by_id[id], f"says nearly the same as {other} of an earlier release")
    for session in sessions:
        if context.foreign:
            from wildtool.grounding.ngrams import session_ngrams

            shared = session_ngrams(session) & context.foreign
            if shared:
                yield fail(session, f"shares {len(shared)} n-grams with the files given")


def _licensed(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    if context.licences is None:
        return
    for session in sessions:
        licence = context.licences.get(session.tool_list, "").strip()
        if not licence or NO_LICENCE.fullmatch(licence):
            yield fail(session, f"tool list {session.tool_list} has no licence{licence and f' ({licence})'}")


def _agreement(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    report = context.agreement
    if report is None:
        return
    figures = {f"alpha of {name}": report.alpha[name] for name in AGREEMENT_FIELDS if name in report.alpha}
    figures |= {"F1 of calls": report.call_f1, "equal arguments": report.argument_exact, "F1 of edges": report.edge_f1}
    for name, figure in figures.items():
        if figure.value is not None and figure.value < context.agreement_threshold:
            yield GateFailure(session="", reason=f"{name} is {figure.value:.3f}, below {context.agreement_threshold}")


WHOLE_GATES: tuple[Gate, ...] = (
    Gate("near_equal", "no two sessions say nearly the same", _near_equal, "release"),
    Gate("same_gold", "no two sessions have the same gold calls", _same_gold, "release"),
    Gate("overlap", "no session repeats an earlier release or a file given", _overlap, "release"),
    Gate("licences", "every tool list has a licence", _licensed, "release"),
    Gate("agreement", "annotators agree substantially", _agreement, "release"),
)

"""Clusters of opening turns: embedded, then grouped by MiniBatchKMeans. Deterministic from a seed.

Memory is bounded: the embedding is fitted on a sample and the rest passes through in batches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

Embedder = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to unit vectors, shape (texts, dimensions)."""

FIT_SAMPLE = 30_000
"""Openings that the embedding is fitted on: the vocabulary of needs is stable long before."""

BATCH = 4_096
DIMENSIONS = 100
FEWEST_PER_CLUSTER = 6
"""Openings per cluster that are aimed at on small logs: with a third of them from one user k = 3 is still met."""

MOST_CLUSTERS = 64
"""The taxonomy's 24 minor categories hold two or three situations each."""

_TOKEN = re.compile(r"[a-z][a-z'-]+|[\u4e00-\u9fff]+")
_PLACEHOLDER = re.compile(r"\[[A-Z_]+_\d+\]")


def cluster_count(openings: int) -> int:
    """Clusters for a number of openings: the square root, within what the sample can carry and a person can read."""
    return max(1, min(MOST_CLUSTERS, openings // FEWEST_PER_CLUSTER or 1, round(openings**0.5)))


def analyse(text: str) -> list[str]:
    """Terms of a text: English words and pairs of them, Chinese signs in twos. No digits, no placeholders."""
    terms: list[str] = []
    before = ""
    for token in _TOKEN.findall(_PLACEHOLDER.sub(" ", text).lower()):
        if "\u4e00" <= token[0] <= "\u9fff":
            terms += [token[place : place + 2] for place in range(len(token) - 1)] or [token]
            before = ""
        elif token in STOP_WORDS:
            before = ""
        else:
            terms.append(token)
            if before:
                terms.append(f"{before} {token}")
            before = token
    return terms


STOP_WORDS = frozenset(
    "a about actually all also am an and any anything are as at be been but by can could did do does doing done don for from get "
    "give go going gonna good got great had has have having he hello help her here hey hi him his how i if i'd i'll i'm i've im in "
    "into is it it's its just let let's like looking lot make maybe me my need nice no not now of off oh ok okay on one only or our "
    "out over please pls plz right say see she show so some something sorry sure tell than thank thanks that that's the their them "
    "then there there's these they thing things think this those to too u up us very want wanted was way we well were what what's "
    "whats when where which while who will with would yeah yes you your you're could's really know thx hmm lol much many more "
    "should would've im ive id kind bit try trying able anyone someone stuff assist".split()
)
"""Words without a subject of their own, and those of asking: every need is put in them."""


def fit_embedder(texts: Sequence[str], seed: int) -> Embedder:
    """TF-IDF and truncated SVD, fitted on a sample of texts. For as few texts as one."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = TfidfVectorizer(
        analyzer=analyse, sublinear_tf=True, min_df=2 if len(texts) >= 50 else 1, max_df=0.4 if len(texts) >= 50 else 1.0,
        max_features=30_000, dtype=np.float32,
    )  # fmt: skip
    try:
        matrix = vectorizer.fit_transform(texts)
    except ValueError:  # no term is left: all texts are fillers
        return lambda some: np.ones((len(some), 1), dtype=np.float32)
    dimensions = min(DIMENSIONS, matrix.shape[1] - 1, matrix.shape[0] - 1)
    if dimensions < 2:
        return lambda some: np.asarray(vectorizer.transform(some).toarray(), dtype=np.float32)
    svd = TruncatedSVD(dimensions, random_state=seed)
    svd.fit(matrix)
    return lambda some: np.asarray(normalize(svd.transform(vectorizer.transform(some))), dtype=np.float32)


def cluster(
    texts: Callable[[], Iterable[str]],
    count: int,
    *,
    seed: int,
    embed: Embedder | None = None,
    clusters: int | None = None,
) -> NDArray[np.int32]:
    """Cluster of each text, numbered from 0 by size (largest first).

    Args:
        texts: gives the texts anew each time it is called; they are passed through twice.
        count: how many texts there are.
        seed: seed of the sample, the embedding and the grouping.
        embed: an embedding; fitted here where None.
        clusters: how many; by ``cluster_count`` where None.
    """
    from sklearn.cluster import MiniBatchKMeans

    if count == 0:
        return np.zeros(0, dtype=np.int32)
    wanted = clusters or cluster_count(count)
    sample = _sample(texts(), count, seed)
    embed = embed or fit_embedder(sample, seed)
    vectors = embed(sample)
    wanted = min(wanted, len(np.unique(vectors.round(4), axis=0)))
    model: Any = MiniBatchKMeans(
        wanted, random_state=seed, n_init=5, batch_size=BATCH, max_iter=100, reassignment_ratio=0.01
    )
    model.fit(vectors)
    labels = np.concatenate([model.predict(embed(batch)) for batch in _batches(texts())])
    sizes = np.bincount(labels, minlength=wanted)
    order = sorted(range(wanted), key=lambda one: (-sizes[one], one))
    rank = np.empty(wanted, dtype=np.int32)
    rank[order] = np.arange(wanted, dtype=np.int32)
    return rank[labels]


def _sample(texts: Iterable[str], count: int, seed: int) -> list[str]:
    """At most ``FIT_SAMPLE`` texts, drawn without replacement, in order."""
    if count <= FIT_SAMPLE:
        return list(texts)
    chosen = np.zeros(count, dtype=bool)
    chosen[np.random.default_rng(seed).choice(count, FIT_SAMPLE, replace=False)] = True
    return [text for text, take in zip(texts, chosen, strict=True) if take]


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    source = iter(texts)
    while batch := list(islice(source, BATCH)):
        yield batch

"""Openings that ask for the same kind of thing: TF-IDF, SVD, topics, MiniBatchKMeans.

First all openings of a language are put in groups ("hotels", "weather"), by their words, by what they are about, and by
the replies around them ("book it" says little, "which city should I look for a hotel in?" after it says what). A group's
category is the one most of its openings fall under. Large groups are then split into situations, the clusters that become
seeds. HDBSCAN was tried on real dialogues: it leaves 42-69 % as noise. Embeddings of wordllama in place of TF-IDF gain half
a point of NMI, for a dependency with a tokenizer of its own: not taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wildtool.language.lexicon import languages, letters_of, spaced
from wildtool.mining.scenarios.topics import TOPICS, topics_in
from wildtool.mining.words import words as words_of

CLUSTER_SIZE = 12
"""Openings aimed at a situation: enough for k different users, few enough for one situation."""

MOST_GROUPS = 300
"""Groups a language at most. Their number is the square root of the openings: on annotated openings NMI is .69 to .74 from
20 to 100 groups, so the exact number matters little."""

FEWEST = 6
"""Openings of a category in a group from which on they stand alone: of fewer, hardly any are of k different users."""

MOST_SITUATIONS = 24
"""Situations a group is split into at most: more would be the same with other words."""

SAMPLE = 20_000
"""Openings that groups are fitted to; the rest are assigned in batches, so that cost is linear and memory bounded."""

BATCH = 10_000
DIMENSIONS = 64
MOST_FEATURES = 20_000
KEYWORDS = 8

TOPIC_WEIGHT = 1.5
"""Weight of topics beside words: .5 and 1 give less NMI on annotated openings, 2 the same."""

REPLY_SHARE, BEFORE_SHARE = 0.5, 0.25
"""Weight of topics of the reply after an opening and of the message before it. NMI on annotated openings (31 groups): .68
with neither, .71 with the reply, .72 with both; a full share for the reply does not help."""

REPLY_CHARS = 200
"""Letters of a neighbouring message that are looked at: the beginning of the reply, the end of the message before."""

MOST_OF_A_TOPIC = 3


@dataclass(frozen=True, slots=True)
class Opening:
    """A user turn that opens a task."""

    conversation: str
    """Id of its conversation."""
    user: str
    """Pseudonym of who wrote it."""
    turn: int
    """Index among the user turns."""
    text: str
    """Scrubbed text."""
    domain: str | None
    """Minor category, where a word shows it."""
    before: str = ""
    """The assistant's message before it; its last ``REPLY_CHARS`` letters are enough."""
    after: str = ""
    """The assistant's reply; its first ``REPLY_CHARS`` letters are enough."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Openings of one situation, in one language."""

    language: str
    domain: str
    openings: tuple[Opening, ...]
    keywords: tuple[str, ...]
    """Terms that tell it from the other openings of the language, the strongest first."""
    group: int = 0
    """Number of the group that the situation is part of."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """Groups of all openings of a language."""

    labels: tuple[int, ...]
    """Group of each opening."""
    vectors: NDArray[np.float32]
    """What was clustered, one row an opening."""
    words: Any
    """TF-IDF of the texts alone, a sparse matrix, and ``names`` its columns; None where no term is left."""
    names: tuple[str, ...]


def cluster(openings: Sequence[Opening], language: str, *, seed: int) -> list[Cluster]:
    """Situations of the openings of one language, by category, group and number. Deterministic for a seed.

    Openings that neither a word nor their group places are left out.
    """
    if not openings:
        return []
    with _plain():
        return _clusters(openings, language, seed)


def _clusters(openings: Sequence[Opening], language: str, seed: int) -> list[Cluster]:
    grouping = group([(one.before, one.text, one.after) for one in openings], language, seed=seed)
    if grouping.words is None:
        return []
    overall = np.asarray(grouping.words.mean(axis=0)).ravel()
    clusters: list[Cluster] = []
    for (domain, label), rows in sorted(_filed(openings, grouping.labels).items()):
        for chosen in _situations(rows, grouping.vectors, seed):
            weight = np.asarray(grouping.words[chosen].mean(axis=0)).ravel()
            salience = weight * np.log1p(weight / (overall + 1e-9))
            best = [number for number in np.argsort(-salience, kind="stable")[:KEYWORDS] if salience[number] > 0]
            keywords = tuple(grouping.names[number] for number in best)
            clusters.append(Cluster(language, domain, tuple(openings[row] for row in chosen), keywords, label))
    return clusters


def _filed(openings: Sequence[Opening], labels: Sequence[int]) -> dict[tuple[str, int], list[int]]:
    """Rows by category and group.

    An opening that no word places falls under the category of its group, if the group has one that most of its placed
    openings share; in a group of leftovers it falls under none and is left out. What a group holds of another category
    goes to that category's largest group, where it is too little to stand alone.
    """
    members: dict[int, list[int]] = {}
    for row, label in enumerate(labels):
        members.setdefault(label, []).append(row)
    filed: dict[tuple[str, int], list[int]] = {}
    for label, rows in members.items():
        counts = Counter(openings[row].domain for row in rows if openings[row].domain is not None)
        most = min(counts, key=lambda domain: (-counts[domain], domain)) if counts else None
        clear = most is not None and 2 * counts[most] > counts.total()
        for row in rows:
            domain = openings[row].domain or (most if clear else None)
            if domain is not None:
                filed.setdefault((domain, label), []).append(row)
    largest: dict[str, tuple[str, int]] = {}
    for key in sorted(filed, key=lambda key: (-len(filed[key]), key)):
        if len(filed[key]) >= FEWEST or key[0] not in largest:
            largest.setdefault(key[0], key)
        else:
            filed[largest[key[0]]] += filed.pop(key)
    return filed


@contextmanager
def _plain() -> Iterator[None]:
    """Numeric libraries on one thread: on matrices of this size threads only wait for each other (ten times slower on
    a busy machine), and one thread sums in one order everywhere. And scikit-learn without checks of its arguments, which
    take half of the time on groups of a few dozen. Entered once, not around each step: it looks for all libraries."""
    import sklearn.cluster
    import sklearn.decomposition  # here, since a library that is loaded later would keep its threads
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        yield


def _situations(rows: list[int], vectors: NDArray[np.float32], seed: int) -> list[list[int]]:
    """A group's rows, split where there are many."""
    parts = min(len(rows) // CLUSTER_SIZE, MOST_SITUATIONS)
    if parts < 2:
        return [rows]
    return _by_label(rows, _kmeans(vectors[rows], parts, seed, tries=3))


def _by_label(rows: Sequence[int], labels: Sequence[int]) -> list[list[int]]:
    parts: dict[int, list[int]] = {}
    for row, label in zip(rows, labels, strict=True):
        parts.setdefault(label, []).append(row)
    return [parts[label] for label in sorted(parts)]


def group(texts: Sequence[tuple[str, str, str]], language: str, *, seed: int, groups: int | None = None) -> Grouping:
    """The group of each opening, given as the message before, its own text and the reply after.

    Args:
        texts: scrubbed texts.
        language: language of them all.
        seed: seed of all randomness.
        groups: how many; the square root of their number where None.
    """
    rows = len(texts)
    wanted = min(groups or max(1, round(rows**0.5)), MOST_GROUPS, rows)
    with _plain():
        words, vectors, names = _vectors(texts, language, seed)
        labels = _kmeans(vectors, wanted, seed, tries=10) if rows else []
    return Grouping(tuple(labels), vectors, words, names)


def _kmeans(vectors: NDArray[np.float32], parts: int, seed: int, *, tries: int) -> list[int]:
    """Label of each row; fitted to a sample of many."""
    from sklearn.cluster import MiniBatchKMeans

    if parts < 2:
        return [0] * len(vectors)
    model = MiniBatchKMeans(parts, random_state=seed, n_init=tries, batch_size=1024).fit(_sample(vectors, seed))
    found: list[int] = []
    for start in range(0, len(vectors), BATCH):
        found += model.predict(vectors[start : start + BATCH]).tolist()
    return found


def _sample(matrix: Any, seed: int) -> Any:
    rows = matrix.shape[0]
    if rows <= SAMPLE:
        return matrix
    return matrix[np.sort(np.random.default_rng(seed).choice(rows, SAMPLE, replace=False))]


def _vectors(
    texts: Sequence[tuple[str, str, str]], language: str, seed: int
) -> tuple[Any, NDArray[np.float32], tuple[str, ...]]:
    """TF-IDF of the openings, vectors to cluster (words and replies, then topics), and names of the terms."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    about = np.zeros((len(texts), len(TOPIC_PLACES)), dtype=np.float32)
    for row, (before, text, after) in enumerate(texts):
        for shown, share in ((text, 1.0), (after[:REPLY_CHARS], REPLY_SHARE), (before[-REPLY_CHARS:], BEFORE_SHARE)):
            for topic, count in topics_in(shown).items():
                about[row, TOPIC_PLACES[topic]] += share * min(count, MOST_OF_A_TOPIC)
    topics = TOPIC_WEIGHT * normalize(about)
    vectorizer = TfidfVectorizer(
        tokenizer=lambda text: terms(text, language),
        token_pattern=None,
        lowercase=False,
        sublinear_tf=True,
        min_df=2 if len(texts) >= 40 else 1,
        max_df=0.4,
        max_features=MOST_FEATURES,
        dtype=np.float32,
    )
    whole = [f"{text} {after[:REPLY_CHARS]} {before[-REPLY_CHARS:]}" for before, text, after in texts]
    try:
        matrix = vectorizer.fit_transform(whole)
    except ValueError:  # sklearn's way to say that no term is left
        return None, topics, ()
    names = tuple(str(name) for name in vectorizer.get_feature_names_out())
    words = vectorizer.transform([text for _, text, _ in texts])
    if min(matrix.shape) <= 2:
        return words, topics, names
    svd = TruncatedSVD(min(DIMENSIONS, min(matrix.shape) - 1), random_state=seed).fit(_sample(matrix, seed))
    return words, np.hstack([normalize(svd.transform(matrix)), topics], dtype=np.float32), names


TOPIC_PLACES = {topic.name: place for place, topic in enumerate(TOPICS)}


@cache
def _stop_words() -> frozenset[str]:
    """Words without content of all spaced languages: they stand in texts of the others too."""
    return frozenset(word for code in languages() if spaced(code) for word in words_of(code, "terms")["stop"])


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Words of spaced languages, and runs of letters of the others."""
    letters = letters_of(spaced=True)
    return re.compile(rf"[{letters}][{letters}'-]{{2,}}"), re.compile(rf"[{letters_of(spaced=False)}]+")


def terms(text: str, language: str) -> list[str]:
    """Content terms of a text: words, and in a language without spaces also pairs of letters."""
    text = re.sub(r"\[[A-Z]+_\d+\]", " ", text)
    word_pattern, run_pattern = _patterns()
    stop = _stop_words()
    words = [
        word
        for word in word_pattern.findall(text.lower().replace("’", "'"))
        if word not in stop and word.strip("'-") == word
    ]
    if spaced(language):
        return words
    empty = _empty_letters(language)
    pairs = (run[place : place + 2] for run in run_pattern.findall(text) for place in range(len(run) - 1))
    return words + [pair for pair in pairs if pair[0] not in empty and pair[1] not in empty]


@cache
def _empty_letters(language: str) -> frozenset[str]:
    """Letters without content of a language without spaces."""
    return frozenset(words_of(language, "terms")["stop"])

"""Runs of words that two texts share."""

from __future__ import annotations

import zlib

from wildtool.grounding.evidence import task_words
from wildtool.language.folding import normal, tokens
from wildtool.schemas.session import Session

NGRAM = 13
"""Tokens of an n-gram (a word, or a Chinese character): the length with which GPT-3 looked for contamination."""


def ngrams(text: str) -> set[int]:
    """Hashes of a text's runs of 13 tokens; empty for shorter texts."""
    words = tokens(text)
    return {hash_ngram(words[at : at + NGRAM]) for at in range(len(words) - NGRAM + 1)}


def hash_ngram(words: list[str]) -> int:
    """64 bits of two checksums, the same on every machine."""
    data = " ".join(words).encode("utf-8", "surrogatepass")
    return zlib.crc32(data) << 32 | zlib.adler32(data)


def session_ngrams(session: Session) -> set[int]:
    """N-grams of the user's messages, each by itself and all in a row.

    A list of short messages, as the original's files hold them, shares n-grams only across their borders.
    """
    texts = [text for task in session.tasks for text in task_words(task)]
    in_a_row = " ".join(task.user for task in session.tasks)
    return {one for text in (*texts, in_a_row) for one in ngrams(text)}


def user_text(session: Session) -> str:
    """Everything the user says in a session, normalised: what is compared to find near-equal sessions."""
    return normal(" ".join(text for task in session.tasks for text in task_words(task)))

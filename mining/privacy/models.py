"""Names of persons by spaCy pipelines (``pip install 'wildtool[names]'``): an extra, some dozen conversations a second.

A pipeline is given by the name of an installed package (``en_core_web_sm``), or by the folder that it was saved to.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from wildtool.mining.privacy import NULLS, NameFinder
from wildtool.schemas.errors import InputError

PERSONS = frozenset({"PERSON", "PER"})
"""Labels of persons: of pipelines trained on OntoNotes, and of those trained on Wikipedia."""

UNNEEDED = ["parser", "tagger", "morphologizer", "attribute_ruler", "lemmatizer", "senter"]
"""Parts of a pipeline that find no names; spaCy passes over those that it does not have."""

PIECE = 100_000
"""Letters that are read at once: a pipeline's memory grows with them, and spaCy refuses a million."""


@lru_cache(maxsize=4)
def name_finder(models: tuple[str, ...]) -> NameFinder | None:
    """What finds names by all of these pipelines, loaded once a process; None for none.

    Raises:
        InputError: spaCy or a pipeline is not there, or a pipeline finds no persons.
    """
    if not models:
        return None
    pipelines = [_loaded(model) for model in models]

    def find(text: str) -> Sequence[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        for start, piece in _pieces(text):
            for pipeline in pipelines:
                for entity in pipeline(piece).ents:
                    # Messages are parted by nulls, and a name never runs over a line.
                    words = entity.text.split("\n")[0].split(NULLS[0])[0].rstrip()
                    if entity.label_ in PERSONS and words.strip():
                        spans.append((start + entity.start_char, start + entity.start_char + len(words)))
        return spans

    return find


def _pieces(text: str) -> list[tuple[int, str]]:
    """The text in pieces cut at line ends where there are some, each with its place."""
    pieces: list[tuple[int, str]] = []
    start = 0
    while start < len(text):
        end = start + PIECE
        if end < len(text):
            end = text.rfind("\n", start, end) + 1 or end
        pieces.append((start, text[start:end]))
        start = end
    return pieces


def _loaded(model: str) -> Any:
    try:
        import spacy
    except ImportError as error:
        raise InputError(
            f"names by the model {model} need spaCy, which is not installed",
            "pip install 'wildtool[names]', or leave --names-model away",
        ) from error
    try:
        pipeline = spacy.load(model, disable=UNNEEDED)
    except (OSError, ValueError, ImportError) as error:
        raise InputError(
            f"spaCy cannot load the pipeline {model}: {str(error).splitlines()[0][:200]}",
            f"python -m spacy download {model}, or give the folder of a saved pipeline",
        ) from error
    labels = {label for part in pipeline.pipe_names for label in pipeline.pipe_labels.get(part, ())}
    if not labels & PERSONS:
        raise InputError(
            f"the pipeline {model} finds no persons; it knows {', '.join(sorted(labels)) or 'no labels'}",
            f"give one whose entities are {' or '.join(sorted(PERSONS))}",
        )
    return pipeline

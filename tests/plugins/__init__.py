"""A distribution of other people, with entry points of every kind that is open to them."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.plugin import install
from wildtool.schemas.languages import TRAITS

REPOSITORY = Path(__file__).resolve().parent.parent.parent

ENTRY_POINTS = """\
[wildtool.readers]
acme_chat = acme_wildtool:READER
[wildtool.importers]
acme_api = acme_wildtool:IMPORTER
[wildtool.scorer_rules]
acme.geohash = acme_wildtool:RULE
"""

LANGUAGE_POINT = "[wildtool.languages]\nqx = acme_wildtool:LANGUAGE\n"

ROOMS = (
    ("language", "language/words/en", ""),
    ("grounding", "grounding/words/en", "grounding"),
    ("worlds", "worlds/words/en", "worlds"),
    ("mining", "mining/words/en", "mining"),
    ("evaluation", "evaluation/words/en", "evaluation"),
    ("agents/prompts", "agents/prompts/en", "agents/prompts"),
    ("agents/simulator", "agents/simulator/words/en", "agents/simulator"),
)
"""Room, where its English words are, and where a plug-in's are."""


def acme(folder: Path, *, rooms: tuple[str, ...] | None = None) -> Path:
    """Install the distribution ``acme_wildtool``.

    With ``rooms`` it also registers the made-up language ``qx``, with words for these rooms only: the English ones.
    """
    source = Path(__file__).with_name("acme_wildtool.py").read_text(encoding="utf-8")
    install(folder, "acme_wildtool", source, ENTRY_POINTS + (LANGUAGE_POINT if rooms is not None else ""))
    if rooms is not None:
        words = folder / "acme_words"
        words.mkdir()
        traits = (REPOSITORY / "language" / "words" / "en" / TRAITS).read_text(encoding="utf-8")
        traits = (
            traits.replace('code = "en"', 'code = "qx"').replace("stands_in = true\n", "").replace("English", "Quixish")
        )
        (words / TRAITS).write_text(traits, encoding="utf-8")
        for room, here, there in ROOMS:
            if room in rooms:
                shutil.copytree(
                    REPOSITORY / here, words / there, dirs_exist_ok=True, ignore=shutil.ignore_patterns(TRAITS)
                )
    return folder

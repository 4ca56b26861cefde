"""Tell planning for which tools the offline simulator has words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from wildtool.language.lexicon import words
from wildtool.language.tool_phrasings import derived, phrasings
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language


@dataclass(frozen=True)
class SimulatedDrafter:
    """The offline simulator."""

    def can_say(self, tool: Tool, language: Language) -> bool:
        """Return whether the catalogue or the description gives a phrase, and a schema says what the result holds."""
        if tool.phrasings:
            return True
        # A topic alone gives a stilted wish.
        wordable = words(language, "tool_phrasings")["derives"] == "verb" and bool(derived(tool, language))
        return wordable and tool.returns is not None

    def phrases(self, tool: Tool, language: Language) -> Sequence[str]:
        """Return phrasings and fragments without their places."""
        texts = [*phrasings(tool, language), *(text for each in tool.optional_phrasings.values() for text in each)]
        return [re.sub(r"\{\w+\}", " ", text) for text in texts]


SIMULATOR = SimulatedDrafter()
"""Drafter for plans that the offline simulator will word."""

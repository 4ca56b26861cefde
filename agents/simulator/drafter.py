"""Say for which tools the offline simulator has words: planning asks before it plans a session for it."""

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
        """The catalogue gives phrasings, or the description gives one; a result needs a schema to be made by."""
        if tool.phrasings:
            return True
        # A topic alone gives a stilted wish.
        wordable = words(language, "tool_phrasings")["derives"] == "verb" and bool(derived(tool, language))
        return wordable and tool.returns is not None

    def phrases(self, tool: Tool, language: Language) -> Sequence[str]:
        """Phrasings and fragments without their places."""
        texts = [*phrasings(tool, language), *(text for each in tool.optional_phrasings.values() for text in each)]
        return [re.sub(r"\{\w+\}", " ", text) for text in texts]


SIMULATOR = SimulatedDrafter()
"""The drafter to plan for where no model is at hand."""

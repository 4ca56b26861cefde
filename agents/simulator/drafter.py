"""Tell planning for which tools the offline simulator has words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from wildtool.language.tool_phrasings import phrasings
from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import Language
from wildtool.schemas.world import WorldSpec
from wildtool.worlds.wishes import worded


@dataclass(frozen=True)
class SimulatedDrafter:
    """The offline simulator."""

    def worded(self, tools: ToolList, spec: WorldSpec) -> ToolList:
        """Return the list with wishes composed from what its tools do."""
        return worded(tools, spec)

    def can_say(self, tool: Tool) -> bool:
        """Return whether there is a phrase for the tool."""
        return bool(tool.phrasings)

    def phrases(self, tool: Tool, language: Language) -> Sequence[str]:
        """Return phrasings and fragments without their places."""
        texts = [*phrasings(tool, language), *(text for each in tool.optional_phrasings.values() for text in each)]
        return [re.sub(r"\{\w+\}", " ", text) for text in texts]


SIMULATOR = SimulatedDrafter()
"""Drafter for plans that the offline simulator will word."""

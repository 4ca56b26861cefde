"""Define what planning must know of the drafter that will word a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import Language
from wildtool.schemas.world import WorldSpec


class Drafter(Protocol):
    """Words the user's messages of a planned session."""

    def worded(self, tools: ToolList, spec: WorldSpec) -> ToolList:
        """Return the list with the wordings that it will use, for tools that come without any."""
        ...

    def can_say(self, tool: Tool) -> bool:
        """Return whether it can word a request for a tool of a worded list."""
        ...

    def phrases(self, tool: Tool, language: Language) -> Sequence[str]:
        """Return the fixed wordings that it may use for the tool; hidden values must not occur in them."""
        ...


@dataclass(frozen=True)
class FreeDrafter:
    """A model: it finds its own words for any tool."""

    def worded(self, tools: ToolList, spec: WorldSpec) -> ToolList:
        """Return the list as it is."""
        return tools

    def can_say(self, tool: Tool) -> bool:
        """Return True."""
        return True

    def phrases(self, tool: Tool, language: Language) -> Sequence[str]:
        """Return nothing: its words are not known beforehand."""
        return ()


ANY_DRAFTER = FreeDrafter()
"""Plans made for it depend on no wording tables."""

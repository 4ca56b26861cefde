"""Define what planning must know of the drafter that will word a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language


class Drafter(Protocol):
    """Words the user's messages of a planned session."""

    def can_say(self, tool: Tool, language: Language) -> bool:
        """Return whether it can word a request for this tool and make up the tool's result."""
        ...

    def phrases(self, tool: Tool, language: Language) -> Sequence[str]:
        """Return the fixed wordings that it may use for the tool; hidden values must not occur in them."""
        ...


@dataclass(frozen=True)
class FreeDrafter:
    """A model: it finds its own words for any tool."""

    def can_say(self, tool: Tool, language: Language) -> bool:
        """Return True."""
        return True

    def phrases(self, tool: Tool, language: Language) -> Sequence[str]:
        """Return nothing: its words are not known beforehand."""
        return ()


ANY_DRAFTER = FreeDrafter()
"""Plans made for it depend on no wording tables."""

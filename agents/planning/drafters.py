"""Ask of whoever will word a session what planning has to respect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language


class Drafter(Protocol):
    """Who words the user's messages of a planned session."""

    def can_say(self, tool: Tool, language: Language) -> bool:
        """Whether it has words for a wish that this tool fulfils, and can play the tool's result."""
        ...

    def phrases(self, tool: Tool, language: Language) -> Sequence[str]:
        """Fixed wordings that it may use for the tool; what must stay unsaid must not stand in them."""
        ...


@dataclass(frozen=True)
class FreeDrafter:
    """A model, which finds its own words for anything."""

    def can_say(self, tool: Tool, language: Language) -> bool:
        """Always."""
        return True

    def phrases(self, tool: Tool, language: Language) -> Sequence[str]:
        """None: its words are not known beforehand."""
        return ()


ANY_DRAFTER = FreeDrafter()
"""Plans made for it depend on no wording tables."""

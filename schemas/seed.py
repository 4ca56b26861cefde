"""Seed scenarios: situations mined from logs, which anchor a benchmark."""

from __future__ import annotations

from typing import ClassVar

from wildtool.schemas.base import Identified
from wildtool.schemas.conversation import BehaviourStats
from wildtool.schemas.vocabulary import Persona


class SeedScenario(Identified):
    """A situation that at least k users of the log were in. Holds no raw message."""

    PREFIX: ClassVar[str] = "sed"

    language: str
    """Language of the texts below: ``en`` or ``zh``."""
    title: str
    """A few words."""
    description: str
    """One or two sentences, paraphrase or template."""
    goal: str
    """What the user wants, in one sentence."""
    category: str
    """Major category of the taxonomy."""
    subcategory: str
    """Minor category of the taxonomy."""
    keywords: tuple[str, ...]
    """Terms by which fitting tools are found, the strongest first."""
    tool_needs: tuple[str, ...] = ()
    """Capabilities that the scenario needs, as short phrases."""
    persona: Persona
    """How much the user knows."""
    behaviour: BehaviourStats
    """How users behaved in the evidence."""
    evidence: tuple[str, ...]
    """Ids of the supporting conversations, sorted."""
    supporting_users: int
    """Different users among the evidence; at least k."""
    examples: tuple[str, ...] = ()
    """Scrubbed templates of openings, no longer than a few words each."""
    parent: str | None = None
    """Seed that this one was rewritten from."""

"""The world of one session: its spec, seed and demands, and the rows that a release freezes."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from wildtool.schemas.base import JsonObject, Record
from wildtool.schemas.world import WorldSpec


class Demand(Record):
    """A condition that furnishing must meet, so that a planned call finds what the plan needs."""

    table: str
    """Table of the rows."""
    given: JsonObject = {}
    """Values by field path that the rows must have."""
    within: dict[str, tuple[Any, Any]] = {}
    """Lowest and highest value by field path, both included; None leaves an end open."""
    among: dict[str, tuple[Any, ...]] = {}
    """Allowed values by field path."""
    words: tuple[str, ...] = ()
    """Words that a search must find the rows by."""
    least: int = Field(default=1, ge=0)
    """The fewest rows that must meet it."""
    empty: bool = False
    """No row may meet it."""


class SessionWorld(Record):
    """All that makes the world of one session: the same record gives the same rows and results."""

    spec: WorldSpec
    """Tables and operations of the session's tools."""
    seed: int
    """Seed of the rows."""
    demands: tuple[Demand, ...] = ()
    """What the planned calls need."""


class FrozenRows(Record):
    """Rows that furnishing gave on one occasion."""

    table: str
    """Table of the rows."""
    occasion: str
    """``start``; ``part`` and the values that brought them into being; ``created`` and a number; ``point`` of a series."""
    rows: tuple[JsonObject, ...]
    """The rows, in order."""


class FrozenWorld(Record):
    """The world of a released session, with the rows that its gold saw."""

    session: str
    """Id of the session."""
    world: SessionWorld
    """Spec, seed and demands."""
    rows: tuple[FrozenRows, ...]
    """Rows that gold saw, so that it replays with any later version of the generators."""

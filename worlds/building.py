"""Build the world of a session from its record."""

from __future__ import annotations

from collections.abc import Sequence

from wildtool.schemas.session import Session
from wildtool.schemas.session_world import FrozenWorld, SessionWorld
from wildtool.schemas.tool import Tool
from wildtool.worlds.furnishing import Furnisher
from wildtool.worlds.interpreter import World
from wildtool.worlds.snapshot import Recorded, Recording


def build_world(world: SessionWorld, tools: Sequence[Tool], now: str) -> World:
    """Build a world that nobody has called yet.

    Args:
        world: spec, seed and demands.
        tools: the session's tools.
        now: the session's clock, ISO 8601 with an offset.
    """
    return World(world.spec, tools, Furnisher(world.spec, seed=world.seed, now=now, demands=world.demands), now)


def recording_world(world: SessionWorld, session: Session) -> tuple[World, Recording]:
    """Build a world whose rows are recorded as they are furnished."""
    source = Recording(Furnisher(world.spec, seed=world.seed, now=session.now, demands=world.demands))
    return World(world.spec, tools_of(session), source, session.now), source


def frozen_world(frozen: FrozenWorld, session: Session) -> World:
    """Build a released world: its rows as they were frozen, whatever version of wildtool reads them; rows that nobody asked
    for before are furnished anew."""
    world = frozen.world
    fallback = Furnisher(world.spec, seed=world.seed, now=session.now, demands=world.demands)
    return World(world.spec, tools_of(session), Recorded(frozen.rows, fallback), session.now)


def tools_of(session: Session) -> list[Tool]:
    """Return a session's tools as records."""
    return [
        Tool(
            name=function["name"],
            description=str(function.get("description", "")),
            parameters=function.get("parameters") or {},
            returns=function.get("x-returns"),
        )
        for function in (tool["function"] for tool in session.tools if isinstance(tool.get("function"), dict))
    ]

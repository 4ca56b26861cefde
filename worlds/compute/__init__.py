"""Functions of the shipped library that worlds may name, and the tools that they fit."""

from __future__ import annotations

from wildtool.worlds.compute.library import run
from wildtool.worlds.compute.matching import Match, matching

__all__ = ["Match", "matching", "run"]

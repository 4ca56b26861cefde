"""Derive world specs from tool lists, by rules alone."""

from __future__ import annotations

from wildtool.worlds.derivation.derive import derive

__all__ = ["derive"]

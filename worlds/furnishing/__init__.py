"""Furnish worlds with rows: seeded, consistent, in natural words."""

from __future__ import annotations

from wildtool.worlds.furnishing.furnisher import Furnisher

__all__ = ["Furnisher"]

"""Logs → seed scenarios and a picture of how users behave: readers, privacy, language, duplicates, behaviour, clusters."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mining.pipeline import MiningResult, MiningSettings, mine
    from mining.readers import read_logs
    from mining.report import render_report

_WHERE = {
    "MiningResult": "mining.pipeline",
    "MiningSettings": "mining.pipeline",
    "mine": "mining.pipeline",
    "read_logs": "mining.readers",
    "render_report": "mining.report",
}

__all__ = ["MiningResult", "MiningSettings", "mine", "read_logs", "render_report"]


def __getattr__(name: str) -> Any:
    """Loaded when first used: the command line's help needs none of it."""
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

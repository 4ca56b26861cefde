"""Functions of the shipped library that worlds may name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def run(name: str, inputs: Mapping[str, Any]) -> Any:
    """Apply a function. Raises ``ValueError`` for inputs that it cannot take."""
    raise ValueError(f"no function {name}")

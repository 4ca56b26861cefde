"""Costs of calls by tool, from a table: what the weighted OP rate weighs with."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from pathlib import Path

from wildtool.schemas.errors import InputError

OTHER = "*"
"""Entry for all tools that the table does not name; 1 without it. No tool can have this name."""


def cost_of(costs: Mapping[str, float], name: str) -> float:
    """Cost of one call, in the table's unit (seconds, or money)."""
    return costs.get(name, costs.get(OTHER, 1.0))


def read_costs(path: Path | str) -> dict[str, float]:
    """A table ``{tool: cost}`` from a JSON or TOML file; ``"*"`` stands for all other tools.

    Raises ``InputError`` where the file is none, or a cost is no number from 0 on.
    """
    path = Path(path)
    remedy = 'write {"toolName": 0.8, "*": 1} as JSON or TOML: seconds or money a call'
    try:
        text = path.read_text(encoding="utf-8")
        found = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read costs from {path}: {error}", remedy) from error
    if not isinstance(found, dict) or not found:
        raise InputError(f"{path} holds no table of costs", remedy)
    for name, cost in found.items():
        if isinstance(cost, bool) or not isinstance(cost, int | float) or not math.isfinite(cost) or cost < 0:
            raise InputError(f"{path}: the cost of {name} is {cost!r}, no number from 0 on", remedy)
    return {name: float(cost) for name, cost in found.items()}

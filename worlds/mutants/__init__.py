"""Change a spec in one place at a time and see whether anything notices: what no call can tell decides nothing."""

from __future__ import annotations

from wildtool.worlds.mutants.judging import LEAST_KILLED, Acceptance, acceptable
from wildtool.worlds.mutants.kinds import Mutant, mutants

__all__ = ["LEAST_KILLED", "Acceptance", "Mutant", "acceptable", "mutants"]

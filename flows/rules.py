"""The default rules of the product: the registry, and the rule that replays gold, which joins two rooms."""

from __future__ import annotations

from wildtool.flows.gold_gate import gold
from wildtool.grounding.hidden_intents import require_complete
from wildtool.validation.registry import all_rules, combined
from wildtool.validation.running import DraftRules, ReleaseRules


def draft_rules() -> DraftRules:
    """The rules that judge drafts."""
    require_complete()
    return DraftRules.of(all_rules())


def release_rules() -> ReleaseRules:
    """The rules that judge releases."""
    require_complete()
    return ReleaseRules.of(combined(all_rules(), (gold,)))

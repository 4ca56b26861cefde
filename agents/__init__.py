"""Session plan → draft: roles, prompts, the dialogue loop, checks, the model gateway, the offline model; candidates."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.candidate import Attempt, play, play_session, play_sessions
    from agents.checks import SURE, near_duplicates, run_checks
    from agents.draft import DraftResult, draft_all, draft_sessions
    from agents.endpoints import BatchSettings
    from agents.forecast import Forecast, forecast_drafts, forecast_play
    from agents.gateway import CANDIDATE, OFFLINE_MODEL, Endpoint, Gateway, GatewaySettings
    from agents.judge import Question, judge_all
    from agents.ledger import PRICES, Price
    from agents.loop import draft_session
    from agents.plan import plan_again, plan_sessions, predecessor, replan_number, standing
    from agents.policies import BUILTINS, EndpointPolicy, Policy, Turn, builtin
    from agents.profiles import load_profile, profile_names
    from agents.show import render_draft

_HOMES = {
    "Attempt": "candidate",
    "BUILTINS": "policies",
    "BatchSettings": "endpoints",
    "CANDIDATE": "gateway",
    "DraftResult": "draft",
    "Endpoint": "gateway",
    "EndpointPolicy": "policies",
    "Forecast": "forecast",
    "Gateway": "gateway",
    "GatewaySettings": "gateway",
    "OFFLINE_MODEL": "gateway",
    "PRICES": "ledger",
    "Policy": "policies",
    "Price": "ledger",
    "Question": "judge",
    "Turn": "policies",
    "builtin": "policies",
    "draft_all": "draft",
    "draft_session": "loop",
    "draft_sessions": "draft",
    "forecast_drafts": "forecast",
    "forecast_play": "forecast",
    "judge_all": "judge",
    "load_profile": "profiles",
    "near_duplicates": "checks",
    "plan_again": "plan",
    "plan_sessions": "plan",
    "play": "candidate",
    "play_session": "candidate",
    "play_sessions": "candidate",
    "profile_names": "profiles",
    "render_draft": "show",
    "predecessor": "plan",
    "replan_number": "plan",
    "SURE": "checks",
    "run_checks": "checks",
    "standing": "plan",
}
"""Module of each public name; imported on first use, so that the command line starts fast."""

__all__ = [
    "BUILTINS",
    "CANDIDATE",
    "OFFLINE_MODEL",
    "PRICES",
    "SURE",
    "Attempt",
    "BatchSettings",
    "DraftResult",
    "Endpoint",
    "EndpointPolicy",
    "Forecast",
    "Gateway",
    "GatewaySettings",
    "Policy",
    "Price",
    "Question",
    "Turn",
    "builtin",
    "draft_all",
    "draft_session",
    "draft_sessions",
    "forecast_drafts",
    "forecast_play",
    "judge_all",
    "load_profile",
    "near_duplicates",
    "plan_again",
    "plan_sessions",
    "play",
    "play_session",
    "play_sessions",
    "predecessor",
    "profile_names",
    "render_draft",
    "replan_number",
    "run_checks",
    "standing",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

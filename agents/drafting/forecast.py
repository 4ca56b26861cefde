"""Forecast the requests, tokens, cost and time of a run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wildtool.agents.candidates.candidate import offered_tools
from wildtool.agents.drafting.checks import NoChecks
from wildtool.agents.drafting.drafts import draft_sessions
from wildtool.agents.gateway.endpoints import GatewaySettings
from wildtool.agents.gateway.event_loop import run_to_end
from wildtool.agents.gateway.gateway import CANDIDATE, Gateway
from wildtool.grounding.chat import steps, system_message, task_messages
from wildtool.schemas.base import Record
from wildtool.schemas.draft import DraftTally, RoleUsage
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.session import Session

SAMPLE = 12
"""Sessions to rehearse with the simulator: the sum of 256 is then known within a tenth, in some seconds."""

LEAST_HISTORY = 5
"""Sessions of the same model from which on its own history is believed."""

CHARACTERS_PER_TOKEN = 4
"""Of JSON with English text; Chinese has fewer, so its figures are a lower bound."""

SECONDS_PER_CALL = 2.0
"""Wall time of a call where no history tells; hosted models take one to five seconds for such answers."""

COMPLETION_TOKENS = 60
"""Tokens of a candidate's message: a call with its arguments, or two sentences."""


class Forecast(Record):
    """Forecast of a run."""

    sessions: int
    """Sessions to go."""
    planned_anew: int = 0
    """Further sessions that will be drafted in the place of failed ones, and paid for, as far as the basis had any."""
    calls: int
    """Requests, repairs included as far as the basis had any."""
    prompt_tokens: int
    """Tokens sent."""
    completion_tokens: int
    """Tokens received."""
    cost_usd: float | None
    """US dollars; None where a model has no price."""
    minutes: float | None
    """Wall time at the requests in flight and within the rate limits; None for batches, which take up to a day each."""
    basis: str
    """``history`` (finished sessions of this model), ``rehearsal`` (the simulator on some of the plans) or ``gold``."""


@dataclass(frozen=True)
class _Load:
    """Requests and tokens of all sessions together, by role."""

    usage: Mapping[str, RoleUsage]
    longest: int
    """Requests of the longest session, which go one after another."""


def forecast_drafts(
    plans: Sequence[SessionPlan],
    settings: GatewaySettings,
    history: Iterable[DraftTally] = (),
    *,
    committee: int = 1,
    replans: int = 0,
) -> Forecast:
    """Forecast of drafting: from the same model's finished sessions where there are some, else from a rehearsal.

    ``committee`` model checkers read each task. A session that fails is planned and paid for anew, up to ``replans``
    times: the share of finished sessions that failed says how many that will be.
    """
    own = [
        each for each in history if each.model == settings.endpoint.model and each.committee == committee and each.usage
    ]
    if len(own) >= LEAST_HISTORY:
        return _drafting(plans, own, settings, "history", replans)
    if not plans:
        return _forecast(0, _Load({}, 0), settings, "rehearsal")
    # Evenly over the plans, so that both languages and all shapes are in it.
    sample = [plans[i * len(plans) // min(SAMPLE, len(plans))] for i in range(min(SAMPLE, len(plans)))]

    async def rehearse() -> list[DraftTally]:
        async with Gateway.offline(sample) as gateway:
            return list((await draft_sessions(sample, gateway, checks=NoChecks(), committee=committee)).tallies)

    return _drafting(plans, run_to_end(rehearse()), settings, "rehearsal", replans)


def forecast_play(sessions: Sequence[Session], settings: GatewaySettings, trials: int = 1) -> Forecast:
    """Forecast of a candidate's run, as if it took the gold's path."""
    calls = prompt = longest = 0
    for session in sessions:
        tools = len(json.dumps(offered_tools(session), ensure_ascii=False))
        said = len(str(system_message(session.language, session.now)["content"]))
        own = 0
        for number, task in enumerate(session.tasks):
            messages = [len(json.dumps(each, ensure_ascii=False)) for each in task_messages(task, number)]
            count = len(steps(task.actions))
            # The task's own messages grow from the user's words to all but the answer: half of them on the mean.
            prompt += count * (tools + said + messages[0] + sum(messages[1:]) // 2) // CHARACTERS_PER_TOKEN
            said += sum(messages)
            own += count
        calls += own
        longest = max(longest, own)
    usage = RoleUsage(
        calls=calls * trials, prompt_tokens=prompt * trials, completion_tokens=calls * trials * COMPLETION_TOKENS
    )
    return _forecast(len(sessions) * trials, _Load({CANDIDATE: usage}, longest), settings, "gold")


def _drafting(
    plans: Sequence[SessionPlan], known: Sequence[DraftTally], settings: GatewaySettings, basis: str, replans: int
) -> Forecast:
    failing = sum(not each.drafted for each in known) / len(known) if known else 0.0
    # Each round plans anew what the round before could not draft.
    tries = len(plans) * sum(failing**round_ for round_ in range(replans + 1))
    forecast = _forecast(len(plans), _scaled(known, tries), settings, basis)
    return forecast.model_copy(update={"planned_anew": round(tries - len(plans))})


def _scaled(tallies: Sequence[DraftTally], sessions: float) -> _Load:
    sums: dict[str, RoleUsage] = {}
    for tally in tallies:
        for role, usage in tally.usage.items():
            sums[role] = sums[role].plus(usage) if role in sums else usage
    factor = sessions / len(tallies) if tallies else 0.0
    longest = max((sum(usage.calls for usage in tally.usage.values()) for tally in tallies), default=0)
    return _Load({role: usage.times(factor) for role, usage in sums.items()}, longest)


def _forecast(sessions: int, load: _Load, settings: GatewaySettings, basis: str) -> Forecast:
    cost: float | None = 0.0
    discount = settings.batch.discount if settings.batch else 1.0
    for role, usage in load.usage.items():
        price = settings.prices.get(settings.roles.get(role, settings.endpoint).model)
        if price is None or cost is None:
            cost = None
        else:
            cost += price.of(usage.prompt_tokens, usage.completion_tokens) * discount
    calls = sum(usage.calls for usage in load.usage.values())
    prompt = sum(usage.prompt_tokens for usage in load.usage.values())
    return Forecast(
        sessions=sessions,
        calls=calls,
        prompt_tokens=prompt,
        completion_tokens=sum(usage.completion_tokens for usage in load.usage.values()),
        cost_usd=None if cost is None else round(cost, 4),
        minutes=None if settings.batch else round(_minutes(load, calls, prompt, settings), 1),
        basis=basis,
    )


def _minutes(load: _Load, calls: int, prompt_tokens: int, settings: GatewaySettings) -> float:
    waited = sum(usage.seconds for usage in load.usage.values())
    each = waited / calls if calls and waited else SECONDS_PER_CALL
    return max(
        calls * each / settings.max_in_flight / 60,
        load.longest * each / 60,
        calls / settings.requests_per_minute if settings.requests_per_minute else 0.0,
        prompt_tokens / settings.tokens_per_minute if settings.tokens_per_minute else 0.0,
    )

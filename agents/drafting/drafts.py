"""Draft many sessions at once: each becomes a draft or goes to quarantine."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wildtool.agents.drafting.checks import DraftChecks
from wildtool.agents.drafting.pass_counts import USABLE, Tally, prompt_version
from wildtool.agents.drafting.session_loop import draft_session
from wildtool.agents.gateway.event_loop import run_to_end
from wildtool.agents.gateway.gateway import OFFLINE_MODEL, Gateway, GatewaySettings
from wildtool.agents.prompts import check_language, prompt_hashes
from wildtool.grounding.hidden_intents import require_complete
from wildtool.schemas.draft import Draft, DraftTally
from wildtool.schemas.errors import RegistryError, SettingsError, StoppedError
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import AgentRole

if TYPE_CHECKING:
    from wildtool.agents.gateway.faults import Faults

SESSIONS_AT_ONCE = 64
"""Sessions under way: as many as the gateway keeps requests in flight, since a session has one at a time."""


@dataclass(frozen=True)
class DraftResult:
    """Result of a run. ``len(drafts) + len(quarantined) + len(left)`` is the number of plans."""

    drafts: tuple[Draft, ...]
    """In the order of the plans."""
    quarantined: tuple[Quarantined, ...]
    """One row a plan that failed, with its trace."""
    tallies: tuple[DraftTally, ...] = ()
    """How often each check passed, one record a session that came to an end."""
    left: tuple[str, ...] = ()
    """Ids of plans that the run did not reach before it had to stop; the same command drafts them."""
    stopped: tuple[str, str] | None = None
    """Why the run stopped early (budget or credit used up, endpoint down), and the remedy."""
    ledger: list[dict[str, Any]] = field(default_factory=list)
    """Calls, tokens and cost by role and model."""
    figures: dict[str, int | float | bool | str] = field(default_factory=dict)
    """Counts of the run."""


async def draft_sessions(
    plans: Sequence[SessionPlan],
    gateway: Gateway,
    *,
    checks: DraftChecks,
    on_draft: Callable[[Draft], None] | None = None,
    on_quarantine: Callable[[Quarantined], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
    committee: int = 1,
    sessions_at_once: int = SESSIONS_AT_ONCE,
) -> DraftResult:
    """Draft all plans; each draft and each quarantined row is handed on as soon as it is there.

    ``checks`` are the rules that judge each task. ``progress`` hears (finished, all). A killed run loses only what was in
    flight: responses are cached, so a repeat pays for nothing twice. A budget that is used up, or an endpoint that
    is down, ends the run cleanly: the plans that it did not reach are ``left``. ``committee`` is the number of model
    checkers that review each task (0: none).
    """
    require_complete()
    for language in {plan.language for plan in plans}:
        check_language(language)
    slots = asyncio.Semaphore(sessions_at_once)
    stopped: list[tuple[str, str]] = []
    failed: list[BaseException] = []
    tallies: dict[str, DraftTally] = {}
    finished = 0

    async def one(plan: SessionPlan) -> Draft | Quarantined | None:
        nonlocal finished
        async with slots:
            if stopped or failed:
                return None
            try:
                tally = Tally(checks.ids)
                found = await draft_session(plan, gateway, checks=checks, committee=committee, tally=tally)
                tallies[plan.id] = _tally(plan, gateway, found, tally, committee)
                if isinstance(found, Draft):
                    if on_draft is not None:
                        on_draft(found)
                elif on_quarantine is not None:
                    on_quarantine(found)
            except StoppedError as error:
                stopped.append((error.cause, error.remedy))
                return None
            except Exception as error:  # raised below, once the sessions under way have ended
                failed.append(error)
                return None
            finished += 1
            if progress is not None:
                progress(finished, len(plans))
            return found

    found = await asyncio.gather(*(one(plan) for plan in plans))
    if failed:
        raise failed[0]
    drafts = tuple(each for each in found if isinstance(each, Draft))
    quarantined = tuple(each for each in found if isinstance(each, Quarantined))
    left = tuple(plan.id for plan, each in zip(plans, found, strict=True) if each is None)
    return DraftResult(
        drafts=drafts,
        quarantined=quarantined,
        tallies=tuple(tallies[plan.id] for plan in plans if plan.id in tallies),
        left=left,
        stopped=stopped[0] if stopped else None,
        ledger=gateway.ledger.to_json(),
        figures=_figures(plans, drafts, quarantined, left, gateway),
    )


def draft_all(
    plans: Sequence[SessionPlan],
    settings: GatewaySettings | None = None,
    *,
    checks: DraftChecks,
    cache: Path | None,
    offline: bool,
    faults: Faults | None = None,
    note: Callable[[str], None] | None = None,
    **how: Any,
) -> DraftResult:
    """``draft_sessions`` for callers without an event loop: opens one gateway and runs. ``how`` goes to it, ``note``
    hears a line about each batch.

    Raises ``SettingsError`` where an online model has no key.
    """
    settings = settings or GatewaySettings()

    async def run() -> DraftResult:
        simulated = offline or settings.endpoint.model == OFFLINE_MODEL
        gateway = (
            Gateway.offline(plans, cache=cache, settings=settings, faults=faults)
            if simulated
            else Gateway(settings, cache=cache, note=note)
        )
        try:
            async with gateway:
                return await draft_sessions(plans, gateway, checks=checks, **how)
        except RegistryError:  # the simulator's own, for which it is no way out
            raise
        except SettingsError as error:
            raise SettingsError(error.cause, f"{error.remedy}; or draft without a model: --model offline") from error

    return run_to_end(run())


def _tally(plan: SessionPlan, gateway: Gateway, found: Draft | Quarantined, tally: Tally, committee: int) -> DraftTally:
    drafted = isinstance(found, Draft)
    judged = tally.counts.get(USABLE, [0, 0, 0, 0])
    return DraftTally(
        plan=plan.id,
        language=plan.language,
        model=gateway.endpoint(AgentRole.ASSISTANT).model,
        prompts=prompt_version(prompt_hashes(plan.language)),
        drafted=drafted,
        committee=committee,
        repairs=judged[0] - judged[2],
        checks=tally.records(),
        usage=dict(sorted(tally.usage.items())),
    )


def _figures(
    plans: Sequence[SessionPlan],
    drafts: Sequence[Draft],
    quarantined: Sequence[Quarantined],
    left: Sequence[str],
    gateway: Gateway,
) -> dict[str, int | float | bool | str]:
    entries = gateway.ledger.entries.values()
    figures: dict[str, int | float | bool | str] = {
        "plans": len(plans),
        "drafts": len(drafts),
        "quarantined": len(quarantined),
        "left": len(left),
        "offline": gateway.offline_mode,
        "model": OFFLINE_MODEL if gateway.offline_mode else gateway.settings.endpoint.model,
        "repairs": sum(draft.repairs for draft in drafts),
        "calls": sum(entry.calls for entry in entries),
        "cached": sum(entry.cached for entry in entries),
        "retries": sum(entry.retries for entry in entries),
        "failures": sum(entry.failures for entry in entries),
        "tokens": gateway.ledger.tokens(),
        "cost_usd": round(gateway.ledger.spent(), 6),
    }
    for reason, count in sorted(Counter(row.reason for row in quarantined).items()):
        figures[f"quarantined.{reason}"] = count
    for check, count in sorted(Counter(v.check for d in drafts for v in d.verdicts if v.doubtful).items()):
        figures[f"doubted.{check}"] = count
    return figures

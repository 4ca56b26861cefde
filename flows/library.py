"""Functions for notebooks and scripts that join rooms, with the default rules.

Each does what its namesake in a room does, and passes in what that room must not import.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.release import ReleaseManifest

if TYPE_CHECKING:
    from wildtool.agents import DraftChecks, DraftResult, GatewaySettings
    from wildtool.warehouse import FreezeRequest, ReleaseRules, VerifyResult


def draft_all(
    plans: Sequence[SessionPlan],
    settings: GatewaySettings | None = None,
    *,
    cache: Path | None,
    offline: bool,
    checks: DraftChecks | None = None,
    **how: Any,
) -> DraftResult:
    """Write a draft for each plan, judged by rules; plans that cannot be drafted go to quarantine.

    Args:
        plans: what to write, as ``plan_sessions`` makes it; any number.
        settings: model, address, prices (US dollars per million tokens), limits; None takes the defaults.
        cache: SQLite file of model responses, made where it is missing; None keeps nothing.
        offline: True for the built-in simulator, which needs no key and no network.
        checks: rules that judge each task; None takes ``draft_rules()``.
        how: further options of ``draft_sessions``: ``committee`` (model checkers a task, default 1),
            ``sessions_at_once`` (default 64), ``progress`` (hears finished and all), ``on_draft``, ``on_quarantine``;
            and of ``agents.draft_all``: ``faults`` (of the simulator) and ``note`` (hears a line about each batch).

    Returns:
        Drafts in the order of the plans, quarantined rows, plans left where the run had to stop, and figures.
        ``len(drafts) + len(quarantined) + len(left) == len(plans)``.

    Raises:
        SettingsError: a model on a server has no key.

    Source: ``agents/drafting/drafts.py``, rules in ``validation/``.
    """
    from wildtool.agents import draft_all as draft
    from wildtool.flows.rules import draft_rules

    return draft(plans, settings, checks=checks or draft_rules(), cache=cache, offline=offline, **how)


def freeze(request: FreezeRequest, *, rules: ReleaseRules | None = None) -> ReleaseManifest:
    """Freeze labelled sessions into a folder that never changes again.

    Args:
        request: sessions, version, folder and terms; shares are from 0 to below 1, the agreement from -1 to 1.
        rules: rules that judge the sessions; None takes ``release_rules()``, with gold replayed against itself.

    Returns:
        The manifest: counts, files with SHA-256 and size in bytes, and what each rule found (at most 200 findings of
        each; ``GateCounts.of(manifest.gates)`` adds them up).

    Raises:
        GateError: a rule refuses, and ``request.allow`` does not name it; nothing is written. Doubts refuse nothing.
        FrozenError: the folder holds something else.
        InputError: a version that is not semantic, no session, an unknown id in ``allow``, a damaged parent.
        HomeError: the disk refuses.

    Source: ``warehouse/release/freezing.py``, rules in ``validation/``.
    """
    from wildtool.evaluation import rules_version
    from wildtool.flows.rules import release_rules
    from wildtool.flows.versions import code_version
    from wildtool.warehouse import freeze as write

    judge = release_rules() if rules is None else rules
    return write(request, rules=judge, code_version=code_version(), rules_version=rules_version())


def verify_release(folder: Path, *, rules: ReleaseRules | None = None) -> VerifyResult:
    """Check a release on any machine: checksums, schemas, counts, and the rules again.

    Args:
        folder: the release's folder, of this version or of 0.1.0.
        rules: rules that judge the sessions; None takes ``release_rules()``. What the maker allowed stays allowed.

    Returns:
        ``ok``, files and sessions checked, ``problems`` (one line each), and what each rule found, all findings.

    Raises:
        InputError: the folder holds no manifest.

    Source: ``warehouse/release/release.py``, rules in ``validation/``.
    """
    from wildtool.flows.rules import release_rules
    from wildtool.warehouse import verify_release as verify

    return verify(folder, release_rules() if rules is None else rules)

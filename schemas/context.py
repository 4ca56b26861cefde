"""What is known about a set of sessions beside the sessions themselves, when rules judge it as a release."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from wildtool.schemas.label import Adjudication, AgreementReport, Label
from wildtool.schemas.session_world import FrozenWorld


@dataclass(frozen=True)
class ReleaseContext:
    """What rules may know beside the sessions. A stranger who verifies a release knows less than its maker."""

    labels: Mapping[str, Sequence[Label]] | None = None
    """Labels by session id; None where they are not at hand."""
    adjudications: Mapping[str, Adjudication] = field(default_factory=dict)
    """Adjudications by session id."""
    agreement: AgreementReport | None = None
    """Agreement over the double-labelled slice."""
    agreement_threshold: float = 0.61
    """Least alpha and F1 over the double-labelled slice: from 0.61 on agreement is called substantial."""
    tasks_per_session: int = 4
    """Most tasks a session."""
    licences: Mapping[str, str] | None = None
    """Licence by tool list id; None where tool lists are not at hand."""
    earlier: Mapping[str, str] = field(default_factory=dict)
    """Everything the user says, as ``user_text`` gives it, by session id, of earlier releases."""
    judged: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Hashes of gold that earlier releases hold and that were judged there, by session id."""
    worlds: Mapping[str, FrozenWorld] = field(default_factory=dict)
    """Worlds by session id; sessions of 0.1.0 and imported ones have none."""
    foreign: frozenset[int] = frozenset()
    """Hashes of n-grams of texts that must not be repeated, such as public benchmarks."""

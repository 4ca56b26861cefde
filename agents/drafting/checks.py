"""What the drafting loop needs of whoever judges drafts. The rules themselves are passed in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from wildtool.language.spans import SURE
from wildtool.schemas.draft import Draft, Verdict


class DraftChecks(Protocol):
    """Judges drafts by rules, without a model."""

    @property
    def ids(self) -> Sequence[str]:
        """Ids that its verdicts may carry."""
        ...

    @property
    def blocking(self) -> Collection[str]:
        """Ids whose certain verdicts send a draft back. All others are doubts, shown to annotators."""
        ...

    def __call__(self, draft: Draft) -> Sequence[Verdict]:
        """Failed verdicts on a draft, or on as many of its tasks as are written."""
        ...


def failures(verdicts: Iterable[Verdict], checks: DraftChecks) -> tuple[Verdict, ...]:
    """The verdicts that send a draft back: failed, certain, and of a rule that may."""
    blocking = checks.blocking
    return tuple(v for v in verdicts if not v.ok and v.check in blocking and v.by == "rule" and v.confidence >= SURE)


class NoChecks:
    """Judges nothing: for a rehearsal that only counts requests."""

    ids: Sequence[str] = ()
    blocking: Collection[str] = ()

    def __call__(self, draft: Draft) -> Sequence[Verdict]:
        """No verdicts."""
        return ()

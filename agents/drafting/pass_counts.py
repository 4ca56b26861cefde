"""Count how often each check passed on a session's way to a draft."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wildtool.schemas.base import canonical_json, sha256_hex
from wildtool.schemas.draft import PassCount, RoleUsage

USABLE = "usable"
"""Passed by a try that gave a task at all, whatever the checks then say of it."""

VERSION_DIGITS = 8
"""Hex digits of a prompt version: prompts change tens of times, not millions."""


def prompt_version(hashes: dict[str, str]) -> str:
    """Version of a language's prompts: it changes when any of their files does."""
    return sha256_hex(canonical_json(hashes))[:VERSION_DIGITS]


@dataclass
class Tally:
    """Counts by check, over the tries of one session. ``checks``: ids of the rule checks that judge each task."""

    checks: Sequence[str] = ()
    counts: dict[str, list[int]] = field(default_factory=dict)
    usage: dict[str, RoleUsage] = field(default_factory=dict)

    def took(self, role: str, prompt_tokens: int, completion_tokens: int, seconds: float) -> None:
        """One answered request of a role."""
        one = RoleUsage(
            calls=1, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, seconds=round(seconds, 4)
        )
        self.usage[role] = self.usage[role].plus(one) if role in self.usage else one

    def note(self, check: str, passed: bool, *, first: bool) -> None:
        """One outcome; ``first``: of a first try, before any repair."""
        count = self.counts.setdefault(check, [0, 0, 0, 0])
        count[0] += 1
        count[1] += passed
        count[2] += first
        count[3] += first and passed

    def judged(self, failed: Iterable[str], *, first: bool) -> None:
        """A task that all rule checks have judged; ``failed`` are those that sent it back or doubt it."""
        doubted = set(failed)
        for check in (*self.checks, *sorted(doubted.difference(self.checks))):
            self.note(check, check not in doubted, first=first)

    def records(self) -> dict[str, PassCount]:
        """The counts as records, by check."""
        return {
            check: PassCount(tries=tries, passed=passed, first_tries=firsts, first_passed=right)
            for check, (tries, passed, firsts, right) in sorted(self.counts.items())
        }

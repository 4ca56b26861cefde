"""Plan the rounds of labelling: which sessions are labelled twice, and when a random sample suffices.

Round 1 labels every draft, and a slice of them twice; round 2 settles disagreements and failed checks; round 3 checks a
random sample of the settled sessions, sized by the accepted error. Pure: figures and choices.

A spot check that may grow until it passes gets several chances to pass by luck. So a sample with k errors must pass at a
confidence of 1 - a / 2^(k + 1), where a is the accepted chance of error: however often the sample grows, these chances
sum to at most a (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from wildtool.schemas.base import Record, sha256_hex
from wildtool.schemas.errors import InputError

DOUBLE_SHARE = 0.2
"""Share of drafts that two people label."""

ACCEPTED_ERROR = 0.05
"""Accepted share of wrong sessions."""

CONFIDENCE = 0.95
"""Confidence of the spot check."""


class SpotCheck(Record):
    """Outcome of a spot check."""

    population: int
    """Settled sessions."""
    checked: int
    """Sessions of the sample that were checked."""
    wrong: int
    """Checked sessions with an error."""
    upper: float
    """Upper limit of the share of wrong sessions at the stated confidence, corrected for earlier looks."""
    confidence: float
    """The confidence."""
    accepted_error: float
    """Accepted share of wrong sessions."""
    passed: bool
    """True if the upper limit is at most the accepted error."""
    still_needed: int
    """Further sessions to check if no more errors are found; 0 once it passed."""


def double_slice(
    drafts: Collection[str], *, share: float = DOUBLE_SHARE, seed: int = 0, already: Collection[str] = ()
) -> tuple[str, ...]:
    """Choose a share of the drafts to label twice, by hash. Those in ``already`` stay in the slice.

    The slice holds at least one draft, unless there are none or the share is 0.
    """
    if not 0 <= share <= 1:
        raise InputError(f"the share to label twice is {share}", "give a share from 0 to 1")
    kept = set(already).intersection(drafts)
    ordered = sorted(drafts, key=lambda draft: (draft not in kept, sha256_hex(f"{seed}\n{draft}")))
    count = math.ceil(share * len(ordered) - 1e-9)
    return tuple(sorted(ordered[: max(count, len(kept))]))


def sample_size(
    population: int, *, accepted_error: float = ACCEPTED_ERROR, confidence: float = CONFIDENCE, wrong: int = 0
) -> int:
    """Return how many sessions to check so that, with ``wrong`` errors, the upper limit is at most the accepted error.

    Exact for drawing without replacement (hypergeometric). Without an error: 62 of 256, 69 of 1,000, 72 of 5,000, all
    of ten.
    """
    _check(accepted_error, confidence)
    confidence = look_confidence(confidence, wrong)
    low, high = min(wrong, population), population
    while low < high:
        middle = (low + high) // 2
        if upper_limit(population, middle, wrong, confidence=confidence) <= accepted_error:
            high = middle
        else:
            low = middle + 1
    return low


def look_confidence(confidence: float, wrong: int) -> float:
    """Return the confidence that a sample with ``wrong`` errors needs so that all looks together reach ``confidence``."""
    return 1 - (1 - confidence) / 2.0 ** (wrong + 1)


def upper_limit(population: int, checked: int, wrong: int, *, confidence: float = CONFIDENCE) -> float:
    """Return the largest share of wrong sessions that the sample does not rule out, one-sided.

    It is the largest number of wrong ones for which a sample at least this good has a chance above 1 - confidence.
    """
    if population == 0:
        return 0.0
    low, high = wrong, population - (checked - wrong)
    while low < high:
        middle = (low + high + 1) // 2
        if _at_most(wrong, population, middle, checked) > 1 - confidence:
            low = middle
        else:
            high = middle - 1
    return low / population


def _at_most(wrong: int, population: int, bad: int, checked: int) -> float:
    """Return the chance of at most ``wrong`` bad ones in a sample without replacement."""
    good = population - bad
    ways = _log_ways(population, checked)
    possible = range(max(0, checked - good), min(wrong, bad, checked) + 1)
    return sum(math.exp(_log_ways(bad, k) + _log_ways(good, checked - k) - ways) for k in possible)


def _log_ways(n: int, k: int) -> float:
    """Return the logarithm of n choose k: the numbers themselves have hundreds of digits."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def spot_check_sample(sessions: Collection[str], size: int, *, seed: int) -> tuple[str, ...]:
    """Draw a random sample for the spot check: the first by hash, so that a larger sample contains the smaller one."""
    return tuple(sorted(sessions, key=lambda session: sha256_hex(f"spot check {seed}\n{session}"))[:size])


def spot_check_result(
    population: int,
    verdicts: Sequence[bool],
    *,
    accepted_error: float = ACCEPTED_ERROR,
    confidence: float = CONFIDENCE,
) -> SpotCheck:
    """Evaluate a spot check; ``verdicts`` holds True for each session of the sample that was found right."""
    _check(accepted_error, confidence)
    checked, wrong = len(verdicts), sum(not right for right in verdicts)
    if checked > population:
        raise InputError(f"{checked} of {population} sessions were checked", "count each session once")
    upper = upper_limit(population, checked, wrong, confidence=look_confidence(confidence, wrong))
    passed = upper <= accepted_error
    needed = sample_size(population, accepted_error=accepted_error, confidence=confidence, wrong=wrong)
    return SpotCheck(
        population=population,
        checked=checked,
        wrong=wrong,
        upper=upper,
        confidence=confidence,
        accepted_error=accepted_error,
        passed=passed,
        still_needed=0 if passed else max(0, needed - checked),
    )


def _check(accepted_error: float, confidence: float) -> None:
    if not 0 < accepted_error < 1 or not 0 < confidence < 1:
        raise InputError(
            f"accepted error {accepted_error}, confidence {confidence}",
            "give both as shares between 0 and 1, as 0.05 and 0.95",
        )

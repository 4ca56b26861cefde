"""How many examples property tests draw: few in fast runs, more by ``--hypothesis-profile=default`` or ``nightly``."""

from __future__ import annotations

from hypothesis import settings

FULL = 100
"""Examples of a property that names no number, in Hypothesis's own profile ``default``."""

FAST = "fast"

settings.register_profile(FAST, max_examples=FULL // 4, deadline=None)
settings.register_profile("nightly", max_examples=10 * FULL, deadline=None)


def examples(full: int) -> int:
    """The examples of a property that draws so many in profile ``default``, in the profile of this run; at least 10."""
    profile = settings.get_profile(settings.get_current_profile_name())
    return max(10, full * profile.max_examples // FULL)

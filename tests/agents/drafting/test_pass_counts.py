"""Counts of how often checks passed."""

from __future__ import annotations

from wildtool.agents.drafting.pass_counts import Tally, prompt_version


def test_first_tries_are_counted_apart() -> None:
    tally = Tally(checks=("dates", "names"))
    tally.judged(["names"], first=True)
    tally.judged([], first=False)
    dates, names = tally.records()["dates"], tally.records()["names"]
    assert (dates.tries, dates.passed, dates.first_tries, dates.first_passed) == (2, 2, 1, 1)
    assert (names.tries, names.passed, names.first_tries, names.first_passed) == (2, 1, 1, 0)


def test_a_check_that_was_not_announced_is_counted_too() -> None:
    tally = Tally(checks=())
    tally.judged(["surprise"], first=True)
    assert tally.records()["surprise"].passed == 0


def test_usage_adds_up_by_role() -> None:
    tally = Tally(checks=())
    tally.took("user", 100, 20, 0.5)
    tally.took("user", 10, 2, 0.25)
    tally.took("checker", 1, 1, 0.0)
    user = tally.usage["user"]
    assert (user.calls, user.prompt_tokens, user.completion_tokens, user.seconds) == (2, 110, 22, 0.75)
    assert tally.usage["checker"].calls == 1


def test_a_prompt_version_changes_with_any_prompt() -> None:
    hashes = {"en/user": "a", "en/reply": "b"}
    assert prompt_version(hashes) == prompt_version(dict(reversed(hashes.items())))
    assert prompt_version(hashes) != prompt_version({**hashes, "en/user": "c"})
    assert len(prompt_version(hashes)) == 8

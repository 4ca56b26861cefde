"""Days as people say them, and back again."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from wildtool.language.day_phrases import days_said, say_day, today
from wildtool.schemas.vocabulary import Language

NOW = "2026-07-15T09:00:00+00:00"  # a Wednesday


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("past", [True, False])
def test_a_day_is_understood_as_it_was_meant(language: Language, past: bool) -> None:
    for offset in range(14):
        now = f"{(date(2026, 12, 20) + timedelta(days=offset)).isoformat()}T09:00:00+00:00"
        for seed in range(30):
            day, words = say_day(now, language, Random(seed), past=past)
            assert (day < today(now)) == past
            assert day.isoformat() in days_said(words, now), (now, day, words)


def test_days_in_sentences() -> None:
    assert set(days_said("is it open tomorrow, or this Friday?", NOW)) == {"2026-07-16", "2026-07-17"}
    assert set(days_said("the day after tomorrow please", NOW)) == {"2026-07-17"}
    assert set(days_said("后天和7月20号", NOW)) == {"2026-07-17", "2026-07-20"}
    assert days_said("June 31 and may be", NOW) == {}

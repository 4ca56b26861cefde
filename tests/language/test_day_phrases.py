"""Days as people say them, and back again."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from wildtool.language.dates.spoken import when_said
from wildtool.language.day_phrases import day_of_month, say_day, today, weekday
from wildtool.schemas.vocabulary import Language


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("past", [True, False])
def test_a_day_is_understood_as_it_was_meant(language: Language, past: bool) -> None:
    for offset in range(14):
        now = f"{(date(2026, 12, 20) + timedelta(days=offset)).isoformat()}T09:00:00+00:00"
        for seed in range(30):
            day, words = say_day(now, language, Random(seed), past=past)
            assert (day < today(now)) == past
            assert when_said(words, language, now).allows(day), (now, day, words)
            if past:
                words = f"I was there {words}" if language is Language.EN else f"我是{words}去的"
            assert when_said(words, language, now).words(day), (now, day, words)


def test_names_of_days() -> None:
    assert (
        weekday(date(2026, 7, 15), Language.EN) == "Wednesday" and weekday(date(2026, 7, 19), Language.ZH) == "星期日"
    )
    assert [day_of_month(day, "en") for day in (1, 2, 3, 11, 22, 31)] == [
        "the 1st",
        "the 2nd",
        "the 3rd",
        "the 11th",
        "the 22nd",
        "the 31st",
    ]
    assert day_of_month(14, "zh") == "14号"

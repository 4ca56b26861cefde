"""The reader of dates as a whole: spans, directions, certainty, errors, time taken."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from time import perf_counter

import pytest

from wildtool.language.dates import Moment, MomentKind, read_dates
from wildtool.language.dates.calendars import (
    add_months,
    add_workdays,
    easter,
    feast_days,
    lunar_day,
    nth_weekday,
    solar_term,
)
from wildtool.language.dates.cascade import fold
from wildtool.language.dates.clocks import resolve_clock
from wildtool.language.dates.grammar import grammar
from wildtool.language.dates.ranges import complete
from wildtool.language.dates.said import Between, Said, from_table, merge, valid
from wildtool.schemas.errors import RegistryError

NOW = datetime(2026, 7, 9, 14, 20)


def only(text: str, language: str = "en", now: datetime = NOW) -> Moment:
    (span,) = read_dates(text, language, now)
    assert span.text == text[span.start : span.end]
    return span.best.value


@pytest.mark.parametrize(
    ("text", "now", "iso"),
    [
        ("next Monday", "2027-01-15T12:00", "2027-01-18"),
        ("in a month", "2025-01-31T09:00", "2025-02-28"),
        ("a year ago", "2028-02-29T09:00", "2027-02-28"),
        ("the 31st", "2026-04-05T09:00", "2026-05-31"),
        ("Feb 29", "2025-03-12T09:30", "2028-02-29"),
        ("Saturday week", "2025-12-29T10:00", "2026-01-10"),
        ("this weekend", "2025-08-24T16:45", "2025-08-23/2025-08-24"),
        ("next quarter", "2025-11-04T13:10", "2026-01-01/2026-03-31"),
        ("at the end of next month", "2026-01-31T09:00", "2026-02-28"),
        ("in 2 hours", "2026-12-31T23:15", "2027-01-01T01:15"),
    ],
)
def test_borders_of_months_and_years(text: str, now: str, iso: str) -> None:
    assert only(text, now=datetime.fromisoformat(now)).iso() == iso


@pytest.mark.parametrize(
    ("text", "language", "iso"),
    [
        ("I met him on Monday", "en", "2026-07-06"),
        ("I will meet him on Monday", "en", "2026-07-13"),
        ("did it arrive on Tuesday?", "en", "2026-07-07"),
        ("the fridge broke back in May", "en", "2026-05"),
        ("周一见了谁", "zh", "2026-07-06"),
        ("周一要见谁", "zh", "2026-07-13"),
        ("我5月买的手机", "zh", "2026-05"),
    ],
)
def test_the_verb_tells_the_direction(text: str, language: str, iso: str) -> None:
    assert only(text, language).iso() == iso


def test_ambiguous_spans_hold_every_reading_and_are_never_sure() -> None:
    (span,) = read_dates("start next Monday", "en", datetime(2025, 8, 24, 16, 45))
    assert span.ambiguous and not span.sure
    assert [reading.value.iso() for reading in span.readings] == ["2025-08-25", "2025-09-01"]
    (span,) = read_dates("on 03/04/2027", "en", NOW)
    assert {reading.value.iso() for reading in span.readings} == {"2027-03-04", "2027-04-03"}


def test_certainties_are_probabilities_in_order() -> None:
    for text in ("half past seven", "next Friday at 8", "the past 30 days", "Mother's Day"):
        for span in read_dates(text, "en", NOW):
            certainties = [reading.certainty for reading in span.readings]
            assert certainties == sorted(certainties, reverse=True)
            assert 0 <= sum(certainties) <= 1 + 1e-9


def test_offsets_are_of_the_text_as_given() -> None:
    text = "“İstanbul” – ＴＯＭＯＲＲＯＷ？ 明天 9：30"
    assert len(fold(text)) == len(text)
    assert [span.text for span in read_dates(text, "zh", NOW)] == ["明天 9：30"]


def test_an_offset_of_the_clock_is_left_out() -> None:
    now = NOW.replace(tzinfo=timezone(timedelta(hours=8)))
    assert only("in 20 minutes", now=now).iso() == "2026-07-09T14:40"


def test_a_week_said_once_is_meant_for_both_weekdays() -> None:
    assert [span.best.value.iso() for span in read_dates("下周三和周五", "zh", NOW)] == ["2026-07-15", "2026-07-17"]


def test_iso_and_bounds() -> None:
    assert Moment(MomentKind.TIME, time(7, 5)).iso() == "07:05"
    assert Moment(MomentKind.RANGE, None, date(2026, 1, 2)).iso() == "../2026-01-02"
    assert Moment(MomentKind.RANGE, None, date(2026, 1, 2)).bounds() == (None, "2026-01-02")
    assert Moment(MomentKind.MONTH, date(2026, 1, 1), date(2026, 1, 31)).bounds() == ("2026-01-01", "2026-01-31")
    assert Moment(MomentKind.DATE, date(2026, 1, 2)).bounds() == ("2026-01-02", "2026-01-02")


def test_unknown_language() -> None:
    with pytest.raises(RegistryError):
        read_dates("today", "xx", NOW)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00",
        "？" * 50,
        "1" * 400,
        "-/" * 200,
        "monday " * 200,
        "一" * 300,
        "\ue000\ue001",
        "in 99999 years",
        "January 32",
        "9999-99-99",
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_odd_texts_raise_nothing(text: str, language: str) -> None:
    read_dates(text, language, NOW)


@pytest.mark.parametrize(
    ("piece", "language"), [("from Monday to 3 ", "en"), ("下周三到12月", "zh"), ("half past ", "en"), ("1/2", "zh")]
)
def test_time_grows_with_the_text(piece: str, language: str) -> None:
    def taken(times: int) -> float:
        start = perf_counter()
        read_dates(piece * times, language, NOW)
        return perf_counter() - start

    taken(10)
    assert min(taken(800), taken(800)) < 16 * max(min(taken(200), taken(200)), 0.01)


def test_calendars() -> None:
    assert [easter(year).isoformat() for year in (2024, 2025, 2026, 2027)] == [
        "2024-03-31",
        "2025-04-20",
        "2026-04-05",
        "2027-03-28",
    ]
    springs = {2015: "02-19", 2020: "01-25", 2023: "01-22", 2026: "02-17", 2030: "02-03", 2034: "02-19"}
    assert all(lunar_day(year, 1, 1) == date.fromisoformat(f"{year}-{day}") for year, day in springs.items())
    assert lunar_day(2025, 8, 15) == date(2025, 10, 6)
    assert lunar_day(2025, 12, 0) == date(2026, 2, 16)
    assert lunar_day(2050, 1, 1) is None and lunar_day(2026, 13, 1) is None
    assert [solar_term(year, 6).day for year in (2024, 2025, 2026, 2027)] == [4, 4, 5, 5]
    assert solar_term(2026, 23) == date(2026, 12, 22)
    assert feast_days("thanksgiving", 2026) == (date(2026, 11, 26),)
    assert feast_days("lunar_new_years_eve", 2027) == (date(2027, 2, 5),)
    assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert add_workdays(date(2026, 7, 9), 2) == date(2026, 7, 13)
    assert add_workdays(date(2026, 7, 13), -1) == date(2026, 7, 10)
    assert nth_weekday(date(2026, 7, 1), date(2026, 7, 31), 4, -1) == date(2026, 7, 31)
    assert nth_weekday(date(2026, 7, 1), date(2026, 7, 31), 0, 5) is None


def test_every_feast_that_a_language_names_is_in_the_calendar() -> None:
    for language in ("en", "zh"):
        for _, value in grammar(language).tokens.values():
            if isinstance(value, Said) and value.feast is not None:
                assert feast_days(value.feast, 2026) != (), value.feast


def test_fields() -> None:
    assert merge(Said(day=3), Said(month=5)) == Said(day=3, month=5)
    assert merge(Said(day=3), Said(day=4)) is None
    assert not valid(Said(month=13)) and not valid(Said(hour=24, minute=5)) and valid(Said(hour=24, minute=0))
    assert from_table({"op": "edge", "edge": "end", "base": {"months": 0}}).base == Said(months=0)
    with pytest.raises(ValueError):
        from_table({"unit": "moon"})


def test_hours_of_twelve() -> None:
    assert [clock.at for clock in resolve_clock(Said(hour=7, minute=30), None, 0.6).options] == [
        time(7, 30),
        time(19, 30),
    ]
    assert resolve_clock(Said(hour=7, minute=30, half="pm"), None, 0.6).options[0].at == time(19, 30)
    assert resolve_clock(Said(hour=8, minute=0), "pm", 0.6).options[0].at == time(20)


def test_ends_complete_each_other() -> None:
    done = complete(Between(Said(day=12), Said(day=19, month=5)))
    assert done.start == Said(day=12, month=5)
    done = complete(Between(Said(hour=11, minute=0), Said(hour=1, minute=0, half="pm")))
    assert done.start is not None and done.start.half == "am"

"""Days in simulated results."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from wildtool.schemas.vocabulary import Language
from wildtool.worlds.result_days import a_day, advance, base_day, name_weekday

NOW = "2026-07-13T16:00:00+00:00"  # a Monday


@pytest.mark.parametrize("name", ["postedOn", "published_at", "createdDate", "issuedOn"])
def test_what_has_happened_lies_in_the_past_whatever_was_asked_for(name: str) -> None:
    days = [a_day(name, {"dateFrom": "2027-01-01"}, NOW, Random(seed)) for seed in range(40)]
    assert max(days) <= "2026-07-13"
    assert len(set(days)) > 3


@pytest.mark.parametrize("name", ["date", "releaseDate", "dueDate", "departureDate"])
def test_other_days_begin_where_the_call_asks(name: str) -> None:
    days = {a_day(name, {"dateFrom": "2026-08-01"}, NOW, Random(seed)) for seed in range(40)}
    assert min(days) == "2026-08-01"


def test_a_day_that_is_none_is_not_asked_for() -> None:
    assert base_day({"date": "2026-13-45", "day": "2026-09-01"}, NOW) == date(2026, 9, 1)
    assert base_day({"date": "tomorrow"}, NOW) == date(2026, 7, 13)


def test_days_of_a_list_follow_one_another_and_name_their_weekday() -> None:
    schema = {"properties": {"weekday": {"type": "string"}}}
    items = [{"date": "?", "weekday": "Sunday"} for _ in range(3)]
    for index, item in enumerate(items):
        item["date"] = "2026-01-01"
        advance(item, index, {}, NOW)
        name_weekday(item, schema, Language.EN)
    assert [item["weekday"] for item in items] == ["Monday", "Tuesday", "Wednesday"]
    name_weekday(items[0], schema, Language.ZH)
    assert items[0]["weekday"] == "星期一"


def test_a_schema_that_names_weekdays_otherwise_is_kept() -> None:
    item = {"date": "2026-07-13", "weekday": "sun"}
    name_weekday(item, {"properties": {"weekday": {"enum": ["mon", "sun"]}}}, Language.EN)
    assert item["weekday"] == "sun"

"""What arguments promise of results: bounds, days, flags and orders read off names, and unclear names that promise nothing."""

from __future__ import annotations

from typing import Any

import pytest

from wildtool.language.result_filters import filters_of, misfits

LEVELS = {"minSeverity": {"enum": ["critical", "high", "medium", "low"]}}
BREACHES: dict[str, tuple[dict[str, Any], Any, dict[str, Any]]] = {
    "highest price": ({"maxPrice": 30}, {"products": [{"price": 29}, {"price": 59}]}, {}),
    "price a person": ({"max_price": 30}, [{"price_per_person": 31}], {}),
    "lowest rating": ({"minRating": 8}, {"films": [{"rating": 7.9}]}, {}),
    "pay a year": ({"minSalary": 50000}, {"jobs": [{"yearlySalary": 38000}]}, {}),
    "radius": ({"radiusKm": 5}, {"airports": [{"distanceKm": 7}]}, {}),
    "year": ({"releasedAfter": 1980}, {"films": [{"year": 1979}]}, {}),
    "event named": ({"publishedAfter": 2010}, {"books": [{"publishedOn": "2009-12-31", "year": 2011}]}, {}),
    "since a day": ({"sinceDate": "2026-03-01"}, {"a": [{"publishedAt": "2026-02-28T23:00:00Z"}]}, {}),
    "until a day": ({"endDate": "2026-03-01"}, {"a": [{"date": "2026-03-02"}]}, {}),
    "on a day": ({"date": "2026-03-01"}, {"trips": [{"departureTime": "2026-03-02T07:00:00Z"}]}, {}),
    "after an hour": ({"afterTime": "18:30"}, {"x": [{"startsAt": "2026-01-01T14:00:00Z"}]}, {}),
    "level": ({"minSeverity": "high"}, {"v": [{"severity": "low"}]}, LEVELS),
    "flag": ({"inStockOnly": True}, {"p": [{"inStock": False}]}, {}),
    "another city": ({"city": "Lyon"}, {"hotels": [{"city": "Paris"}]}, {}),
    "too many": ({"limit": 2}, {"items": [{"a": 1}, {"a": 2}, {"a": 3}]}, {}),
    "newest first": ({"sortBy": "newest"}, {"a": [{"releaseDate": "2020-01-01"}, {"releaseDate": "2021-01-01"}]}, {}),
    "by price": ({"sort": "price_asc"}, {"a": [{"price": 3}, {"price": 2}]}, {}),
    "field and direction": ({"sort": "price", "order": "desc"}, {"a": [{"price": 3}, {"price": 4}]}, {}),
    "inside data": ({"max_price": 3}, {"data": {"items": [{"price": 4}]}}, {}),
}
FINE: dict[str, tuple[dict[str, Any], Any, dict[str, Any]]] = {
    "no field of the kind": ({"maxPrice": 30}, [{"cost": 59}], {}),
    "two fields of the kind": ({"sinceDate": "2026-03-01"}, [{"bornOn": "1980-01-01", "diedOn": "2020-01-01"}], {}),
    "expiry is no beginning": ({"from": "2026-03-01"}, [{"expiresAt": "2026-02-01"}], {}),
    "a city is no time": ({"from": "Paris", "to": "Lyon"}, [{"date": "2026-03-01"}], {}),
    "other units": ({"radiusKm": 5}, [{"distanceMeters": 900}], {}),
    "code and name": ({"city": "NYC"}, [{"city": "New York"}], {}),
    "enum without an order": ({"minKind": "b"}, [{"kind": "a"}], {"minKind": {"enum": ["a", "b"]}}),
    "an id is no order": ({"orderId": "A12"}, [{"a": 2}, {"a": 1}], {}),
    "either way where none is said": ({"sortBy": "price"}, [{"price": 9}, {"price": 2}], {}),
    "additions are no filters": ({"includeAwards": True}, [{"awards": False}], {}),
    "the year of a day": ({"sinceYear": 2026}, [{"publishedOn": "2026-01-01"}], {}),
    "an error": ({"maxPrice": 3}, {"error": {"code": 503}}, {}),
    "text": ({"maxPrice": 3}, "nothing", {}),
}


@pytest.mark.parametrize("name", BREACHES)
def test_a_result_that_is_not_what_was_asked_is_told(name: str) -> None:
    arguments, result, properties = BREACHES[name]
    assert len(list(misfits(arguments, result, properties))) == 1


@pytest.mark.parametrize("name", FINE)
def test_what_is_unclear_or_right_is_let_be(name: str) -> None:
    arguments, result, properties = FINE[name]
    assert list(misfits(arguments, result, properties)) == []


def test_bounds_include_their_value() -> None:
    for arguments, item in (({"maxPrice": 30}, {"price": 30}), ({"sinceYear": 2020}, {"year": 2020})):
        (bound,) = filters_of(arguments)
        name = bound.field(item)
        assert name is not None
        assert bound.allows(item[name])

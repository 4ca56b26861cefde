"""Rows follow from what was asked for, and from each other."""

from __future__ import annotations

from typing import Any

import pytest

from wildtool.schemas.world import FieldRole, WorldField, WorldSpec, WorldTable
from wildtool.worlds.furnishing.census import countries, people_of
from wildtool.worlds.furnishing.data import pool
from wildtool.worlds.furnishing.furnisher import Furnisher
from wildtool.worlds.furnishing.labels import nameable

NOW = "2026-05-21T14:30:00+00:00"
TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
NUMBER = {"type": "number"}


def _field(role: FieldRole, value: dict[str, Any]) -> WorldField:
    return WorldField(role=role, value=value)


def _fact(**value: Any) -> WorldField:
    return _field(FieldRole.FACT, value)


ID = _field(FieldRole.ID, TEXT)
LABEL = _field(FieldRole.LABEL, TEXT)


def _furnisher(
    noun: str, fields: dict[str, WorldField], *, key: str, opens: tuple[str, ...], language: str = "en"
) -> Furnisher:
    table = WorldTable(key=(key,), fields=fields, open=opens, noun=noun, rows=(6, 10))
    spec = WorldSpec.of(tool_list="t", language=language, tables={"rows": table}, tools={})
    return Furnisher(spec, seed=7, now=NOW)


def _rows(furnisher: Furnisher, **given: Any) -> list[dict[str, Any]]:
    return furnisher.partition("rows", given, lambda name, value: False)


@pytest.mark.parametrize(("language", "topic"), [("en", "food labelling"), ("zh", "食品标签")])
@pytest.mark.parametrize("noun", ["statute", "company", "product", "device", "animal", "course"])
def test_every_row_of_a_search_is_named_after_its_topic(language: str, topic: str, noun: str) -> None:
    fields = {"lawId": ID, "title": LABEL, "topics": _field(FieldRole.TOPIC, {"type": "array", "items": TEXT})}
    found = _rows(_furnisher(noun, fields, key="lawId", opens=("topics",), language=language), topics=topic)
    assert len(found) >= 3
    assert all(topic in row["title"].lower() for row in found), found


def test_a_sentence_is_no_topic() -> None:
    assert nameable("wind turbines")
    assert not nameable("She don't knows the answer, he said")
    assert not nameable("one two three four five six")
    assert not nameable("")


def test_a_job_is_named_after_its_role() -> None:
    fields = {"jobId": ID, "title": LABEL, "role": _fact(**TEXT), "city": _fact(**TEXT)}
    found = _rows(_furnisher("job", fields, key="jobId", opens=("city", "role")), city="Leeds", role="nurse")
    assert found
    assert all("nurse" in row["title"].lower() for row in found)


def test_rows_are_named_after_their_key() -> None:
    fields = {"drinkId": ID, "name": LABEL, "dish": _fact(**TEXT)}
    found = _rows(_furnisher("pairing", fields, key="drinkId", opens=("dish",)), dish="oysters")
    drinks = pool("drink", "en")
    assert drinks is not None
    assert {row["name"] for row in found} <= {drinks.name(number) for number in range(drinks.count)}


@pytest.mark.parametrize("code", ["KE", "DE", "CN"])
def test_countries_have_their_people(code: str) -> None:
    name = {"KE": "Kenya", "DE": "Germany", "CN": "China"}[code]
    fields = {
        "row_id": ID,
        "regionName": _fact(**TEXT),
        "population": _fact(**WHOLE),
        "densityPerKm2": _fact(**NUMBER),
        "year": _field(FieldRole.TIME, WHOLE),
    }
    furnisher = _furnisher("population figure", fields, key="row_id", opens=("regionName", "year"))
    (row,) = [dict(each) for each in _rows(furnisher, regionName=name, year=2015)][:1]
    assert row["population"] == people_of(code, 2015)
    assert row["densityPerKm2"] == pytest.approx(row["population"] / countries()[code][1], abs=0.06)


def test_all_countries_of_the_places_are_counted() -> None:
    from wildtool.worlds.furnishing.data import table

    assert {row[0] for row in table("places")["countries"]} == set(countries())


def test_wholes_agree_with_their_parts() -> None:
    step = {"type": "object", "properties": {"minutes": WHOLE, "name": TEXT}, "required": ["minutes", "name"]}
    fields = {
        "row_id": ID,
        "origin": _fact(**TEXT),
        "steps": _fact(type="array", items=step, minItems=2, maxItems=5),
        "totalMinutes": _fact(**WHOLE),
        "stepCount": _fact(**WHOLE),
    }
    for row in _rows(_furnisher("trip", fields, key="row_id", opens=("origin",)), origin="the university"):
        assert row["totalMinutes"] == sum(each["minutes"] for each in row["steps"])
        assert row["stepCount"] == len(row["steps"])


def test_energy_follows_from_what_is_in_the_food() -> None:
    fields = {"row_id": ID, "food": _fact(**TEXT)}
    fields |= {name: _fact(**NUMBER) for name in ("calories", "proteinG", "fatG", "carbsG")}
    for row in _rows(_furnisher("food", fields, key="row_id", opens=("food",)), food="oatmeal"):
        assert row["calories"] == pytest.approx(4 * row["proteinG"] + 9 * row["fatG"] + 4 * row["carbsG"], abs=0.1)


def test_flags_say_what_the_figures_say() -> None:
    fields = {"budgetId": ID, "name": LABEL, "limit": _fact(**WHOLE), "spent": _fact(**NUMBER)}
    fields["overspent"] = _fact(type="boolean")
    found = _rows(_furnisher("budget", fields, key="budgetId", opens=("overspent",)), overspent=True)
    assert found
    assert all(row["spent"] > row["limit"] for row in found)


def test_ranks_count_the_rows_from_the_highest() -> None:
    fields = {"rowId": ID, "topic": _fact(**TEXT), "rank": _fact(**WHOLE), "value": _fact(**NUMBER)}
    found = _rows(_furnisher("ranking", fields, key="rowId", opens=("topic",)), topic="x")
    assert sorted(row["rank"] for row in found) == list(range(1, len(found) + 1))
    by_rank = sorted(found, key=lambda row: row["rank"])
    assert [row["value"] for row in by_rank] == sorted((row["value"] for row in found), reverse=True)


def test_shares_of_one_list_are_parts_of_one_whole() -> None:
    fields = {"candidateId": ID, "name": LABEL, "voteShare": _fact(**NUMBER), "electionId": _fact(**TEXT)}
    found = _rows(_furnisher("candidate", fields, key="candidateId", opens=("electionId",)), electionId="el_1")
    assert sum(row["voteShare"] for row in found) <= 100


def test_one_artist_has_one_id() -> None:
    fields = {"trackId": ID, "title": LABEL, "artistName": _fact(type="string", examples=["Ada", "Ben", "Cleo"])}
    fields["artistId"] = _fact(type="string", examples=["art_1042", "art_2219"])
    fields["genre"] = _fact(**TEXT)
    ids: dict[str, set[str]] = {}
    for row in _rows(_furnisher("track", fields, key="trackId", opens=("genre",)), genre="folk"):
        ids.setdefault(row["artistName"], set()).add(row["artistId"])
    assert len(ids) > 1
    assert all(len(each) == 1 for each in ids.values())
    assert len(set.union(*ids.values())) == len(ids)


def test_what_has_happened_lies_before_the_clock() -> None:
    fields = {"documentId": ID, "title": LABEL, "folder": _fact(**TEXT)}
    fields["changedOn"] = _field(FieldRole.TIME, {"type": "string", "format": "date"})
    found = _rows(_furnisher("document", fields, key="documentId", opens=("folder",)), folder="School")
    assert found
    assert all(row["changedOn"] <= NOW[:10] for row in found)

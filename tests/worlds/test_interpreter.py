"""Calls on a small world by hand: what they show, refuse and change."""

from __future__ import annotations

import pytest

from tests.worlds.cinema import NOW, SPEC, TOOLS, Source, cinema
from wildtool.schemas.world import ErrorKind, WorldSpec
from wildtool.worlds.diff import fields_changed, net
from wildtool.worlds.interpreter import World
from wildtool.worlds.lineage import origin_of


def titles(result: dict) -> list[str]:
    return [film["title"] for film in result["films"]]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({}, ["Eleven Bridges", "Harbour Nine", "Nobody's Compass"]),
        ({"limit": 50}, ["Eleven Bridges", "Harbour Nine", "Nobody's Compass", "The Winter Harbour"]),
        ({"limit": 2, "offset": 3}, ["The Winter Harbour"]),
        ({"keyword": "harbour"}, ["Harbour Nine", "The Winter Harbour"]),
        ({"keyword": "HARBOUR winter"}, ["The Winter Harbour"]),
        ({"keyword": "submarine"}, []),
        ({"genre": "Drama", "minRating": 7.8}, ["Harbour Nine", "The Winter Harbour"]),
        ({"before": 2014}, ["The Winter Harbour"]),
        ({"sortBy": "rating"}, ["The Winter Harbour", "Harbour Nine", "Eleven Bridges"]),
        ({"sortBy": "rating", "direction": "asc"}, ["Nobody's Compass", "Eleven Bridges", "Harbour Nine"]),
        ({"limit": 0}, []),
    ],
)
def test_find(arguments, wanted):
    outcome = cinema().call("findFilms", arguments)
    assert outcome.error is None
    assert titles(outcome.result) == wanted


def test_count_is_of_all_and_echo_only_where_given():
    found = cinema().call("findFilms", {"genre": "drama", "limit": 1}).result
    assert found["total"] == 3 and len(found["films"]) == 1 and found["genre"] == "drama"
    assert "genre" not in cinema().call("findFilms", {}).result


def test_cursor_walks_all_rows_and_belongs_to_its_query():
    world = cinema()
    first = world.call("findFilms", {"limit": 3}).result
    last = world.call("findFilms", {"limit": 3, "cursor": first["next"]}).result
    assert titles(first) + titles(last) == titles(world.call("findFilms", {"limit": 50}).result)
    assert "next" not in last
    assert world.call("findFilms", {"genre": "drama", "cursor": first["next"]}).error is ErrorKind.INVALID_ARGUMENT


def test_near_is_ordered_by_distance_and_bounded():
    near = [row["title"] for row in cinema().call("nearFilms", {"lat": 45.19, "lon": 4.0}).result]
    assert near == ["Nobody's Compass", "Eleven Bridges", "Harbour Nine"]
    assert len(cinema().call("nearFilms", {"lat": 45.19, "lon": 4.0, "radius": 5}).result) == 1


@pytest.mark.parametrize(
    ("tool", "arguments", "kind"),
    [
        ("getFilm", {"filmId": "flm_9999"}, ErrorKind.NOT_FOUND),
        ("getFilm", {}, ErrorKind.INVALID_ARGUMENT),
        ("getFilm", {"filmId": 3}, ErrorKind.INVALID_ARGUMENT),
        ("getFilm", {"filmId": "flm_0001", "extra": 1}, ErrorKind.INVALID_ARGUMENT),
        ("findFilms", {"sortBy": "colour"}, ErrorKind.INVALID_ARGUMENT),
        ("findFilms", {"limit": -1}, ErrorKind.INVALID_ARGUMENT),
        ("listShowings", {"filmId": "flm_9999"}, ErrorKind.MISSING_REFERENCE),
        ("bookSeats", {"showingId": 77, "seats": 1}, ErrorKind.MISSING_REFERENCE),
        ("bookSeats", {"showingId": 2, "seats": 1}, ErrorKind.CONFLICT),
        ("bookSeats", {"showingId": 1, "seats": 0}, ErrorKind.INVALID_ARGUMENT),
        ("cancelBooking", {"bookingId": "bkg_0001"}, ErrorKind.NOT_FOUND),
        ("boxOffice", {"city": "Lyon", "start": "2026-03-05", "end": "2026-03-01"}, ErrorKind.INVALID_ARGUMENT),
        ("reviewTone", {"text": "fine"}, ErrorKind.NOT_SIMULATED),
        ("noSuchTool", {}, ErrorKind.NOT_SIMULATED),
    ],
)
def test_refusals_say_why_and_change_nothing(tool, arguments, kind):
    world = cinema()
    outcome = world.call(tool, arguments)
    assert outcome.error is kind
    assert outcome.result["error"]["code"] == str(kind) and outcome.result["error"]["message"]
    assert outcome.changes == () and world.rows.journal == []


def test_an_empty_search_is_no_error():
    outcome = cinema().call("listShowings", {"filmId": "flm_0004"})
    assert outcome.error is None and outcome.result == {"showings": []}


def test_join_and_day():
    found = cinema().call("listShowings", {"filmId": "FLM_0001", "date": "2026-03-05"}).result["showings"]
    assert found == [{"showingId": 1, "startsAt": "2026-03-05T19:30:00Z", "seats": 5, "film": "Harbour Nine"}]


def test_writes_show_in_later_reads_and_are_taken_back():
    world = cinema()
    booked = world.call("bookSeats", {"showingId": 1, "seats": 2})
    assert booked.result["state"] == "held" and booked.result["createdAt"] == "2026-03-02T09:30:00Z"
    assert [c.kind for c in booked.changes] == ["create", "update"]
    seats = world.call("listShowings", {"filmId": "flm_0001"}).result["showings"][0]["seats"]
    assert seats == 3
    assert world.call("listBookings", {}).result == [
        {"bookingId": booked.result["bookingId"], "seats": 2, "state": "held"}
    ]
    wrong = world.call("changeBooking", {"bookingId": booked.result["bookingId"], "state": "used"})
    assert wrong.error is ErrorKind.CONFLICT
    assert world.call("changeBooking", {"bookingId": booked.result["bookingId"], "state": "paid"}).error is None
    world.call("cancelBooking", {"bookingId": booked.result["bookingId"]})
    assert world.call("listShowings", {"filmId": "flm_0001"}).result["showings"][0]["seats"] == 5
    assert net(world.rows.journal) == ()


def test_diff_names_what_changed():
    world = cinema()
    world.call("bookSeats", {"showingId": 3, "seats": 4})
    created, updated = net(world.rows.journal)
    assert created.table == "booking" and updated.table == "showing"
    assert fields_changed(updated) == ("seats",)


def test_forks_do_not_see_each_other():
    world = cinema()
    fork = world.fork()
    fork.call("bookSeats", {"showingId": 3, "seats": 4})
    assert world.call("listBookings", {}).result == []
    assert fork.call("listBookings", {}).result != []


def test_series_windows_agree_on_shared_points():
    world = cinema()
    week = world.call("boxOffice", {"city": "Lyon", "start": "2026-02-20", "end": "2026-02-26"}).result
    days = {row["day"]: row["takings"] for row in week["days"]}
    assert len(days) == 7
    part = world.call("boxOffice", {"city": "lyon", "start": "2026-02-24", "days": 2}).result
    assert part["city"] == "Lyon"  # the thing that was seen first stays
    assert [row["day"] for row in part["days"]] == ["2026-02-24", "2026-02-25"]
    assert all(days[row["day"]] == row["takings"] for row in part["days"])
    assert [row["day"] for row in world.call("boxOffice", {"city": "Lyon"}).result["days"]] == [
        "2026-02-28",
        "2026-03-01",
        "2026-03-02",
    ]


def test_aggregate():
    assert cinema().call("filmStatistics", {"genre": "drama"}).result == {"films": 3, "mean": 7.43}
    assert cinema().call("filmStatistics", {"genre": "western"}).result == {"films": 0}


def test_lineage_names_row_and_field_or_all_rows_of_a_figure():
    outcome = cinema().call("findFilms", {"genre": "drama"})
    origin = origin_of(outcome.lineage, "films[1].title")
    assert (origin.table, origin.keys, origin.field) == ("film", (("flm_0004",),), "title")
    assert len(origin_of(outcome.lineage, "total").keys) == 3
    assert origin_of(outcome.lineage, "genre").kind == "argument"
    assert ("film", ("flm_0001",)) in outcome.read


def test_same_calls_give_the_same_bytes():
    calls = [("bookSeats", {"showingId": 1, "seats": 2}), ("listBookings", {}), ("boxOffice", {"city": "Lyon"})]
    one, other = cinema(), cinema()
    assert [repr(one.call(*c).result) for c in calls] == [repr(other.call(*c).result) for c in calls]


@pytest.mark.parametrize(
    "broken",
    [
        {"tables": {"a": {"key": ["x"], "fields": {}}}, "tools": {}},
        {"tables": {"a": {"fields": {"x": {"role": "ref", "ref": "b.y"}}}}, "tools": {}},
        {"tables": {"a": {"fields": {"x": {"role": "fact", "ref": "a.x"}}}}, "tools": {}},
        {"tables": {}, "tools": {"t": {"op": "get", "table": "a"}}},
        {"tables": {}, "tools": {"t": {"op": "compute"}}},
        {"tables": {}, "tools": {"t": {"op": "exec", "code": "import os"}}},
        {"tables": {}, "tools": {"t": {"op": "opaque", "code": "import os"}}},
        {
            "tables": {"a": {"fields": {}}},
            "tools": {"t": {"op": "list", "table": "a", "where": [{"parameter": "p", "op": "eq", "fields": ["z"]}]}},
        },
    ],
)
def test_specs_with_unknown_words_or_places_are_refused(broken):
    with pytest.raises(ValueError):
        WorldSpec.of(tool_list="tls_x", language="en", **broken)


def test_spec_survives_json():
    assert WorldSpec.model_validate_json(SPEC.to_json()) == SPEC


def test_lineage_counts_the_items_that_are_shown():
    """A list of single values leaves out rows without one; its places are those of the result."""
    listed = SPEC.model_dump(mode="json", exclude={"id"})
    listed["tools"]["findFilms"]["result"] = {"node": "rows", "item": {"node": "field", "field": "title"}}

    class Untitled(Source):
        def initial(self, table):
            return [{**row, "title": None} if row.get("year") == 2020 else row for row in super().initial(table)]

    outcome = World(WorldSpec.of(**listed), TOOLS, Untitled(), NOW).call("findFilms", {"limit": 50})
    assert outcome.result == ["Harbour Nine", "Nobody's Compass", "The Winter Harbour"]
    assert [origin_of(outcome.lineage, f"[{n}]").keys[0][0] for n in range(3)] == ["flm_0001", "flm_0004", "flm_0003"]

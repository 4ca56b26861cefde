"""Mutants of the cinema: what changes a call is noticed, what no call can tell survives and speaks against the spec."""

from __future__ import annotations

import pytest

from tests.worlds.cinema import NOW, SPEC, TOOLS, Source, tool
from tests.worlds.test_properties import changed
from wildtool.schemas.world import WorldSpec
from wildtool.worlds.mutants import acceptable, mutants

BARE = ("where", "sort", "page", "require", "effects")


def test_each_decision_has_a_mutant():
    kinds = {each.kind for each in mutants(SPEC, TOOLS)}
    assert kinds == {
        "predicate",
        "sort",
        "page",
        "window",
        "key",
        "set",
        "guard",
        "effect",
        "child",
        "order",
        "transition",
    }
    assert all(each.spec != SPEC for each in mutants(SPEC, TOOLS))
    assert len({each.place for each in mutants(SPEC, TOOLS)}) == len(list(mutants(SPEC, TOOLS)))


def test_the_cinema_is_accepted():
    found = acceptable(SPEC, TOOLS, Source(), NOW)
    assert found.accepted and found.rate >= 0.95, [each.place for each in found.survivors]
    assert found.total == len(list(mutants(SPEC, TOOLS)))


@pytest.mark.parametrize(
    "place",
    [
        "findFilms.where[0] keyword: dropped",
        "findFilms.where[2] minRating: ge turned into gt",
        "findFilms.sort.orders rating: turned round",
        "findFilms.page.cursor: ignored",
        "bookSeats.effects[0]: dropped",
        "bookSeats.effects[0]: never undone",
        "bookSeats.require[0]: dropped",
        "changeBooking.set state: dropped",
        "getFilm.key filmId: dropped",
        "booking.state.transitions: dropped",
        "film.order: turned round",
        "boxOffice.window.end: ignored",
    ],
)
def test_it_is_noticed(place):
    assert place in {each.place for each in mutants(SPEC, TOOLS)}
    assert place not in {each.place for each in acceptable(SPEC, TOOLS, Source(), NOW).survivors}


def test_a_documented_default_is_the_schemas_decision():
    bare = [t.model_copy(update={"parameters": {**t.parameters, "properties": {}}}) for t in TOOLS]
    said = {each.place for each in mutants(SPEC, TOOLS)}
    assert "findFilms.page.default: changed" not in said
    assert "findFilms.page.default: changed" in {each.place for each in mutants(SPEC, bare)}


def test_conditions_that_no_row_tells_apart_are_refused():
    """A filter and an order over a field that all rows leave empty."""
    spec = WorldSpec.of(
        tool_list="tls_x",
        language="en",
        tables={
            "note": {"key": ["id"], "fields": {"id": {"role": "id"}, "colour": {"role": "fact"}}, "order": ["colour"]}
        },
        tools={
            "listNotes": {
                "op": "list",
                "table": "note",
                "where": [{"parameter": "minColour", "op": "ge", "fields": ["colour"]}],
                "sort": {"parameter": "sort", "orders": {"colour": "colour"}},
                "result": {"node": "rows", "item": {"node": "constant", "value": "note"}},
            }
        },
    )

    class Notes(Source):
        def initial(self, table):
            return [{"id": str(n)} for n in range(3)]

    found = acceptable(spec, [tool("listNotes", minColour={"type": "integer"}, sort={"type": "string"})], Notes(), NOW)
    assert not found.accepted, "orders of rows that look alike decide nothing"
    assert {each.place for each in found.survivors} >= {
        "note.order: dropped",
        "listNotes.sort.orders colour: turned round",
    }
    assert "listNotes.where[0] minColour: dropped" not in {each.place for each in found.survivors}


def test_properties_alone_notice_most():
    found = acceptable(SPEC, TOOLS, Source(), NOW, properties=True)
    assert found.by_property > 0.4 * found.total


def test_a_spec_without_decisions_is_accepted():
    spec = changed(
        **{"tools": {"listBookings": SPEC.model_dump(mode="json")["tools"]["listBookings"]}, "tables.booking.key": []}
    )
    bare = spec.model_dump(mode="json", exclude={"id"})
    bare["tables"] = {"booking": {"fields": {"seats": {"role": "fact"}}}}
    bare["tools"]["listBookings"]["result"] = None
    assert acceptable(WorldSpec.of(**bare), TOOLS, Source(), NOW).rate == 1.0


def test_gold_calls_notice_what_probes_miss():
    """A film's showings in their order: only this film has two on days that its key does not order."""
    order = "showing.order: dropped"
    assert order in {each.place for each in acceptable(SPEC, TOOLS, Source(), NOW).survivors}

    class Shuffled(Source):
        def initial(self, table):
            rows = super().initial(table)
            return [
                {**row, "startsAt": f"2026-03-0{9 - row['showingId']}"} if table == "showing" else row for row in rows
            ]

    gold = [[("listShowings", {"filmId": "flm_0001"})]]
    assert order not in {each.place for each in acceptable(SPEC, TOOLS, Shuffled(), NOW, gold=gold).survivors}

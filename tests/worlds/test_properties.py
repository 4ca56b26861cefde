"""Each property passes the cinema and catches at least one world that is broken on purpose."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers

from tests.worlds.cinema import NOW, SPEC, TOOLS, Source, cinema, tool
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import ErrorKind, WorldSpec
from wildtool.worlds.interpreter import Outcome, World
from wildtool.worlds.properties import PROPERTIES, check, judge, same_seed_same_bytes, sound
from wildtool.worlds.properties.drawing import draw
from wildtool.worlds.rows import Change


def changed(**at: Any) -> WorldSpec:
    """The cinema's spec with other values: ``changed(**{"tools.findFilms.page": None})``."""
    whole = deepcopy(SPEC.model_dump(mode="json", exclude={"id"}))
    for path, value in at.items():
        *steps, last = path.split(".")
        place: Any = whole
        for step in steps:
            place = place[int(step)] if isinstance(place, list) else place[step]
        if isinstance(place, list):
            last = int(last)
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return WorldSpec.of(**whole)


class Broken:
    """A world that promises the cinema's spec and does something else."""

    def __init__(self, world: World | None = None) -> None:
        self.world = world or cinema()
        self.spec, self.now, self.rows = SPEC, NOW, self.world.rows

    def fork(self) -> Broken:
        made = type(self)(self.world.fork())
        made.__dict__.update({k: v for k, v in self.__dict__.items() if k not in ("world", "rows")})
        return made

    def call(self, name: str, arguments: dict) -> Outcome:
        return self.broken(name, arguments, self.world.call(name, arguments))

    def broken(self, name: str, arguments: dict, outcome: Outcome) -> Outcome:
        return outcome

    def result(self, outcome: Outcome, **fields: Any) -> Outcome:
        return replace(outcome, result={**outcome.result, **fields})


class Executes(Broken):
    """Promises the cinema's spec and executes another."""

    other: WorldSpec = SPEC

    def __init__(self, world: World | None = None) -> None:
        super().__init__(world or World(self.other, TOOLS, Source(), NOW))


def executes(spec: WorldSpec) -> type[Executes]:
    return type("Executes", (Executes,), {"other": spec})


class Raises(Broken):
    def broken(self, name, arguments, outcome):
        if name == "nearFilms":
            raise KeyError("lat")
        return outcome


class TextForNumber(Broken):
    def broken(self, name, arguments, outcome):
        return outcome if outcome.error or name != "getFilm" else self.result(outcome, year="1994")


class FilterAdds(Broken):
    """A search for a genre shows one film more than a search for all."""

    def broken(self, name, arguments, outcome):
        if name == "findFilms" and outcome.error is None and "genre" not in arguments:
            shown = outcome.result["films"][1:]
            lineage = {
                path.replace(f"[{n}]", f"[{n - 1}]"): origin
                for n in range(1, len(shown) + 1)
                for path, origin in outcome.lineage.items()
                if f"[{n}]" in path
            }
            return replace(outcome, result={"films": shown}, lineage=lineage)
        return outcome


class CountsThePage(Broken):
    def broken(self, name, arguments, outcome):
        if name != "findFilms" or outcome.error:
            return outcome
        return self.result(outcome, total=len(outcome.result["films"]))


class RoundsUp(Broken):
    def broken(self, name, arguments, outcome):
        if name != "filmStatistics" or "mean" not in outcome.result:
            return outcome
        return self.result(outcome, mean=outcome.result["mean"] + 1)


class OtherTitle(Broken):
    """The detail page calls the film something else."""

    def broken(self, name, arguments, outcome):
        return outcome if outcome.error or name != "getFilm" else self.result(outcome, title="Another Film")


class ReadsBook(Broken):
    """Listing the showings of a film takes a seat."""

    def call(self, name, arguments):
        outcome = self.world.call(name, arguments)
        if name == "listShowings" and outcome.error is None and outcome.result["showings"]:
            key = next(o.keys[0] for o in outcome.lineage.values() if o.table == "showing")
            self.rows.update("showing", key, {"seats": (self.rows.get("showing", key) or {})["seats"] - 1})
        return outcome


class Jitters(Broken):
    """What a search shows depends on how many calls came before."""

    calls = 0

    def broken(self, name, arguments, outcome):
        self.calls += 1
        if name == "boxOffice" and outcome.error is None:
            return self.result(outcome, city=f"{outcome.result['city']} {self.calls}")
        return outcome


class MovingSeries(Broken):
    """The takings of a day depend on the window that was asked for."""

    def broken(self, name, arguments, outcome):
        if name != "boxOffice" or outcome.error:
            return outcome
        days = [{**row, "takings": row["takings"] + len(outcome.result["days"])} for row in outcome.result["days"]]
        return self.result(outcome, days=days)


class RefusesHalfway(Broken):
    """A refused booking has taken the seats already."""

    def broken(self, name, arguments, outcome):
        if name == "bookSeats" and outcome.error is ErrorKind.CONFLICT:
            self.rows.update("showing", ("1",), {"seats": 1})
        return outcome


class TouchesOthers(Broken):
    """A booking renames a film, and the journal of the call does not say so."""

    def broken(self, name, arguments, outcome):
        if name == "bookSeats" and outcome.error is None:
            self.rows.update("film", ("flm_0002",), {"title": "Twelve Bridges"})
        return outcome


class NeverBooked(Broken):
    """A booking is confirmed and kept nowhere."""

    def broken(self, name, arguments, outcome):
        if name == "bookSeats" and outcome.error is None:
            own = next(change for change in outcome.changes if change.kind == "create")
            self.rows.delete("booking", own.key)
        return outcome


class StillThere(Broken):
    """A cancelled booking stays."""

    def broken(self, name, arguments, outcome):
        if name == "cancelBooking" and outcome.error is None:
            row = next(change.before for change in outcome.changes if change.kind == "delete")
            self.rows.create("booking", row)
        return outcome


class AnyState(Broken):
    """A state follows any other."""

    def call(self, name, arguments):
        if name == "changeBooking" and (key := (arguments["bookingId"],)) in self.rows.table("booking"):
            before = self.rows.get("booking", key)
            after = self.rows.update("booking", key, {"state": "used"})
            return Outcome({}, None, {}, (Change("update", "booking", key, before, after),))
        return self.world.call(name, arguments)


class IgnoresTheDefault(Broken):
    """Without a limit a search shows one film, with the documented one all of them."""

    def call(self, name, arguments):
        if name == "findFilms" and "limit" not in arguments:
            arguments = {**arguments, "limit": 1}
        return self.world.call(name, arguments)


FALLS = {"parameter": "sortBy", "direction": "direction", "orders": {"rating": "title", "title": "-rating"}}
FAULTS = [
    ("valid_calls_are_taken", Raises),
    ("valid_calls_are_taken", executes(changed(**{"tools.getFilm": {"op": "opaque"}}))),
    ("filters_narrow", FilterAdds),
    ("filters_narrow", executes(changed(**{"tools.findFilms.where.2.op": "gt"}))),
    ("filters_hold", executes(changed(**{"tools.findFilms.where.1": ...}))),
    ("filters_hold", executes(changed(**{"tools.filmStatistics.where": []}))),
    ("names_are_kept", executes(changed(**{"tools.findFilms.where.2.op": "le"}))),
    ("pages_concatenate", CountsThePage),
    ("pages_concatenate", executes(changed(**{"tools.findFilms.page": None}))),
    (
        "pages_concatenate",
        executes(changed(**{"tools.findFilms.page.offset": None, "tools.findFilms.page.cursor": None})),
    ),
    ("sorts_permute", executes(changed(**{"tools.findFilms.sort": FALLS}))),
    ("sorts_permute", executes(changed(**{"tools.findFilms.sort": None}))),
    ("reads_agree", OtherTitle),
    ("reads_agree", executes(changed(**{"tools.getFilm.key": {}}))),
    ("counts_agree", RoundsUp),
    ("defaults_hold", IgnoresTheDefault),
    ("series_windows_agree", MovingSeries),
    ("reads_change_nothing", ReadsBook),
    ("reads_change_nothing", Jitters),
    ("writes_show", NeverBooked),
    ("writes_show", StillThere),
    ("writes_show", executes(changed(**{"tools.bookSeats.set.seats": ...}))),
    ("writes_show", executes(changed(**{"tools.bookSeats.set.state": ...}))),
    ("others_untouched", TouchesOthers),
    ("effects_show", executes(changed(**{"tools.bookSeats.effects": []}))),
    ("effects_show", executes(changed(**{"tools.bookSeats.effects.0.op": "add"}))),
    ("effects_show", executes(changed(**{"tools.bookSeats.effects.0.undone_by": []}))),
    ("guards_hold", executes(changed(**{"tools.bookSeats.require": []}))),
    ("transitions_hold", AnyState),
    ("refusals_change_nothing", RefusesHalfway),
]


def names(violations: list) -> set[str]:
    return {each.property for each in violations}


def test_the_cinema_keeps_all_of_them():
    assert check(SPEC, TOOLS, cinema, rounds=12) == []


@given(seed=integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_the_cinema_keeps_them_for_any_calls(seed):
    assert judge(cinema(), TOOLS, seed=seed, rounds=1) == []


@pytest.mark.parametrize(("name", "world"), FAULTS)
def test_a_planted_fault_is_caught(name, world):
    holds = PROPERTIES[name]
    tools = {each.name: each for each in TOOLS}
    seen = [each for n in range(40) for each in holds(world(), tools, Random(n))]
    assert seen, f"{name} does not notice {world.__name__}"
    assert names(seen) == {name}


def test_results_that_do_not_fit_the_declared_schema_are_caught():
    year = {"type": "object", "properties": {"year": {"type": "integer"}}}
    tools = {each.name: each.model_copy(update={"returns": year}) for each in TOOLS if each.name == "getFilm"}
    results_fit = PROPERTIES["results_fit"]
    assert results_fit(cinema(), tools, Random(0)) == []
    assert names(results_fit(TextForNumber(), tools, Random(0))) == {"results_fit"}


def test_every_property_has_a_planted_fault():
    assert {name for name, _ in FAULTS} | {"results_fit"} == set(PROPERTIES)


def test_worlds_that_differ_by_more_than_the_seed_are_caught():
    made = iter(range(9))

    def make() -> Jitters:
        world = Jitters()
        world.calls = 100 * next(made)
        return world

    assert names(same_seed_same_bytes(make, TOOLS)) == {"same_seed_same_bytes"}
    assert same_seed_same_bytes(cinema, TOOLS) == []


def test_a_raising_call_hides_no_other_fault():
    class Both(Raises):
        def broken(self, name, arguments, outcome):
            return CountsThePage.broken(self, name, arguments, super().broken(name, arguments, outcome))

    assert {"valid_calls_are_taken", "pages_concatenate"} <= names(judge(Both(), TOOLS, rounds=8))


def film(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}


@pytest.mark.parametrize(
    ("spec", "tools", "told"),
    [
        (SPEC, TOOLS[1:], "is not one of the list's tools"),
        (SPEC, (*TOOLS, tool("rateFilm")), "the spec has no operation for it"),
        (changed(**{"tools.findFilms.where.1.parameter": "kind"}), TOOLS, "no parameter kind"),
        (changed(**{"tools.findFilms.page.limit": "size"}), TOOLS, "no parameter size"),
        (changed(**{"tools.findFilms.page.default": 9}), TOOLS, "the schema says 3"),
        (changed(**{"tools.findFilms.sort.default": "colour"}), TOOLS, "no order colour"),
        (changed(**{"tools.findFilms.result.fields.total": {"node": "field", "field": "nil"}}), TOOLS, "no field nil"),
        (changed(**{"tools.bookSeats.effects.0.field": "chairs"}), TOOLS, "no field chairs"),
        (changed(**{"tools.bookSeats.effects.0.ref": "seats"}), TOOLS, "seats is no ref"),
        (changed(**{"tools.bookSeats.effects.0.undone_by": ["giveBack"]}), TOOLS, "no tool giveBack"),
        (changed(**{"tools.bookSeats.require.0.field": "chairs"}), TOOLS, "no field chairs"),
        (changed(**{"tools.cancelBooking.key": {}}), TOOLS, "names no row"),
        (changed(**{"tools.cancelBooking.key": {"seats": "bookingId"}}), TOOLS, "may name several rows"),
        (
            changed(**{"tools.listShowings.where.0.fields": ["showingId"], "tools.listShowings.where.0.parent": None}),
            TOOLS,
            "one row at most",
        ),
        (changed(**{"tables.film.rows": [9, 3]}), TOOLS, "from 9 to 3"),
        (changed(**{"tables.film.fields.filmId.pattern": "flm"}), TOOLS, "needs one place"),
        (
            changed(**{"tools.getFilm.parameters": {"filmId": {"role": "unsupported"}}}),
            TOOLS,
            "filmId is required and unsupported",
        ),
        (
            changed(**{"tools.listBookings.parameters": {}, "tools.getFilm.parameters": {"title": {"role": "text"}}}),
            TOOLS,
            "no parameter title",
        ),
        (
            changed(
                **{"tools.findFilms.parameters": {"cursor": {"role": "equal"}}, "tools.findFilms.page.cursor": None}
            ),
            TOOLS,
            "no condition reads",
        ),
    ],
)
def test_unsound_specs_are_named(spec, tools, told):
    assert any(told in each.detail for each in sound(spec, tools)), [str(each) for each in sound(spec, tools)]


@pytest.mark.parametrize(
    ("returns", "told"),
    [
        ({"type": "array", "items": {}}, "the tool returns array"),
        (film(filmId="string", title="array"), None),
        ({**film(filmId="string", title="string", year="integer"), "required": ["director"]}, "lacks director"),
        ({**film(filmId="string"), "additionalProperties": False}, "has no title"),
    ],
)
def test_a_result_of_another_shape_than_declared_is_named(returns, told):
    tools = [t.model_copy(update={"returns": returns}) if t.name == "getFilm" else t for t in TOOLS]
    seen = [each.detail for each in sound(SPEC, tools)]
    assert (seen == []) if told is None else any(told in each for each in seen)


def test_drawn_calls_are_valid_and_mostly_find_something():
    world, finds, films = cinema(), 0, {each.name: each for each in TOOLS}["findFilms"]
    for number in range(100):
        arguments = draw(world, films, Random(number))
        outcome = world.call("findFilms", arguments)
        assert outcome.error is None, arguments
        finds += bool(outcome.result["films"])
    assert 40 < finds < 100, "some find nothing: these are calls as well"


def test_a_call_that_cannot_be_drawn_is_none():
    strange = Tool(
        name="getFilm",
        description="",
        parameters={
            "type": "object",
            "properties": {"filmId": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{7}$"}},
            "required": ["filmId"],
        },
    )
    assert draw(cinema(), strange, Random(0)) is None


def test_a_violation_reads_as_one_line():
    seen = judge(CountsThePage(), TOOLS, rounds=8)
    assert str(seen[0]).startswith("pages_concatenate: findFilms {") and "\n" not in str(seen[0])

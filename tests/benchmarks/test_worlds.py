"""What ``python -m benchmarks.worlds`` counts: planted contradictions are seen, sessions of one world show none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.worlds.__main__ import figures_of, measure, show
from benchmarks.worlds.coverage import BadInput, accuracy, read_lists, read_truth
from benchmarks.worlds.drafts import COUNTERS, count, remarks
from tests.drafted import draft_of
from tests.worlds.cinema import SPEC as CINEMA
from tests.worlds.cinema import TOOLS as CINEMA_TOOLS
from tests.worlds.cinema import Source
from wildtool.schemas.draft import Draft
from wildtool.schemas.plan import Blueprint, PlannedArgument, PlannedCall
from wildtool.schemas.session import Answer, Call, HiddenIntent, Task
from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, Language, TaskType
from wildtool.schemas.world import WorldSpec
from wildtool.worlds.coverage import Derived, certainty, coverage, unsupported

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def tool(name: str, **parameters: Any) -> Tool:
    return Tool(name=name, description=name, parameters={"type": "object", "properties": parameters, "required": []})


TOOLS = (
    tool("listHolidays", country=TEXT, year=WHOLE),
    tool(
        "findRestaurants",
        city=TEXT,
        limit={"type": "integer", "default": 2},
        maxPrice=WHOLE,
        openNow={"type": "boolean"},
    ),
    tool("getRestaurant", restaurantId=TEXT),
    tool("bookTable", restaurantId=TEXT, seats=WHOLE),
    tool("compareCountries", countries={"type": "array", "items": TEXT}),
    tool("getWeather", city=TEXT, units={"type": "string", "enum": ["metric", "imperial"], "default": "metric"}),
    tool("searchFlights", originCity=TEXT, date=TEXT),
)
LIST = ToolList.of(
    slug="town",
    title="Town",
    description="A town.",
    language=Language.EN,
    category="c",
    subcategory="s",
    source="core",
    licence="CC0",
    version="1",
    tools=TOOLS,
)
LION, SALT = {"restaurantId": "r1", "name": "Red Lion"}, {"restaurantId": "r2", "name": "Salt"}


def call(name: str, arguments: dict, shows: Any) -> Call:
    return Call(name=name, arguments=arguments, observation=shows)


def planned(action: Call, **earlier: dict) -> PlannedCall:
    return PlannedCall(
        tool=action.name,
        arguments=tuple(
            PlannedArgument(parameter=name, **({"source": "user", "value": value} | earlier.get(name, {})))
            for name, value in action.arguments.items()
        ),
    )


def session(*tasks: tuple[str, list[Call]], intent: HiddenIntent | None = None, **earlier: dict) -> Draft:
    """A draft of messages and calls; the last task points, its values come from ``earlier``."""
    made, plans = [], []
    for number, (user, actions) in enumerate(tasks):
        last = number == len(tasks) - 1
        kind = TaskType.SINGLE if actions else TaskType.CHAT
        made.append(
            Task(user=user, type=kind, hidden_intent=intent if last else None, actions=(*actions, Answer(text="Done.")))
        )
        plans.append(Blueprint(type=kind, calls=tuple(planned(each, **(earlier if last else {})) for each in actions)))
    return draft_of(LIST, made, plans, now="2026-03-02T09:30:00+00:00")


def one(*calls: Call) -> Draft:
    return session(*((f"Message {number}.", [each]) for number, each in enumerate(calls)))


def find(*shown: dict, city: str = "Lyon", **more: Any) -> Call:
    return call("findRestaurants", {"city": city, **more}, {"city": city, "restaurants": list(shown)})


def get(shown: dict, wanted: str = "r1") -> Call:
    return call("getRestaurant", {"restaurantId": wanted}, shown)


PLANTED = [
    (
        "other_year",
        one(call("listHolidays", {"country": "Peru", "year": 2024}, {"holidays": [{"date": "2026-07-28"}]})),
    ),
    ("other_entities", one(call("getWeather", {"city": "Lyon", "units": "metric"}, {"city": "Graz", "high": 9}))),
    ("other_entities", one(get({"restaurantId": "r7", "name": "Salt"}))),
    (
        "other_entities",
        one(call("compareCountries", {"countries": ["Peru", "Chile"]}, {"ranking": [{"name": "Kenya", "value": 3}]})),
    ),
    ("renamed", one(find(LION), get({**LION, "name": "Blue Lion"}))),
    ("renamed", one(find(LION), call("bookTable", {"restaurantId": "r1"}, {"bookingId": "b1", "restaurant": "Salt"}))),
    ("id_changed", one(find(LION), find({"restaurantId": "r9", "name": "Red Lion"}))),
    ("default_ignored", one(call("getWeather", {"city": "Lyon"}, {"city": "Lyon", "units": "imperial"}))),
    ("default_ignored", one(find(LION, SALT, {"restaurantId": "r3", "name": "Oak"}))),
    ("filter_broken", one(find({**LION, "price": 50}, maxPrice=20))),
    ("filter_broken", one(find({**LION, "open": False}, openNow=True))),
    ("length_wrong", one(find(LION, SALT, limit=1))),
    ("length_wrong", one(call("findRestaurants", {"limit": 5}, {"restaurants": [LION], "total": 4}))),
    ("length_wrong", one(call("findRestaurants", {"limit": 5}, {"restaurants": [LION, SALT], "count": 1}))),
]


@pytest.mark.parametrize(("name", "draft"), PLANTED)
def test_a_planted_contradiction_is_counted(name, draft):
    counted = count([draft])
    assert counted[name] == 1 and sum(counted[each] for each in COUNTERS) == 1, list(remarks(draft))
    assert counted["drafts"] == 1


CLEAN = [
    one(
        call(
            "listHolidays",
            {"country": "Peru", "year": 2024},
            {"holidays": [{"date": "2024-07-28", "createdAt": "2020-01-01"}]},
        )
    ),
    one(call("compareCountries", {"countries": ["Peru", "Chile"]}, {"ranking": [{"name": "Chile"}, {"name": "Peru"}]})),
    one(call("getWeather", {"city": "Lyon"}, {"city": "Lyon, France", "units": "metric"})),
    one(call("getWeather", {"city": "Lyon"}, {"error": {"code": "not_found", "units": "imperial"}})),
    one(
        find(LION, SALT),
        get(LION),
        call("bookTable", {"restaurantId": "r1"}, {"bookingId": "b1", "restaurant": "Red Lion"}),
    ),
    one(find({**LION, "price": 20, "open": True}, maxPrice=20, openNow=True)),
    one(call("findRestaurants", {"limit": 1}, {"restaurants": [LION], "total": 4})),
    one(
        call(
            "searchFlights",
            {"date": "2026-12-31"},
            {"flights": [{"departs": "2026-12-31T23:00", "arrives": "2027-01-01T06:00"}]},
        )
    ),
    # Two screenings at one cinema: the name is the cinema's.
    one(
        call(
            "searchFlights",
            {},
            {"flights": [{"flightId": "f1", "airlineName": "Blue"}, {"flightId": "f2", "airlineName": "Blue"}]},
        )
    ),
]


@pytest.mark.parametrize("draft", CLEAN)
def test_what_one_world_can_show_is_not_counted(draft):
    assert not list(remarks(draft))


POINTS = HiddenIntent(kind=HiddenIntentKind.COREFERENCE, device=Device.ORDINAL, piece="restaurantId", said_in=0)
FIRST = {"source": "earlier", "value": None, "task": 0, "action": 0, "path": "restaurants[0].restaurantId"}
SAID = HiddenIntent(kind=HiddenIntentKind.COREFERENCE, device=Device.DEMONSTRATIVE, piece="city", said_in=0)
CITY = {"source": "earlier", "value": "Lyon", "task": 0}
OAK = {"restaurantId": "r3", "name": "Oak"}


@pytest.mark.parametrize(
    ("text", "between", "rivals"),
    [
        ("Then open the first one.", [find(SALT, OAK, city="Graz")], 1),
        ("Then open the first one from the very first list.", [find(SALT, OAK, city="Graz")], 0),
        ("Then open the one called Red Lion.", [find(SALT, OAK, city="Graz")], 0),
        ("Then open the first one.", [call("getWeather", {"city": "Graz"}, {"city": "Graz"})], 0),
        ("Then open the first one.", [], 0),
    ],
)
def test_a_nearer_list_is_a_rival(text, between, rivals):
    draft = session(
        ("Eat in Lyon?", [find(LION, SALT)]), ("Well.", between), (text, [get(LION)]), intent=POINTS, restaurantId=FIRST
    )
    assert count([draft])["nearer_rival"] == rivals, list(remarks(draft))


@pytest.mark.parametrize(
    ("text", "between", "rivals"),
    [
        ("And the weather in that city?", "Graz", 1),
        ("And the weather in the city I gave you at the start?", "Graz", 0),
        ("And the weather in that city?", "Lyon", 0),
    ],
)
def test_a_nearer_value_is_a_rival(text, between, rivals):
    draft = session(
        ("Eat in Lyon?", [find(LION, city="Lyon")]),
        ("And there?", [find(SALT, city=between)]),
        (text, [call("getWeather", {"city": "Lyon"}, {"city": "Lyon"})]),
        intent=SAID,
        city=CITY,
    )
    assert count([draft])["nearer_rival"] == rivals, list(remarks(draft))


def spec() -> WorldSpec:
    uses = {"city": {"role": "equal", "certainty": 0.8}, "limit": {"role": "page"}, "maxPrice": {"role": "unsupported"}}
    return WorldSpec.of(
        tool_list=LIST.id,
        language="en",
        tables={"restaurant": {"key": ["restaurantId"], "fields": {"restaurantId": {"role": "id"}}}},
        tools={
            "findRestaurants": {"op": "list", "table": "restaurant", "parameters": uses},
            "getRestaurant": {"op": "get", "table": "restaurant", "parameters": {"restaurantId": {"role": "key"}}},
            **{name.name: {"op": "opaque", "reason": "no table"} for name in TOOLS if "Restaurant" not in name.name},
        },
    )


def test_coverage_counts_tools_lists_and_reasons():
    found = coverage([Derived(LIST, spec())])
    assert (found["tools"], found["executable"], found["whole"], found["core_whole"], found["three"]) == (7, 2, 0, 0, 0)
    assert found["opaque"] == {"no table": 5} and found["operations"]["opaque"] == 5
    assert unsupported(spec())["findRestaurants.maxPrice"] == "no reason given"
    assert certainty(spec()) == 0.8


def test_accuracy_is_of_operations_and_required_parameters(tmp_path: Path):
    needed = [
        t.model_copy(update={"parameters": {**t.parameters, "required": ["city"]}})
        if t.name == "findRestaurants"
        else t
        for t in TOOLS
    ]
    listed = LIST.model_copy(update={"tools": tuple(needed)})
    rows = [
        {
            "list": "l",
            "tool": "findRestaurants",
            "operation": "list",
            "also": [],
            "roles": {"city": {"role": "text", "also": []}},
        },
        {"list": "l", "tool": "getRestaurant", "operation": "list", "also": ["get"], "roles": {}},
        {"list": "l", "tool": "getWeather", "operation": "series", "also": [], "roles": {}},
        {"list": "l", "tool": "gone", "operation": "get", "also": [], "roles": {}},
    ]
    path = tmp_path / "truth.jsonl"
    path.write_text("\n".join(json.dumps(row | {"executable": True}) for row in rows), encoding="utf-8")
    found = accuracy({"l": Derived(listed, spec())}, read_truth(path))
    assert (found["tools"], found["absent"], found["operations"]) == (3, 1, 0.6667)
    assert (found["required"], found["roles"]) == (1, 0.0)
    assert found["operations_confused"] == {"series taken for opaque": 1}
    assert found["roles_confused"] == {"text taken for equal": 1}
    assert "getWeather" not in json.dumps(found), "totals alone: nobody shall tune to single tools"


@pytest.mark.parametrize(
    "text", ['{"list": "l"}', '{"list":"l","tool":"t","operation":"guess","also":[],"roles":{},"executable":true}', "x"]
)
def test_a_truth_of_another_form_is_refused(text, tmp_path: Path):
    (tmp_path / "t.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"t\.jsonl, line 1"):
        read_truth(tmp_path / "t.jsonl")


def test_a_catalogue_that_is_none_is_refused(tmp_path: Path):
    with pytest.raises(BadInput, match="not there"):
        read_lists(tmp_path)
    (tmp_path / "lists.jsonl").write_text("{}", encoding="utf-8")
    with pytest.raises(BadInput, match="no catalogue"):
        read_lists(tmp_path)
    (tmp_path / "lists.jsonl").write_text(LIST.to_json(), encoding="utf-8")
    assert read_lists(tmp_path) == [LIST]


def test_without_a_catalogue_it_says_so(repository: Path, tmp_path: Path):
    command = [sys.executable, "-m", "benchmarks.worlds"]
    environment = {"PYTHONPATH": f"{repository / 'src'}:{repository}", "PATH": ""}
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "skipped: no catalogue" in ran.stdout, ran.stderr
    ran = subprocess.run(
        [*command, "--drafts", "."], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2 and "no warehouse" in ran.stderr


def test_a_catalogue_is_measured_as_a_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    listed = LIST.model_copy(update={"tools": CINEMA_TOOLS})
    (tmp_path / "lists.jsonl").write_text(listed.to_json(), encoding="utf-8")
    report = measure(tmp_path, None, 1, derive=lambda _: CINEMA, furnish=lambda *_: Source())
    assert report["coverage"]["executable"] == 10 and report["coverage"]["opaque"] == {"judges text": 1}
    assert report["properties"]["failures"] == 0 and report["mutants"]["rate"] >= 0.9
    took = report["times"]
    assert took["worlds"] == 1 and took["calls"] >= 8 and took["sqlite_query_ms"]["median"] > 0
    figures = figures_of(report)
    whole = next(figure for figure in figures if figure.what.startswith("lists wholly"))
    assert whole.missed and any(figure.absent for figure in figures), "no truth was given"
    show(report, figures)
    assert "judges text" in capsys.readouterr().out


def test_a_broken_world_shows_in_the_figures(tmp_path: Path):
    class Untitled(Source):
        """Films without the fields that filters and orders read."""

        def initial(self, table: str) -> list[dict[str, Any]]:
            return [{k: v for k, v in row.items() if k in ("filmId", "showingId")} for row in super().initial(table)]

    returns = {"type": "object", "properties": {"films": {"items": {"required": ["title"]}}}}
    tools = [t.model_copy(update={"returns": returns}) if t.name == "findFilms" else t for t in CINEMA_TOOLS]
    (tmp_path / "lists.jsonl").write_text(LIST.model_copy(update={"tools": tuple(tools)}).to_json(), encoding="utf-8")
    report = measure(tmp_path, None, 1, derive=lambda _: CINEMA, furnish=lambda *_: Untitled())
    assert report["properties"]["by_property"]["results_fit"] and report["mutants"]["refused"] == 1
    missed = {figure.what.split(",")[0] for figure in figures_of(report) if figure.missed}
    assert {"property failures", "mutants killed", "specs refused for their mutants"} <= missed

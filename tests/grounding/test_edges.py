"""Kept traces that still hold, and the edges that follow from where values come from."""

from __future__ import annotations

from typing import Any

import pytest

from tests.grounding.said import NOW, SETTING, ask, call, task
from wildtool.grounding.value_mentions import Cues
from wildtool.grounding.value_sources import (
    Edge,
    propose_edges,
    trace_value,
    verified,
)
from wildtool.schemas.session import Ask, Call, Task, ValueSource
from wildtool.schemas.vocabulary import Language

# Kept traces


def verify(tasks: list[Task], value: Any, number: int | None = None, **fields: Any) -> bool:
    number = len(tasks) - 1 if number is None else number
    return verified(ValueSource(argument="showId", **fields), value, tasks, number, Cues("showId", NOW, Language.EN))


TOLD = [
    task("In Lyon", call("findShows", {"shows": [{"id": "s1"}]}), answer="s1 is on"),
    task("Book Tosca", ask("?", "for Friday"), call("book", '{"ok": "yes"}', showId="s1")),
]


@pytest.mark.parametrize(
    ("value", "fields", "holds"),
    [
        ("Tosca", {"kind": "user", "quote": "tosca"}, True),
        ("Tosca", {"kind": "user", "task": 1, "quote": "Friday"}, True),
        ("Tosca", {"kind": "user", "task": 0, "quote": "Tosca"}, False),
        ("Tosca", {"kind": "user"}, True),
        ("Carmen", {"kind": "user"}, False),
        ("Lyon", {"kind": "earlier_user", "task": 0, "quote": "Lyon"}, True),
        ("Lyon", {"kind": "earlier_user", "task": 0}, True),
        ("Lyon", {"kind": "earlier_user", "task": 2, "quote": "Lyon"}, False),
        ("Lyon", {"kind": "earlier_user", "task": -1, "quote": "Tosca"}, False),
        ("s1", {"kind": "observation", "task": 0, "action": 0, "path": "shows[0].id"}, True),
        ("S1", {"kind": "observation", "task": 0, "action": 0, "path": "shows[0].id"}, True),
        ("s2", {"kind": "observation", "task": 0, "action": 0, "path": "shows[0].id"}, False),
        ("s1", {"kind": "observation", "task": 0, "action": 0, "path": "shows[1].id"}, False),
        ("s1", {"kind": "observation", "task": 0, "action": 0, "path": "shows[0].name"}, False),
        ("s1", {"kind": "observation", "task": 0, "action": 0}, False),
        ("s1", {"kind": "observation", "task": 0, "path": "shows[0].id"}, False),
        ("s1", {"kind": "observation", "task": 0, "action": 1, "path": "shows[0].id"}, False),
        ("s1", {"kind": "observation", "task": 0, "action": 2, "path": "shows[0].id"}, False),
        ("s1", {"kind": "observation", "task": 0, "action": -2, "path": "shows[0].id"}, False),
        ("yes", {"kind": "observation", "action": 1, "path": "ok"}, True),
        ("x", {"kind": "default"}, False),
        ("x", {"kind": "clock"}, True),
        ("x", {"kind": "clock", "quote": "friday"}, True),
        ("x", {"kind": "knowledge", "quote": "lyon"}, True),
        ("x", {"kind": "knowledge", "quote": "Rome"}, False),
        ("x", {"kind": "unknown"}, False),
    ],
)  # fmt: skip
def test_a_kept_trace_holds_if_the_words_were_said_or_the_path_leads_there(value, fields, holds):
    assert verify(TOLD, value, **fields) is holds


def test_a_kept_trace_of_a_default_and_of_later_words():
    cues = Cues("limit", NOW, Language.EN, {"default": 20})
    assert verified(ValueSource(argument="limit", kind="default"), 20, TOLD, 1, cues)
    assert not verified(ValueSource(argument="limit", kind="default"), 21, TOLD, 1, cues)
    assert not verify(TOLD, "x", number=0, kind="clock", quote="Friday")
    assert not verify(TOLD, "Tosca", number=0, kind="earlier_user", task=1, quote="Tosca")


# Edges


def edges(*actions: Call | Ask, user: str = "Shows?", before: tuple[Task, ...] = ()) -> list[tuple[int, int, str, str]]:
    found = propose_edges([*before, task(user, *actions)], len(before), SETTING)
    return [(edge.action, edge.on, edge.argument, edge.path) for edge in found]


FIND = call("findShows", {"shows": [{"id": "s1-abc"}]}, city="Lyon")


def test_a_value_that_only_a_call_showed_binds_the_call_that_takes_it():
    assert edges(FIND, call("getShow", showId="s1-abc")) == [(1, 0, "showId", "shows[0].id")]
    assert edges(FIND, call("getShow", showId="s1-abc"), user="Show s1-abc") == []
    assert edges(call("getShow", showId="s1-abc"), FIND) == []


def test_a_value_of_an_earlier_task_binds_nothing():
    assert edges(call("getShow", showId="s1-abc"), before=(task("Shows?", FIND),)) == []


def test_an_echo_binds_nothing():
    echo = call("getShow", {"id": "s1-abc"}, showId="s1-abc")
    assert edges(echo, call("book", showId="s1-abc")) == []


def test_a_call_waits_for_the_question_about_its_slots():
    asked = ask("Where?", "Lyon", "city", "day", tool="findShows")
    assert edges(asked, call("findShows", city="Lyon")) == [(1, 0, "city", "")]
    assert edges(asked, call("getShow", city="Lyon")) == []
    assert edges(asked, call("findShows", limit=20)) == []
    assert propose_edges([task("Hi", asked, call("findShows", city="Lyon"))], 0, SETTING) == (Edge(1, 0, 0.95, "city"),)
    open_ask = ask("Where?", "Lyon", "city")
    assert edges(open_ask, call("getShow", city="Lyon")) == [(1, 0, "city", "")]


def test_one_edge_a_pair_the_surest_one():
    first = call("findShows", {"shows": [{"ref": 4, "word": "Tosca"}]})
    (edge,) = propose_edges([task("hm", first, call("getShow", showId="Tosca", number=4))], 0, SETTING)
    assert edge == Edge(1, 0, 0.97, "number", "shows[0].ref")
    (edge,) = propose_edges([task("hm", first, call("getShow", number=4, showId="Tosca"))], 0, SETTING)
    assert edge == Edge(1, 0, 0.97, "number", "shows[0].ref")


def test_edges_come_in_order():
    first, second = call("findShows", {"id": "s1-abc"}), call("findShows", {"id": "s2-abc"})
    found = edges(
        first, second, call("book", showId="s2-abc", filters={"x": "s1-abc"}), call("getShow", showId="s1-abc")
    )
    assert found == [(2, 0, "filters.x", "id"), (2, 1, "showId", "id"), (3, 0, "showId", "id")]


def test_a_producer_is_preferred_in_tracing_one_value():
    held = task("hm", call("findShows", {"id": "s1-abc"}), call("findShows", {"id": "s1-abc"}), call("getShow"))
    for producer in (0, 1):
        found = trace_value("s1-abc", "showId", [held], 0, 2, SETTING, producers={producer})
        assert found.action == producer

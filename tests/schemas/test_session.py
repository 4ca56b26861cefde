"""Graphs that a session may hold."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from wildtool.schemas.session import Answer, Call, Task


def task(*actions: Any, type: str = "single", **fields: Any) -> Task:
    return Task(user="hi", type=type, actions=actions, **fields)


def call(*depends_on: int) -> Call:
    return Call(name="f", arguments={}, depends_on=depends_on)


def test_a_sound_graph_passes() -> None:
    made = task(call(), call(0), call(), Answer(text="ok", depends_on=(1, 2)), type="multi", topology="mixed")
    assert [action.depends_on for action in made.actions] == [(), (0,), (), (1, 2)]


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ((call(1), call(0)), "cycle"),
        ((call(1), call(2), call(0)), "cycle"),
        ((call(5),), "no other action"),
        ((call(-1),), "no other action"),
        ((call(0),), "no other action"),
    ],
)
def test_broken_graphs_are_refused(actions: tuple[Call, ...], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        task(*actions)
    with pytest.raises(ValidationError, match=words):
        task(call(), alternatives=(actions,))


@pytest.mark.parametrize(("type", "topology"), [("single", "parallel"), ("multi", None), ("chat", "mixed")])
def test_topology_belongs_to_multi_tasks_only(type: str, topology: str | None) -> None:
    with pytest.raises(ValidationError, match="topology belongs to multi"):
        task(call(), type=type, topology=topology)


def test_unknown_kind_of_action_is_refused() -> None:
    with pytest.raises(ValidationError):
        task({"kind": "think", "text": "hm"})

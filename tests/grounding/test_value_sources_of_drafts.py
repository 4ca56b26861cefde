"""Where argument values come from, and the dependencies that the data flow shows."""

from __future__ import annotations

import pytest

from tests.validation.checked_drafts import draft
from wildtool.grounding.value_sources import Setting, propose_edges, trace_call
from wildtool.schemas.session import Answer, Call
from wildtool.schemas.vocabulary import Language, Topology

EN = Language.EN


@pytest.mark.parametrize("language", list(Language))
def test_every_value_has_its_source(language):
    whole = draft(language)
    setting = Setting.of(whole.plan.tool_list, whole.session.now)
    found = {
        (number, source.argument): source
        for number, task in enumerate(whole.session.tasks)
        for index in range(len(task.actions))
        for source in trace_call(whole.session.tasks, number, index, setting)
        if not (number == 1 and index == 2)
    }
    assert {place: source.kind for place, source in found.items()} == {
        (0, "city"): "user",
        (0, "country"): "knowledge",
        (1, "city"): "earlier_user",
        (1, "day"): "clock",
        (1, "kind"): "user",
        (1, "showId"): "observation",
        (2, "showId"): "observation",
        (2, "seats"): "user",
    }
    assert found[1, "city"].task == 0
    assert (found[1, "showId"].task, found[1, "showId"].action, found[1, "showId"].path) == (1, 0, "shows[1].showId")


@pytest.mark.parametrize("language", list(Language))
def test_dependencies_follow_the_data(language):
    whole = draft(language)
    setting = Setting.of(whole.plan.tool_list, whole.session.now)
    edges = [
        [(edge.action, edge.on) for edge in propose_edges(whole.session.tasks, number, setting)] for number in range(4)
    ]
    assert edges == [[], [(1, 0)], [(1, 0)], []]


def test_what_a_call_was_given_and_gives_back_binds_nobody():
    """Both calls take the show that task 1 found; that the first repeats its id is no reason to wait for it."""
    whole = draft(EN)
    first = Call(name="getShow", arguments={"showId": "show-94"}, observation={"showId": "show-94", "price": 35})
    second = Call(name="bookShow", arguments={"showId": "show-94", "seats": 2}, observation={"showId": "show-94"})
    actions = (first, second, Answer(text="Done.", depends_on=(0, 1)))
    task = whole.session.tasks[1].model_copy(
        update={"user": "Look at that one again and book two seats.", "actions": actions, "topology": Topology.PARALLEL}
    )
    setting = Setting.of(whole.plan.tool_list, whole.session.now)
    assert propose_edges((*whole.session.tasks[:2], task), 2, setting) == ()

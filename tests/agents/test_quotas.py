"""Quotas: exact counts, and cells dealt so that each can be filled."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from wildtool.agents.planning.quotas import apportion, can_reach, deal
from wildtool.agents.profiles import load_profile
from wildtool.grounding.distance import distance, planned_turns
from wildtool.schemas.errors import SettingsError
from wildtool.schemas.plan import Profile
from wildtool.schemas.vocabulary import HiddenIntentKind, Language, TaskType, Topology

SINGLE, MULTI, CLARIFY, CHAT = TaskType.SINGLE, TaskType.MULTI, TaskType.CLARIFY, TaskType.CHAT


def test_largest_remainder_sums_to_the_total() -> None:
    assert apportion({"a": 1, "b": 1, "c": 1}, 4) == {"a": 2, "b": 1, "c": 1}
    assert apportion({"a": 0.5, "b": 0.3, "c": 0.2}, 7) == {"a": 4, "b": 2, "c": 1}
    for total in range(40):
        assert sum(apportion({"a": 156, "b": 84, "c": 16}, total).values()) == total


def test_shares_that_sum_to_zero_are_refused() -> None:
    with pytest.raises(SettingsError, match="zero"):
        apportion({"a": 0.0}, 3)


def test_a_question_back_is_a_user_turn() -> None:
    types = (CLARIFY, SINGLE, CLARIFY, CHAT)
    assert planned_turns(types) == [2, 1, 2, 1]
    # Task 0 is last shown at its reply (turn 1), task 3 opens at turn 5.
    assert distance(planned_turns(types), 3, 0) == 4
    assert distance(planned_turns(types), 1, 0) == 1


def test_the_third_task_is_far_enough_only_behind_a_question() -> None:
    assert not can_reach(HiddenIntentKind.LONG_RANGE, (SINGLE, SINGLE, SINGLE, SINGLE), 2)
    assert can_reach(HiddenIntentKind.LONG_RANGE, (SINGLE, CLARIFY, SINGLE, SINGLE), 2)
    assert not can_reach(HiddenIntentKind.LONG_RANGE, (CLARIFY, SINGLE, SINGLE, SINGLE), 2)
    assert can_reach(HiddenIntentKind.LONG_RANGE, (SINGLE, SINGLE, SINGLE, SINGLE), 3)


@pytest.mark.parametrize("seed", range(5))
def test_the_original_quotas_are_met_exactly(seed: int) -> None:
    cells = deal(load_profile("wildtoolbench-1.0"), Language.EN, (), Random(seed))
    assert len({tuple(cell.type for cell in row) for row in cells}) == len(cells) == 256
    assert Counter(cell.topology for row in cells for cell in row if cell.topology) == {
        Topology.PARALLEL: 156,
        Topology.MIXED: 84,
        Topology.SEQUENTIAL: 16,
    }
    assert Counter(cell.hidden for row in cells for cell in row[1:]) == {
        HiddenIntentKind.COREFERENCE: 349,
        HiddenIntentKind.PARTIAL_INFORMATION: 240,
        HiddenIntentKind.LONG_RANGE: 179,
    }
    assert all(row[0].hidden is None for row in cells)
    for row in cells:
        types = [cell.type for cell in row]
        far = [n for n, cell in enumerate(row) if cell.hidden is HiddenIntentKind.LONG_RANGE]
        assert all(can_reach(HiddenIntentKind.LONG_RANGE, types, n) for n in far)
        assert len(far) <= 1


def _profile(**changes: object) -> Profile:
    fields = {
        "name": "test",
        "sessions": {"en": 10},
        "types": {"single": 1, "multi": 1},
        "topologies": {"parallel": 1, "sequential": 1},
        "hidden_intents": {"coreference": 0.5},
    }
    return Profile.model_validate({**fields, **changes})


def test_sampled_types_meet_their_shares_and_the_rest_leans_on_nothing() -> None:
    cells = deal(_profile(), Language.EN, (), Random(1))
    assert Counter(cell.type for row in cells for cell in row) == {SINGLE: 20, MULTI: 20}
    assert Counter(cell.hidden for row in cells for cell in row[1:]) == {HiddenIntentKind.COREFERENCE: 15, None: 15}


def test_more_long_range_tasks_than_places_are_refused() -> None:
    with pytest.raises(SettingsError, match="long-range"):
        deal(_profile(hidden_intents={"long_range": 1.0}), Language.EN, (), Random(1))


def test_a_language_without_sessions_gets_none() -> None:
    assert deal(_profile(), Language.ZH, (), Random(1)) == []

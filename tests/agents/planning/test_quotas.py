"""Quotas: exact counts, and cells dealt so that each can be filled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

import pytest

from wildtool.agents.planning.quotas import Cell, apportion, can_reach, deal
from wildtool.agents.profiles import load_profile
from wildtool.schemas.errors import SettingsError
from wildtool.schemas.plan import Profile
from wildtool.schemas.session import HiddenIntent
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


@dataclass(frozen=True)
class Finished:
    """A task that exists already."""

    type: TaskType
    topology: Topology | None = None
    hidden_intent: HiddenIntent | None = None


@dataclass(frozen=True)
class There:
    """A session that exists already."""

    tasks: Sequence[Finished]
    language: Language = Language.EN


def hidden(kind: str) -> HiddenIntent:
    return HiddenIntent(kind=HiddenIntentKind(kind), piece="city", said_in=0, distance=1)


def test_ties_go_to_the_earlier_key_and_no_total_needs_no_shares() -> None:
    assert apportion({"b": 1, "a": 1}, 1) == {"b": 1, "a": 0}
    assert apportion({"a": 1, "b": 3}, 2) == {"a": 1, "b": 1}
    assert apportion({"a": 0.0}, 0) == {"a": 0} and apportion({}, 0) == {}
    assert apportion({"a": 0, "b": 2}, 3) == {"a": 0, "b": 3}
    with pytest.raises(SettingsError, match="zero"):
        apportion({"a": -1.0, "b": 1.0}, 1)


def test_nothing_leans_on_what_comes_later() -> None:
    assert not can_reach(HiddenIntentKind.LONG_RANGE, (CLARIFY, CLARIFY, CLARIFY), 0)
    assert not can_reach(HiddenIntentKind.LONG_RANGE, (CLARIFY, CLARIFY, CLARIFY), 1)


@pytest.mark.parametrize("count", [3, 4, 5, 8, 9])
def test_all_sequences_come_once_before_one_comes_twice(count: int) -> None:
    profile = _profile(
        sessions={"en": count}, type_sequences="all", tasks_per_session=2, hidden_intents={"coreference": 1}
    )
    every = set(product((SINGLE, MULTI), repeat=2))
    for seed in range(20):
        seen = Counter(tuple(cell.type for cell in row) for row in deal(profile, Language.EN, (), Random(seed)))
        assert sum(seen.values()) == count
        assert {seen[each] for each in every} <= {count // 4, -(-count // 4)}


def test_sequences_that_exist_are_not_dealt_again_before_the_others() -> None:
    profile = _profile(sessions={"en": 6}, type_sequences="all", tasks_per_session=2)
    there = [There([Finished(SINGLE), Finished(SINGLE)])] * 2 + [
        There([Finished(MULTI, Topology.PARALLEL), Finished(SINGLE)])
    ]
    for seed in range(10):
        dealt = [tuple(cell.type for cell in row) for row in deal(profile, Language.EN, there, Random(seed))]
        assert len(dealt) == 3
        assert {(SINGLE, MULTI), (MULTI, MULTI)} <= set(dealt) and (SINGLE, SINGLE) not in dealt
    rng = Random(0)
    state = rng.getstate()
    assert deal(profile, Language.EN, there * 2, rng) == [] and rng.getstate() == state
    full = deal(
        _profile(sessions={"en": 4}, type_sequences="all", tasks_per_session=2), Language.EN, there[:2], Random(0)
    )
    assert len(full) == 2 and (SINGLE, SINGLE) not in {tuple(cell.type for cell in row) for row in full}


def test_types_without_a_share_are_in_no_sequence() -> None:
    profile = _profile(
        sessions={"en": 4}, type_sequences="all", tasks_per_session=2, types={"single": 1, "chat": 1, "multi": 0}
    )
    assert {cell.type for row in deal(profile, Language.EN, (), Random(0)) for cell in row} == {SINGLE, CHAT}


def test_only_sessions_of_the_language_count_as_there() -> None:
    there = [There([Finished(SINGLE)] * 4, Language.ZH)] * 3 + [There([Finished(SINGLE)] * 4)] * 2
    assert len(deal(_profile(), Language.EN, there, Random(0))) == 8
    assert len(deal(_profile(sessions={"en": 2, "zh": 4}), Language.ZH, there, Random(0))) == 1
    assert deal(_profile(sessions={"en": 2, "zh": 4}), Language.EN, there, Random(0)) == []


def test_what_is_there_counts_towards_every_quota() -> None:
    done = [Finished(MULTI, Topology.PARALLEL), *[Finished(MULTI, Topology.PARALLEL, hidden("coreference"))] * 3]
    there = [There(done)] * 4  # 16 multi tasks, all parallel; 12 later tasks, all pointing back
    rows = deal(_profile(), Language.EN, there, Random(3))
    types = Counter(cell.type for row in rows for cell in row)
    assert types == {SINGLE: 20, MULTI: 4}
    assert Counter(cell.topology for row in rows for cell in row if cell.topology) == {Topology.SEQUENTIAL: 4}
    assert Counter(cell.hidden for row in rows for cell in row[1:]) == {HiddenIntentKind.COREFERENCE: 3, None: 15}
    assert all(cell.topology is None for row in rows for cell in row if cell.type is not MULTI)
    assert all(cell.topology for row in rows for cell in row if cell.type is MULTI)
    assert {row[0].hidden for row in rows} == {None}


def test_only_multi_tasks_count_towards_topologies() -> None:
    there = [There([Finished(MULTI, Topology.PARALLEL), *[Finished(SINGLE)] * 3])] * 4
    rows = deal(_profile(), Language.EN, there, Random(3))
    assert Counter(cell.topology for row in rows for cell in row if cell.topology) == {
        Topology.PARALLEL: 6, Topology.SEQUENTIAL: 10,
    }  # fmt: skip


def test_which_sessions_have_a_long_range_task_is_drawn() -> None:
    profile = _profile(types={"single": 1}, hidden_intents={"long_range": 3, "coreference": 27})
    chosen = set()
    for seed in range(5):
        rows = deal(profile, Language.EN, (), Random(seed))
        chosen.add(
            tuple(n for n, row in enumerate(rows) if HiddenIntentKind.LONG_RANGE in {cell.hidden for cell in row})
        )
    assert len(chosen) > 1 and all(len(each) == 3 for each in chosen)


def test_what_went_past_a_target_is_made_up_for_by_the_others() -> None:
    there = [There([Finished(SINGLE)] * 4)] * 6  # 24 of 40 tasks: 20 were wanted
    rows = deal(_profile(), Language.EN, there, Random(3))
    assert Counter(cell.type for row in rows for cell in row) == {MULTI: 16}
    # First tasks of existing sessions count for no hidden intent.
    assert Counter(cell.hidden for row in rows for cell in row[1:]) == {HiddenIntentKind.COREFERENCE: 12}


def test_where_everything_went_past_its_target_shares_hold_for_the_rest() -> None:
    profile = _profile(hidden_intents={"coreference": 1, "partial_information": 1})
    # Existing multi tasks without a topology: none is done, and the targets of all are more than there are places.
    there = [There([Finished(MULTI)] * 4)] * 2
    rows = deal(profile, Language.EN, there, Random(1))
    multi = sum(cell.type is MULTI for row in rows for cell in row)
    held = Counter(cell.topology for row in rows for cell in row if cell.topology)
    assert sum(held.values()) == multi and abs(held[Topology.PARALLEL] - held[Topology.SEQUENTIAL]) <= 1


def test_shares_that_sum_to_one_leave_no_task_without() -> None:
    shares = {"coreference": 0.1, "partial_information": 0.2, "long_range": 0.7 / 3}
    shares["coreference"] = 1 - shares["partial_information"] - shares["long_range"]
    rows = deal(_profile(hidden_intents=shares), Language.EN, (), Random(1))
    assert None not in {cell.hidden for row in rows for cell in row[1:]}
    more = deal(_profile(hidden_intents={"coreference": 2, "partial_information": 1}), Language.EN, (), Random(1))
    assert Counter(cell.hidden for row in more for cell in row[1:]) == {
        HiddenIntentKind.COREFERENCE: 20, HiddenIntentKind.PARTIAL_INFORMATION: 10,
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_long_range_tasks_are_spread_over_sessions_before_one_has_two(seed: int) -> None:
    shares = {"long_range": 12, "coreference": 18}
    profile = _profile(sessions={"en": 6}, tasks_per_session=6, types={"single": 1}, hidden_intents=shares)
    rows = deal(profile, Language.EN, (), Random(seed))
    far = [sum(cell.hidden is HiddenIntentKind.LONG_RANGE for cell in row) for row in rows]
    assert far == [2] * 6
    fewer = deal(_profile(sessions={"en": 6}, tasks_per_session=6, types={"single": 1},
                          hidden_intents={"long_range": 6, "coreference": 24}), Language.EN, (), Random(seed))  # fmt: skip
    assert [sum(cell.hidden is HiddenIntentKind.LONG_RANGE for cell in row) for row in fewer] == [1] * 6


def test_exactly_as_many_long_range_tasks_as_places_are_dealt() -> None:
    shares = {"long_range": 1, "coreference": 2}  # four tasks a session: the last alone comes late enough
    rows = deal(_profile(types={"single": 1}, hidden_intents=shares), Language.EN, (), Random(0))
    assert all([cell.hidden is HiddenIntentKind.LONG_RANGE for cell in row] == [False] * 3 + [True] for row in rows)
    with pytest.raises(SettingsError, match="wants 11 long-range tasks, but only 10"):
        deal(
            _profile(types={"single": 1}, hidden_intents={"long_range": 11, "coreference": 19}),
            Language.EN,
            (),
            Random(0),
        )


def test_the_same_seed_deals_the_same_cells_and_another_one_others() -> None:
    profile = load_profile("wildtoolbench-1.0")
    first = deal(profile, Language.EN, (), Random(1))
    assert first == deal(profile, Language.EN, (), Random(1)) != deal(profile, Language.EN, (), Random(2))
    # Nothing is dealt in the order of its list: not sequences, not topologies, not hidden intents.
    multi = [cell.topology for row in first for cell in row if cell.topology]
    assert multi != sorted(multi, key=multi.index)
    kinds = [cell.hidden for row in first for cell in row[1:]]
    assert kinds != sorted(kinds, key=kinds.index)
    types = [tuple(cell.type for cell in row) for row in first]
    assert types != sorted(types)
    sampled = [cell.type for row in deal(_profile(), Language.EN, (), Random(0)) for cell in row]
    assert sampled != sorted(sampled, key=sampled.index)
    assert isinstance(first[0][0], Cell)

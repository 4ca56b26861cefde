"""The search for the best assignment against going through all sets, and where it is hardest: equal branches, many equal
names, arguments in the wrong order, wide and long graphs."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.evaluation.matching.attempts import best_of_all, branches, placed
from tests.examples import examples
from wildtool.evaluation.matching import assignment as assign
from wildtool.evaluation.matching.assignment import Call, Search
from wildtool.evaluation.matching.graph import bits, graph_of
from wildtool.evaluation.matching.matcher import Matcher, plan_of


@st.composite
def shuffled(draw):
    """A graph of 7 to 9 actions of one or two names, done in a valid order with arguments that belong elsewhere."""
    size = draw(st.integers(7, 9))
    depends = [[j for j in range(i) if not draw(st.integers(0, 5))] for i in range(size)]
    names = [draw(st.sampled_from("aab")) for _ in range(size)]
    contents = draw(st.sampled_from([list(range(size)), [i % 3 for i in range(size)]]))
    given_contents = draw(st.permutations(contents))
    left, steps = set(range(size)), []
    while left:
        ready = [i for i in left if left.isdisjoint(depends[i])]
        taken = draw(st.lists(st.sampled_from(ready), min_size=1, max_size=3, unique=True))
        left.difference_update(taken)
        steps.append([(names[i], given_contents[i]) for i in taken])
    return depends, names, contents, steps


@given(shuffled())
@example(
    (
        [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6], []],
        ["a"] * 9,
        list(range(9)),
        [[("a", content)] for content in (5, 0, 1, 2, 3, 4, 6, 7, 8)],
    )
)
@settings(max_examples=examples(100), deadline=None)
def test_shuffled_arguments_are_assigned_as_well_as_can_be(attempt):
    depends, names, contents, steps = attempt
    graph = graph_of(depends)
    everything = range(len(names))

    def best(until: int) -> int:
        """Most right calls of the first steps, by going through all sets of completed actions."""

        @cache
        def from_here(done: int, place: int) -> int:
            return 0 if place == until else within(done, graph.ready(done), place, 0)

        @cache
        def within(done: int, ready: int, place: int, call: int) -> int:
            if call == len(steps[place]):
                return from_here(done, place + 1)
            name, content = steps[place][call]
            found = -100
            for i in everything:
                if ready >> i & 1 and not done >> i & 1 and names[i] == name:
                    found = max(found, (contents[i] == content) + within(done | 1 << i, ready, place, call + 1))
            return found

        return from_here(0, 0)

    matcher = Matcher(plan_of(graph, names, contents), lambda call, i: call == contents[i])
    for place, step in enumerate(steps):
        assert matcher.step(step)  # by name the order is valid
        assert matcher.calls_right == best(place + 1)
        taken = [action for made in matcher.assignment() for action, _ in made]
        assert len(set(taken)) == len(taken)
        done = 0
        for made in matcher.assignment():
            ready = graph.ready(done)
            assert all(ready >> action & 1 for action, _ in made)
            done |= sum(1 << action for action, _ in made)


SPARSE = [[j for j in range(i) if random.Random(100 * i + j).random() < 0.05] for i in range(24)]
SHAPES = {
    "24 sparse": SPARSE,
    "16 wide": [[] for _ in range(16)],
    "24 long": [[i - 1] if i else [] for i in range(24)],
    "8 chains of 3": [[i - 8] if i >= 8 else [] for i in range(24)],
    "12 pairs": [[] if i < 12 else [i - 12] for i in range(24)],
    "a tree": [[(i - 1) // 2] if i else [] for i in range(24)],
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["half wrong", "shuffled", "shuffled, three values"])
def test_the_search_stays_narrow(shape, kind, seed, monkeypatch):
    """All one name. Counted in turns of the search, which no other work on the machine can change: sets of completed
    actions number thousands to millions here."""
    rng = random.Random(seed)
    depends = SHAPES[shape]
    size = len(depends)
    contents = [i % 3 for i in range(size)] if "three" in kind else list(range(size))
    made = list(contents)
    if kind == "half wrong":
        made = [content if rng.random() < 0.5 else -1 for content in contents]
    else:
        rng.shuffle(made)
    turns = 0
    real = assign.Search._choices

    def counted(self, node):
        nonlocal turns
        turns += 1
        return real(self, node)

    monkeypatch.setattr(assign.Search, "_choices", counted)
    matcher = Matcher(plan_of(graph_of(depends), ["t"] * size, contents), lambda call, i: call == contents[i])
    done = 0
    while not matcher.complete:
        action = rng.choice(list(bits(graph_of(depends).ready(done))))
        done |= 1 << action
        assert matcher.step([("t", made[action])])
    assert not matcher.step([("t", 0)]) and matcher.next_names() == set()
    assert turns < 4000


def search_of(graph, names, calls, least=0):
    plan = plan_of(graph, names)
    return Search(graph, plan.named, plan.below, plan.branches, calls, least)


@given(branches(), st.sampled_from([None, 3]))
@settings(max_examples=examples(300), deadline=None)
def test_equal_branches_are_swapped_only_where_nothing_tells_them_apart(attempt, patience):
    """8 to 12 actions in branches of one shape, done in a valid order with calls that are right elsewhere."""
    depends, names, calls = attempt
    graph = graph_of(depends)
    search = search_of(graph, names, calls)
    found = search.run(patience)
    while found is None and patience is not None:  # a search that was stopped goes on where it was
        found = search.run(patience)
    assert found is not None
    taken, right = found
    assert right == best_of_all(graph, names, calls)
    assert placed(graph, names, calls, taken) == right


@given(branches(), st.integers(0, 3))
@settings(max_examples=examples(100), deadline=None)
def test_a_number_of_calls_known_to_be_lost_changes_nothing(attempt, more):
    depends, names, calls = attempt
    graph = graph_of(depends)
    best = best_of_all(graph, names, calls)
    lost = sum(1 for call in calls if call.right) - best
    found = search_of(graph, names, calls, max(0, lost - more)).run(None)
    assert found is not None and found[1] == best == placed(graph, names, calls, found[0])


def test_a_search_without_a_path_ends():
    graph = graph_of([[], [0]])
    late = [Call(0, "b", 0b10), Call(1, "a", 0b01)]  # b waits for a
    assert search_of(graph, ["a", "b"], late).run(None) is None
    together = [Call(0, "a", 0b01), Call(0, "b", 0b10)]  # made at once
    assert search_of(graph, ["a", "b"], together).run(None) is None
    assert search_of(graph, ["a", "b"], [Call(0, "a", 1), Call(1, "b", 2)]).run(0) is None
    assert search_of(graph, ["a", "b"], [Call(0, "a", 1), Call(1, "b", 2)]).run(None) == ([0, 1], 2)
    assert search_of(graph, ["a", "b"], []).run(None) == ([], 0)


def test_calls_that_exclude_one_another_are_counted_as_lost_at_once():
    """Twenty in a row, called backwards: one of them can be right, and the search sees it before it begins."""
    size = 20
    depends = [[i - 1] if i else [] for i in range(size)]
    calls = [Call(step, "t", 1 << (size - 1 - step)) for step in range(size)]
    search = search_of(graph_of(depends), ["t"] * size, calls)
    turns = 0
    while (found := search.run(1)) is None:
        turns += 1
    assert found == (list(range(size)), 0) and turns <= size


def test_more_calls_than_actions_that_they_are_right_for_are_counted_as_lost_at_once():
    """Sixteen calls right for the same two of sixteen actions, and one that must come after all."""
    depends = [*([] for _ in range(16)), list(range(16))]
    calls = [*(Call(step, "t", 0b11) for step in range(16)), Call(16, "u", 1 << 16)]
    search = search_of(graph_of(depends), ["t"] * 16 + ["u"], calls)
    turns = 0
    while (found := search.run(1)) is None:
        turns += 1
    assert found[1] == 3 and turns <= 17


def instance(kind, seed):
    """A graph, names, and calls in a valid order of names whose arguments belong elsewhere."""
    rng = random.Random(f"{kind} {seed}")
    match kind:
        case "branches":
            width, length = rng.choice([(5, 3), (4, 4), (7, 2), (3, 5)])
            depends = [[row * length + place - 1] if place else [] for row in range(width) for place in range(length)]
            values = 4
        case "few values":
            depends = [[j for j in range(i) if rng.random() < 0.12] for i in range(14)]
            values = 3
        case "backwards":
            depends = [[j for j in range(i) if rng.random() < 0.3] for i in range(14)]
            values = 14
        case _:
            depends = [[j for j in range(i) if rng.random() < 0.08] for i in range(12)]
            values = 6
    size, graph = len(depends), graph_of(depends)
    names = [rng.choice("aab") if kind == "few values" else "a" for _ in range(size)]
    contents = [rng.randrange(values) if values < size else i for i in range(size)]
    made = list(contents)
    rng.shuffle(made)
    if kind == "wide steps":
        made = [content if rng.random() < 0.7 else -1 for content in made]
    left, calls, step = set(range(size)), [], 0
    while left:
        ready = sorted(i for i in left if left.isdisjoint(depends[i]))
        rng.shuffle(ready)
        if kind == "backwards":
            ready.sort(key=lambda i: -graph.after[i].bit_count())
        taken = ready[: rng.randint(1, 3) if kind in ("wide steps", "branches") else 1]
        left.difference_update(taken)
        for i in taken:
            right = sum(1 << j for j in range(size) if names[j] == names[i] and contents[j] == made[i])
            calls.append(Call(step, names[i], right))
        step += 1
    return graph, names, calls


@pytest.mark.parametrize(
    ("kind", "most"), [("branches", 1800), ("few values", 960), ("backwards", 1485), ("wide steps", 670)]
)
def test_every_bound_keeps_the_search_as_narrow_as_it_was(kind, most):
    """Turns of 40 searches, counted when this was written: each bound and each rule of dominance saves some."""
    turns = 0
    for seed in range(40):
        graph, names, calls = instance(kind, seed)
        search = search_of(graph, names, calls)
        while (found := search.run(1)) is None:
            turns += 1
        assert found[1] == placed(graph, names, calls, found[0])
        if not seed % 8:
            assert found[1] == best_of_all(graph, names, calls)
    assert turns <= most


def test_patience_is_counted_in_turns():
    graph, names, calls = instance("branches", 0)
    turns = 0
    search = search_of(graph, names, calls)
    while (found := search.run(1)) is None:
        turns += 1
    assert turns > 10
    again = search_of(graph, names, calls)
    assert again.run(turns - 1) is None and again.run(1) is None and again.run(1) == found
    assert search_of(graph, names, calls).run(turns + 1) == search_of(graph, names, calls).run(None) == found

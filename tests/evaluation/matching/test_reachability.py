"""Which sets of actions named steps can have completed, against going through all of them."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluation.matching.attempts import attempts, branches
from tests.examples import examples
from wildtool.evaluation.matching.graph import bits, graph_of
from wildtool.evaluation.matching.matcher import Matcher, plan_of
from wildtool.evaluation.matching.reachability import Reach, branches_of, dominated_by


def members(masks):
    return [list(bits(mask)) for mask in masks]


def test_what_frees_more_dominates_and_of_equals_the_first():
    graph = graph_of([[], [], [0], [0, 1], [], []])  # 0 frees 2 and 3, 1 frees 3 alone, 4 and 5 free nothing
    alike = [0b110011] * 2 + [0b1000100, 0b1000] + [0b110011] * 2
    assert members(dominated_by(graph, [mask & 0b111111 for mask in alike])) == [[1, 4, 5], [4, 5], [], [], [5], []]
    assert members(dominated_by(graph, [1 << i for i in range(6)])) == [[]] * 6  # each of a name of its own
    later = graph_of([[], [], [1]])  # a later one that frees more dominates an earlier one
    assert members(dominated_by(later, [0b11, 0b11, 0b100])) == [[], [0], []]


def test_branches_of_one_shape_are_found_between_joints():
    chain = [[], [0], [], [2], [], [4]]
    assert branches_of(graph_of(chain), "abaaab") == (((0, 1), (4, 5)),)  # the middle one has other names
    assert branches_of(graph_of(chain), "ababab") == (((0, 1), (2, 3), (4, 5)),)
    joined = [[], [0], [1], [0], [3], [2, 4]]
    assert branches_of(graph_of(joined), "jaaaaj") == (((1, 2), (3, 4)),)
    assert branches_of(graph_of(joined), "jaabaj") == ()
    assert branches_of(graph_of([[], [0], [1], [2], [3]]), "aaaaa") == ()
    assert branches_of(graph_of([[], [], []]), "aaa") == ()  # single actions dominate one another
    fork, chain_of_3 = [[], [0], [0]], [[], [3], [4]]
    assert branches_of(graph_of(fork + chain_of_3), "aaaaaa") == ()
    # Beside one another, but one waits for a first action that the other does not need.
    assert branches_of(graph_of([[], [0], [1], [], [3]]), "jaaaa") == ()


def all_sets(graph, names, steps):
    """The sets of actions that steps of these names can have completed, by trying all."""
    reached = {0}
    for step in steps:
        reached = all_sets_after(graph, names, reached, step)
    return reached


def check(depends, names, steps):
    graph = graph_of(depends)
    plan = plan_of(graph, names)
    reach = Reach(graph, plan.named, plan.below, plan.branches)
    for place in range(len(steps) + 1):
        reached = all_sets(graph, names, steps[:place])
        due = {names[i] for done in reached for i in bits(graph.ready(done))}
        assert reach.next_names() == due
        for name in "abcd":
            for wanted in (1, 2):
                follows = bool(all_sets_after(graph, names, reached, [name] * wanted))
                assert reach.follows(Counter({name: wanted})) == follows
        if place == len(steps) or not all_sets_after(graph, names, reached, steps[place]):
            break
        assert reach.follows(Counter(steps[place]))
        reach.add(Counter(steps[place]))


def all_sets_after(graph, names, reached, step):
    """The sets that a step of these names leads to from any of these."""
    found = set()
    for done in reached:
        ready, ways = graph.ready(done), {0}
        for name in step:
            ways = {
                taken | 1 << i
                for taken in ways
                for i, own in enumerate(names)
                if own == name and ready >> i & 1 and not taken >> i & 1
            }
        found |= {done | taken for taken in ways}
    return found


@given(attempts())
@settings(max_examples=examples(100), deadline=None)
def test_names_that_can_follow_are_those_of_all_sets(attempt):
    depends, names, _, steps = attempt
    check(depends, names, [[name for name, _ in step] for step in steps])


@given(branches(), st.data())
@settings(max_examples=examples(100), deadline=None)
def test_sets_that_differ_by_equal_branches_serve_for_one_another(attempt, data):
    depends, names, calls = attempt
    steps: list[list[str]] = []
    for call in calls:
        if call.step == len(steps):
            steps.append([])
        steps[call.step].append(call.name)
    check(depends, names, steps[: data.draw(st.integers(1, 6))])


def test_equal_branches_are_kept_once():
    """Twelve chains of two equal calls: sets that differ only by which chains are done are one."""
    size, chains = 24, 12
    depends = [[i - chains] if i >= chains else [] for i in range(size)]
    plan = plan_of(graph_of(depends), ["a"] * size)
    reach = Reach(plan.graph, plan.named, plan.below, plan.branches)
    for _ in range(size):
        assert reach.next_names() == {"a"}
        assert len(reach._reached()) <= chains + 1
        reach.add(Counter("a"))
    assert reach.next_names() == set()


def test_equal_actions_need_be_tried_in_one_order_only():
    plan = plan_of(graph_of([*([] for _ in range(18)), [0]]), ["t"] * 18 + ["u"])
    reach = Reach(plan.graph, plan.named, plan.below, plan.branches)
    for done in range(1, 10):
        reach.add(Counter("tt"))
        assert len(reach._reached()) == 1 and {bits.bit_count() for bits in reach._reached()} == {2 * done}
    assert reach.follows(Counter("u")) and not reach.follows(Counter("t"))


def test_a_step_that_fits_nowhere_is_told_apart_without_going_through_all_sets():
    """Eighteen equal calls of which one frees another name: the name is due only if that one can be done."""
    depends = [*([] for _ in range(18)), [0]]
    names = ["t"] * 18 + ["u"]
    matcher = Matcher(plan_of(graph_of(depends), names, [0] * 19), lambda call, i: call == 0)
    assert matcher.next_names() == {"t"}
    assert matcher.step([("t", 1)] * 9)
    assert matcher.next_names() == {"t", "u"}
    assert matcher.step([("u", 0), ("t", 0)])
    assert not matcher.step([("u", 0)])
    assert matcher.next_names() == {"t"}

"""The matcher against plain enumeration, on graphs of up to 6 actions, and where it is hardest."""

from __future__ import annotations

from functools import cache
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluation.matching.attempts import attempts, best_of_all, branches
from tests.examples import examples
from wildtool.evaluation.matching.graph import graph_of
from wildtool.evaluation.matching.matcher import Matcher, plan_of


@given(attempts())
@settings(max_examples=examples(400), deadline=None)
def test_matching_finds_what_enumeration_finds(attempt):
    depends, names, contents, steps = attempt
    size = len(depends)

    @cache
    def brute(done: frozenset[int], place: int, until: int) -> int:
        """Most right calls of steps ``place`` to ``until``; -1 if they cannot be matched."""
        if place == until:
            return 0
        ready = [i for i in range(size) if i not in done and done.issuperset(depends[i])]
        best = -1
        for taken in permutations(ready, len(steps[place])):
            if all(names[i] == name for i, (name, _) in zip(taken, steps[place], strict=True)):
                rest = brute(done | set(taken), place + 1, until)
                if rest >= 0:
                    here = sum(contents[i] == c for i, (_, c) in zip(taken, steps[place], strict=True))
                    best = max(best, here + rest)
        return best

    matcher = Matcher(plan_of(graph_of(depends), names, contents), lambda call, i: call == contents[i])
    for place, step in enumerate(steps):
        expected = brute(frozenset(), 0, place + 1)
        assert matcher.step(step) == (expected >= 0)
        if expected < 0:
            break
        assert matcher.calls_right == expected
        assignment = matcher.assignment()
        flat = [action for taken in assignment for action, _ in taken]
        assert len(set(flat)) == len(flat) == matcher.calls_matched
        assert sum(right for taken in assignment for _, right in taken) == expected
        for taken, made in zip(assignment, steps, strict=False):
            for (action, right), (name, content) in zip(taken, made, strict=True):
                assert names[action] == name
                assert not right or contents[action] == content
    assert matcher.complete == (matcher.calls_matched == size)


@given(attempts(), st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=4, max_size=4))
@settings(max_examples=examples(250), deadline=None)
def test_a_judge_need_not_be_an_equality(attempt, table):
    """Alternatives make one call right for several actions, and several calls right for one."""
    depends, names, _, steps = attempt
    size = len(depends)

    @cache
    def brute(done: frozenset[int], place: int, until: int) -> int:
        if place == until:
            return 0
        ready = [i for i in range(size) if i not in done and done.issuperset(depends[i])]
        best = -1
        for taken in permutations(ready, len(steps[place])):
            if all(names[i] == name for i, (name, _) in zip(taken, steps[place], strict=True)):
                rest = brute(done | set(taken), place + 1, until)
                if rest >= 0:
                    best = max(best, rest + sum(table[c][i] for i, (_, c) in zip(taken, steps[place], strict=True)))
        return best

    matcher = Matcher(plan_of(graph_of(depends), names), lambda call, i: table[call][i])
    for place, step in enumerate(steps):
        if not matcher.step(step):
            assert brute(frozenset(), 0, place + 1) == -1
            break
        assert matcher.calls_right == brute(frozenset(), 0, place + 1)


@given(attempts())
@settings(max_examples=examples(100), deadline=None)
def test_next_names_are_those_that_a_step_can_begin_with(attempt):
    depends, names, contents, steps = attempt
    plan = plan_of(graph_of(depends), names, contents)
    matcher = Matcher(plan, lambda call, i: call == contents[i])
    taken = []
    for step in steps:
        expected = set()
        for name in "abcd":
            probe = Matcher(plan, lambda call, i: False)
            assert all(probe.step(made) for made in taken)
            if probe.step([(name, 0)]):
                expected.add(name)
        assert matcher.next_names() == expected
        if not matcher.step(step):
            break
        taken.append(step)


def test_the_judge_is_asked_once_for_actions_of_equal_contents_and_not_for_what_cannot_be_open():
    asked: list[tuple[object, int]] = []

    def judge(call: object, action: int) -> bool:
        asked.append((call, action))
        return call == action

    #  0, 1 and 2 are alike, 3 waits for all of them, 4 is of another name.
    graph = graph_of([[], [], [], [0, 1, 2], []])
    matcher = Matcher(plan_of(graph, ["a", "a", "a", "a", "b"], [7, 7, 8, 7, 7]), judge)
    assert matcher.step([("a", 0)])
    assert asked == [(0, 0), (0, 2)]  # 1 is as 0; 3 cannot be open yet
    assert matcher.step([("a", 1)]) and matcher.step([("a", 2)])
    asked.clear()
    assert matcher.step([("b", 4)]) and matcher.step([("a", 3)])
    assert asked == [(4, 4), (3, 3)]  # the first three are done by now
    assert matcher.complete and matcher.calls_right == 4  # the call 1 is wrong: a judge goes by contents


def test_what_matched_stays_to_be_read_after_a_step_that_does_not():
    graph = graph_of([[], [0], []])
    matcher = Matcher(plan_of(graph, ["a", "b", "c"]), lambda call, action: call == action)
    assert matcher.step([("a", 0), ("c", 9)])
    for wrong in ([("d", 0)], [], [("b", 1)]):  # nothing follows a step that did not match
        assert not matcher.step(wrong)
    assert (matcher.steps_matched, matcher.calls_matched, matcher.calls_right, matcher.complete) == (1, 2, 1, False)
    assert matcher.assignment() == [[(0, True), (2, False)]]
    for steps in ([[("a", 0)], [("a", 0)]], [[("a", 0), ("a", 0)]], [[("b", 1)]], [[("a", 0), ("b", 1)]]):
        fresh = Matcher(plan_of(graph, ["a", "b", "c"]), lambda call, action: call == action)
        assert [fresh.step(step) for step in steps][-1] is False


def test_the_assignment_follows_the_order_of_the_calls_as_made():
    graph = graph_of([[], [], []])
    matcher = Matcher(plan_of(graph, ["a"] * 3), lambda call, action: call in (action, "any"))
    assert matcher.step([("a", "any"), ("a", 9), ("a", 1)])
    first, second, third = matcher.assignment()[0]
    assert third == (1, True) and first[1] and not second[1] and matcher.calls_right == 2
    assert {first[0], second[0], third[0]} == {0, 1, 2}


@given(branches())
@settings(max_examples=examples(150), deadline=None)
def test_calls_that_are_right_nowhere_do_not_hide_what_can_be_right(attempt):
    """8 to 12 actions in equal branches, step by step. A third of the calls belong elsewhere or are right for nothing."""
    depends, names, calls = attempt
    graph = graph_of(depends)
    matcher = Matcher(plan_of(graph, names), lambda right, action: bool(right >> action & 1))
    for step in range(calls[-1].step + 1 if calls else 0):
        assert matcher.step([(call.name, call.right) for call in calls if call.step == step])
        assert matcher.calls_right == best_of_all(graph, names, [call for call in calls if call.step <= step])

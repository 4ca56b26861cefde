"""Which sets of actions named steps can have completed, against going through all of them."""

from __future__ import annotations

from wildtool.evaluation.matching.graph import graph_of
from wildtool.evaluation.matching.matcher import Matcher, plan_of


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

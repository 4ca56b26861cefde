"""The matcher, the path count and the original's walk against plain enumeration, on graphs of up to 6 actions."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from wildtool.evaluation.matching.graph import count_by_depth, count_paths, critical_path, depth, graph_of, list_paths
from wildtool.evaluation.matching.matcher import Matcher, plan_of
from wildtool.evaluation.score import score_session
from wildtool.evaluation.wildtoolbench.matching import ANSWER, ASK, OriginalWalk
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.schemas.trajectory import CandidateCall, CandidateStep
from wildtool.schemas.vocabulary import Language, TaskType, Topology

from .conftest import call, say, tool, trajectory
from .conftest import step as one_step


@st.composite
def dags(draw, most: int = 6) -> list[list[int]]:
    size = draw(st.integers(1, most))
    order = draw(st.permutations(range(size)))  # dependencies need not point backwards in the list
    depends: list[list[int]] = [[] for _ in range(size)]
    for position, index in enumerate(order):
        depends[index] = [other for other in order[:position] if draw(st.booleans())]
    return depends


@st.composite
def attempts(draw):
    """A graph with names and contents from small alphabets, and steps that mostly follow one of its paths."""
    depends = draw(dags())
    size = len(depends)
    names = [draw(st.sampled_from("abc")) for _ in range(size)]
    contents = [draw(st.integers(0, 2)) for _ in range(size)]
    done: set[int] = set()
    steps = []
    while len(done) < size and draw(st.integers(0, 9)) > 0:
        ready = [i for i in range(size) if i not in done and done.issuperset(depends[i])]
        taken = draw(st.lists(st.sampled_from(ready), min_size=1, unique=True))
        done.update(taken)
        step = []
        for i in taken:
            name = names[i] if draw(st.integers(0, 19)) else draw(st.sampled_from("abcd"))
            step.append((name, contents[i] if draw(st.integers(0, 3)) else draw(st.integers(0, 3))))
        if not draw(st.integers(0, 19)):
            step.append((draw(st.sampled_from("abc")), 0))
        steps.append(step)
    return depends, names, contents, steps


def paths_of(depends):
    """All paths, by definition: choose any ready actions, again and again."""

    def extend(done: frozenset[int]):
        ready = [i for i in range(len(depends)) if i not in done and done.issuperset(depends[i])]
        if not ready:
            yield ()
        for size in range(1, len(ready) + 1):
            for step in combinations(ready, size):
                for rest in extend(done | set(step)):
                    yield (step, *rest)

    return list(extend(frozenset()))


@given(dags())
@settings(max_examples=150, deadline=None)
def test_paths_are_counted_and_listed_as_defined(depends):
    graph = graph_of(depends)
    paths = paths_of(depends)
    assert count_paths(graph) == len(paths)
    assert sorted(list_paths(graph)) == sorted(paths)
    by_depth = Counter(map(len, paths))
    assert count_by_depth(graph) == [by_depth[k] for k in range(len(depends) + 1)]
    assert depth(graph) == min(map(len, paths))
    costs = [1.0 + i % 3 for i in range(len(depends))]
    assert critical_path(graph, costs) <= min(sum(max(costs[i] for i in step) for step in path) for path in paths)


@given(dags(), st.integers(0, 63))
@settings(max_examples=100, deadline=None)
def test_depth_with_actions_that_stand_alone(depends, alone):
    graph = graph_of(depends)
    apart = [p for p in paths_of(depends) if all(len(s) == 1 or not any(alone >> i & 1 for i in s) for s in p)]
    assert depth(graph, alone & graph.everything) == min(map(len, apart))


@given(attempts())
@settings(max_examples=400, deadline=None)
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
@settings(max_examples=250, deadline=None)
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
@settings(max_examples=100, deadline=None)
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


# The original, as the module wildtool.evaluation.wildtoolbench.matching describes it, by listing all paths.


def original_paths(names: list[str], depends: list[list[int]]) -> list[tuple[tuple[int, ...], ...]]:
    found = []

    def walk(done: frozenset[int], path: tuple[tuple[int, ...], ...]) -> None:
        ready = [i for i in range(len(names)) if i not in done and done.issuperset(depends[i])]
        if not ready:
            found.append(path)
            return
        runs: list[list[int]] = []
        for i in ready:
            if runs and names[runs[-1][-1]] == names[i]:
                runs[-1].append(i)
            else:
                runs.append([i])
        long_runs = [tuple(run) for run in runs if len(run) > 1]
        parts = {part for run in long_runs for size in range(1, len(run)) for part in combinations(run, size)}
        read = set()
        for size in range(1, len(ready) + 1):
            for comb in combinations(ready, size):
                label = "|".join(names[i] for i in comb)
                if label in read:
                    continue
                read.add(label)
                heads = [comb[:end] for end in range(1, size + 1)]
                if size > 1 and any(h in parts for h in heads) and not any(h in long_runs for h in heads):
                    continue
                run = next((run for run in long_runs if size == 1 and run[0] == comb[0]), None)
                if run:
                    walk(done | set(run), (*path, *((i,) for i in run)))
                else:
                    walk(done | set(comb), (*path, comb))

    walk(frozenset(), ())
    return found


def original_by_listing(names, depends, steps) -> tuple[bool, bool, bool]:
    """(answered, optimal, crashed); a step is a list of names, or None for a text."""
    paths = original_paths(names, depends)
    shortest = min(map(len, paths))
    for place, step in enumerate(steps):
        here = [path[place] for path in paths if place < len(path)]
        if step is None:
            if place >= len(names):
                return False, False, True
            kinds = [[names[i] for i in taken] for taken in here]
            kind = next((k for k in kinds if ASK in k or ANSWER in k), None)
            if kind is None:
                return False, False, False
            if len(kind) > 1:
                return False, False, True
            if ASK not in kind:
                return True, place == shortest - 1, False
            continue
        chosen = next((taken for taken in here if sorted(names[i] for i in taken) == sorted(step)), None)
        if chosen is None:
            return False, False, False
        if any(place >= len(path) for path in paths):
            return False, False, True
        paths = [path for path in paths if path[place] == chosen]
    return False, False, False


@st.composite
def original_attempts(draw):
    depends = draw(dags(most=5))
    size = len(depends)
    names = [draw(st.sampled_from(["a", "a", "b", "c", ASK])) for _ in range(size)]
    depends.append(draw(st.sampled_from([list(range(size)), list(range(size)), [size - 1]])))
    names.append(ANSWER)
    steps: list[list[str] | None] = []
    done: set[int] = set()
    while len(done) < size:
        ready = [i for i in range(size) if i not in done and done.issuperset(depends[i])]
        taken = draw(st.lists(st.sampled_from(ready), min_size=1, unique=True))
        done.update(taken)
        asks = [i for i in taken if names[i] == ASK]
        calls = [names[i] for i in taken if names[i] != ASK]
        if calls:
            steps.append(calls)
        steps += [None for _ in asks]
    if not draw(st.integers(0, 4)) and steps:
        steps.pop(draw(st.integers(0, len(steps) - 1)))
    steps += [None, None]
    return names, depends, steps


@given(original_attempts())
@settings(max_examples=400, deadline=None)
def test_the_original_s_walk_is_its_listing(attempt):
    names, depends, steps = attempt
    actions = []
    for name, on in zip(names, depends, strict=True):
        if name == ASK:
            actions.append(Ask(slots=("x",), question="x?", reply="y", depends_on=tuple(on)))
        elif name == ANSWER:
            actions.append(Answer(text="z", depends_on=tuple(on)))
        else:
            actions.append(Call(name=name, arguments={}, depends_on=tuple(on)))
    walk = OriginalWalk(actions, ())
    for number, step in enumerate(steps):
        calls = tuple(
            CandidateCall(id=f"{number}.{i}", name=name, arguments={}, raw_arguments="{}")
            for i, name in enumerate(step or ())
        )
        result = walk.step(CandidateStep(calls=calls, text="" if step else "Words."))
        if not result.matched or result.answered:
            break
    assert (walk.answered, walk.optimal_by_name, bool(walk.raised)) == original_by_listing(names, depends, steps)


@given(attempts(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_scores_are_those_of_the_best_assignment(attempt, answers):
    depends, names, contents, steps = attempt
    size = len(depends)

    def best(done: frozenset[int], place: int) -> int:
        """Most right calls if all steps match and do everything, else -1."""
        if place == len(steps):
            return 0 if len(done) == size else -1
        ready = [i for i in range(size) if i not in done and done.issuperset(depends[i])]
        found = -1
        for taken in permutations(ready, len(steps[place])):
            if all(names[i] == name for i, (name, _) in zip(taken, steps[place], strict=True)):
                rest = best(done | set(taken), place + 1)
                if rest >= 0:
                    here = sum(contents[i] == c for i, (_, c) in zip(taken, steps[place], strict=True))
                    found = max(found, rest + here)
        return found

    calls = [
        Call(name=name, arguments={"x": content}, observation=i, depends_on=tuple(on))
        for i, (name, content, on) in enumerate(zip(names, contents, depends, strict=True))
    ]
    task = Task(
        user="…",
        type=TaskType.MULTI,
        topology=Topology.MIXED,
        actions=(*calls, Answer(text="…", depends_on=tuple(range(size)))),
    )
    session = Session.for_plan(
        "pln_0", language=Language.EN, now="2024-07-12T09:30:00+00:00", tool_list="tls_0", category="c",
        subcategory="s", tools=tuple(tool(name, {"x": {"type": "integer"}}, ["x"]) for name in "abcd"), tasks=(task,),
    )  # fmt: skip
    made = [one_step(*(call(name, f"{n}.{i}", x=x) for i, (name, x) in enumerate(s))) for n, s in enumerate(steps)]
    (score,) = score_session(session, trajectory(session, (*made, *([say("Done.")] if answers else []))))
    expected = best(frozenset(), 0)
    assert score.complete == (answers and expected >= 0)
    assert score.correct == (answers and expected == size)
    assert score.optimal == (score.correct and len(steps) == depth(graph_of(depends)))
    assert bool(score.errors) != score.correct

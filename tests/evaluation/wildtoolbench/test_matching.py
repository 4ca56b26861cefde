"""The original's walk against a listing of all its paths."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluation.matching.attempts import dags
from tests.examples import examples
from wildtool.evaluation.wildtoolbench.matching import ANSWER, ASK, OriginalWalk
from wildtool.schemas.session import Answer, Ask, Call
from wildtool.schemas.trajectory import CandidateCall, CandidateStep

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
@settings(max_examples=examples(400), deadline=None)
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

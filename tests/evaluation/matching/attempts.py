"""Small graphs, and steps of a candidate that mostly follow one of their paths."""

from __future__ import annotations

from hypothesis import strategies as st


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

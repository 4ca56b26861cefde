"""How long scoring takes, beside plain enumeration of paths: ``python -m benchmarks.scoring``.

Prints one table of growth and one of targets; exits 1 if a target is missed. Needs nothing but this repository.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import random
import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

from benchmarks.figures import Figure, at_most, packed, peer
from wildtool.evaluation import score_session
from wildtool.evaluation.matching.graph import count_paths, graph_of, list_paths
from wildtool.evaluation.matching.matcher import Matcher, plan_of
from wildtool.schemas.session import Answer, Call, Session, Task
from wildtool.schemas.trajectory import CandidateCall, CandidateStep, TaskTrajectory, Trajectory
from wildtool.schemas.vocabulary import TaskType, Topology

Steps = list[list[tuple[str, object]]]


def best_of(run: Callable[[], object], times: int = 5) -> float:
    """Fastest of some runs, in seconds of CPU: what the machine's other work adds is no part of the cost."""
    spans = []
    for _ in range(times):
        start = process_time()
        run()
        spans.append(process_time() - start)
    return min(spans)


def matching(
    depends: list[list[int]], names: Sequence[str], contents: Sequence[int], steps: Steps
) -> Callable[[], int]:
    """A run that prepares a graph, matches the steps and binds each call to its action."""

    def run() -> int:
        matcher = Matcher(plan_of(graph_of(depends), names, contents), lambda call, i: call == contents[i])
        for step in steps:
            if not matcher.step(step):
                raise SystemExit("a step did not match: the benchmark is broken")
            matcher.assignment()
        return matcher.calls_right

    return run


def growth() -> list[dict[str, Any]]:
    """Independent calls, all at once: our matching beside walking through all paths, in seconds."""
    rows = []
    for size in (1, 2, 4, 5, 6, 7, 8, 16, 24):
        depends: list[list[int]] = [[] for _ in range(size)]
        names = [f"tool{i}" for i in range(size)]
        ours = best_of(matching(depends, names, range(size), [[(name, i) for i, name in enumerate(names)]]))
        graph = graph_of(depends)
        # Beyond eight, walking through the paths takes minutes, then years.
        listed = best_of(lambda graph=graph: sum(1 for _ in list_paths(graph)), 1) if size <= 8 else None
        rows.append({"calls": size, "paths": count_paths(graph), "seconds": ours, "enumeration_seconds": listed})
    return rows


def in_order(depends: list[list[int]], rng: random.Random) -> list[int]:
    """A random order in which each action comes after all it depends on."""
    left, order = set(range(len(depends))), []
    while left:
        order.append(rng.choice([i for i in sorted(left) if left.isdisjoint(depends[i])]))
        left.discard(order[-1])
    return order


def shapes() -> list[tuple[str, float, Callable[[], object]]]:
    """Shapes with their targets in seconds."""
    rng = random.Random(0)
    wide: list[list[int]] = [[] for _ in range(16)]
    long = [[i - 1] if i else [] for i in range(24)]
    chains = [[i - 4] if i >= 4 else [] for i in range(24)]
    pairs = [[] if i < 16 else [i - 16] for i in range(32)]
    joined = [*wide, list(range(8))]
    same16, same24 = ["t"] * 16, ["t"] * 24
    shuffled = rng.sample(range(16), 16)
    eight: list[list[int]] = [[] for _ in range(8)]
    sparse = [[j for j in range(i) if rng.random() < 0.05] for i in range(24)]
    order = in_order(sparse, rng)
    elsewhere = rng.sample(range(24), 24)
    return [
        ("8 independent, at once", 1e-3, matching(eight, "abcdefgh", range(8),
                                                  [[(c, i) for i, c in enumerate("abcdefgh")]])),
        ("8 independent, one name", 1e-3, matching(eight, ["t"] * 8, range(8), [[("t", i) for i in range(7, -1, -1)]])),
        ("16 wide, names differ, one by one", 20e-3, matching(wide, [f"t{i}" for i in range(16)], range(16),
                                                              [[(f"t{i}", i)] for i in shuffled])),
        ("16 wide, one name, at once", 20e-3, matching(wide, same16, range(16), [[("t", i) for i in shuffled]])),
        ("16 wide, one name, one by one", 20e-3, matching(wide, same16, range(16), [[("t", i)] for i in shuffled])),
        ("16 wide, one name, half wrong", 20e-3, matching(wide, same16, range(16), [[("t", 2 * i)] for i in shuffled])),
        ("16 wide in two classes, a quarter wrong", 20e-3, matching(joined, [*same16, "u"], range(17),
                                                [*([("t", i if i % 4 else 99)] for i in shuffled), [("u", 16)]])),
        ("24 long, one name", 20e-3, matching(long, same24, range(24), [[("t", i)] for i in range(24)])),
        ("4 chains of 6, one name", 20e-3, matching(chains, same24, range(24), [[("t", i)] for i in range(24)])),
        ("4 chains of 6, a fifth wrong", 20e-3, matching(chains, same24, range(24),
                                                         [[("t", i if i % 5 else 99)] for i in range(24)])),
        ("16 pairs, two names, one by one", 20e-3, matching(pairs, ["a"] * 16 + ["b"] * 16, range(32),
                                     [*([("a", i)] for i in range(16)), *([("b", 16 + i)] for i in shuffled)])),
        ("24 sparse, one name, half of the calls wrong", 20e-3, matching(sparse, same24, range(24),
                                                 [[("t", i if rng.random() < 0.5 else 99)] for i in order])),
        ("24 sparse, one name, arguments shuffled", 20e-3, matching(sparse, same24, range(24),
                                                 [[("t", elsewhere[i])] for i in order])),
        ("16 wide, one name, arguments shuffled", 20e-3, matching(wide, same16, range(16),
                                                 [[("t", i)] for i in rng.sample(range(16), 16)])),
        ("1,024 tasks scored again", 2.0, rescoring()),
    ]  # fmt: skip


def rescoring() -> Callable[[], object]:
    """256 sessions of four tasks: 5 tools with 5 described parameters each, 3 calls a task, one in four wrong."""
    rng = random.Random(0)
    words = ["river", "harbour", "market", "garden", "station", "bridge", "castle", "museum", "theatre", "island"]

    def parameters() -> dict[str, object]:
        kinds = (
            {"type": "string"},
            {"type": "integer"},
            {"type": "string", "format": "date"},
            {"type": "boolean"},
            {"type": "string"},
        )
        described = {
            f"p{i}": {**kind, "description": f"The {' '.join(rng.sample(words, 6))}, default is 1."}
            for i, kind in enumerate(kinds)
        }
        return {"type": "object", "properties": described, "required": ["p0"]}

    def arguments() -> dict[str, object]:
        return {"p0": " ".join(rng.sample(words, 4)), "p1": rng.randint(0, 99), "p2": "2024-07-13", "p3": True}

    made: list[tuple[Session, Trajectory]] = []
    for number in range(256):
        tools = tuple(
            {
                "type": "function",
                "function": {"name": f"tool{i}", "description": " ".join(words), "parameters": parameters()},
            }
            for i in range(5)
        )
        tasks, done = [], []
        for place in range(4):
            calls = [
                Call(
                    name=f"tool{i}",
                    arguments=arguments(),
                    observation={"value": rng.random()},
                    depends_on=(0,) if i == 2 else (),
                )
                for i in range(3)
            ]
            tasks.append(Task(user="Words.", type=TaskType.MULTI, topology=Topology.MIXED,
                              actions=(*calls, Answer(text="Words.", depends_on=(0, 1, 2)))))  # fmt: skip
            steps = []
            for group in (calls[:2], calls[2:]):
                given = [
                    call.arguments if rng.random() < 0.75 else {**call.arguments, "p0": "elsewhere"} for call in group
                ]
                steps.append(CandidateStep(calls=tuple(
                    CandidateCall(id=f"{place}.{call.name}", name=call.name, arguments=a, raw_arguments=json.dumps(a))
                    for call, a in zip(group, given, strict=True)
                )))  # fmt: skip
            done.append(TaskTrajectory(task=place, steps=(*steps, CandidateStep(text="The value is 12."))))
        session = Session.for_plan(f"pln_{number}", language="en", now="2024-07-12T09:30:00+00:00",
                                   tool_list="tls_0", category="c", subcategory="s", tools=tools,
                                   tasks=tuple(tasks))  # fmt: skip
        made.append(
            (
                session,
                Trajectory.of(release="0", release_digest="0", candidate="c", session=session.id, tasks=tuple(done)),
            )
        )

    return lambda: [score_session(session, trajectory) for session, trajectory in made]


def figures_of(grown: Sequence[dict[str, Any]], measured: Sequence[dict[str, Any]]) -> list[Figure]:
    """Growth beside enumeration, and each shape beside its limit, in milliseconds of CPU."""
    why = "walking through so many paths would take minutes, then years"
    return [
        *(
            peer(
                f"{row['calls']} independent calls ({row['paths']:,} paths)", row["seconds"] * 1e3, "CPU ms", "enumeration",
                None if row["enumeration_seconds"] is None else row["enumeration_seconds"] * 1e3, absent=why,
            )
            for row in grown
        ),
        *(at_most(row["shape"], row["seconds"] * 1e3, "CPU ms", row["limit_seconds"] * 1e3) for row in measured),
    ]  # fmt: skip


def main(as_json: bool) -> int:
    """Print both tables, or one JSON object; 1 if a target is missed."""
    grown = growth()
    measured = [{"shape": name, "seconds": best_of(run, 3), "limit_seconds": limit} for name, limit, run in shapes()]
    missed = any(row["seconds"] > row["limit_seconds"] for row in measured)
    if as_json:
        found = {"growth": grown, "shapes": measured, "missed": missed}
        print(json.dumps(found | {"figures": packed(figures_of(grown, measured))}))
        return int(missed)
    print(f"{'independent calls':>18} {'paths':>30} {'ours (match)':>14} {'enumeration':>14}")
    for row in grown:
        listed = row["enumeration_seconds"]
        told = "-" if listed is None else f"{listed * 1e3:.1f} ms"
        print(f"{row['calls']:>18} {row['paths']:>30,} {row['seconds'] * 1e3:>11.3f} ms {told:>14}")
    print()
    for row in measured:
        verdict = "missed" if row["seconds"] > row["limit_seconds"] else "met"
        print(
            f"{row['shape']:<46} {row['seconds'] * 1e3:>10.2f} ms   limit {row['limit_seconds'] * 1e3:>7.0f} ms   {verdict}"
        )
    return int(missed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    sys.exit(main(parser.parse_args().json))

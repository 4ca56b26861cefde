"""What the offline simulator drafts, measured: quotas, dependencies, how messages read, time.

    python -m benchmarks.drafts [--home HOME] [--profile wildtoolbench-1.0] [--seed N]... [--sessions N] [--json]

The home folder holds seeds (``wildtool mine``) and a catalogue (``wildtool catalog build``); it is read, nothing is
written. Dependencies are proposed from the data flow alone (``propose_edges``, which does not know the plan) and
compared with those that were planned; beside them stands what plain equality of values gives, the way of a string search.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.figures import Figure, at_least, at_most, packed, peer

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "logs"

LIMITS = {"edge_f1": 0.95, "unique_messages": 0.97, "seconds": 300.0}
"""What the project asks of 256 sessions."""


def measure(home: Path, profile_name: str, seed: int, sessions: int | None) -> dict[str, Any]:
    """Figures of one run with one seed; sessions that fail are planned anew as the draft stage does it."""
    from wildtool.agents import SIMULATOR, GatewaySettings, load_profile, plan_again, plan_sessions, standing
    from wildtool.api_catalog import load_catalogue, sample
    from wildtool.flows.library import draft_all
    from wildtool.flows.settings import REPLANS_OFFLINE
    from wildtool.schemas.seed import SeedScenario
    from wildtool.validation.duplicates import near_duplicates
    from wildtool.warehouse import Store

    profile = load_profile(profile_name)
    if sessions is not None:
        fewer = {language: min(count, sessions) for language, count in profile.sessions.items()}
        profile = profile.model_copy(update={"sessions": fewer})
    seeds = sorted(Store(home / "warehouse.duckdb").read(SeedScenario), key=lambda each: each.id)
    catalogue = load_catalogue(home / "catalog")
    used: Counter[str] = Counter()

    def choose(scenario: Any, language: Any, rng: Random) -> Any:
        return sample(
            scenario, catalogue, rng, language=language, tools=profile.tools, mean_tools=profile.mean_tools, used=used
        )

    wall, cpu = time.perf_counter(), time.process_time()
    plans = todo = plan_sessions(profile, seeds, choose, seed=seed, drafter=SIMULATOR)
    drafts: list[Any] = []
    first = None
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(REPLANS_OFFLINE + 1):
            result = draft_all(todo, GatewaySettings(), cache=Path(folder) / "responses.sqlite", offline=True)
            drafts += result.drafts
            first = len(drafts) if first is None else first
            refused = {row.source for row in result.quarantined}
            failed = [plan for plan in todo if plan.id in refused]
            todo = plan_again(profile, failed, seeds, choose, seed=seed, drafter=SIMULATOR)
            plans = standing([*plans, *todo])
            if not todo:
                break
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    said = Counter(task.user for draft in drafts for task in draft.session.tasks)
    near = near_duplicates([draft.session for draft in drafts])
    ours, equal = edges(drafts, proposed), edges(drafts, same_text)
    devices = Counter(str(t.hidden_intent.device) for d in drafts for t in d.session.tasks if t.hidden_intent)
    return {
        "profile": profile.name,
        "seed": seed,
        "sessions": len(drafts),
        "planned": sum(profile.sessions.values()),
        "first_try": first,
        "quotas": quotas(drafts),
        "doubts": sum(not v.ok and v.by == "rule" for d in drafts for v in d.verdicts),
        "edges": ours,
        "edges_by_equal_text": equal,
        "unique_messages": round(len(said) / max(1, sum(said.values())), 4),
        "near_equal_messages": sum(map(len, near.values())),
        "devices": dict(sorted(devices.items())),
        "replies": dict(Counter(str(task.reply) for draft in drafts for task in draft.plan.tasks if task.reply)),
        "real_lists": sum(draft.plan.tool_list.source != "core" for draft in drafts),
        "seconds": round(wall, 1),
        "cpu_seconds": round(cpu, 1),
    }


def quotas(drafts: Sequence[Any]) -> dict[str, dict[str, int]]:
    """Tasks by type, topology and hidden intent."""
    tasks = [task for draft in drafts for task in draft.session.tasks]
    return {
        "types": dict(sorted(Counter(str(task.type) for task in tasks).items())),
        "topologies": dict(sorted(Counter(str(task.topology) for task in tasks if task.topology).items())),
        "hidden_intents": dict(sorted(Counter(str(t.hidden_intent.kind) for t in tasks if t.hidden_intent).items())),
    }


Propose = Callable[[Any, int], Iterable[tuple[int, int]]]
"""Edges (action, on) of a draft's task."""


def proposed(draft: Any, task: int) -> set[tuple[int, int]]:
    """The edges that the data flow shows."""
    from wildtool.grounding.value_sources import Setting, propose_edges

    setting = Setting.of(draft.plan.tool_list, draft.session.now)
    return {(edge.action, edge.on) for edge in propose_edges(draft.session.tasks, task, setting)}


def same_text(draft: Any, task: int) -> set[tuple[int, int]]:
    """An edge wherever an earlier result of the task holds an argument's text."""
    actions = draft.session.tasks[task].actions
    return {
        (index, on)
        for index, action in enumerate(actions)
        if action.kind == "call"
        for on in range(index)
        if actions[on].kind == "call"
        and any(str(value) in json.dumps(actions[on].observation) for value in action.arguments.values())
    }


def edges(drafts: Sequence[Any], propose: Propose) -> dict[str, float]:
    """Precision, recall and F1 over the dependencies of all calls, against the blueprints."""
    right = found = wanted = 0
    for draft in drafts:
        for number, blueprint in enumerate(draft.plan.tasks):
            asks = 1 if blueprint.missing else 0
            planned = {(i + asks, on + asks) for i, call in enumerate(blueprint.calls) for on in call.depends_on}
            # The call that a question was asked for waits for it.
            planned |= {(asks, 0)} if asks else set()
            told = set(propose(draft, number))
            right += len(planned & told)
            found += len(told)
            wanted += len(planned)
    precision, recall = right / max(1, found), right / max(1, wanted)
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4), "planned": wanted}


def prepared(home: Path) -> Path:
    """A home with the core catalogue and the seeds of the examples."""
    if not (home / "warehouse.duckdb").exists():
        for line in (["catalog", "build", "core"], ["mine", str(EXAMPLES)]):
            command = [
                sys.executable,
                "-c",
                "from wildtool.flows.cli import main; main()",
                *line,
                "--home",
                str(home),
                "-q",
            ]
            subprocess.run(command, check=True, capture_output=True)
    return home


def figures_of(report: dict[str, Any]) -> list[Figure]:
    """One run's figures beside limits and the plain string search."""
    name, edge = f"{report['profile']}, seed {report['seed']}", report["edges"]
    return [
        at_least(f"{name}: sessions drafted", report["sessions"], "count", report["planned"]),
        Figure(f"{name}: of them at the first try", report["first_try"], "count"),
        at_least(f"{name}: edge F1, dependencies found in the data flow", edge["f1"], "share", LIMITS["edge_f1"]),
        peer(f"{name}: edge F1", edge["f1"], "share", "equal text", report["edges_by_equal_text"]["f1"], better="more"),
        at_least(f"{name}: unique messages", report["unique_messages"], "share", LIMITS["unique_messages"]),
        at_most(f"{name}: time", report["cpu_seconds"], "CPU s", LIMITS["seconds"]),
    ]


def show(report: dict[str, Any]) -> None:
    """One run as lines, each figure beside its limit or peer."""
    edge, other = report["edges"], report["edges_by_equal_text"]
    print(f"{report['profile']}, seed {report['seed']}")
    print(f"  sessions          {report['sessions']} of {report['planned']}, {report['first_try']} at the first try")
    for name, counts in report["quotas"].items():
        print(f"  {name:<17} {', '.join(f'{key} {count}' for key, count in counts.items())}")
    print(f"  remarks of rules  {report['doubts']}")
    print(
        f"  edge F1           {edge['f1']:.3f} (limit {LIMITS['edge_f1']}; by equal text {other['f1']:.3f}), of {edge['planned']}"
    )
    unique = f"{report['unique_messages']:.2%} (limit {LIMITS['unique_messages']:.0%})"
    print(f"  unique messages   {unique}, {report['near_equal_messages']} nearly equal")
    print(f"  devices           {', '.join(f'{key} {count}' for key, count in report['devices'].items())}")
    print(f"  replies           {', '.join(f'{key} {count}' for key, count in sorted(report['replies'].items()))}")
    print(f"  lists of real APIs {report['real_lists']}")
    print(
        f"  seconds           {report['seconds']} (limit {LIMITS['seconds']:.0f}), {report['cpu_seconds']} of a processor"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what the offline simulator drafts.")
    parser.add_argument(
        "--home", type=Path, help="folder with seeds and a catalogue (default: made of examples/logs and core)"
    )
    parser.add_argument("--profile", default="wildtoolbench-1.0")
    parser.add_argument("--seed", type=int, action="append", help="may be given several times")
    parser.add_argument("--sessions", type=int, help="at most so many a language")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    arguments = parser.parse_args()
    home = arguments.home
    if home is not None and not (home / "warehouse.duckdb").exists():
        print(f"there is no warehouse in {home}: mine a log and build a catalogue first", file=sys.stderr)
        return 2
    reports = []
    with tempfile.TemporaryDirectory() as made:
        for seed in arguments.seed or [0]:
            ground = home or prepared(Path(made))
            reports.append(measure(ground, arguments.profile, seed, arguments.sessions))
            if not arguments.json:
                show(reports[-1])
    if arguments.json:
        figures = packed(figure for each in reports for figure in figures_of(each))
        print(json.dumps({"limits": LIMITS, "runs": reports, "figures": figures}, ensure_ascii=False))
    bad = [each for each in reports if each["edges"]["f1"] < LIMITS["edge_f1"] or each["sessions"] < each["planned"]]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

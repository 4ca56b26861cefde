"""Every stage killed at random moments and started again: ``python -m benchmarks.kills [--kills N] [--json] [--write]``.

Two homes go through the whole pipeline over one real Label Studio and one real HTTP endpoint (which answers as the
simulator does, and counts what it was paid for). One is left in peace; in the other each stage is killed (SIGKILL, the
whole process group) ``N`` times at moments drawn from the time that the stage takes, started again each time, and then
let end. After each stage both homes must hold the same, row by row; at the end both releases must have the same bytes.

Exits 1 if anything was lost, doubled, paid twice or came out different.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.figures import Figure, at_most, packed
from benchmarks.page import fill
from tests.agents.mock_endpoint import Actor, MockEndpoint
from wildtool.annotation import Connection, LabelStudioServer, connect
from wildtool.schemas.base import Record
from wildtool.schemas.conversation import ConversationBehaviour
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Adjudication, Label
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.session import Session
from wildtool.schemas.trajectory import Trajectory
from wildtool.warehouse import Store

REPOSITORY = Path(__file__).resolve().parent.parent
IN_FLIGHT = 6
"""Requests at once: so many answers can be under way, and are lost, at a kill."""
SESSIONS = 4
"""A language: eight sessions pass every stage in seconds, so that a kill finds it at work."""
VERSION = "1.0.0"
TRIES = 4
"""A stage that ends before its kill is started anew, from the home as it was, so many times a kill."""


@dataclass(frozen=True)
class StageCase:
    """One stage: how it is started, and what it leaves."""

    name: str
    command: Callable[[str], list[str]]
    """Arguments, for the project's title in Label Studio."""
    kinds: tuple[type[Record], ...]
    """Records that it writes."""
    on_server: bool = False
    """It changes the server, so a finished run cannot be taken back."""


CASES = (
    StageCase("catalog", lambda _: ["catalog", "build", "core"], ()),
    StageCase("mine", lambda _: ["mine", str(REPOSITORY / "examples" / "logs")], (SeedScenario, ConversationBehaviour)),
    StageCase(
        "draft",
        lambda _: ["draft", "--profile", "demo", "--sessions", str(SESSIONS), "--model", "mock"],
        (SessionPlan, Draft),
    ),
    StageCase("push", lambda project: ["annotate", "push", "--project", project], (), on_server=True),
    StageCase("label", lambda project: ["annotate", "simulate", "--project", project], (), on_server=True),
    StageCase("pull", lambda project: ["annotate", "pull", "--project", project], (Label,)),
    StageCase(
        "adjudicate",
        lambda project: ["annotate", "adjudicate", "--simulate", "--project", project],
        (Session, Adjudication),
        on_server=True,
    ),
    StageCase("freeze", lambda _: ["release", "freeze", VERSION], ()),
    StageCase("evaluate", lambda _: ["evaluate", "run", "--release", VERSION, "--model", "mock"], (Trajectory,)),
)

LEFT_OUT = {
    Draft: {"cached"},
    Trajectory: {"latency_seconds"},
    Label: {"project_id", "annotation_id", "updated_at", "lead_seconds"},
}
"""Fields that tell of the clock, the cache or the server's numbering, not of the work."""


@dataclass
class Row:
    """One line of the table."""

    stage: str
    kills: int
    seconds: float
    """Of the undisturbed run."""
    rows: int
    """Records of the undisturbed run."""
    lost: int
    doubled: int
    different: int
    paid_twice: int
    """Requests that were paid for again though the answer had arrived before a kill."""
    repeated: int
    """Requests whose answer was under way at a kill, and that had to be asked again."""
    quarantined: int

    @property
    def good(self) -> bool:
        return not (self.lost or self.doubled or self.different or self.paid_twice)


class Ground:
    """The two homes, the server, the endpoint."""

    def __init__(self, folder: Path, environment: dict[str, str], endpoint: MockEndpoint) -> None:
        self.quiet = folder / "quiet"
        self.killed = folder / "killed"
        self.before = folder / "before"
        self.environment = environment
        self.endpoint = endpoint
        self.cuts: list[tuple[int, int]] = []

    def start(self, home: Path, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [
                sys.executable,
                "-c",
                "from wildtool.flows.cli import main; main()",
                *arguments,
                "--home",
                str(home),
                "--json",
                "-q",
            ],
            env=self.environment,
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def finish(self, home: Path, arguments: Sequence[str]) -> float:
        began = time.monotonic()
        process = self.start(home, arguments)
        _, err = process.communicate(timeout=600)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(arguments)} failed: {err.decode()[-2000:]}")
        return time.monotonic() - began

    def kill(self, arguments: Sequence[str], after: float) -> bool:
        """Start, kill after so many seconds; False if it had ended by itself."""
        process = self.start(self.killed, arguments)
        try:
            _, err = process.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            before = len(self.endpoint.served)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.cuts.append((before - IN_FLIGHT, len(self.endpoint.served) + IN_FLIGHT))
            return True
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(arguments)} failed after a kill: {err.decode()[-2000:]}")
        return False

    def paid(self, quiet: Counter[str]) -> tuple[int, int]:
        """Of the requests: paid twice without need, and repeated because the answer was under way at a kill.

        ``quiet``: how often the undisturbed run asked each; it takes several samples of one request.
        """
        last: dict[str, int] = {}
        samples = quiet - Counter(set(quiet))
        twice = repeated = 0
        for place, digest in enumerate(self.endpoint.served):
            if digest in last:
                if samples[digest] > 0:
                    samples[digest] -= 1
                elif any(start <= last[digest] < end for start, end in self.cuts):
                    repeated += 1
                else:
                    twice += 1
            last[digest] = place
        return twice, repeated


def content(home: Path, kind: type[Record]) -> Counter[str]:
    """Every record of the kind as a digest."""
    return Counter(
        hashlib.sha256(json.dumps(_stripped(record.model_dump(mode="json"), LEFT_OUT.get(kind, set())),
                                  sort_keys=True).encode()).hexdigest()
        for record in Store(home / "warehouse.duckdb").read(kind)
    )  # fmt: skip


def _stripped(value: Any, left_out: set[str]) -> Any:
    if isinstance(value, dict):
        return {name: _stripped(item, left_out) for name, item in value.items() if name not in left_out}
    if isinstance(value, list):
        return [_stripped(item, left_out) for item in value]
    return value


def files(folder: Path) -> Counter[str]:
    """Every file below the folder as path and digest."""
    return Counter(
        f"{file.relative_to(folder)} {hashlib.sha256(file.read_bytes()).hexdigest()}"
        for file in folder.rglob("*")
        if file.is_file()
    )


def held(ground: Ground, home: Path, case: StageCase, project: str, studio: Connection) -> Counter[str]:
    """All that a stage has left, as countable digests."""
    found: Counter[str] = Counter()
    for kind in case.kinds:
        found += Counter({f"{kind.__name__} {digest}": count for digest, count in content(home, kind).items()})
    match case.name:
        case "catalog":
            found += Counter(
                {name: n for name, n in files(home / "catalog").items() if not name.startswith("sources/")}
            )
        case "freeze":
            found += files(home / "releases" / VERSION)
        case "push" | "label" | "adjudicate":
            found += on_server(studio, project, labels=case.name != "push")
    return found


def on_server(studio: Connection, project: str, *, labels: bool) -> Counter[str]:
    """Tasks by their own id, and who labelled them, in the projects of this run."""
    found: Counter[str] = Counter()
    for one in studio.get("/api/projects/", page_size=1000)["results"]:
        if not one["title"].startswith(project):
            continue
        kind = one["title"].removeprefix(project)
        exported = studio.get(f"/api/projects/{one['id']}/export", exportType="JSON", download_all_tasks="true")
        for task in exported:
            uid = task["data"]["uid"]
            found[f"task {kind} {uid}"] += 1
            for annotation in task["annotations"] if labels else ():
                found[f"annotation {kind} {uid} {annotation['completed_by']}"] += 1
    return found


def run_case(ground: Ground, case: StageCase, kills: int, rng: Random, studio: Connection) -> Row:
    """One stage in both homes."""
    quiet, killed = case.command("quiet run"), case.command("killed run")
    seconds = ground.finish(ground.quiet, quiet)
    expected = held(ground, ground.quiet, case, "quiet run", studio)

    asked = Counter(ground.endpoint.served)
    # The endpoint has seen these very requests from the quiet home: what the killed home asks is counted from here.
    ground.endpoint.served.clear()
    ground.cuts.clear()
    if not case.on_server:
        shutil.rmtree(ground.before, ignore_errors=True)
        shutil.copytree(ground.killed, ground.before) if ground.killed.exists() else ground.before.mkdir()
    done = tries = 0
    while done < kills and tries < kills * TRIES:
        tries += 1
        # What is left to do on a server gets less with each kill: the later half would find it done.
        if ground.kill(killed, rng.uniform(0.05, 0.6 if case.on_server else 1.0) * seconds):
            done += 1
        elif case.on_server:
            break
        else:  # ended before its kill: once more from the start, and forget what that run was paid for
            shutil.rmtree(ground.killed)
            shutil.copytree(ground.before, ground.killed)
            ground.endpoint.served.clear()
            ground.cuts.clear()
    ground.finish(ground.killed, killed)
    twice, repeated = ground.paid(asked)
    ground.endpoint.served.clear()
    found = held(ground, ground.killed, case, "killed run", studio)
    rows = sum(expected.values())
    doubled = sum(count - 1 for count in found.values() if count > 1)
    lost = max(0, rows - sum(found.values()))
    different = sum(((expected - found) + (found - expected)).values()) - lost - doubled
    store = Store(ground.killed / "warehouse.duckdb")
    quarantined = store.count(Quarantined) if (ground.killed / "warehouse.duckdb").exists() else 0
    return Row(case.name, done, round(seconds, 2), rows, lost, doubled, max(0, different), twice, repeated, quarantined)


@contextlib.contextmanager
def grounds(folder: Path) -> Iterator[tuple[Ground, Connection]]:
    """Server, endpoint and homes; all gone at the end."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "LABEL_STUDIO_", "PREFECT_"))}
    quiet = {**kept, "WILDTOOL_SHARD": "2", "WILDTOOL_IN_FLIGHT": str(IN_FLIGHT), "WILDTOOL_DOUBLE_SHARE": "1"}
    plans = planned(folder / "plan", quiet)
    server = LabelStudioServer(folder / "studio")
    endpoint = MockEndpoint(Actor(plans), latency=0.02)
    try:
        running = server.start()
        with endpoint.serve() as url, connect(running.url, running.token) as studio:
            environment = {
                **quiet,
                "OPENAI_API_KEY": "any",
                "OPENAI_BASE_URL": url,
                "LABEL_STUDIO_URL": running.url,
                "LABEL_STUDIO_API_KEY": running.token,
            }
            yield Ground(folder, environment, endpoint), studio
    finally:
        server.stop()


def planned(home: Path, environment: dict[str, str]) -> list[SessionPlan]:
    """The plans that both homes will make: planning asks no model."""
    ground = Ground(home.parent, environment, MockEndpoint())
    for command in (CASES[0].command(""), CASES[1].command(""), [*CASES[2].command("")[:-1], "offline"]):
        ground.finish(home, command)
    return Store(home / "warehouse.duckdb").read(SessionPlan)


def measure(kills: int, seed: int, stages: Sequence[str]) -> list[Row]:
    """The table; stages that are not named run undisturbed."""
    rng = Random(seed)
    with tempfile.TemporaryDirectory() as name, grounds(Path(name)) as (ground, studio):
        rows = []
        for case in CASES:
            row = run_case(ground, case, kills if case.name in stages else 0, rng, studio)
            print(f"{row.stage}: {row.kills} kills", file=sys.stderr)
            rows.append(row)
        return rows


def table(rows: Sequence[Row]) -> str:
    """Markdown."""
    head = ("stage", "kills", "undisturbed s", "records", "lost", "doubled", "different", "paid twice", "asked again")
    lines = ["| " + " | ".join(head) + " |", "| --- " + "| ---: " * (len(head) - 1) + "|"]
    for row in rows:
        cells = (row.stage, row.kills, f"{row.seconds:.1f}", row.rows, row.lost, row.doubled, row.different,
                 row.paid_twice, row.repeated)  # fmt: skip
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    total = ("**all**", sum(r.kills for r in rows), "", sum(r.rows for r in rows), sum(r.lost for r in rows),
             sum(r.doubled for r in rows), sum(r.different for r in rows), sum(r.paid_twice for r in rows),
             sum(r.repeated for r in rows))  # fmt: skip
    return "\n".join([*lines, "| " + " | ".join(map(str, total)) + " |"])


def figures_of(rows: Sequence[Row]) -> list[Figure]:
    """All stages together: nothing may be lost, doubled, changed or paid twice."""
    kills = sum(row.kills for row in rows)
    wrong = ("lost", "doubled", "different", "paid_twice")
    return [
        Figure("kills over all stages", kills, "count"),
        *(at_most(f"records {n.replace('_', ' ')}", sum(getattr(row, n) for row in rows), "count", 0) for n in wrong),
        Figure("answers under way at a kill, asked again", sum(row.repeated for row in rows), "count"),
    ]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--kills", type=int, default=8, help="kills a stage (default 8; a stage on the server may be done before)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stage", action="append", choices=[case.name for case in CASES], help="only these are killed")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="put the table into docs/results/reliability.md")
    given = parser.parse_args()
    rows = measure(given.kills, given.seed, given.stage or [case.name for case in CASES])
    if given.json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "figures": packed(figures_of(rows))}))
    else:
        print(table(rows))
    if given.write:
        fill("kills", table(rows))
    sys.exit(0 if all(row.good for row in rows) else 1)


if __name__ == "__main__":
    main()

"""Pushing drafts to a real Label Studio server, beside bare imports that check nothing and remember nothing.

    python -m benchmarks.labelling [--drafts 5000] [--labels 100] [--rows bare,push,again,killed,labels] [--json]

Drafts are the offline simulator's for ``examples/logs``, multiplied with new ids, so that their sizes are real. The
server is one of our own in a fresh home (PostgreSQL where WILDTOOL_LABEL_STUDIO_POSTGRES names one). Its CPU seconds are
told apart from the client's: wall time on a busy machine says little. One push is killed half way and made again.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, at_most, packed, peer
from wildtool.annotation import (
    Connection,
    LabelStudioBackend,
    LabelStudioServer,
    RunningServer,
    build_interface,
    connect,
    default_annotators,
    encode_draft,
    fitting_spec,
    pull_labels,
    push_drafts,
    simulate_annotators,
)
from wildtool.annotation.label_studio.interface import LabelStudioInterface
from wildtool.annotation.label_studio.projects import find_project
from wildtool.annotation.label_studio.results import task_json, validation_errors
from wildtool.annotation.push import BATCH
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import PushedTask
from wildtool.schemas.session import Session
from wildtool.warehouse import Store

REPOSITORY = Path(__file__).resolve().parent.parent
LIMIT_SECONDS = 300
"""A few minutes: what 5,000 sessions may take."""

KILLED = """
import os, signal, sys
from pathlib import Path
from wildtool.annotation import LabelStudioBackend, connect, push_drafts
from wildtool.schemas.draft import Draft
from wildtool.warehouse import Store
store = Store(Path(sys.argv[1]))
drafts = store.read(Draft)
def keep(entries):
    store.put(entries)
    if store.count(type(entries[0]), project="killed") >= len(drafts) // 2:
        os.kill(os.getpid(), signal.SIGKILL)
with connect(sys.argv[2], os.environ["LABEL_STUDIO_API_KEY"]) as connection:
    push_drafts(drafts, LabelStudioBackend(connection), project="killed", double_share=0.2, on_pushed=keep)
"""


def simulated_drafts(home: Path) -> list[Draft]:
    """The offline simulator's drafts of the example's logs."""
    for line in (
        ["catalog", "build", "core"],
        ["mine", str(REPOSITORY / "examples" / "logs")],
        ["draft", "--profile", "demo", "--model", "offline"],
    ):
        command = [
            sys.executable,
            "-c",
            "from wildtool.flows.cli import main; main()",
            *line,
            "--home",
            str(home),
            "-q",
        ]
        subprocess.run(command, check=True, capture_output=True, cwd=REPOSITORY)
    return Store(home / "warehouse.duckdb").read(Draft)


def multiplied(drafts: list[Draft], wanted: int) -> list[Draft]:
    """So many drafts, each with an id of its own."""
    made: list[Draft] = []
    for number in range(wanted):
        draft = drafts[number % len(drafts)]
        plan = draft.plan.of(**{**dict(draft.plan), "id": "", "random_seed": 10_000_000 + number})
        fields = {**dict(draft.session), "id": ""}
        session = Session.for_plan(plan.id, **{name: value for name, value in fields.items() if name != "id"})
        made.append(Draft.of(**{**dict(draft), "id": "", "plan": plan, "session": session}))
    return made


def server_cpu(server: RunningServer) -> float:
    """CPU seconds that the server's processes took so far."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == server.pid:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def figures_of(rows: list[dict[str, Any]]) -> list[Figure]:
    """Wall time of each row, a push beside its limit and beside bare imports."""
    wall = {row["what"]: row["wall"] for row in rows}
    bare = wall.get("bare imports: no check, no ledger")
    figures = []
    for row in rows:
        what = f"{row['what']} ({row['n']:,})"
        if row["what"].startswith("push, "):
            figures += [
                at_most(what, row["wall"], "s", LIMIT_SECONDS),
                peer(what, row["wall"], "s", "bare imports", bare, absent="not measured in this run"),
            ]
        else:
            figures.append(Figure(what, row["wall"], "s"))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drafts", type=int, default=5000)
    parser.add_argument("--labels", type=int, default=100, help="drafts that simulated annotators label, and a pull")
    parser.add_argument("--rows", default="bare,push,again,killed,labels", help="what is measured")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wildtool-benchmark-") as folder:
        home = Path(folder)
        drafts = multiplied(simulated_drafts(home / "drafts"), options.drafts)
        store = Store(home / "warehouse.duckdb")
        store.put(drafts)
        studio = LabelStudioServer(home)
        rows: list[dict[str, Any]] = []
        try:
            server = studio.start(lambda line: print(line, file=sys.stderr))
            with connect(server.url, server.token) as connection:
                measure(rows, drafts, connection, server, store, options.labels, options.rows.split(","))
        finally:
            studio.stop()
    if options.json:
        print(json.dumps({"drafts": options.drafts, "rows": rows, "figures": packed(figures_of(rows))}))
        return
    print(f"{options.drafts:,} drafts; limit for a push: {LIMIT_SECONDS} s")
    print(f"{'':44}{'wall s':>9}{'client cpu':>12}{'server cpu':>12}{'a minute':>10}")
    for row in rows:
        rate = 60 * row["n"] / row["wall"] if row["wall"] else 0
        print(
            f"{row['what']:44}{row['wall']:9.1f}{row['client']:12.1f}{row['server']:12.1f}{rate:10,.0f}  {row['note']}"
        )


def measure(
    rows: list[dict[str, Any]],
    drafts: list[Draft],
    connection: Connection,
    server: RunningServer,
    store: Store,
    labels: int,
    chosen: list[str],
) -> None:
    """Fill the rows."""

    def row(what: str, n: int, work: Callable[[], str | None]) -> None:
        wall, client, there = time.perf_counter(), time.process_time(), server_cpu(server)
        note = work() or ""
        rows.append(
            {
                "what": what,
                "n": n,
                "wall": round(time.perf_counter() - wall, 2),
                "client": round(time.process_time() - client, 2),
                "server": round(server_cpu(server) - there, 2),
                "note": note,
            }
        )
        print(rows[-1], file=sys.stderr)

    def each_once(project: str) -> str:
        there = find_project(connection, project)
        assert there is not None
        tasks = connection.tasks(int(there["id"]), page_size=1000, include="id,data,total_predictions")
        found = Counter(task["data"]["uid"] for task in tasks if task["total_predictions"] == 1)
        if found != Counter(draft.id for draft in drafts):
            raise SystemExit(f"{project}: not each draft once with its prediction")
        return "each once"

    n = len(drafts)
    encoded: list[dict[str, Any]] = []
    interface = build_interface(fitting_spec(drafts))
    row("encoded and validated, offline", n, lambda: encoded.extend(_encoded(d, interface) for d in drafts))
    size = len(json.dumps(encoded[0])) / 1000

    def bare() -> str:
        made = connection.post("/api/projects", {"title": "bare", "label_config": interface.xml})
        for start in range(0, n, BATCH):
            connection.post(f"/api/projects/{made['id']}/import", encoded[start : start + BATCH], retry=False)
        return f"{size:.0f} kB a task"

    if "bare" in chosen:
        row("bare imports: no check, no ledger", n, bare)
    share: dict[str, Any] = {"project": "whole", "double_share": 0.2}

    def whole() -> str:
        push_drafts(drafts, LabelStudioBackend(connection), on_pushed=store.put, **share)
        return each_once("whole")

    if "push" in chosen:
        row("push, a fifth for two people", n, whole)
    if "again" in chosen:
        row(
            "push again: the ledger knows",
            n,
            lambda: _new(push_drafts(drafts, LabelStudioBackend(connection), already=store.read(PushedTask), **share)),
        )
        row(
            "push again: the ledger is lost",
            n,
            lambda: _new(push_drafts(drafts, LabelStudioBackend(connection), **share)),
        )

    def told(done: int, of: int) -> None:
        if done % 1000 < BATCH:
            print(f"{done:,} of {of:,} after {time.perf_counter() - began:.0f} s", file=sys.stderr)

    began = time.perf_counter()

    def killed() -> str:
        line = [sys.executable, "-c", KILLED, str(store.path), server.url]
        done = subprocess.run(
            line, env={**os.environ, "LABEL_STUDIO_API_KEY": server.token}, cwd=REPOSITORY, check=False
        )
        if done.returncode != -signal.SIGKILL:
            raise SystemExit(f"the push was not killed but ended with {done.returncode}")
        before = store.count(PushedTask, project="killed")
        push_drafts(
            drafts,
            LabelStudioBackend(connection),
            project="killed",
            already=store.read(PushedTask),
            double_share=0.2,
            on_pushed=store.put,
            progress=told,
        )
        return f"killed after {before:,}; {each_once('killed')}"

    if "killed" in chosen:
        row("push, killed half way, and again", n, killed)
    some = drafts[:labels]

    def simulated() -> str:
        result = simulate_annotators(
            LabelStudioBackend(connection), project="whole", drafts=some, annotators=default_annotators(0)
        )
        return f"{result.labelled} labels"

    if "labels" in chosen:
        row("simulated people label some", len(some), simulated)
        row(
            "pull of them",
            len(some),
            lambda: f"{len(pull_labels(LabelStudioBackend(connection), project='whole', drafts=drafts).labels)} labels",
        )


def _encoded(draft: Draft, interface: LabelStudioInterface) -> dict[str, Any]:
    task = task_json(encode_draft(draft, interface.spec), interface)
    if errors := validation_errors(task["predictions"][0], interface):
        raise SystemExit(f"{draft.id}: {errors[0]}")
    return task


def _new(result: Any) -> str:
    return f"{result.new} new"


if __name__ == "__main__":
    main()

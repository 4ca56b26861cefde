"""Faults of Label Studio: a real server, and a proxy before it that does what networks and servers do."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.faults.ground import NOTHING, Ended, Ground, Row, bad_ends
from tests.annotation.faulty_proxy import FaultyProxy
from wildtool.annotation import Connection, LabelStudioServer, connect
from wildtool.annotation.label_studio.projects import find_project
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import PushedTask
from wildtool.warehouse import Store

AREA = "Label Studio"

Fault = Callable[[int, str, str], str]
"""As the proxy takes it: request's number, method, path → what happens."""


@dataclass
class Studio:
    """The server, and a connection past the proxy that counts what it has."""

    server: LabelStudioServer
    url: str
    token: str
    direct: Connection
    personal: str
    """A personal access token: what it opens expires every few minutes."""
    restarts: list[threading.Thread] = field(default_factory=list)

    def restart(self) -> None:
        """Kill the server as the system would, and start it again beside the run."""
        running = self.server.running()
        assert running is not None
        os.killpg(running.pid, signal.SIGKILL)
        self.restarts.append(threading.Thread(target=self.server.start))
        self.restarts[-1].start()


@dataclass(frozen=True)
class Case:
    """One fault."""

    name: str
    fault: Callable[[Studio], Fault]
    ends: bool = False
    token: str = ""
    """In place of the right one."""
    personal: bool = False
    """By a personal access token."""
    quiet: bool = False
    """The proxy itself does nothing wrong."""


def _down_after(n: int) -> Callable[[Studio], Fault]:
    return lambda studio: lambda number, method, path: "drop" if number > n else ""


def _slow(studio: Studio) -> Fault:
    def fault(number: int, method: str, path: str) -> str:
        time.sleep(1.0)
        return ""

    return fault


def _restarted(studio: Studio) -> Fault:
    def fault(number: int, method: str, path: str) -> str:
        if method == "POST" and "/import" in path and not studio.restarts:
            studio.restart()
            return "drop"
        if studio.restarts and studio.restarts[-1].is_alive():
            return "drop"  # the proxy stands for the server: what is not there answers nobody
        return ""

    return fault


def _expiring(studio: Studio) -> Fault:
    refreshed: list[int] = []

    def fault(number: int, method: str, path: str) -> str:
        if path.startswith("/api/token/refresh"):
            refreshed.append(number)
            return ""
        return "401" if refreshed and number - refreshed[-1] > 3 else ""

    return fault


def _import_lost(studio: Studio) -> Fault:
    lost: list[str] = []

    def fault(number: int, method: str, path: str) -> str:
        if method == "POST" and "/import" in path and not lost:
            lost.append(path)
            return "lose"
        return ""

    return fault


CASES = (
    Case("down: drops every connection", _down_after(0), ends=True),
    Case("goes down in the middle of a push (after 4 requests), for good", _down_after(4), ends=True),
    Case("503 for a while: requests 2 to 5", lambda _: lambda n, method, path: "503" if 2 <= n <= 5 else ""),
    Case("slow: every answer a second later", _slow, quiet=True),
    Case("the import is done, and its answer lost", _import_lost),
    Case("killed and started again in the middle of a push", _restarted),
    Case("a wrong token", lambda _: lambda n, method, path: "", ends=True, token="0" * 40, quiet=True),
    Case("the access token expires, after every three requests", _expiring, personal=True),
    Case(
        "the token is taken back in the middle of a push",
        lambda _: lambda n, method, path: "401" if n > 4 else "",
        ends=True,
    ),
)


def run_case(ground: Ground, studio: Studio, case: Case, number: int) -> Row:
    """A push under the fault, then, where it ended, the same command without it; then labels, pulled."""
    home = ground.home(f"studio-{number}", drafted=True)
    project = f"fault {number}"
    studio.restarts.clear()
    token = case.token or (studio.personal if case.personal else studio.token)
    with FaultyProxy(studio.url, case.fault(studio)) as proxy:
        environment = {"LABEL_STUDIO_URL": proxy.url, "LABEL_STUDIO_API_KEY": token}
        push = ("annotate", "push", "--project", project)
        under = ground.run(home, *push, **environment)
        requests, met = proxy.requests, sum(proxy.met.values()) - proxy.met[""]
        proxy.fault = lambda n, method, path: ""
        for thread in studio.restarts:
            thread.join()
        environment["LABEL_STUDIO_API_KEY"] = studio.token
        after = ground.run(home, *push, **environment) if case.ends else None
    tasks = _tasks(studio.direct, project)
    figures = {"tasks": sum(tasks.values()), "requests": requests, "faults": met, "seconds": round(under.seconds, 1)}
    problems = _judge(home, case, under, after, tasks)
    if not met and not case.quiet:
        problems.append("the fault never came")
    recovery = "by itself" if after is None else "the same command again"
    if case.ends and "token" in case.name:
        recovery = "the right token, the same command again"
    return Row(AREA, case.name, under.error or NOTHING, recovery, figures, problems)


def _tasks(connection: Connection, project: str) -> Counter[str]:
    """How often each draft is a task of the project."""
    there = find_project(connection, project)
    if there is None:
        return Counter()
    return Counter(
        str(task["data"]["uid"]) for task in connection.tasks(int(there["id"]), page_size=1000, include="id,data")
    )


def _judge(home: Path, case: Case, under: Ended, after: Ended | None, tasks: Counter[str]) -> list[str]:
    store = Store(home / "warehouse.duckdb")
    drafts = {draft.id for draft in store.read(Draft)}
    problems = bad_ends(case.ends, under, after)
    if lost := drafts - set(tasks):
        problems.append(f"{len(lost)} drafts are no task")
    if doubled := [uid for uid, count in tasks.items() if count > 1]:
        problems.append(f"{len(doubled)} drafts are two tasks")
    if {entry.draft for entry in store.read(PushedTask)} != drafts:
        problems.append("the ledger lacks drafts")
    return problems


@contextmanager
def opened(ground: Ground) -> Iterator[list[Callable[[], Row]]]:
    """Every case, not yet run, while the server runs."""
    server = LabelStudioServer(ground.folder / "studio")
    try:
        running = server.start()
        with connect(running.url, running.token) as direct:
            direct.post("/api/jwt/settings", {"api_tokens_enabled": True, "legacy_api_tokens_enabled": True})
            personal = str(direct.post("/api/token/", {})["token"])
            studio = Studio(server, running.url, running.token, direct, personal)
            yield [partial(run_case, ground, studio, case, number) for number, case in enumerate(CASES)]
    finally:
        server.stop()

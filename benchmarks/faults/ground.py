"""Homes, commands and counts that every fault is tried with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.kills import REPOSITORY, content
from tests.agents.mock_endpoint import Actor, MockEndpoint
from wildtool.annotation import RunningServer
from wildtool.schemas.draft import Draft
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.quarantine import Quarantined
from wildtool.warehouse import Store

SESSIONS = 2
"""A language: four sessions, which pass in seconds."""
IN_FLIGHT = 6
GATEWAY = {"attempts": 4, "backoff_seconds": 0.05, "timeout_seconds": 30.0, "breaker_pause_seconds": 0.5}
"""Pauses of a run that nobody waits for. A request takes milliseconds here, or seconds where the machine is busy."""
COMMAND_SECONDS = 240.0
"""A command that takes longer hangs."""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def error(self) -> str:
        """The error line; empty for a command that went through."""
        return next((line for line in self.err.splitlines() if line.startswith("error: ")), "")

    @property
    def clean(self) -> bool:
        """No traceback; a failure has one line for its cause and one for its remedy."""
        if "Traceback" in self.err or self.code not in (0, 1, 2):
            return False
        return self.code == 0 or ("error: " in self.err and "remedy: " in self.err)


def bad_ends(ends: bool, under: Ended, after: Ended | None) -> list[str]:
    """What is no good about how commands ended: under the fault, which ``ends`` the run or not, and after it."""
    problems = []
    if bool(under.code) is not ends:
        problems.append(f"exit code {under.code}: {under.err[-1500:]}")
    for ended in (under, after):
        if ended is not None and not ended.clean:
            problems.append(f"no clean end: {ended.err[-1500:]}")
    if after is not None and after.code:
        problems.append(f"does not recover: {after.err[-1500:]}")
    return problems


@dataclass
class Row:
    """One line of the table."""

    area: str
    fault: str
    """What is done."""
    seen: str
    """What the user sees: the error line, or that nothing is."""
    recovery: str
    """How it goes on."""
    figures: dict[str, float | int]
    problems: list[str] = field(default_factory=list)
    """Why this is no good: lost, doubled, a traceback, no recovery."""


NOTHING = "nothing: goes on"


class Ground:
    """A prepared home to copy, an environment, and what an undisturbed run leaves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "LABEL_STUDIO_", "PREFECT_"))}
        self.environment = {
            **kept,
            "WILDTOOL_SHARD": "2",
            "WILDTOOL_IN_FLIGHT": str(IN_FLIGHT),
            "WILDTOOL_GATEWAY": json.dumps(GATEWAY),
            "OPENAI_API_KEY": "any",
        }
        self.planned = folder / "planned"
        self.drafted = folder / "drafted"
        self.plans: list[SessionPlan] = []
        self.expected: Counter[str] = Counter()
        self.requests = 0
        self.studio: RunningServer | None = None

    def prepare(self) -> None:
        """A home with plans, and one with drafts; what they hold is what every fault must end with."""
        self.must(self.planned, "catalog", "build", "core")
        self.must(self.planned, "mine", str(REPOSITORY / "examples" / "logs"))
        shutil.copytree(self.planned, self.folder / "first")
        self.must(self.folder / "first", *DRAFT[:-1], "offline")
        self.plans = Store(self.folder / "first" / "warehouse.duckdb").read(SessionPlan)
        shutil.copytree(self.planned, self.drafted)
        endpoint = MockEndpoint(self.actor(self.drafted))
        with endpoint.serve() as url:
            self.must(self.drafted, *DRAFT, OPENAI_BASE_URL=url)
        self.expected, self.requests = content(self.drafted, Draft), len(endpoint.served)
        if sum(self.expected.values()) != 2 * SESSIONS:
            raise SystemExit(f"an undisturbed run makes {sum(self.expected.values())} drafts, not {2 * SESSIONS}")

    def actor(self, home: Path) -> Actor:
        """Who answers for a home: he knows the plans that are made there in the place of refused ones, too."""
        return Actor(self.plans, lambda: Store(home / "warehouse.duckdb").read(SessionPlan))

    def home(self, name: str, *, drafted: bool = False) -> Path:
        """A fresh copy."""
        return Path(shutil.copytree(self.drafted if drafted else self.planned, self.folder / "homes" / name))

    def start(self, home: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", "from wildtool.flows.cli import main; main()", *arguments, "--home", str(home), "--json", "-q"],
            env={**self.environment, **environment},
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    def run(self, home: Path, *arguments: str, **environment: str) -> Ended:
        """A command, to its end."""
        return self.end(self.start(home, *arguments, **environment))

    @staticmethod
    def end(process: subprocess.Popen[str]) -> Ended:
        began = time.monotonic()
        try:
            out, err = process.communicate(timeout=COMMAND_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err += f"\nTraceback: hung for {COMMAND_SECONDS:g} s"
        return Ended(process.returncode, out, err, time.monotonic() - began)

    def must(self, home: Path, *arguments: str, **environment: str) -> Ended:
        """A command that has to go through: the ground of a case."""
        ended = self.run(home, *arguments, **environment)
        if ended.code:
            raise SystemExit(f"{' '.join(arguments)} failed: {ended.err[-2000:]}")
        return ended

    def wrong_drafts(self, home: Path) -> list[str]:
        """How the home's drafts differ from an undisturbed run's."""
        found = content(home, Draft)
        missing, more = self.expected - found, found - self.expected
        problems = []
        if missing:
            problems.append(f"{sum(missing.values())} drafts lost or different")
        if more:
            problems.append(f"{sum(more.values())} drafts that should not be")
        return problems


DRAFT = ("draft", "--profile", "demo", "--sessions", str(SESSIONS), "--model", "mock")


def draft_figures(home: Path, ended: Ended, endpoint: MockEndpoint | None) -> dict[str, float | int]:
    """What a drafting run left when it ended."""
    path = home / "warehouse.duckdb"
    store = Store(path)
    held = {"drafted": store.count(Draft), "quarantined": store.count(Quarantined, stage="draft")}
    try:
        retries = next((int(s["notes"].get("retries", 0)) for s in [json.loads(ended.out)] if "notes" in s), 0)
    except (ValueError, KeyError, TypeError, AttributeError):
        retries = 0
    figures: dict[str, float | int] = {**held, "retries": retries, "seconds": round(ended.seconds, 1)}
    if endpoint is not None:
        figures["requests"] = endpoint.requests["POST /v1/chat/completions"]
    return figures

"""Faults of the model endpoint, over real HTTP."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.faults.ground import DRAFT, GATEWAY, NOTHING, Ended, Ground, Row, bad_ends, draft_figures
from tests.agents.mock_endpoint import DRIPPING, MockEndpoint
from wildtool.agents.gateway.faults import Fault, Faults
from wildtool.schemas.base import JsonObject

AREA = "model endpoint"

Choose = Callable[[int, int], "Fault | int | None"]
"""What befalls a request: its number, and how often this very request was tried before → a fault, a status, nothing."""

BODIES = {
    401: {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}},
    402: {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}},
}


class Script(Faults):
    """Faults in a given order, in place of drawn ones."""

    def __init__(self, choose: Choose, retry_after: float = 1.0) -> None:
        super().__init__(retry_after=retry_after)
        self.choose = choose
        self.number = self.met = 0

    def draw(self, request: str) -> Fault | None:
        raise AssertionError("the endpoint asks itself")

    def next(self, request: str) -> Fault | int | None:
        tries = self.seen.get(request, 0)
        self.seen[request] = tries + 1
        self.number += 1
        found = self.choose(self.number, tries)
        self.met += found is not None
        return found


class IllEndpoint(MockEndpoint):
    """An endpoint whose faults come by a script, until ``healed``."""

    script: Script | None = None

    def complete(self, body: JsonObject) -> tuple[int, dict[str, str], str | None]:
        if self.script is None:
            return super().complete(body)
        with self.lock:
            met = self.script.next(json.dumps(body, sort_keys=True))
        if met == DRIPPING:
            with self.lock:
                self.faults = None
                _, headers, text = super().complete(body)
                self.served.pop()  # cut off by the client: it never arrived
            return DRIPPING, headers, text
        if isinstance(met, int):
            return met, {}, json.dumps(BODIES.get(met, {"error": {"message": "as told"}}))
        with self.lock:
            return self._with(met, body)

    def _with(self, met: Fault | None, body: JsonObject) -> tuple[int, dict[str, str], str | None]:
        self.faults = None if met is None else Always(met, self.script.retry_after if self.script else 1.0)
        return super().complete(body)


class Always(Faults):
    """One fault."""

    def __init__(self, kind: Fault, retry_after: float) -> None:
        super().__init__(retry_after=retry_after)
        self.kind = kind

    def draw(self, request: str) -> Fault | None:
        return self.kind


@dataclass(frozen=True)
class Case:
    """One fault."""

    name: str
    choose: Choose
    retry_after: float = 1.0
    ends: bool = False
    """The run ends with an error; after the fault the same command goes on."""
    environment: tuple[tuple[str, str], ...] = ()


def _first(times: int, fault: Fault | int) -> Choose:
    return lambda number, tries: fault if tries < times else None


def _every(n: int, fault: Fault | int) -> Choose:
    return lambda number, tries: fault if number % n == 0 and tries < 2 else None


MIXED = (Fault.RATE_LIMIT, Fault.SERVER_ERROR, Fault.DROPPED, Fault.TRUNCATED, Fault.EMPTY_CHOICE)

QUICK_TIMEOUT = (("WILDTOOL_GATEWAY", json.dumps({**GATEWAY, "timeout_seconds": 6.0})),)

CASES = (
    Case("429 storm without Retry-After: every request refused three times", _first(3, Fault.RATE_LIMIT)),
    Case("429 with Retry-After of 0.5 s, every tenth request", _every(10, Fault.RATE_LIMIT_TIMED), retry_after=0.5),
    Case("429 for ever", lambda number, tries: Fault.RATE_LIMIT, ends=True),
    Case("500: every request twice", _first(2, Fault.SERVER_ERROR)),
    Case("no answer within the time-out (6 s), every tenth request", _every(10, Fault.TIMEOUT), environment=QUICK_TIMEOUT),
    Case("slow bodies: a byte now and then, beyond the time-out (6 s), every tenth", _every(10, DRIPPING), environment=QUICK_TIMEOUT),
    Case("truncated JSON, every third request", _every(3, Fault.TRUNCATED)),
    Case("dropped connections, every third request", _every(3, Fault.DROPPED)),
    Case("all of these in turn, two requests of three", lambda number, tries: MIXED[number % 5] if number % 3 and tries < 2 else None),
    Case("goes down at request 20, for good", lambda number, tries: 503 if number > 20 else None, ends=True),
    Case("no credit left at request 20", lambda number, tries: 402 if number > 20 else None, ends=True),
    Case("the key is refused", lambda number, tries: 401, ends=True),
)  # fmt: skip


def run_case(ground: Ground, case: Case, number: int) -> Row:
    """A run under the fault, then, where it ended, the same command without it."""
    home = ground.home(f"model-{number}")
    endpoint = IllEndpoint(ground.actor(home), too_late=9.0)
    endpoint.script = Script(case.choose, case.retry_after)
    with endpoint.serve() as url:
        environment = {"OPENAI_BASE_URL": url, **dict(case.environment)}
        under = ground.run(home, *DRAFT, **environment)
        figures = {**draft_figures(home, under, endpoint), "faults": endpoint.script.met}
        endpoint.script = endpoint.faults = None
        after = ground.run(home, *DRAFT, **environment) if case.ends else None
    problems = judge(ground, home, case.ends, under, after)
    if not figures["faults"]:
        problems.append("the fault never came")
    if twice := endpoint.paid_twice():
        problems.append(f"{sum(twice.values())} answers paid twice")
    return Row(AREA, case.name, under.error or NOTHING, went_on(after), figures, problems)


def judge(ground: Ground, home: Path, ends: bool, under: Ended, after: Ended | None) -> list[str]:
    """What is no good about a run under a fault and the one after it."""
    return bad_ends(ends, under, after) + ground.wrong_drafts(home)


def went_on(after: Ended | None) -> str:
    """How it recovered."""
    return "by itself" if after is None else "the same command again"


def nobody_there(ground: Ground) -> Row:
    """A port where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = ground.home("model-down")
    under = ground.run(home, *DRAFT, OPENAI_BASE_URL=f"http://127.0.0.1:{port}/v1")
    figures = draft_figures(home, under, None)
    endpoint = MockEndpoint(ground.actor(home))
    with endpoint.serve() as url:
        after = ground.run(home, *DRAFT, OPENAI_BASE_URL=url)
    return Row(
        AREA, "down: nothing listens", under.error, went_on(after), figures, judge(ground, home, True, under, after)
    )


@contextmanager
def opened(ground: Ground) -> Iterator[list[Callable[[], Row]]]:
    """Every case, not yet run."""
    yield [*(partial(run_case, ground, case, n) for n, case in enumerate(CASES)), partial(nobody_there, ground)]

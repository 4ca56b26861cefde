"""How shards are run: each once, in lanes that share what is left, within limits given for the whole run."""

from __future__ import annotations

import pickle
import threading

import pytest

from wildtool.flows.budget_split import Allowance
from wildtool.flows.settings import RunnerName, Settings
from wildtool.flows.worker_lanes import Lanes
from wildtool.schemas.errors import InputError, WildtoolError


def run_lanes(lanes: Lanes[int, int], count: int) -> tuple[list[tuple[int, int]], list[BaseException]]:
    """What the consumer got, and the errors of the lanes."""
    errors: list[BaseException] = []

    def work() -> None:
        try:
            lanes.work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    found = list(lanes.results(count))
    for thread in threads:
        thread.join()
    return found, errors


@pytest.mark.parametrize("count", [1, 2, 7])
def test_every_shard_runs_once(count: int) -> None:
    found, errors = run_lanes(Lanes(lambda shard: shard * shard, iter(range(50))), count)
    assert sorted(found) == [(shard, shard * shard) for shard in range(50)]
    assert not errors


def test_an_error_starts_no_further_shard_and_keeps_what_was_finished() -> None:
    taken: list[int] = []

    def work(shard: int) -> int:
        taken.append(shard)
        if shard == 5:
            raise InputError("five", "not five")
        return shard

    found, errors = run_lanes(Lanes(work, iter(range(1000))), 3)
    assert [type(error) for error in errors] == [InputError]
    assert len(taken) < 20
    assert {shard for shard, _ in found} == set(taken) - {5}


def test_the_next_shard_is_made_after_the_last_one_was_kept() -> None:
    kept = 0
    seen_by_maker: list[int] = []

    def shards() -> object:
        for shard in range(10):
            seen_by_maker.append(kept)
            yield shard

    lanes: Lanes[int, int] = Lanes(lambda shard: shard, shards())  # type: ignore[arg-type]
    thread = threading.Thread(target=lanes.work)
    thread.start()
    for _ in lanes.results(1):
        kept += 1
    thread.join()
    assert seen_by_maker == list(range(10))


def test_a_consumer_that_leaves_stops_the_lanes() -> None:
    lanes: Lanes[int, int] = Lanes(lambda shard: shard, iter(range(1000)))
    thread = threading.Thread(target=lanes.work)
    thread.start()
    results = lanes.results(1)
    next(results)
    results.close()  # type: ignore[attr-defined]
    thread.join(timeout=10)
    assert not thread.is_alive()


def test_one_shard_after_another_gets_what_is_left_of_the_budget() -> None:
    allowance = Allowance(Settings(budget_usd=1.0, in_flight=16))
    first = allowance.settings()
    assert first.budget_usd == pytest.approx(1.0)
    assert first.in_flight == 16
    allowance.spent(first, 0.4, 0)
    assert allowance.settings().budget_usd == pytest.approx(0.6)


@pytest.mark.parametrize("workers", [2, 3, 8])
def test_shards_at_once_never_get_more_than_there_is(workers: int) -> None:
    """Whatever they spend of their part, in whatever order they end."""
    allowance = Allowance(
        Settings(
            budget_usd=1.0, in_flight=16, runner=RunnerName.DASK, workers=workers, gateway={"budget_tokens": 100_000}
        )
    )
    running: list[Settings] = []
    spent = used = 0.0
    for turn in range(60):
        while len(running) < workers:
            running.append(allowance.settings())
        assert spent + sum(shard.budget_usd or 0 for shard in running) <= 1.0 + 1e-6
        assert used + sum(shard.gateway["budget_tokens"] for shard in running) <= 100_000 + workers
        assert sum(shard.in_flight for shard in running) <= 16
        shard = running.pop((turn * 5) % workers)
        cost = (shard.budget_usd or 0) * (turn % 3) / 2
        spent += cost
        granted = shard.gateway["budget_tokens"]
        tokens = granted * ((turn + 1) % 3) // 2 if granted > 1 else 0  # 1 stands for none: no call takes one token
        used += tokens
        allowance.spent(shard, cost, tokens)
    assert spent <= 1.0 + 1e-6


def test_a_budget_of_tokens_holds_for_the_run_and_not_for_each_shard() -> None:
    allowance = Allowance(Settings(gateway={"budget_tokens": 1000}))
    first = allowance.settings()
    assert first.gateway["budget_tokens"] == 1000
    allowance.spent(first, 0.0, 900)
    assert allowance.settings().gateway["budget_tokens"] == 100


def test_rates_of_the_run_are_divided_among_workers_those_of_single_roles_too() -> None:
    gateway = {
        "requests_per_minute": 60,
        "roles": {"user": {"model": "small", "tokens_per_minute": 9000}, "checker": {"model": "large"}},
    }
    part = Allowance(Settings(runner=RunnerName.DASK, workers=3, gateway=gateway)).settings().gateway
    assert part["requests_per_minute"] == pytest.approx(20)
    assert part["roles"]["user"] == {"model": "small", "tokens_per_minute": pytest.approx(3000)}
    assert part["roles"]["checker"] == {"model": "large"}
    assert Allowance(Settings(gateway=gateway)).settings().gateway == gateway


def test_no_secret_travels_with_a_shard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-secret")
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "ls-planted-secret")
    assert Settings().openai_api_key is not None
    travelling = pickle.dumps(Allowance(Settings()).settings())
    assert b"planted-secret" not in travelling


def test_an_error_of_a_worker_comes_back_whole() -> None:
    def leaves(kind: type[WildtoolError]) -> list[type[WildtoolError]]:
        return [kind, *(leaf for child in kind.__subclasses__() for leaf in leaves(child))]

    for kind in leaves(WildtoolError):
        try:
            error = kind("what went wrong", "what mends it")
        except TypeError:
            continue  # an error with arguments of its own, raised where no worker runs
        back = pickle.loads(pickle.dumps(error))  # noqa: S301  (our own bytes)
        assert (type(back), back.cause, back.remedy) == (kind, "what went wrong", "what mends it")

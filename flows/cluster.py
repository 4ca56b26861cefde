"""Shards on a Dask cluster, through Prefect's integration (the extra ``dask``).

Only functions and shards travel; the store stays with the process that started the run, which is the one writer. A
worker that dies costs its shard, which the scheduler hands to another: answers that were paid for come from the cache.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from wildtool.flows.run import Result, Runner, Shard
from wildtool.flows.settings import Settings
from wildtool.flows.versions import code_digest
from wildtool.schemas.errors import ServiceError, SettingsError, StageError

CONNECT_SECONDS = 30
"""A scheduler that has not answered by then is not there; a local one answers in milliseconds."""


def on_dask(settings: Settings) -> Runner:
    """A runner on the cluster that the settings name, or on one of its own for each stage.

    Raises ``SettingsError`` without the extra, ``ServiceError`` where the cluster cannot be reached or cannot do the
    work: other code, no key, no sight of the home folder.
    """
    try:
        import prefect_dask  # noqa: F401
    except ImportError as error:
        raise SettingsError(
            "the runner dask needs packages that are not installed", "pip install 'wildtool[dask]', or --runner threads"
        ) from error

    # Joining, leaving and heartbeats are the scheduler's business; what concerns the user is raised.
    logging.getLogger("distributed").setLevel(logging.ERROR)
    if settings.dask_address is not None:
        _check_workers(settings.dask_address, settings)

    def runner(
        function: Callable[[Shard], Result], shards: Iterable[Shard], *, name: str
    ) -> Iterator[tuple[Shard, Result]]:
        from wildtool.flows.worker_lanes import in_tasks

        with _engine(settings) as engine:
            client = engine.client

            def remote(shard: Shard) -> Result:
                from distributed import KilledWorker

                try:
                    result: Result = client.submit(function, shard, pure=False).result()
                except KilledWorker as error:
                    raise StageError(
                        f"a shard of {name} killed each worker that it was given to ({error.last_worker.address} last)",
                        "look at the workers' logs (memory?), make shards smaller (WILDTOOL_SHARD), and run again",
                    ) from error
                return result

            yield from in_tasks(remote, shards, name=name, lanes=settings.workers)

    return runner


def _engine(settings: Settings) -> Any:
    from prefect_dask.task_runners import DaskTaskRunner

    if settings.dask_address is not None:
        return DaskTaskRunner(address=settings.dask_address, client_kwargs={"timeout": CONNECT_SECONDS})
    from distributed.security import Security

    return DaskTaskRunner(
        cluster_kwargs={
            "n_workers": settings.workers,
            "threads_per_worker": 1,
            "host": "127.0.0.1",
            "dashboard_address": "127.0.0.1:0",
            # A scheduler runs whatever code it is sent: without certificates any user of the machine could send some.
            "security": Security.temporary(),  # type: ignore[no-untyped-call]
        }
    )


def _check_workers(address: str, settings: Settings) -> None:
    """Raise ``ServiceError`` unless every worker of the cluster is fit for the work."""
    from distributed import Client

    probe = settings.home.absolute() / f".probe-{uuid.uuid4().hex}"
    try:
        probe.touch()
        with Client(address, timeout=CONNECT_SECONDS, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            found = client.run(_fitness, str(probe))
    except (OSError, ValueError) as error:  # ValueError: an address that is none
        raise ServiceError(
            f"no Dask cluster with a worker answers at {address}: {error}",
            "start one (dask scheduler; dask worker ADDRESS), or leave out --dask-address to use this machine's cores",
        ) from error
    finally:
        probe.unlink(missing_ok=True)
    for worker, fit in found.items():
        if fit["code"] != code_digest():
            raise ServiceError(
                f"worker {worker} runs other code ({fit['code']}) than this process ({code_digest()})",
                "install the same wildtool there, and start the worker again",
            )
        if settings.worker_cache is None and not fit["home"]:
            raise ServiceError(
                f"worker {worker} does not see the home folder {probe.parent}",
                "share that folder, or name one of its own for its response cache: WILDTOOL_WORKER_CACHE",
            )
        if settings.openai_api_key is not None and not fit["key"]:
            raise ServiceError(
                f"worker {worker} has no key for the model: OPENAI_API_KEY is not set there",
                "start the worker with the key in its environment; it is never sent",
            )


def _fitness(probe: str) -> dict[str, Any]:
    """What a worker says of itself."""
    import os

    return {"code": code_digest(), "home": Path(probe).exists(), "key": bool(os.environ.get("OPENAI_API_KEY"))}

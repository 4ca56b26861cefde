"""Prefect, kept in its place: quiet, private, without telemetry; and the one switch between a flow and a plain run.

A stage is a function ``run(run: Run, **parameters) -> JsonObject`` in ``flows/stages/``. A flow in ``flows/<stage>.py``
wraps it. Importing Prefect costs 2 s and a first server of its own 17-19 s more, so a single-stage command calls the
stage directly, unless a Prefect API is configured or a flow is asked for.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, assert_never

from wildtool.flows.home import Home
from wildtool.flows.run import Run, Runner, open_run
from wildtool.flows.settings import RunnerName, Settings, load_settings
from wildtool.flows.worker_lanes import in_tasks
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import ServiceError

PREFECT_ENVIRONMENT = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    # A flow's failure is our error, shown in two lines; Prefect would print it again with a traceback.
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    # Its default of 20 s is too short for a first start on a busy machine (17-19 s measured on an idle one).
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
}

run_of_process: ContextVar[Run | None] = ContextVar("run_of_process", default=None)
"""The run that started a flow in this process: its flags and its progress display cannot travel as parameters."""


def prepare_prefect(home: Home) -> None:
    """Set Prefect's environment, before it is imported. What the user has set stays."""
    for name, value in PREFECT_ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    os.environ.setdefault("PREFECT_HOME", str(home.prefect.absolute()))


def runner_of(settings: Settings) -> Runner:
    """The runner that the settings name, for use inside a flow."""
    match settings.runner:
        case RunnerName.THREADS:
            return in_tasks
        case RunnerName.DASK:
            from wildtool.flows.cluster import on_dask

            return on_dask(settings)
        case _:
            assert_never(settings.runner)


def in_flow(
    stage: Callable[..., JsonObject], *, home: str, seed: int, model: str | None, **parameters: Any
) -> JsonObject:
    """Run a stage inside its flow, and publish what it says of itself as artifacts.

    ``home``, ``seed`` and ``model`` are parameters of every flow; all other settings are those of the command that
    started it in this process, or else come from ``wildtool.toml`` and the environment (a deployment).
    """
    from wildtool.flows.artifacts import Watched, publish

    run = run_of_process.get()
    if run is None:
        settings = load_settings(home=home, seed=seed, model=model)
        run = open_run(settings, runner=runner_of(settings))
    result = logged(stage, replace(run, progress=Watched(run.progress)), **parameters)
    publish(result)
    return result


def logged(stage: Callable[..., JsonObject], run: Run, **parameters: Any) -> JsonObject:
    """Run a stage; the log tells when it began, how it ended, what it counted."""
    name = stage.__module__.rpartition(".")[2]
    run.log.event("stage begins", stage=name)
    began = time.monotonic()
    try:
        result = stage(run, **parameters)
    except Exception as error:
        run.log.event("stage failed", stage=name, seconds=round(time.monotonic() - began, 3), cause=str(error))
        raise
    run.log.event("stage ends", stage=name, seconds=round(time.monotonic() - began, 3), steps=result.get("steps", []))
    return result


def call_flow(run: Run, stage: str, parameters: dict[str, Any]) -> JsonObject:
    """Run ``flows/<stage>.py`` as a Prefect flow in this process."""
    prepare_prefect(run.home)  # first: the runner's packages import Prefect, which reads its settings once
    run = replace(run, runner=runner_of(run.settings))  # before a server is waited for: a cluster may not be there
    if not os.environ.get("PREFECT_API_URL"):
        run.progress.stage("starting a Prefect server for this run (10 s, the first time up to a minute)")
    flow = getattr(importlib.import_module(f"wildtool.flows.{stage}"), stage)
    token = run_of_process.set(run)
    try:
        result: JsonObject = flow(
            home=str(run.home.path), seed=run.settings.seed, model=run.settings.model, **parameters
        )
    except RuntimeError as error:
        if "ephemeral Prefect API server" not in str(error):
            raise
        raise ServiceError(
            "Prefect's own server did not start in time: the machine is busy",
            "run the same command again later, or start a server (prefect server start) and set PREFECT_API_URL",
        ) from error
    finally:
        run_of_process.reset(token)
    return result


def call_stage(run: Run, stage: str, *, as_flow: bool = False, **parameters: Any) -> JsonObject:
    """Run a stage: at once, or as a flow with ``as_flow``, on a cluster, or where ``PREFECT_API_URL`` is set.

    ``parameters`` are JSON values; so is the result.
    """
    if as_flow or run.settings.runner is not RunnerName.THREADS or os.environ.get("PREFECT_API_URL"):
        return call_flow(run, stage, parameters)
    function: Callable[..., JsonObject] = importlib.import_module(f"wildtool.flows.stages.{stage}").run
    return logged(function, run, **parameters)

"""Serve all flows as Prefect deployments from this process, without a work pool."""

from __future__ import annotations

import importlib
import os

from wildtool.flows.home import Home
from wildtool.schemas.errors import SettingsError

FLOWS = ("build", "catalog", "mine", "draft", "annotate", "release", "evaluate")
"""Every flow: module and function bear the same name."""


def serve_flows(home: Home, *, names: tuple[str, ...] = FLOWS, cron: str | None = None) -> None:
    """Serve the flows until interrupted; runs are started from Prefect's pages or ``prefect deployment run``.

    ``cron``: a schedule for all that are served. Raises ``SettingsError`` without a server, and for unknown flows.
    """
    unknown = sorted(set(names) - set(FLOWS))
    if unknown:
        raise SettingsError(f"there is no flow {unknown[0]}", f"name one of: {', '.join(FLOWS)}")
    if not os.environ.get("PREFECT_API_URL"):
        raise SettingsError(
            "no Prefect server is named: PREFECT_API_URL is not set",
            "start one (prefect server start), and set PREFECT_API_URL=http://127.0.0.1:4200/api",
        )
    from prefect import serve

    deployments = [
        getattr(importlib.import_module(f"wildtool.flows.{name}"), name).to_deployment(
            name="served",
            cron=cron,
            parameters={"home": str(home.path.absolute())},
            # One writer at a time; a run that comes meanwhile waits.
            concurrency_limit=None if name == "evaluate" else 1,
        )
        for name in names
    ]
    serve(*deployments)

"""Check what works on this machine, what is missing, and how to fix it.

Adding a check: write a function ``(Run) -> Finding`` and put it into ``CHECKS``.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from enum import StrEnum
from importlib import metadata

from wildtool.flows.extras import PIPELINE
from wildtool.flows.home import FREE_BYTES_NEEDED
from wildtool.flows.run import Run
from wildtool.flows.settings import OFFLINE
from wildtool.schemas.base import Record
from wildtool.schemas.errors import WildtoolError

SCORING = ("datasets", "duckdb", "jsonschema", "openai", "pyarrow")
"""Packages without which a release cannot be loaded and scored."""


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    """Something is limited, but the pipeline runs."""
    FAIL = "fail"
    """A stage will not run."""


class Finding(Record):
    """One line of the doctor."""

    check: str
    """What was looked at."""
    state: State
    """How it is."""
    detail: str
    """What was found."""
    remedy: str = ""
    """How to fix it."""


def check_python(run: Run) -> Finding:
    """Interpreter version and environment."""
    del run
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.prefix == sys.base_prefix:
        return Finding(
            check="python",
            state=State.WARN,
            detail=f"{version}, outside a virtual environment",
            remedy="give wildtool an environment of its own: make setup",
        )
    return Finding(check="python", state=State.OK, detail=f"{version} in {sys.prefix}")


def check_packages(run: Run) -> Finding:
    """Packages that a stage needs."""
    del run
    missing = [name for name in SCORING if importlib.util.find_spec(name) is None]
    if missing:
        return Finding(
            check="packages",
            state=State.FAIL,
            detail=f"missing: {', '.join(missing)}",
            remedy="make setup, or pip install wildtool",
        )
    absent = [name for name in PIPELINE if importlib.util.find_spec(name) is None]
    if absent:
        return Finding(
            check="packages",
            state=State.WARN,
            detail=f"releases can be loaded and scored, not made; missing: {', '.join(absent)}",
            remedy="to make releases: make setup, or pip install 'wildtool[pipeline]'",
        )
    return Finding(check="packages", state=State.OK, detail=f"all {len(SCORING) + len(PIPELINE)} found")


def check_names(run: Run) -> Finding:
    """Whether another distribution installs the package ``wildtool`` too, or Python imports it from elsewhere."""
    del run
    owners = metadata.packages_distributions().get("wildtool", ())
    others = sorted({name for name in owners if name.lower() != "wildtool"})
    if others:
        return Finding(
            check="package name",
            state=State.FAIL,
            detail=f"`wildtool` is also installed by {', '.join(others)}",
            remedy="give wildtool a virtual environment of its own, without those distributions",
        )
    return Finding(check="package name", state=State.OK, detail="no other distribution installs `wildtool`")


def check_home(run: Run) -> Finding:
    """The home folder can be written and has room."""
    path = run.home.path.absolute()
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    if not existing.is_dir():
        return Finding(
            check="home", state=State.FAIL, detail=f"{existing} is a file, not a folder", remedy="give another --home"
        )
    if not os.access(existing, os.W_OK | os.X_OK):
        return Finding(
            check="home",
            state=State.FAIL,
            detail=f"{existing} cannot be written",
            remedy="give a --home that you may write",
        )
    free = shutil.disk_usage(existing).free
    if free < FREE_BYTES_NEEDED:
        return Finding(
            check="home",
            state=State.FAIL,
            detail=f"only {free // 2**20} MB free at {existing}",
            remedy="free some space, or give a --home on another disk",
        )
    return Finding(check="home", state=State.OK, detail=f"{path}, {free // 2**30} GB free")


def check_warehouse(run: Run) -> Finding:
    """The warehouse opens, at the version of this code."""
    if not run.home.warehouse.exists():
        return Finding(check="warehouse", state=State.OK, detail="none yet: the first stage makes it")
    try:
        status = run.store().status()
    except WildtoolError as error:
        return Finding(check="warehouse", state=State.FAIL, detail=error.cause, remedy=error.remedy)
    held = ", ".join(f"{count:,} {name}" for name, count in status.counts.items() if count)
    return Finding(check="warehouse", state=State.OK, detail=held or "empty")


def check_catalogue(run: Run) -> Finding:
    """A catalogue is built; and whether npm, for the large one, is here."""
    npm = shutil.which("npm")
    source = f"npm at {npm}" if npm else "no npm: it is installed from PyPI when the catalogue is built"
    if not any(run.home.catalog.glob("*.jsonl*")):
        return Finding(
            check="catalogue",
            state=State.WARN,
            detail=f"not built yet; {source}",
            remedy="wildtool catalog build",
        )
    return Finding(check="catalogue", state=State.OK, detail=f"built, in {run.home.catalog}")


def check_model(run: Run) -> Finding:
    """A model to draft with."""
    settings = run.settings
    if settings.model == OFFLINE:
        return Finding(check="model", state=State.OK, detail="offline: the built-in simulator, its drafts are marked")
    if settings.openai_api_key is None and settings.openai_base_url is None:
        return Finding(
            check="model",
            state=State.WARN,
            detail=f"no key for {settings.model}",
            remedy="set OPENAI_API_KEY (or OPENAI_BASE_URL for a server of your own), or draft with --model offline",
        )
    return Finding(
        check="model",
        state=State.OK,
        detail=f"{settings.model} at {settings.openai_base_url or 'the default endpoint'}",
    )


def check_label_studio(run: Run) -> Finding:
    """Label Studio: the one named, or our own."""
    url = run.settings.label_studio_url
    if url is None:
        return Finding(check="label studio", state=State.OK, detail=_own_server(run))
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=5):
            pass
    except (urllib.error.URLError, OSError, ValueError) as error:
        return Finding(
            check="label studio",
            state=State.FAIL,
            detail=f"{url} does not answer ({error})",
            remedy="start it, or correct LABEL_STUDIO_URL, or unset it to let wildtool start one",
        )
    if run.settings.label_studio_api_key is None:
        return Finding(
            check="label studio",
            state=State.FAIL,
            detail=f"{url} answers, but there is no token",
            remedy="set LABEL_STUDIO_API_KEY to an access token of your account there",
        )
    return Finding(check="label studio", state=State.OK, detail=f"{url} answers")


def _own_server(run: Run) -> str:
    if importlib.util.find_spec("label_studio_sdk") is None:
        return "own server: needs the packages of the pipeline"
    from wildtool.annotation import LabelStudioServer

    status = LabelStudioServer(run.home.path).status()
    if status.running:
        return f"own server runs at {status.url} (process {status.pid})"
    return "own server, stopped: started when it is needed" if status.installed else "own server: none in this home yet"


def check_browser(run: Run) -> Finding:
    """A browser for the end-to-end tests."""
    del run
    found = next((p for name in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(name))), None)
    if found is None:
        return Finding(
            check="browser",
            state=State.WARN,
            detail="none: browser tests are skipped",
            remedy="install Chromium (Debian: apt-get install chromium)",
        )
    return Finding(check="browser", state=State.OK, detail=found)


CHECKS: tuple[Callable[[Run], Finding], ...] = (
    check_python,
    check_packages,
    check_names,
    check_home,
    check_warehouse,
    check_catalogue,
    check_model,
    check_label_studio,
    check_browser,
)


def examine(run: Run) -> tuple[Finding, ...]:
    """All findings, in order."""
    return tuple(check(run) for check in CHECKS)

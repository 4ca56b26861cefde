"""One real Label Studio server for all end-to-end tests, and the browser that looks at it."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from annotation import Connection, LabelStudioServer, RunningServer, connect


@pytest.fixture(scope="session")
def label_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A running server with ``url``, ``token``, ``email``, ``password``; stopped at the end.

    Its home is fresh; the installation is the machine's (see ``annotation/install.py``).
    """
    server = LabelStudioServer(tmp_path_factory.mktemp("label-studio-home"))
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def connection(label_studio: RunningServer) -> Iterator[Connection]:
    """A connection to the server."""
    with connect(label_studio.url, label_studio.token) as made:
        yield made


@pytest.fixture(scope="session")
def annotation_drafts() -> ModuleType:
    """The builders of ``tests/annotation/drafts.py``."""
    path = Path(__file__).parent.parent / "annotation" / "drafts.py"
    spec = importlib.util.spec_from_file_location("annotation_drafts_e2e", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium or Chrome; without one the test skips and says so."""
    named = os.environ.get("WILDTOOL_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no browser: install Debian's chromium, or name one in WILDTOOL_CHROMIUM")
    return found


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tests put screenshots: WILDTOOL_SCREENSHOTS (CI keeps them), else a temporary folder."""
    named = os.environ.get("WILDTOOL_SCREENSHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder

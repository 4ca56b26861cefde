"""One real Label Studio server for all end-to-end tests, and the browser that looks at it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.e2e.installing import build
from wildtool.annotation import Connection, LabelStudioServer, RunningServer, connect
from wildtool.flows.cli import main
from wildtool.warehouse import Store


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """Folder of a source distribution, and of the wheel that is built from it."""
    return build(repository, tmp_path_factory.mktemp("distributions"))


@pytest.fixture(scope="session")
def wheel(distributions: Path) -> Path:
    """The wheel."""
    (found,) = distributions.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def label_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A running server with ``url``, ``token``, ``email``, ``password``; stopped at the end.

    Its home is fresh; the installation is the machine's (see ``annotation/label_studio/install.py``).
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
def personal_token(connection: Connection) -> str:
    """A personal access token: Label Studio gives a user one at a time, and shows it once."""
    connection.post("/api/jwt/settings", {"api_tokens_enabled": True, "legacy_api_tokens_enabled": True})
    return str(connection.post("/api/token/", {})["token"])


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


@dataclass(frozen=True)
class Maintainer:
    """A home and the command line, used as a maintainer uses them, in this process."""

    home: Path
    monkeypatch: pytest.MonkeyPatch
    capfd: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str, code: int = 0) -> Any:
        """The command's JSON object; for another exit code what it said on stderr."""
        line = ["wildtool", *arguments, "--home", str(self.home), "--json", "-q"]
        self.monkeypatch.setattr("sys.argv", line)
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = self.capfd.readouterr()
        assert stopped.value.code == code, err
        return err if code else json.loads(out)

    @property
    def store(self) -> Store:
        """The home's warehouse."""
        return Store(self.home / "warehouse.duckdb")


@pytest.fixture
def maintainer(
    label_studio: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Maintainer:
    """A maintainer with an empty home, whose environment names the running server and a legacy token."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "PREFECT_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LABEL_STUDIO_URL", label_studio.url)
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", label_studio.token)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir(mode=0o700)
    return Maintainer(tmp_path / "home", monkeypatch, capfd)

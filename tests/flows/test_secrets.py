"""Keys are never written: not by a run that works, nor by endpoints that quote the key in their errors."""

from __future__ import annotations

import gzip
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from flows.engine import call_stage
from flows.run import open_run
from flows.settings import load_settings
from tests.flows.conftest import Ran, Wildtool
from tests.fuzz.corpus import small_release

MODEL_KEY = "sk-proj-PLANTEDmodelkey0123456789abcdef"
STUDIO_KEY = "PLANTEDstudiokey0123456789abcdef01234567"


@pytest.fixture
def keyed(wildtool: Wildtool, monkeypatch: pytest.MonkeyPatch) -> Wildtool:
    """Commands with both keys in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", MODEL_KEY)
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", STUDIO_KEY)
    monkeypatch.setenv("WILDTOOL_GATEWAY", '{"backoff_seconds": 0.01, "attempts": 2, "breaker_pause_seconds": 0.1}')
    return wildtool


@pytest.fixture(params=[401, 400, 500], ids=["refused", "bad request", "server error"])
def loose_tongue(request: pytest.FixtureRequest, httpserver: HTTPServer) -> Iterator[str]:
    """An endpoint that quotes in its error what it was sent, key and all."""

    def answer(asked: Request) -> Response:
        said = f"Incorrect key provided: {asked.headers.get('authorization')}. You sent {dict(asked.headers)}."
        return Response(f'{{"error": {{"message": {said!r}}}, "detail": {said!r}}}', request.param)

    httpserver.expect_request(re.compile(".*")).respond_with_handler(answer)
    yield httpserver.url_for("/")
    assert httpserver.log  # it was asked


def holds(folder: Path, key: str) -> list[str]:
    """Files below the folder, packed ones unpacked, that hold the key or its middle."""
    found = []
    for file in folder.rglob("*"):
        if file.is_file():
            raw = file.read_bytes()
            if raw[:2] == b"\x1f\x8b":
                raw += gzip.decompress(raw)
            if key.encode() in raw or key[8:28].encode() in raw:
                found.append(str(file))
    return found


def clean(ran: Ran, home: Path) -> None:
    for key in (MODEL_KEY, STUDIO_KEY):
        assert key not in ran.out + ran.err
        assert not holds(home, key)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """A home with a catalogue and seeds."""
    run = open_run(load_settings(home=tmp_path_factory.mktemp("ready") / "home", model="offline"))
    call_stage(run, "catalog", sources=["core"])
    call_stage(run, "mine", logs=[str(repository / "examples" / "logs")])
    return run.home.path


@pytest.fixture
def home(ready: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(ready, tmp_path / "home")


def test_drafting_over_an_endpoint_that_quotes_the_key(keyed: Wildtool, loose_tongue: str, home: Path) -> None:
    ran = keyed("draft", "--profile", "demo", "--sessions", "1", "--model", "m", "--base-url", f"{loose_tongue}v1",
                "--home", home)  # fmt: skip
    assert ran.code in (1, 2)
    assert "Traceback" not in ran.err
    clean(ran, home)
    clean(keyed("quarantine", "--json", "--home", home), home)


def test_evaluating_over_an_endpoint_that_quotes_the_key(keyed: Wildtool, loose_tongue: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    release = small_release(tmp_path / "1.0.0")
    ran = keyed(
        "evaluate", "run", "--release", release, "--model", "m", "--base-url", f"{loose_tongue}v1", "--home", home
    )
    assert ran.code in (1, 2)
    assert "Traceback" not in ran.err
    clean(ran, home)


def test_pushing_to_a_label_studio_that_quotes_the_token(keyed: Wildtool, loose_tongue: str, home: Path) -> None:
    assert keyed("draft", "--profile", "demo", "--sessions", "1", "--model", "offline", "--home", home).code == 0
    ran = keyed("annotate", "push", "--url", loose_tongue, "--home", home)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    clean(ran, home)


def test_a_release_made_with_keys_about_holds_none(keyed: Wildtool, tmp_path: Path) -> None:
    del keyed  # the environment is set
    for key in (MODEL_KEY, STUDIO_KEY):
        assert not holds(small_release(tmp_path / key[:4]), key)


def test_the_home_is_private(wildtool: Wildtool, tmp_path: Path) -> None:
    assert wildtool("catalog", "build", "core", "--home", tmp_path / "home", "-q").code == 0
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700

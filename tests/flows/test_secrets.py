"""Keys are never written: not by a run that works, nor by endpoints that quote the key in their errors."""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import shutil
import sqlite3
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.agents.mock_endpoint import Actor, MockEndpoint
from tests.flows.conftest import Ran, Wildtool
from tests.fuzz.corpus import small_release
from wildtool.flows.engine import call_stage
from wildtool.flows.run import open_run
from wildtool.flows.settings import load_settings
from wildtool.schemas.base import JsonObject
from wildtool.schemas.plan import SessionPlan
from wildtool.warehouse import Store

MODEL_KEY = "sk-proj-PLANTEDmodelkey0123456789abcdef"
STUDIO_KEY = "PLANTEDstudiokey0123456789abcdef01234567"
HOOK_KEY = "PLANTEDhookkey0123456789abcdef01234567"
PREFECT_KEY = "pnu_PLANTEDprefectkey0123456789abcdef012"
URL_KEY = "PLANTEDpassword0123456789abcdef"
"""In the address of an endpoint."""
KEYS = (MODEL_KEY, STUDIO_KEY, HOOK_KEY, PREFECT_KEY, URL_KEY)


@pytest.fixture
def keyed(wildtool: Wildtool, monkeypatch: pytest.MonkeyPatch) -> Wildtool:
    """Commands with all keys in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", MODEL_KEY)
    monkeypatch.setenv("WILDTOOL_HOOK_SECRET", HOOK_KEY)
    monkeypatch.setenv("PREFECT_API_KEY", PREFECT_KEY)
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", STUDIO_KEY)
    monkeypatch.setenv("WILDTOOL_GATEWAY", '{"backoff_seconds": 0.01, "attempts": 2, "breaker_pause_seconds": 0.1}')
    return wildtool


@pytest.fixture(
    params=[
        pytest.param(401, id="refused"),
        pytest.param(400, id="bad request", marks=pytest.mark.e2e),
        pytest.param(500, id="server error", marks=pytest.mark.e2e),
    ]
)
def loose_tongue(request: pytest.FixtureRequest, httpserver: HTTPServer) -> Iterator[str]:
    """An endpoint that quotes in its error what it was sent, key and all."""

    def answer(asked: Request) -> Response:
        said = f"Incorrect key provided: {asked.headers.get('authorization')}. You sent {dict(asked.headers)}."
        return Response(f'{{"error": {{"message": {said!r}}}, "detail": {said!r}}}', request.param)

    httpserver.expect_request(re.compile(".*")).respond_with_handler(answer)
    yield httpserver.url_for("/")
    assert httpserver.log  # it was asked


def texts(file: Path) -> Iterator[bytes]:
    """All that a file says: its bytes, and what is in it where it packs them."""
    raw = file.read_bytes()
    yield raw
    if raw[:2] == b"\x1f\x8b":
        yield gzip.decompress(raw)
    elif raw[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(file) as archive:
            yield from map(archive.read, archive.namelist())
    elif raw[:15] == b"SQLite format 3":
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as base:
            yield "\n".join(base.iterdump()).encode()
    elif raw[8:12] == b"DUCK":  # it packs columns of texts
        with duckdb.connect(str(file), read_only=True) as base:
            for (table,) in base.execute("select table_name from duckdb_tables()").fetchall():
                yield repr(base.table(f'"{table}"').fetchall()).encode()
    elif raw[:4] == b"PAR1":
        yield repr(duckdb.read_parquet(str(file)).fetchall()).encode()


def holds(folder: Path, key: str) -> list[str]:
    """Files below the folder, packed ones unpacked, that hold the key or its middle."""
    wanted = (key.encode(), key[8:28].encode())
    return [
        str(file)
        for file in folder.rglob("*")
        if file.is_file() and any(part in text for text in texts(file) for part in wanted)
    ]


def test_what_is_looked_for_is_found(tmp_path: Path) -> None:
    """In each kind of file that we write, packed or not."""
    words = [(f"{MODEL_KEY} {number % 3}",) for number in range(5000)]
    with duckdb.connect(str(tmp_path / "a.duckdb")) as base:
        base.execute("create table t (x varchar)")
        base.executemany("insert into t values (?)", words[:50])
        base.execute("insert into t select x from t, range(100)")
        base.execute(f"copy t to '{tmp_path / 'b.parquet'}' (format parquet, compression zstd)")
    with contextlib.closing(sqlite3.connect(tmp_path / "c.sqlite")) as lite, lite:
        lite.execute("create table t (x)")
        lite.executemany("insert into t values (?)", words)
    (tmp_path / "d.gz").write_bytes(gzip.compress(MODEL_KEY.encode() * 9))
    with zipfile.ZipFile(tmp_path / "e.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x", MODEL_KEY * 9)
    (tmp_path / "f.jsonl").write_text(MODEL_KEY, encoding="utf-8")
    assert len(holds(tmp_path, MODEL_KEY)) == 6


def clean(ran: Ran, home: Path) -> None:
    for key in KEYS:
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


def test_answers_that_quote_the_key(keyed: Wildtool, httpserver: HTTPServer, tmp_path: Path) -> None:
    """They are answers, so they are kept: in cache, trajectories, warehouse, log and report."""

    def answer(asked: Request) -> Response:
        said = f"You sent {asked.headers.get('authorization')}, so: done."
        message = {"role": "assistant", "content": said}
        return Response(json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}), 200)

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    home, release = tmp_path / "home", small_release(tmp_path / "1.0.0")
    url = httpserver.url_for("/v1")
    run = ("evaluate", "run", "--release", release, "--model", "m", "--base-url", url, "--home", home)
    for ran in (keyed(*run), keyed(*run, "--json"), keyed("status", "--home", home),
                keyed("evaluate", "report", "--release", release, "--home", home)):  # fmt: skip
        assert ran.code == 0, ran.err
        clean(ran, home)
    assert any(b"Bearer [key], so" in text for text in texts(home / "warehouse.duckdb"))
    pages = "".join(page.read_text(encoding="utf-8") for page in (home / "reports").iterdir())
    assert "[key]" in pages


@pytest.mark.parametrize("way", ["flag", "environment", "role"])
def test_an_address_that_holds_a_password_is_refused(
    keyed: Wildtool, home: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://user:{URL_KEY}@127.0.0.1:9/v1"
    if way == "environment":
        monkeypatch.setenv("OPENAI_BASE_URL", url)
    if way == "role":
        monkeypatch.setenv("WILDTOOL_GATEWAY", json.dumps({"roles": {"user": {"model": "m", "base_url": url}}}))
    draft = ("draft", "--profile", "demo", "--sessions", "1", "--model", "m", "--home", home)
    ran = keyed(*draft, *(("--base-url", url) if way == "flag" else ()))
    assert ran.refused("password")
    clean(ran, home)
    clean(keyed("doctor", "--home", home), home)


def test_drafting_where_answers_quote_the_key(keyed: Wildtool, home: Path) -> None:
    """Users, assistant and APIs say the key in what becomes a draft; the flow keeps Prefect's files in the home, too."""
    offline = shutil.copytree(home, home.parent / "offline")
    draft = ("draft", "--profile", "demo", "--sessions", "1")
    assert keyed(*draft, "--model", "offline", "--home", offline).code == 0
    plans = Store(offline / "warehouse.duckdb").read(SessionPlan)
    actor = Actor(plans, lambda: Store(home / "warehouse.duckdb").read(SessionPlan))

    def quoting(body: JsonObject) -> JsonObject:
        message = actor(body)
        content = message.get("content")
        return {**message, "content": f"{content} {MODEL_KEY}"} if content and content[:1] != "{" else message

    endpoint = MockEndpoint(quoting)
    with endpoint.serve() as url:
        ran = keyed(*draft, "--model", "mock", "--base-url", url, "--home", home)
    assert endpoint.keys == {MODEL_KEY} and "Traceback" not in ran.err
    clean(ran, home)
    assert any(b"[key]" in text for file in (home / "cache").iterdir() for text in texts(file))


def test_pushing_to_a_label_studio_that_quotes_the_token(keyed: Wildtool, loose_tongue: str, home: Path) -> None:
    assert keyed("draft", "--profile", "demo", "--sessions", "1", "--model", "offline", "--home", home).code == 0
    ran = keyed("annotate", "push", "--url", loose_tongue, "--home", home)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    clean(ran, home)


def test_a_release_made_with_keys_about_holds_none(keyed: Wildtool, tmp_path: Path) -> None:
    del keyed  # the environment is set
    release = small_release(tmp_path / "1.0.0")
    assert not any(holds(release, key) for key in KEYS)


def test_the_home_is_private(wildtool: Wildtool, tmp_path: Path) -> None:
    assert wildtool("catalog", "build", "core", "--home", tmp_path / "home", "-q").code == 0
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700

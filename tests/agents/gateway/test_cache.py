"""Entries of the response cache that are not what was put there."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from tests.agents.scripted import ok, one, script, settings_for
from wildtool.agents.gateway.cache import ResponseCache
from wildtool.schemas.base import sha256_hex


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    yield


def test_a_damaged_entry_is_ignored_and_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    cache = ResponseCache(path)
    cache.put("a", {"message": {"content": "one"}})
    cache.put("b", {"message": {"content": "two"}})
    cache.close()
    with sqlite3.connect(path) as db:
        db.execute('update responses set body = \'{"message": {"content": "forged"}}\' where key = \'a\'')
    cache = ResponseCache(path)
    assert cache.get("a") is None and cache.get("b") == {"message": {"content": "two"}}
    cache.put("a", {"message": {"content": "again"}})
    assert cache.get("a") == {"message": {"content": "again"}}
    cache.close()


@pytest.mark.parametrize(
    "body", ["[]", "{}", "no json", '{"message": null}', '{"message": "text"}', '{"message": {}, "prompt_tokens": "7"}']
)
def test_an_entry_that_is_no_response_is_asked_for_again(httpserver: HTTPServer, tmp_path: Path, body: str) -> None:
    """Its checksum is right: somebody else wrote it."""
    seen = script(httpserver, ok)
    path = tmp_path / "cache.sqlite"
    asyncio.run(one(settings_for(httpserver), cache=path))
    with sqlite3.connect(path) as db:
        db.execute("update responses set body = ?, checksum = ?", (body, sha256_hex(body)))
    for cached in (False, True):
        replies, _ = asyncio.run(one(settings_for(httpserver), cache=path))
        assert (replies[0].message["content"], replies[0].cached) == ("hello", cached)
    assert len(seen) == 2


def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    path.write_bytes(b"not a database, but long enough to be read as one" * 100)
    cache = ResponseCache(path)
    cache.put("a", {"message": {}})
    assert cache.get("a") == {"message": {}}
    cache.close()
    assert path.with_suffix(".broken").read_bytes().startswith(b"not a database")

"""A small bundle of our own, so that no test needs npm or a network."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from wildtool.api_catalog.sources import bundle


def spec(title: str, noun: str, **info: Any) -> dict[str, Any]:
    """An API with a list, an entry by id and a search."""
    item = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "name": {"type": "string", "example": f"Old {noun}"}},
    }
    many = {"200": {"content": {"application/json": {"schema": {"type": "array", "items": item}}}}}
    one = {"200": {"content": {"application/json": {"schema": item}}}}
    city = {
        "name": "city",
        "in": "query",
        "required": True,
        "description": f"City of the {noun}.",
        "schema": {"type": "string"},
    }
    key = {
        "name": "id",
        "in": "path",
        "required": True,
        "description": f"Key of the {noun}.",
        "schema": {"type": "string"},
    }
    return {
        "openapi": "3.0.0",
        "info": {"title": title, "version": "1", "description": f"Finds every {noun} of a city and what is known of it.", **info},
        "paths": {
            f"/{noun}s": {"get": {"summary": f"Find every {noun} of a city", "parameters": [city], "responses": many}},
            f"/{noun}s/{{id}}": {"get": {"summary": f"Get what is known of one {noun}", "parameters": [key], "responses": one}},
            f"/{noun}s/{{id}}/hours": {"get": {"summary": f"Get the opening hours of a {noun}", "parameters": [key], "responses": one}},
        },
    }  # fmt: skip


SPECS: dict[str, Any] = {
    "beer.example": spec("Brewery and Recipe API", "brewery"),
    "trains.example/stations": spec("Train Station API", "station", license={"name": "CC0"}),
    "trains.example/twin": spec("Train Station API", "station"),
    "azure.com/compute": spec("Virtual machines", "machine"),
    "empty.example": {"openapi": "3.0.0", "info": {"title": "Nothing"}, "paths": {}},
}


@pytest.fixture
def small_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder in which the small bundle lies as if npm had brought it."""
    cache = tmp_path / "cache"
    cache.mkdir()
    tarball = cache / f"{bundle.PACKAGE}-{bundle.PACKAGE_VERSION}.tgz"
    with tarfile.open(tarball, "w:gz") as archive:
        for name, content in {**SPECS, "broken.example": None}.items():
            raw = b"{" if content is None else json.dumps(content).encode()
            member = tarfile.TarInfo(f"{bundle.FOLDER}{name}.json")
            member.size = len(raw)
            archive.addfile(member, io.BytesIO(raw))
    digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    monkeypatch.setattr(bundle, "INTEGRITY", f"sha512-{digest}")
    return cache

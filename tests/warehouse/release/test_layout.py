"""The files of a release folder: what stands where, checksums, and what does not belong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.warehouse.conftest import TOOLS, make_label
from wildtool.schemas.release import ReleaseFile, ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse.release import layout
from wildtool.warehouse.release.counts import counts_of
from wildtool.warehouse.release.errata import Erratum
from wildtool.warehouse.release.layout import (
    MANIFEST,
    MANIFEST_SUM,
    SPLITS,
    describe,
    file_digest,
    file_problems,
    hash_files,
    manifest_sum,
    seal,
    sync_folder,
    write_files,
    write_lines,
)

CANARY = "w-canary-0123"


def manifest_of(sessions: list[Session], splits: dict[str, str], **changes: Any) -> ReleaseManifest:
    fields: dict[str, Any] = {
        "name": "w", "version": "1.0.0", "schema_version": "5", "rules_version": "7", "code_version": "0.1", "offline": True,
        "simulated_labels": False, "counts": {**counts_of(sessions, splits), "annotators": 2}, "models": {}, "prompts": {},
        "sources": {}, "gates": (), "canary": CANARY, "files": (),
    }  # fmt: skip
    return ReleaseManifest(**{**fields, **changes})


def listed(slug: str, id: str | None = None) -> ToolList:
    found = ToolList.of(
        slug=slug, title=slug.title(), description="d", language=Language.EN, category="c", subcategory="s", source="core",
        licence="MIT", version="3",
        tools=tuple(
            Tool(name=one["function"]["name"], description="d", parameters=one["function"]["parameters"]) for one in TOOLS
        ),
    )  # fmt: skip
    return found if id is None else found.model_copy(update={"id": id})


@pytest.fixture
def sessions(make: Callable[..., Session]) -> list[Session]:
    return [make(3), make(1), make(2), make(1, Language.ZH)]


@pytest.fixture
def written(sessions: list[Session], tmp_path: Path) -> Path:
    folder = tmp_path / "r"
    folder.mkdir()
    splits = dict(zip([one.id for one in sessions], ["test", "dev", "test", "private"], strict=True))
    labels = [
        make_label(sessions[0], "ann-1", simulated=True),
        make_label(sessions[1], "ann-1", simulated=False),
        make_label(sessions[1], "ann-2", simulated=False),
    ]
    sessions[:] = [
        one.model_copy(
            update={
                "provenance": one.provenance.model_copy(
                    update={"labels": tuple(label.id for label in labels if label.session == one.id)}
                )
            }
        )
        for one in sessions
    ]
    erratum = Erratum(version="0.9.1", session="ses_x", path="tasks[0].user", before="a", after="é", reason="r")
    tools = [listed("b", sessions[0].tool_list), listed("a"), listed("b", sessions[0].tool_list)]
    write_files(
        folder, sessions, splits, manifest_of(sessions, splits), labels, {"ann-1": "annotator_02", "ann-2": "annotator_01"},
        tools, None, [erratum], "CC-BY-4.0",
    )  # fmt: skip
    return folder


def test_each_split_of_each_language_has_its_file(written: Path) -> None:
    assert SPLITS == ("dev", "test", "private")
    names = sorted(path.relative_to(written).as_posix() for path in written.rglob("*") if path.is_file())
    assert [name for name in names if name.startswith("data/")] == [
        "data/en/dev.parquet", "data/en/test.parquet", "data/zh/private.parquet",
    ]  # fmt: skip
    assert {"original/en.jsonl", "original/zh.jsonl", "README.md", "errata.json", "croissant.json"} <= set(names)
    assert {"benchmark.duckdb", "sessions.jsonl"} <= set(names)
    assert any(name.startswith("schemas/") for name in names) and MANIFEST not in names
    with duckdb.connect() as base:
        for split, count in (("dev", 1), ("test", 2)):
            path = written / "data" / "en" / f"{split}.parquet"
            assert base.read_parquet(str(path)).count("*").fetchall() == [(count,)]


def test_lines_are_json_with_the_canary(written: Path, sessions: list[Session]) -> None:
    lines = [json.loads(line) for line in (written / "sessions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == [one.id for one in sessions]
    assert [line["split"] for line in lines] == ["test", "dev", "test", "private"]
    assert len((written / "original" / "en.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    assert len((written / "original" / "zh.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    for path in written.rglob("*"):
        assert not path.is_file() or CANARY.encode() in path.read_bytes(), path
        assert not path.is_file() or path.suffix in (".parquet", ".duckdb") or path.read_bytes().endswith(b"\n"), path
    schema = json.loads(next((written / "schemas").iterdir()).read_text(encoding="utf-8"))
    assert next(iter(schema)) == "$comment" and schema["$comment"] == CANARY and len(schema) > 2
    text = (written / "errata.json").read_text(encoding="utf-8")
    assert text.startswith(f'{{\n  "canary": "{CANARY}",\n  "errata": [\n    {{\n      "after": "é",')
    assert '"é"' in text and '\n  "errata": [' in text
    assert json.loads(text)["errata"] == [
        {"version": "0.9.1", "session": "ses_x", "path": "tasks[0].user", "before": "a", "after": "é", "reason": "r"}
    ]
    croissant = json.loads((written / "croissant.json").read_text(encoding="utf-8"))
    sums = {path.relative_to(written).as_posix(): file_digest(path) for path in (written / "data").rglob("*.parquet")}
    assert {one["contentUrl"]: one["sha256"] for one in croissant["distribution"]} == sums


def test_the_database_says_who_labelled_and_what_lists_there_are(written: Path, sessions: list[Session]) -> None:
    with duckdb.connect(str(written / "benchmark.duckdb"), read_only=True) as base:
        about = dict(base.execute("SELECT * FROM about").fetchall())
        assert about == {
            "name": "w", "version": "1.0.0", "canary": CANARY, "schema_version": "5", "rules_version": "7",
            "code_version": "0.1", "offline": "True", "simulated_labels": "False",
        }  # fmt: skip
        # Name, labels, sessions, and whether any label is simulated.
        assert base.execute("SELECT * FROM annotators").fetchall() == [
            ("annotator_01", 1, 1, False), ("annotator_02", 2, 2, True),
        ]  # fmt: skip
        assert base.execute("SELECT * FROM tool_lists").fetchall() == [(sessions[0].tool_list, "B", "core", "3", "MIT")]
        who = base.execute("SELECT annotators FROM provenance").fetchall()
        assert [json.loads(one) for (one,) in who] == [["annotator_02"], ["annotator_01", "annotator_02"], [], []]


def test_lines_end_with_a_line_feed_and_make_their_folder(tmp_path: Path) -> None:
    write_lines(tmp_path / "a" / "b" / "c.txt", ["é", "x"])
    assert (tmp_path / "a" / "b" / "c.txt").read_bytes() == "é\nx\n".encode()
    write_lines(tmp_path / "a" / "b" / "c.txt", [])
    assert (tmp_path / "a" / "b" / "c.txt").read_bytes() == b""


def test_checksums_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "HASH_BLOCK", 7)
    (tmp_path / "b").mkdir()
    contents = {"z.txt": b"x" * 100, "b/a.txt": b"", "b.txt": b"1234567"}
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    expected = [
        ReleaseFile(path=name, sha256=hashlib.sha256(contents[name]).hexdigest(), bytes=len(contents[name]))
        for name in sorted(contents)
    ]
    assert hash_files(tmp_path) == expected
    assert describe(tmp_path / "z.txt", "other.txt") == expected[-1].model_copy(update={"path": "other.txt"})


def test_the_manifest_s_sum_is_what_sha256sum_reads() -> None:
    first, second = manifest_sum(b"{}", "canary").splitlines()
    assert first == f"{hashlib.sha256(b'{}').hexdigest()}  {MANIFEST}"
    assert second == "# canary"
    assert manifest_sum(b"{}", "canary").endswith("\n")


def test_a_sealed_folder_can_only_be_read(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").write_bytes(b"x")
    (tmp_path / "g").write_bytes(b"y")
    seal(tmp_path)
    assert [path.stat().st_mode & 0o777 for path in (tmp_path / "d" / "f", tmp_path / "g")] == [0o444, 0o444]
    assert (tmp_path / "d").stat().st_mode & 0o700 == 0o700
    sync_folder(tmp_path)


def test_all_is_on_the_disk_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    closed: list[int] = []
    real = layout.os.close
    monkeypatch.setattr(layout.os, "fsync", synced.append)
    monkeypatch.setattr(layout.os, "close", lambda number: (closed.append(number), real(number))[1])
    (tmp_path / "f").write_bytes(b"x")
    (tmp_path / "g").write_bytes(b"x")
    seal(tmp_path)
    assert len(synced) == 2
    sync_folder(tmp_path)
    assert len(synced) == 3 and closed[-1] == synced[-1]


@pytest.fixture
def sealed(tmp_path: Path) -> tuple[Path, ReleaseManifest]:
    folder = tmp_path / "sealed"
    write_lines(folder / "data" / "a.txt", ["a"])
    write_lines(folder / "b.txt", ["b"])
    manifest = manifest_of([], {}, files=tuple(hash_files(folder)))
    text = manifest.model_dump_json().encode()
    (folder / MANIFEST).write_bytes(text)
    (folder / MANIFEST_SUM).write_text(manifest_sum(text, CANARY), encoding="utf-8", newline="\n")
    return folder, manifest


def test_a_folder_as_it_was_written_has_no_problems(sealed: tuple[Path, ReleaseManifest]) -> None:
    assert list(file_problems(*sealed)) == []


@pytest.mark.parametrize(
    ("edit", "problems"),
    [
        (lambda at: (at / "b.txt").unlink(), ["b.txt is missing"]),
        (lambda at: (at / "b.txt").write_bytes(b"c\n"), ["b.txt was changed"]),
        (lambda at: (at / "b.txt").write_bytes(b"b"), ["b.txt has 1 bytes, the manifest says 2"]),
        (lambda at: (at / "data" / "new").write_bytes(b""), ["data/new does not belong"]),
        (lambda at: (at / MANIFEST).write_bytes(b"{}"), [f"{MANIFEST} or {MANIFEST_SUM} was changed"]),
        (lambda at: (at / MANIFEST_SUM).write_bytes(b""), [f"{MANIFEST} or {MANIFEST_SUM} was changed"]),
        (lambda at: (at / MANIFEST_SUM).unlink(), [f"{MANIFEST_SUM} is missing"]),
        (
            lambda at: ((at / MANIFEST_SUM).unlink(), (at / "b.txt").unlink(), (at / "data" / "a.txt").write_bytes(b"x\n")),
            [f"{MANIFEST_SUM} is missing", "b.txt is missing", "data/a.txt was changed"],
        ),
    ],
)  # fmt: skip
def test_each_problem_is_named(
    sealed: tuple[Path, ReleaseManifest], edit: Callable[[Path], Any], problems: list[str]
) -> None:
    edit(sealed[0])
    found = list(file_problems(*sealed))
    assert len(found) == len(problems)
    assert all(said.startswith(expected) for said, expected in zip(found, problems, strict=True))

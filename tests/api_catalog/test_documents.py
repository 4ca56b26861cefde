"""What a file can do to us: nothing. Each hostile one is refused with its reason."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from wildtool.api_catalog.functions.description import Refused
from wildtool.api_catalog.sources.documents import parse
from wildtool.api_catalog.sources.paths import read_sources
from wildtool.schemas.errors import InputError

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGE_BOMB = "a: &a {k: v}\n" + "".join(
    f"{new}: &{new}\n  <<: [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "empty"),
        (b"  \n\t", "empty"),
        (b"# only a comment\n", "empty"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00", "binary"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary"),
        (
            b'{"openapi": "3.0.0" "paths": {}, "info": {"title": "a title that is long enough to stand far from the end of the text"}}',
            "broken_json",
        ),
        (b"openapi: 3.0.0\n  paths: [", "broken_yaml"),
        (b"\ttabs: are\n\t- not yaml", "broken_yaml"),
        (b"just a sentence", "not_an_object"),
        (b"[" * 100_000, "too_deep"),
        (b'{"a":' * 100_000, "too_deep"),
        (b"a: " + b"[" * 50_000, "too_deep"),
        (b"- " * 50_000 + b"a", "too_deep"),
        (BOMB.encode(), "yaml_bomb"),
        (MERGE_BOMB.encode(), "yaml_bomb"),
        (b"a: &a [*a]", "yaml_bomb"),
        (b"a: &a\n  b: *a\n", "yaml_bomb"),
    ],
)
def test_refused_with_its_reason(raw: bytes, reason: str) -> None:
    began = time.perf_counter()
    with pytest.raises(Refused) as refused:
        parse(raw)
    assert refused.value.reason == reason
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("text", ['{"título": "größe 天气"}', "título: größe 天气\n"])
def test_encodings(encoding: str, text: str) -> None:
    assert parse(text.encode(encoding)).value == {"título": "größe 天气"}


def test_an_unknown_encoding_is_read_and_noted() -> None:
    parsed = parse('{"a": "größe"}'.encode("latin-1"))
    assert parsed.value == {"a": "größe"}
    assert parsed.notes[0][0] == "encoding_guessed"


@pytest.mark.parametrize("raw", [b'{"a": 1, "a": 2}', b"a: 1\na: 2\n"])
def test_the_last_of_doubled_keys_counts_and_is_noted(raw: bytes) -> None:
    parsed = parse(raw)
    assert parsed.value == {"a": 2}
    assert [reason for reason, _ in parsed.notes] == ["duplicate_keys"]


def test_yaml_gives_json_types_only() -> None:
    parsed = parse(
        b"200: ok\non: yes\ndate: 2024-07-12\nexample: =\nlong: 123456789012345678901234567890\nnan: .nan\n"
        b"code: !!python/object/apply:os.system ['false']\nown: !Thing {a: 1}\nset: !!set {x, y}\n"
    )
    assert parsed.value == {
        "200": "ok", "on": "yes", "date": "2024-07-12", "example": "=", "long": "123456789012345678901234567890",
        "nan": ".nan", "code": ["false"], "own": {"a": 1}, "set": {"x": None, "y": None},
    }  # fmt: skip
    json.dumps(parsed.value, allow_nan=False)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("NO", "NO"), ("on", "on"), ("y", "y"), ("yes", "yes"), ("true", True), ("False", False),
        ("22:30", "22:30"), ("1:30:00", "1:30:00"), ("2024-05-01", "2024-05-01"), ("0777", "0777"), ("0o17", 15),
        ("0x1F", 31), ("1_000", "1_000"), ("1e3", 1000.0), (".5", 0.5), ("~", None), ("null", None), ("", None),
    ],
)  # fmt: skip
def test_plain_scalars_are_those_of_yaml_1_2(written: str, read: object) -> None:
    value = parse(f"a: {written}\nb: [x]\n".encode()).value["a"]
    assert (value, type(value)) == (read, type(read))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": {"c": 2, "d": "unfin', {"a": 1, "b": {"c": 2}}),
        ('{"a": [1, 2, {"b": "x"}, {"c":', {"a": [1, 2, {"b": "x"}]}),
        ('{"a": {"b": "with } and , inside"}, "c": [', {"a": {"b": "with } and , inside"}}),
    ],
)
def test_a_file_cut_off_in_the_middle_keeps_what_was_complete(text: str, value: object) -> None:
    parsed = parse(text.encode())
    assert parsed.value == value
    assert [reason for reason, _ in parsed.notes] == ["cut_off"]


def test_aliases_that_stay_small_are_read() -> None:
    assert parse(b"base: &b {x: 1}\none: {<<: *b, y: 2}\ntwo: *b\n").value == {
        "base": {"x": 1}, "one": {"x": 1, "y": 2}, "two": {"x": 1},
    }  # fmt: skip


def test_broken_lines_among_good_ones_are_noted() -> None:
    parsed = parse(b'{"name": "a"}\n{"name": \n{"name": "b"}\n')
    assert parsed.value == [{"name": "a"}, {"name": "b"}]
    assert parsed.notes[0][0] == "broken_json" and "line 2" in parsed.notes[0][1]


def _tar(path: Path, names: dict[str, bytes], link: str | None = None) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in names.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        if link is not None:
            member = tarfile.TarInfo("link.json")
            member.type, member.linkname = tarfile.SYMTYPE, link
            archive.addfile(member)
    return path


def test_archives_are_read_in_memory_and_never_leave(tmp_path: Path) -> None:
    names = {"ok/a.json": b"{}", "../evil.json": b"{}", "/etc/evil.json": b"{}", "notes.txt": b"no"}
    tarball = _tar(tmp_path / "in.tgz", names, link="/etc/passwd")
    archive = tmp_path / "in.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        for name, content in names.items():
            opened.writestr(name, content)
    for path, unsafe in ((tarball, 3), (archive, 2)):
        sources = list(read_sources([path]))
        assert [source.name.split("!")[1] for source in sources if source.refused is None] == ["ok/a.json"]
        refused = [source.refused.reason for source in sources if source.refused is not None]
        assert refused == ["unsafe_path"] * unsafe
    assert {path.name for path in tmp_path.iterdir()} == {"in.tgz", "in.zip"}


def test_damaged_archives_and_packed_files(tmp_path: Path) -> None:
    whole = _tar(tmp_path / "whole.tgz", {"a.json": b"x" * 5000})
    (tmp_path / "half.tgz").write_bytes(whole.read_bytes()[:60])
    (tmp_path / "no.zip").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "one.json.gz").write_bytes(gzip.compress(b"{}"))
    for name in ("half.tgz", "no.zip"):
        reasons = [source.refused.reason for source in read_sources([tmp_path / name]) if source.refused]
        assert reasons in (["broken_archive"], ["unreadable"])
    assert next(iter(read_sources([tmp_path / "one.json.gz"]))).raw == b"{}"


def test_paths_folders_and_globs(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.json", "deep/c.jsonl", "skip.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    assert [Path(source.name).name for source in read_sources([tmp_path])] == ["a.json", "b.yaml", "c.jsonl"]
    assert [Path(source.name).name for source in read_sources([str(tmp_path / "**" / "*.jsonl")])] == ["c.jsonl"]
    assert [Path(source.name).name for source in read_sources([tmp_path / "skip.txt"])] == ["skip.txt"]
    with pytest.raises(InputError, match="no file, folder or pattern"):
        read_sources([tmp_path / "nothing"])

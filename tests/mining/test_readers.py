"""Readers: every form people have, bad rows to quarantine, good rows go on."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from wildtool.mining import read_logs
from wildtool.mining.readers import files
from wildtool.schemas.conversation import Conversation
from wildtool.schemas.errors import InputError
from wildtool.schemas.quarantine import Quarantined

GOOD = {
    "id": "a",
    "messages": [{"role": "user", "content": "weather in Lyon?"}, {"role": "assistant", "content": "Sunny."}],
}


def read(*paths: Path | str) -> tuple[list[Conversation], list[Quarantined]]:
    bad: list[Quarantined] = []
    return list(read_logs([str(path) for path in paths], quarantine=bad.append)), bad


def lines(*rows: object) -> bytes:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


FORMS = {
    "openai": lines(GOOD),
    "sharegpt": json.dumps([{"id": "s", "conversations": [{"from": "human", "value": "weather in Lyon?"}]}]).encode(),
    "wildchat": lines(
        {"conversation_hash": "w", "conversation": [{"role": "user", "content": "weather in Lyon?"}], "toxic": True}
    ),
    "chatgpt": json.dumps(
        [
            {
                "id": "c",
                "current_node": "2",
                "mapping": {
                    "1": {"parent": None, "children": ["2", "3"], "message": None},
                    "2": {
                        "parent": "1",
                        "children": [],
                        "message": {
                            "author": {"role": "user"},
                            "content": {"content_type": "text", "parts": ["weather in Lyon?"]},
                        },
                    },
                    "3": {
                        "parent": "1",
                        "children": [],
                        "message": {
                            "author": {"role": "user"},
                            "content": {"content_type": "text", "parts": ["another branch"]},
                        },
                    },
                },
            }
        ]
    ).encode(),
    "csv": b"conversation_id,role,content\n1,user,weather in Lyon?\n1,assistant,Sunny.\n",
    "parts": lines({"messages": [{"role": "human", "content": [{"type": "text", "text": "weather in Lyon?"}]}]}),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_words(tmp_path: Path, form: str) -> None:
    path = tmp_path / "log"
    path.write_bytes(FORMS[form])
    conversations, bad = read(path)
    assert not bad
    assert [conversation.messages[0].content for conversation in conversations] == ["weather in Lyon?"]
    assert conversations[0].messages[0].role == "user"


def test_packed_logs_are_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines(GOOD)))
    (tmp_path / "b.jsonl.zst").write_bytes(zstandard.compress(lines(GOOD | {"id": "b"})))
    conversations, bad = read(tmp_path)
    assert {conversation.source_id for conversation in conversations} == {"a", "b"}
    assert not bad


def test_broken_rows_go_to_quarantine_and_good_ones_go_on(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(GOOD, '{"messages": [', GOOD | {"id": "b"}) + b'\n{"messages": "\xff"}\n')
    conversations, bad = read(path)
    assert len(conversations) == 2
    assert [(row.reason, row.line) for row in bad] == [("broken_json", 2), ("invalid_utf8", 4)]
    assert bad[0].raw == '{"messages": ['
    assert "\\xff" in bad[1].raw


@pytest.mark.parametrize(
    ("content", "cause"),
    [(b"", "empty"), (b"\x00\x01\x02binary", "binary"), (b"Dear diary,\nnothing happened.\n", "no format")],
)
def test_a_lone_file_that_is_no_log_is_refused_with_a_remedy(tmp_path: Path, content: bytes, cause: str) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read(path)
    assert cause in caught.value.cause
    assert caught.value.remedy


def test_the_same_file_beside_a_good_one_is_one_row_of_the_quarantine(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "good.jsonl").write_bytes(lines(GOOD))
    conversations, bad = read(tmp_path)
    assert len(conversations) == 1
    assert [(row.source, row.reason) for row in bad] == [("empty.jsonl", "empty_file")]


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such log"):
        read(tmp_path / "missing.jsonl")


def test_a_cut_off_gzip_keeps_what_was_whole(tmp_path: Path) -> None:
    rows = [GOOD | {"id": f"{number}", "noise": f"{number * 7919:x}" * 40} for number in range(400)]
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(lines(*rows))[:-2000])
    conversations, bad = read(path)
    assert 0 < len(conversations) < 400
    assert [row.reason for row in bad] == ["truncated"]


@pytest.mark.parametrize("packed", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
@pytest.mark.parametrize("opening", [b"", b'[{"messages": [', b'{"a": "'], ids=["line", "array", "document"])
def test_a_bomb_costs_one_row_and_bounded_memory(
    packed: Callable[[bytes], bytes], opening: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LONGEST_ROW", 4_000_000)
    before = b"" if opening.startswith(b"[") else lines(GOOD) + b"\n"
    (tmp_path / "bomb.jsonl.packed").write_bytes(packed(before + opening + b"a" * 60_000_000))
    (tmp_path / "good.jsonl").write_bytes(lines(GOOD | {"id": "other"}))
    tracemalloc.start()
    conversations, bad = read(tmp_path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(conversations) == 1 + bool(before)
    assert [(row.source, row.reason) for row in bad] == [("bomb.jsonl.packed", "row_too_long")]
    assert len(bad[0].raw) <= 2000
    assert peak < 150_000_000

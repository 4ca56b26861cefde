"""``wildtool mine`` on logs as they come: what is good goes on, what is bad is in quarantine with file, line and reason."""

from __future__ import annotations

import csv
import gzip
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.flows.conftest import Ran, Wildtool
from wildtool.mining import read_logs
from wildtool.schemas.conversation import Conversation

SAID = "find me a quiet hotel near the old harbour of {} for two nights"


def row(place: str, **more: Any) -> dict[str, Any]:
    """A plain row that is kept; ``place`` makes it no copy of another."""
    replies = [
        {"role": "assistant", "content": "I found one. Shall I book it?"},
        {"role": "user", "content": "yes please"},
    ]
    return {"messages": [{"role": "user", "content": SAID.format(place)}, *replies], **more}


def lines(rows: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(one, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" for one in rows)


def steps(ran: Ran) -> dict[str, tuple[int, int, int]]:
    assert ran.code == 0, ran.err
    return {one["step"]: (one["rows_in"], one["rows_out"], one["quarantined"]) for one in ran.json["steps"]}


def quarantined(wildtool: Wildtool) -> list[tuple[str, int | None, str]]:
    """File, line and reason of all rows in quarantine, in the order of files and lines."""
    ran = wildtool("quarantine", "--stage", "mine", "--json")
    assert ran.code == 0, ran.err
    rows = [(Path(one["source"]).name, one["line"], one["reason"]) for one in ran.json["rows"]]
    return sorted(rows, key=lambda one: (one[0], one[1] or 0))


def mined(wildtool: Wildtool, *logs: Path) -> Ran:
    return wildtool("mine", *logs, "--json")


@pytest.mark.e2e  # seconds of scrubbing
def test_a_message_of_ten_megabytes(wildtool: Wildtool, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    paste = "lorem ipsum " * 900_000
    answer = row("Bergen")
    answer["messages"][1]["content"] = paste
    log.write_bytes(lines([row("Oslo"), {"messages": [{"role": "user", "content": paste}]}, answer, row("Turku")]))
    assert steps(mined(wildtool, log))["observe"] == (3, 3, 0)
    assert quarantined(wildtool) == [("log.jsonl", 2, "pasted_text")]


def test_conversations_of_five_hundred_turns(wildtool: Wildtool, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    turns = [
        {"role": role, "content": f"{role} says something about hotel {number}"}
        for number in range(500)
        for role in ("user", "assistant")
    ]
    long = turns[:398]
    log.write_bytes(lines([{"messages": turns}, {"messages": long}, row("Oslo")]))
    assert steps(mined(wildtool, log))["observe"] == (2, 2, 0)
    assert quarantined(wildtool) == [("log.jsonl", 1, "too_many_turns")]


def test_parts_images_and_empty_contents(wildtool: Wildtool, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 5000}}
    text = {"type": "text", "text": "which flower is on this picture?"}
    log.write_bytes(
        lines(
            [
                {
                    "messages": [
                        {"role": "user", "content": [text, image]},
                        {"role": "assistant", "content": "A gentian."},
                    ]
                },
                {"messages": [{"role": "user", "content": [image]}, {"role": "assistant", "content": None}]},
                {"messages": [{"role": "user", "content": ""}, {"role": "assistant", "content": "Hello?"}]},
                {"messages": []},
                {"messages": [{"role": "user"}, {"role": "user", "content": SAID.format("Pula")}]},
            ]
        )
    )
    ran = mined(wildtool, log)
    assert steps(ran)["observe"][1] == 3
    assert quarantined(wildtool) == [("log.jsonl", 3, "empty_user_turns"), ("log.jsonl", 4, "no_user_turn")]
    conversations = list(read_logs([str(log)], quarantine=lambda one: None))
    assert conversations[0].messages[0].content == "which flower is on this picture?\n[image]"
    assert conversations[1].messages[0].content == "[image]"


@pytest.mark.parametrize(
    "name", ["用户", "utilisateur", "Usuario", "пользователь", "ユーザー", "Benutzer", "HUMAN", " user "]
)
def test_roles_in_other_languages(wildtool: Wildtool, tmp_path: Path, name: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(lines([{"messages": [{"role": name, "content": SAID.format("Pula")}]}]))
    assert steps(mined(wildtool, log))["observe"] == (1, 1, 0)


def test_a_role_that_nobody_has(wildtool: Wildtool, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(lines([row("Oslo"), {"messages": [{"role": "narrator", "content": "once upon a time"}]}]))
    assert steps(mined(wildtool, log))["observe"] == (1, 1, 0)
    assert quarantined(wildtool) == [("log.jsonl", 2, "unknown_role")]


def test_mixed_formats_in_one_folder(wildtool: Wildtool, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(
        lines([row("Oslo"), {"conversations": [{"from": "human", "value": SAID.format("Riga")}]}])
    )
    (folder / "b.json").write_text(json.dumps([row("Turku"), row("Visby")]), encoding="utf-8")
    with (folder / "c.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("conversation_id", "role", "content"), ("1", "user", SAID.format("Rab"))])
    (folder / "d.jsonl.gz").write_bytes(gzip.compress(lines([row("Split")])))
    (folder / "e.jsonl.zst").write_bytes(zstandard.compress(lines([row("Zadar")])))
    (folder / "f.jsonl").write_bytes(lines([row("Malmö")]).decode("utf-8").encode("utf-16"))
    (folder / "notes.txt").write_text("call the plumber\n", encoding="utf-8")
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    (folder / "empty.jsonl").write_bytes(b"")
    ran = mined(wildtool, folder)
    assert steps(ran)["read"] == (11, 8, 3)
    assert [one for one in quarantined(wildtool) if one[2] != "near_duplicate"] == [
        ("empty.jsonl", None, "empty_file"),
        ("notes.txt", None, "unknown_format"),
        ("photo.png", None, "binary_file"),
    ]


@pytest.mark.parametrize(("form", "rows"), [("gz", 900), ("zst", 2400)])  # zstd packs blocks of 128 kB
def test_a_packed_log_that_was_cut_off(wildtool: Wildtool, tmp_path: Path, form: str, rows: int) -> None:
    whole = lines(row(f"town number {number} {number * 7919}") for number in range(rows))
    packed = gzip.compress(whole) if form == "gz" else zstandard.compress(whole)
    log = tmp_path / f"log.jsonl.{form}"
    log.write_bytes(packed[: len(packed) * 3 // 4])
    read_in, _, lost = steps(mined(wildtool, log))["read"]
    assert read_in > rows // 3 and lost in (1, 2)
    reasons = {reason for _, _, reason in quarantined(wildtool)}
    assert "truncated" in reasons, reasons


def test_bytes_that_are_no_utf8_and_lone_surrogates(wildtool: Wildtool, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    bad = lines([row("Caf")]).replace(b"Caf", b"Caf\xe9")
    escaped = lines([row("PLACE")]).replace(b"PLACE", rb"Lule\ud83d")
    raw = lines([row("Bod\ud83d")])
    log.write_bytes(lines([row("Oslo")]) + bad + escaped + raw + lines([row("Turku")]))
    done = steps(mined(wildtool, log))
    assert done["observe"][1] >= 3
    found = quarantined(wildtool)
    assert ("log.jsonl", 2, "invalid_utf8") in found
    assert {line for _, line, _ in found} <= {2, 4}


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_stray_null_makes_no_binary_file_of_a_log(wildtool: Wildtool, tmp_path: Path, form: str) -> None:
    log = tmp_path / f"log.{form}"
    said = [SAID.format(place) for place in ("Oslo by the sea", "Turku or Pori", "Rab island park")]
    if form == "csv":
        cells = [f"{number},user,{text}" for number, text in enumerate(said)]
        log.write_bytes("\n".join(["conversation_id,role,content", *cells]).replace("Turku", "Tur\0ku").encode("utf-8"))
    else:
        rows = lines({"messages": [{"role": "user", "content": text}]} for text in said)
        log.write_bytes(rows.replace(b"Turku", b"Tur\0ku"))
    assert steps(mined(wildtool, log))["read"][1] >= 2
    assert all(line is not None for _, line, _ in quarantined(wildtool))


STAMPS: list[tuple[Any, str | None]] = [
    (1709631000, "2024-03-05T09:30:00+00:00"),
    (1709631000.5, "2024-03-05T09:30:00.500000+00:00"),
    (1709631000000, "2024-03-05T09:30:00+00:00"),
    (1709631000000000, "2024-03-05T09:30:00+00:00"),
    (1709631000000000000, "2024-03-05T09:30:00+00:00"),
    ("1709631000", "2024-03-05T09:30:00+00:00"),
    ("2024-03-05T09:30:00Z", "2024-03-05T09:30:00+00:00"),
    ("2024-03-05 09:30:00", "2024-03-05T09:30:00+00:00"),
    ("2024-03-05T10:30:00+01:00", "2024-03-05T10:30:00+01:00"),
    ("2024-03-05", "2024-03-05T00:00:00+00:00"),
    ("2024/03/05 09:30:00", "2024-03-05T09:30:00+00:00"),
    ("Tue, 05 Mar 2024 09:30:00 GMT", "2024-03-05T09:30:00+00:00"),
    ("2024年3月5日 09:30", "2024-03-05T09:30:00+00:00"),
    ("Mar 5, 2024, 9:30:00 AM", "2024-03-05T09:30:00+00:00"),
    ("5 March 2024 09:30", "2024-03-05T09:30:00+00:00"),
    ({"$date": "2024-03-05T09:30:00Z"}, "2024-03-05T09:30:00+00:00"),
    ({"$date": {"$numberLong": "1709631000000"}}, "2024-03-05T09:30:00+00:00"),
    ({"seconds": 1709631000, "nanos": 0}, "2024-03-05T09:30:00+00:00"),
    (10**400, None),
    (-5, None),
    (1e300, None),
    ("yesterday", None),
    ("1" * 400, None),
    ("2024-13-45", None),
    ([2024, 3, 5], None),
    ({"$date": {}}, None),
    (True, None),
    ("", None),
]


def test_timestamps_of_every_form(wildtool: Wildtool, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    rows = [row(f"harbour {number} {number * 7919}", created_at=stamp) for number, (stamp, _) in enumerate(STAMPS)]
    log.write_bytes(lines(rows))
    assert steps(mined(wildtool, log))["read"] == (len(STAMPS), len(STAMPS), 0)
    read: list[Conversation] = list(read_logs([str(log)], quarantine=lambda one: None))
    got = [(stamp, one.created_at) for (stamp, _), one in zip(STAMPS, read, strict=True)]
    assert got == STAMPS


def test_a_log_whose_name_is_no_utf8(wildtool: Wildtool, tmp_path: Path) -> None:
    """Names of files are bytes: such a log is read, and its name is kept with backslash escapes."""
    log = tmp_path / os.fsdecode(b"inv\xff.jsonl")
    log.write_bytes(lines([row("Lyon")]) + b"{broken\n")
    profile = tmp_path / "p.toml"
    ran = wildtool("mine", log, "--report", "--profile-out", profile, "--json")
    assert steps(ran)["read"] == (2, 1, 1)
    assert quarantined(wildtool) == [(r"inv\xff.jsonl", 2, "broken_json")]
    assert r"inv\xff.jsonl" in profile.read_text(encoding="utf-8")
    gone = wildtool("mine", tmp_path / os.fsdecode(b"gone\xfe.jsonl"))
    assert gone.code == 2 and r"gone\xfe.jsonl" in gone.err and "Traceback" not in gone.err


def test_a_home_whose_name_is_no_utf8(wildtool: Wildtool, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(lines([row("Lyon")]))
    ran = wildtool("mine", log, "--home", tmp_path / os.fsdecode(b"hh\xff"))
    assert ran.code == 2 and "Traceback" not in ran.err
    assert r"hh\xff is not UTF-8" in ran.err and "remedy: give another --home" in ran.err

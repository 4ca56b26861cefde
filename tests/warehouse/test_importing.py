"""Benchmarks read back: the original's format comes out as it went in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.frozen import freeze
from tests.warehouse.conftest import accepted
from wildtool.schemas.errors import InputError
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import HiddenIntentKind, Language
from wildtool.warehouse import export_release, import_sessions
from wildtool.warehouse.formats.wildtoolbench import original_row

VERSIONS: dict[str, Any] = {"code_version": "0.1.0", "rules_version": "1"}
OURS = ("session", "canary")


def original_lines() -> list[dict[str, Any]]:
    """Sessions in the original's format, by hand: its own keys alone, an odd date line, prose observations."""
    tool = {
        "type": "function",
        "function": {
            "name": "getRoute",
            "description": "Route between two towns.",
            "parameters": {
                "type": "object",
                "properties": {"from": {"type": "string", "description": "Start."}, "via": {"type": "float"}},
                "required": ["from"],
            },
        },
    }

    def call(index: int, start: str, *on: int) -> dict[str, Any]:
        action = {"name": "getRoute", "arguments": {"from": start}}
        return {
            "idx": index,
            "action": action,
            "observation": f"Leave {start} by the north.",
            "dependency_list": list(on),
        }

    def answer(index: int, kind: str, *on: int) -> dict[str, Any]:
        action = {"name": "prepare_to_answer", "arguments": {"answer_type": kind}}
        return {"idx": index, "action": action, "observation": "Done.", "dependency_list": list(on)}

    ask = {
        "idx": 0,
        "action": {
            "name": "ask_user_for_required_parameters",
            "arguments": {"tool_name": "getRoute", "missing_required_parameters": ["from"]},
        },
        "observation": "Where from?",
        "user_input": "Ghent",
        "dependency_list": [],
    }
    rows = []
    for number in range(3):
        rows.append(
            {
                "id": f"wild_tool_bench_{number}",
                "english_env_info": "2024-03-05 Tuesday" if number else "Tuesday, 2024-03-05 18:00",
                "english_tools": [tool],
                "english_tasks": [f"Route from Bruges {number}?", "From Ypres and Mons too", "One more", "Thanks"],
                "english_answer_list": [
                    [call(0, "Bruges"), answer(1, "tool", 0)],
                    [call(0, "Ypres"), call(1, "Mons"), answer(2, "tool", 0, 1)],
                    [ask, call(1, "Ghent", 0), answer(2, "tool", 1)],
                    [answer(0, "chat")],
                ],
                "english_task_types": ["Single-Tool", "Parallel Multi-Tool", "Clarify", "Chat"],
                "english_turn_subtypes": ["Partial Information", "Coreferential Reference", "Long-Range Dependency"],
            }
        )
        rows[-1]["answer_list"] = rows[-1]["english_answer_list"]
    return rows


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    return path


def read(path: Path) -> tuple[list[Session], list[Quarantined]]:
    bad: list[Quarantined] = []
    return list(import_sessions(path, bad.append)), bad


def test_import_then_export_gives_the_content_back(tmp_path: Path) -> None:
    rows = original_lines()
    sessions, bad = read(write(tmp_path / "bench.jsonl", rows))
    assert bad == [] and len(sessions) == 3
    first = sessions[0]
    assert first.language is Language.EN and first.now == "2024-03-05T18:00:00+00:00"
    assert [task.hidden_intent.kind for task in first.tasks if task.hidden_intent] == [
        HiddenIntentKind.PARTIAL_INFORMATION, HiddenIntentKind.COREFERENCE, HiddenIntentKind.LONG_RANGE,
    ]  # fmt: skip
    # Its absurd types, unlabelled calls and twins are what the gates are for; here only the way back matters.
    freeze(
        sessions, "1.0.0", tmp_path / "r", allow={"tools", "judged", "near_equal", "same_gold", "optional"}, **VERSIONS
    )
    (out,) = export_release(tmp_path / "r", "original", tmp_path / "out")
    back = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [{key: value for key, value in row.items() if key not in OURS} for row in back] == rows
    again, bad = read(out)
    assert bad == [] and [session.id for session in again] == [session.id for session in sessions]


def test_unknown_keys_are_kept(tmp_path: Path) -> None:
    row = original_lines()[0] | {"difficulty": {"level": 3}}
    (session,), _ = read(write(tmp_path / "bench.jsonl", [row]))
    assert original_row(session, 0)["difficulty"] == {"level": 3}


@pytest.mark.parametrize("language", list(Language))
def test_our_export_comes_back(make: Any, tmp_path: Path, language: Language) -> None:
    session = make(1, language)
    (back,), bad = read(write(tmp_path / "ours.jsonl", [original_row(session, 0, "canary-x")]))
    assert bad == [] and back.id == session.id and back.language is language
    ours, theirs = (one.model_dump(mode="json") for one in (session, back))
    for left, right in zip(ours["tasks"], theirs["tasks"], strict=True):
        assert left["actions"] == right["actions"] and left["type"] == right["type"]


def test_our_own_formats(make: Any, tmp_path: Path) -> None:
    sessions = sorted((make(number) for number in range(5)), key=lambda session: session.id)
    freeze(sessions, "1.0.0", tmp_path / "r", labels=accepted(sessions), **VERSIONS)
    assert read(tmp_path / "r")[0] == sessions
    parquet = [session for path in sorted((tmp_path / "r").rglob("*.parquet")) for session in read(path)[0]]
    assert sorted(parquet, key=lambda session: session.id) == sessions
    records = write(tmp_path / "records.jsonl", [session.model_dump(mode="json") for session in sessions])
    assert read(records)[0] == sessions


def test_bad_rows_go_to_quarantine_with_a_reason(tmp_path: Path) -> None:
    good = original_lines()[0]
    cycle = json.loads(json.dumps(good))
    cycle["english_answer_list"][0][0]["dependency_list"] = [1]
    path = write(tmp_path / "bench.jsonl", [
        good, [1], cycle, good | {"english_env_info": "once upon a time"},
        good | {"english_task_types": ["Odd", "Chat", "Chat", "Chat"]}, good | {"english_turn_subtypes": []},
        {"hello": "world"},
    ])  # fmt: skip
    path.write_text(path.read_text(encoding="utf-8") + '{"id": "wild_tool\n\n', encoding="utf-8")
    sessions, bad = read(path)
    assert len(sessions) == 1 and [row.line for row in bad] == [2, 3, 4, 5, 6, 7, 8]
    assert [row.reason for row in bad] == ["no_object", "schema", "format", "format", "format", "format", "broken_json"]
    assert "cycle" in bad[1].detail and "no date" in bad[2].detail
    assert all(row.raw for row in bad)


def test_what_would_not_come_back_is_refused(tmp_path: Path) -> None:
    row = original_lines()[0]
    row["english_answer_list"][0][1]["action"]["arguments"] = {"answer_type": "chat"}
    row["answer_list"] = row["english_answer_list"]
    sessions, bad = read(write(tmp_path / "bench.jsonl", [row]))
    assert sessions == [] and "would not be written back" in bad[0].detail


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "nothing.jsonl")
    (tmp_path / "x.parquet").write_bytes(b"no")
    with pytest.raises(InputError, match="not a Parquet file"):
        read(tmp_path / "x.parquet")


def test_questions_stand_alone_as_the_original_demands(make: Any) -> None:
    session = make(1)
    ask, call, answer = session.tasks[2].actions
    beside = call.model_copy(update={"depends_on": (), "arguments": {"city": "Oslo", "date": "2024-07-13"}})
    second = ask.model_copy(update={"slots": ("city",), "depends_on": ()})
    actions = (beside, ask, call.model_copy(update={"depends_on": (1, 3)}), second,
               answer.model_copy(update={"depends_on": (0, 2)}))  # fmt: skip
    task = session.tasks[2].model_copy(update={"actions": actions})
    changed = session.model_copy(update={"tasks": (*session.tasks[:2], task, session.tasks[3])})
    rows = original_row(changed, 0)["answer_list"][2]
    assert [row["dependency_list"] for row in rows] == [[1, 3], [], [1, 3], [1], [0, 2]]


def test_lists_of_types_are_written_as_the_original_reads_them(make: Callable[..., Session]) -> None:
    session = make(1)
    parameters = {
        "type": "object",
        "properties": {
            "type": {"type": ["string", "null"], "description": "A kind."},
            "size": {"type": ["integer", "string"], "default": 1},
        },
    }
    tool = {"type": "function", "function": {"name": "odd", "parameters": parameters}}
    row = original_row(session.model_copy(update={"tools": (*session.tools, tool)}), 0)
    written = row["english_tools"][-1]["function"]["parameters"]["properties"]
    assert written == {
        "type": {"type": "string", "description": "A kind."},
        "size": {"anyOf": [{"type": "integer"}, {"type": "string"}], "default": 1},
    }

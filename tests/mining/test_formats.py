"""Formats as their makers document them, each with its flags, grouping and odd corners."""

# ruff: noqa: E501 - rows of logs read best whole
from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from wildtool.mining import read_logs
from wildtool.mining.readers import RawRow, parse_row
from wildtool.schemas.conversation import Conversation
from wildtool.schemas.quarantine import Quarantined


def read(path: Path) -> tuple[list[Conversation], list[Quarantined]]:
    bad: list[Quarantined] = []
    return list(read_logs([str(path)], quarantine=bad.append)), bad


def said(conversation: Conversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in conversation.messages]


def write(path: Path, *rows: Any) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


ASKED = [("user", "Will it rain in Lyon?"), ("assistant", "No, sunny.")]


# -- WildChat and LMSYS-Chat-1M ---------------------------------------------------------------------------------------


def wildchat(**changes: Any) -> dict[str, Any]:
    turn = {"country": "France", "hashed_ip": "ab12", "header": {"accept-language": "fr"}, "language": "English",
            "redacted": False, "state": "Lyon", "toxic": False}  # fmt: skip
    return {
        "conversation_hash": "9f3a",
        "model": "gpt-4-0314",
        "timestamp": dt.datetime(2023, 6, 1, 12, 0, tzinfo=dt.UTC),
        "conversation": [
            turn | {"content": "Will it rain in Lyon?", "role": "user", "timestamp": None, "turn_identifier": 101},
            turn | {"content": "No, sunny.", "role": "assistant", "turn_identifier": 101,
                    "timestamp": dt.datetime(2023, 6, 1, 12, 0, 9, tzinfo=dt.UTC)},
        ],
        "turn": 1,
        "language": "English",
        "openai_moderation": [{"categories": {"hate": False}, "category_scores": {"hate": 1e-6}, "flagged": False}],
        "detoxify_moderation": [{"toxicity": 0.001}],
        "toxic": False,
        "redacted": False,
        "hashed_ip": "ab12",
    } | changes  # fmt: skip


def lmsys(**changes: Any) -> dict[str, Any]:
    return {
        "conversation_id": "33f1",
        "model": "vicuna-33b",
        "conversation": [{"content": "Will it rain in Lyon?", "role": "user"}, {"content": "No, sunny.", "role": "assistant"}],
        "turn": 1,
        "language": "English",
        "openai_moderation": [{"categories": {"hate": False}, "category_scores": {"hate": 1e-6}, "flagged": False}],
        "redacted": False,
    } | changes  # fmt: skip


@pytest.mark.parametrize("form", ["parquet", "jsonl", "jsonl.zst"])
@pytest.mark.parametrize(("row", "source_id"), [(wildchat(), "9f3a"), (lmsys(), "33f1")], ids=["wildchat", "lmsys"])
def test_wildchat_and_lmsys(tmp_path: Path, form: str, row: dict[str, Any], source_id: str) -> None:
    path = tmp_path / f"log.{form}"
    rows = [row, row | {"redacted": True, "openai_moderation": [{"flagged": True}]}]
    if form == "parquet":
        pq.write_table(
            pa.Table.from_pylist(
                [rows[0], rows[1] | {"openai_moderation": [{**row["openai_moderation"][0], "flagged": True}]}]
            ),
            path,
        )
    else:
        text = "\n".join(json.dumps(one, default=str) for one in rows).encode()
        path.write_bytes(zstandard.compress(text) if form.endswith("zst") else text)
    conversations, bad = read(path)
    assert not bad
    assert [said(one) for one in conversations] == [ASKED, ASKED]
    assert [one.source_id for one in conversations] == [source_id, source_id]
    assert [one.flags for one in conversations] == [(), ("toxic", "redacted")]
    if source_id == "9f3a":
        assert conversations[0].created_at == "2023-06-01T12:00:00+00:00"
        assert conversations[0].user == conversations[1].user != "ab12"


# -- ChatGPT export ---------------------------------------------------------------------------------------------------


def node(
    key: str,
    parent: str | None,
    children: list[str],
    role: str | None = None,
    parts: list[Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    message = None
    if role:
        message = {
            "id": key, "author": {"role": role, "name": None, "metadata": {}}, "create_time": 1686000000.5, "status": "finished_successfully",
            "content": {"content_type": "text", "parts": parts}, "weight": 1.0, "metadata": {}, "recipient": "all", **more,
        }  # fmt: skip
    return {"id": key, "message": message, "parent": parent, "children": children}


def test_a_chatgpt_export_follows_the_current_branch(tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x", "width": 10}
    nodes = [
        node("root", None, ["sys"]),
        node("sys", "root", ["u1"], "system", [""], metadata={"is_visually_hidden_from_conversation": True}),
        node("u1", "sys", ["a1", "a2"], "user", ["Will it rain in Lyon?"]),
        node("a1", "u1", [], "assistant", ["An answer that was thrown away."]),
        node("a2", "u1", ["u2"], "assistant", ["No, sunny."]),
        node("u2", "a2", ["t1"], "user", [picture, "And what is this?"]),
        node("t1", "u2", ["a3"], "tool", ["seen"]),
        node("a3", "t1", [], "assistant", ["A cloud."]),
    ]
    export = [{"title": "Rain", "create_time": 1686000000.1, "mapping": {one["id"]: one for one in nodes}, "current_node": "a3",
               "conversation_id": "c-1", "id": "c-1", "moderation_results": []}]  # fmt: skip
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(export), encoding="utf-8")
    (one,), bad = read(path)
    assert not bad
    assert said(one) == [*ASKED, ("user", "[image]\nAnd what is this?"), ("tool", "seen"), ("assistant", "A cloud.")]
    assert one.created_at == "2023-06-05T21:20:00.100000+00:00"


# -- traces -----------------------------------------------------------------------------------------------------------

MORE = [("user", "And on Sunday?"), ("assistant", "Rain.")]


def messages(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    return [{"role": role, "content": text} for role, text in pairs]


def langfuse(name: str, time: str, chat: list[dict[str, str]], answer: str, session: str = "s1") -> dict[str, Any]:
    return {"id": name, "timestamp": time, "name": "chat", "userId": "u-7", "sessionId": session, "release": None, "tags": [],
            "input": {"messages": chat}, "output": {"role": "assistant", "content": answer}, "metadata": {}, "observations": []}  # fmt: skip


def langsmith(
    name: str, time: str, chat: list[dict[str, str]], answer: str, parent: str | None = None
) -> dict[str, Any]:
    return {
        "id": name, "name": "ChatOpenAI", "run_type": "chain", "start_time": time, "end_time": time, "parent_run_id": parent, "trace_id": name,
        "extra": {"metadata": {"thread_id": "t1", "user_id": "u-7"}},
        "inputs": {"messages": [{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage" if one["role"] == "user" else "AIMessage"],
                                 "kwargs": {"content": one["content"], "type": "human" if one["role"] == "user" else "ai"}} for one in chat]},
        "outputs": {"generations": [[{"text": answer, "message": {"kwargs": {"content": answer, "type": "ai"}}}]]},
    }  # fmt: skip


def otlp(span: str, nanos: int, chat: list[dict[str, str]], answer: str) -> dict[str, Any]:
    def part(one: dict[str, str]) -> dict[str, Any]:
        return {"role": one["role"], "parts": [{"type": "text", "content": one["content"]}]}

    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.conversation.id": "c-9",
        "gen_ai.input.messages": json.dumps([part(one) for one in chat]),
        "gen_ai.output.messages": json.dumps(
            [{**part({"role": "assistant", "content": answer}), "finish_reason": "stop"}]
        ),
    }
    spans = [{
        "traceId": "5b8e", "spanId": span, "name": "chat gpt-4o", "kind": 3, "startTimeUnixNano": str(nanos),
        "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()],
    }, {"traceId": "5b8e", "spanId": "db", "name": "SELECT", "startTimeUnixNano": str(nanos), "attributes": []}]  # fmt: skip
    return {
        "resourceSpans": [
            {"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "openai"}, "spans": spans}]}
        ]
    }


FIRST = messages(ASKED[0])
SECOND = messages(*ASKED, MORE[0])
TRACES = {
    "langfuse": [langfuse("t2", "2024-05-01T10:02:00Z", SECOND, "Rain."), langfuse("t1", "2024-05-01T10:00:00Z", FIRST, "No, sunny.")],
    "langsmith": [
        langsmith("r1", "2024-05-01T10:00:00", FIRST, "No, sunny."),
        langsmith("r1a", "2024-05-01T10:00:01", FIRST, "No, sunny.", parent="r1"),
        langsmith("r2", "2024-05-01T10:02:00", SECOND, "Rain."),
    ],
    "opentelemetry": [otlp("a", 1714557600000000000, FIRST, "No, sunny."), otlp("b", 1714557720000000000, SECOND, "Rain.")],
}  # fmt: skip


@pytest.mark.parametrize("form", TRACES)
def test_traces_of_one_session_are_one_conversation_in_order_of_time(tmp_path: Path, form: str) -> None:
    (one,), bad = read(write(tmp_path / "traces.jsonl", *TRACES[form]))
    assert not bad
    assert said(one) == [*ASKED, *MORE]
    assert (one.created_at or "").startswith("2024-05-01T10:00:00")


def test_sessions_stay_apart(tmp_path: Path) -> None:
    rows = [
        langfuse("a", "2024-05-01T10:00:00Z", FIRST, "No."),
        langfuse("b", "2024-05-01T10:00:00Z", FIRST, "Yes.", session="s2"),
    ]
    conversations, _ = read(write(tmp_path / "log.jsonl", *rows))
    assert [one.messages[1].content for one in conversations] == ["No.", "Yes."]


# -- tables, packing, standard input ----------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_tables_with_quoted_lines_and_interleaved_conversations(tmp_path: Path, delimiter: str) -> None:
    rows = [
        ("session_id", "Role", "Content", "timestamp"), ("1", "用户", '"Will it rain\nin Lyon?"', "2024-05-01 10:00"), ("2", "human", "hello", ""),
        ("1", "bot", "No.", "2024-05-01 10:01"),
    ]  # fmt: skip
    path = tmp_path / "log.csv"
    path.write_text("\ufeff" + "\n".join(delimiter.join(row) for row in rows), encoding="utf-8")
    conversations, bad = read(path)
    assert not bad
    by_first = {said(one)[0][1]: said(one) for one in conversations}
    assert by_first == {
        "Will it rain\nin Lyon?": [("user", "Will it rain\nin Lyon?"), ("assistant", "No.")],
        "hello": [("user", "hello")],
    }


SWALLOWING = {
    "until the next quote": ('3,user,"Where is my parcel\n', '4,user,"Hello, you"\n'),
    "until the end of the file": ('3,user,"Where is my parcel\n', "4,user,Hello you\n"),
    "over lines": ('3,user,"Where is my\nparcel?\n', "4,user,Hello you\n"),
    "closed by a stray quote": ('3,user,"Where is my parcel\n', '4,user,A TV of 40"\n'),
}


@pytest.mark.parametrize("case", SWALLOWING)
def test_a_quote_that_is_never_closed_takes_no_other_row_along(tmp_path: Path, case: str) -> None:
    broken, after = SWALLOWING[case]
    path = tmp_path / "log.csv"
    path.write_text(
        "conversation_id,role,content\n1,user,Hi\n2,user,\"Will it\nrain?\"\n" + broken + "3,assistant,It is on its way.\n" + after
        + "4,assistant,Good day.\n", encoding="utf-8",
    )  # fmt: skip
    conversations, bad = read(path)
    assert [(row.source, row.line, row.reason, row.raw) for row in bad] == [
        ("log.csv", 5, "unclosed_quote", broken.removesuffix("\n"))
    ]
    assert sorted(len(said(one)) for one in conversations) == [1, 1, 1, 2]
    assert ("user", "Will it\nrain?") in [said(one)[0] for one in conversations]
    assert ("assistant", "Good day.") in [said(one)[-1] for one in conversations]


def test_a_quote_that_is_open_in_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text('role,content\nuser,Hi\nassistant,"Hello there\nand welcome', encoding="utf-8")
    conversations, bad = read(path)
    assert [said(one) for one in conversations] == [[("user", "Hi")]]
    assert [(row.line, row.reason, row.raw) for row in bad] == [
        (3, "unclosed_quote", 'assistant,"Hello there\nand welcome')
    ]


def test_a_table_quoted_in_a_message_is_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    pasted = 'Why does this fail?\nconversation_id,role,content\n7,user,hi\n7,assistant,""hello""'
    path.write_text(f'conversation_id,role,content\n1,user,"{pasted}"\n1,assistant,No idea.\n', encoding="utf-8")
    conversations, bad = read(path)
    assert not bad
    assert said(conversations[0]) == [("user", pasted.replace('""', '"')), ("assistant", "No idea.")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_logs_that_windows_programs_wrote_are_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "log.jsonl"
    rows = [{"id": f"{n}", "messages": messages(("user", f"里昂明天下雨吗 {n}"))} for n in range(3000)]
    path.write_bytes("\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode(encoding))
    conversations, bad = read(path)
    assert not bad
    assert len(conversations) == 3000
    assert conversations[-1].messages[0].content == "里昂明天下雨吗 2999"


def test_mixed_formats_in_one_folder(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", {"id": "a", "messages": messages(*ASKED)})
    write(tmp_path / "b.jsonl", lmsys())
    (tmp_path / "c.csv").write_text("role,content\nuser,Will it rain in Lyon?\n", encoding="utf-8")
    (tmp_path / "d.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    conversations, bad = read(tmp_path)
    assert len(conversations) == 3
    assert [(row.source, row.reason) for row in bad] == [("d.png", "binary_file")]


# -- bad input --------------------------------------------------------------------------------------------------------


def test_oddities_inside_a_row(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    parts = [
        {"type": "text", "text": "what is this"},
        {"type": "image_url", "image_url": {"url": "data:x"}},
        {"type": "input_audio", "input_audio": {}},
    ]
    call = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}],
    }
    rows = [
        {"id": "surrogate", "messages": messages(("user", "half a face \ud83d and on"))},
        {"id": "parts", "messages": [{"role": "user", "content": parts}]},
        {"id": "tools", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}, call, {"role": "tool", "tool_call_id": "1", "content": "{}"}]},
        {"id": "roles", "messages": messages(("пользователь", "дождь?"), ("ассистент", "нет"), ("ユーザー", "雨?"), ("Kunde", "Regen?"))},
        {"id": "empty", "messages": messages(("user", ""), ("assistant", ""))},
        {"id": "long", "messages": messages(*[("user" if n % 2 == 0 else "assistant", f"turn {n}") for n in range(1000)])},
        {"id": "unknown", "messages": messages(("wizardess", "x"))},
        {"id": "number", "messages": [*messages(("user", "x")), 7]},
        {"id": "null", "messages": None},
    ]  # fmt: skip
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    conversations, bad = read(path)
    by_id = {one.source_id: one for one in conversations}
    assert by_id["surrogate"].messages[0].content == "half a face \ufffd and on"
    assert by_id["parts"].messages[0].content == "what is this\n[image]\n[audio]"
    assert [message.role for message in by_id["tools"].messages] == ["system", "user", "assistant", "tool"]
    assert [message.role for message in by_id["roles"].messages] == ["user", "assistant", "user", "user"]
    assert len(by_id["long"].messages) == 1000
    assert [(row.line, row.reason) for row in bad] == [(7, "unknown_role"), (8, "bad_messages"), (9, "bad_messages")]
    assert all(row.source == "log.jsonl" and row.raw for row in bad)


@pytest.mark.parametrize(
    "stamp",
    [1714557600, 1714557600.0, "1714557600", 1714557600000, 1714557600000000, "1714557600000000000", "2024-05-01T10:00:00Z",
     "2024-05-01T12:00:00+02:00", "2024-05-01 10:00:00", "2024-05-01 10:00:00 UTC", "2024/05/01 10:00:00", "Wed, 01 May 2024 10:00:00 GMT",
     {"$date": "2024-05-01T10:00:00Z"}, {"seconds": 1714557600}],
)  # fmt: skip
def test_timestamps_of_every_form(tmp_path: Path, stamp: Any) -> None:
    (one,), _ = read(write(tmp_path / "log.jsonl", {"messages": messages(*ASKED), "created_at": stamp}))
    assert one.created_at is not None
    assert dt.datetime.fromisoformat(one.created_at) == dt.datetime(2024, 5, 1, 10, tzinfo=dt.UTC)


@pytest.mark.parametrize("stamp", ["yesterday", "", None, -5, 1e300, [], True])
def test_a_timestamp_that_is_none_is_left_out(tmp_path: Path, stamp: Any) -> None:
    (one,), _ = read(write(tmp_path / "log.jsonl", {"messages": messages(*ASKED), "created_at": stamp}))
    assert one.created_at is None


@pytest.mark.parametrize(
    ("row", "flags"),
    [
        ({"messages": [{"role": "user", "content": "a b"}], "toxic": True}, ("toxic",)),
        ({"messages": [{"role": "user", "content": "a b", "toxic": "true"}]}, ("toxic",)),
        ({"messages": [{"role": "user", "content": "a b"}], "metadata": {"redacted": True}}, ("redacted",)),
        ({"conversations": [{"from": "human", "value": "a b"}], "moderation": {"flagged": True}}, ("toxic",)),
        ({"messages": [{"role": "user", "content": "a b"}], "toxic": False, "redacted": "no"}, ()),
    ],
)
def test_marks_of_the_log_are_kept_in_every_format(row: dict[str, Any], flags: tuple[str, ...]) -> None:
    read = parse_row(RawRow("log", 1, json.dumps(row).encode("utf-8")))
    assert isinstance(read, Conversation) and read.flags == flags

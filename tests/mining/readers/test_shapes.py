"""Logs in the shapes that tools write, made up by hand: how many conversations and user turns each holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wildtool.mining.readers import read_logs
from wildtool.mining.readers.explain import explain
from wildtool.schemas.errors import InputError

U, A, U2, A2 = "Is the pool open today?", "Yes, until eight.", "And tomorrow?", "Closed."

CASES: list[tuple[str, Any, int, int]] = [
    (
        "gemini.jsonl",
        [
            {
                "contents": [
                    {"role": "user", "parts": [{"text": U}]},
                    {"role": "model", "parts": [{"text": A}]},
                    {"role": "user", "parts": [{"text": U2}]},
                ],
                "systemInstruction": {"parts": [{"text": "s"}]},
            }
        ],
        1,
        2,
    ),
    (
        "gemini_rr.jsonl",
        [
            {
                "request": {"contents": [{"role": "user", "parts": [{"text": U}]}]},
                "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": A}]}}]},
            }
        ],
        1,
        1,
    ),
    (
        "gemini_fn.jsonl",
        [
            {
                "contents": [
                    {"role": "user", "parts": [{"text": U}]},
                    {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
                    {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"x": 1}}}]},
                    {"role": "model", "parts": [{"text": A}]},
                ]
            }
        ],
        1,
        1,
    ),
    (
        "aistudio.json",
        {
            "runSettings": {"model": "x"},
            "systemInstruction": {"text": "s"},
            "chunkedPrompt": {
                "chunks": [
                    {"text": U, "role": "user", "tokenCount": 3},
                    {"text": "hmm", "role": "model", "isThought": True},
                    {"text": A, "role": "model"},
                    {"text": U2, "role": "user"},
                ],
                "pendingInputs": [],
            },
        },
        1,
        2,
    ),
    (
        "takeout.json",
        [
            {
                "header": "Gemini Apps",
                "title": "Prompted " + U,
                "time": "2025-01-01T00:00:00Z",
                "products": ["Gemini Apps"],
                "safeHtmlItem": [{"html": "<p>Yes</p>"}],
            }
        ],
        1,
        1,
    ),
    (
        "bedrock_converse.jsonl",
        [
            {
                "modelId": "m",
                "messages": [
                    {"role": "user", "content": [{"text": U}]},
                    {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t", "name": "x", "input": {}}}]},
                    {"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": [{"text": "8"}]}}]},
                    {"role": "assistant", "content": [{"text": A}]},
                ],
            }
        ],
        1,
        1,
    ),
    (
        "bedrock_log.jsonl",
        [
            {
                "schemaType": "ModelInvocationLog",
                "timestamp": "2024-01-01T00:00:00Z",
                "requestId": "r",
                "operation": "Converse",
                "input": {
                    "inputContentType": "application/json",
                    "inputBodyJson": {"messages": [{"role": "user", "content": [{"text": U}]}]},
                },
                "output": {"outputBodyJson": {"output": {"message": {"role": "assistant", "content": [{"text": A}]}}}},
            }
        ],
        1,
        1,
    ),
    (
        "litellm.jsonl",
        [
            {
                "id": "x",
                "call_type": "acompletion",
                "model": "gpt",
                "startTime": 1,
                "end_user": "u",
                "messages": [{"role": "user", "content": U}],
                "response": {"choices": [{"message": {"role": "assistant", "content": A}}]},
            }
        ],
        1,
        1,
    ),
    (
        "vercel.json",
        {
            "id": "c",
            "messages": [
                {"id": "1", "role": "user", "parts": [{"type": "text", "text": U}]},
                {
                    "id": "2",
                    "role": "assistant",
                    "parts": [
                        {"type": "step-start"},
                        {
                            "type": "tool-weather",
                            "toolCallId": "t",
                            "state": "output-available",
                            "input": {},
                            "output": {"x": 1},
                        },
                        {"type": "text", "text": A},
                    ],
                },
            ],
        },
        1,
        1,
    ),
    (
        "codex.jsonl",
        [
            {"timestamp": "2025-09-01T10:00:00Z", "type": "session_meta", "payload": {"id": "s", "cwd": "/x"}},
            {
                "timestamp": "2025-09-01T10:00:01Z",
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": "<environment_context>x</environment_context>"}],
                },
            },
            {
                "timestamp": "2025-09-01T10:00:02Z",
                "type": "response_item",
                "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": U}]},
            },
            {
                "timestamp": "2025-09-01T10:00:02Z",
                "type": "event_msg",
                "payload": {"type": "user_message", "message": U},
            },
            {
                "timestamp": "2025-09-01T10:00:03Z",
                "type": "response_item",
                "payload": {"type": "reasoning", "summary": []},
            },
            {
                "timestamp": "2025-09-01T10:00:04Z",
                "type": "response_item",
                "payload": {"type": "function_call", "name": "shell", "arguments": "{}"},
            },
            {
                "timestamp": "2025-09-01T10:00:04Z",
                "type": "response_item",
                "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": A}]},
            },
        ],
        1,
        1,
    ),
    (
        "geminicli.json",
        [
            {"sessionId": "s", "messageId": 0, "type": "user", "message": U, "timestamp": "2025-01-01T00:00:00Z"},
            {"sessionId": "s", "messageId": 1, "type": "user", "message": U2, "timestamp": "2025-01-01T00:01:00Z"},
        ],
        1,
        2,
    ),
    (
        "intercom.json",
        {
            "type": "conversation",
            "id": "1",
            "source": {"type": "conversation", "body": "<p>" + U + "</p>", "author": {"type": "user", "id": "u"}},
            "conversation_parts": {
                "type": "conversation_part.list",
                "conversation_parts": [
                    {
                        "type": "conversation_part",
                        "part_type": "comment",
                        "body": "<p>" + A + "</p>",
                        "author": {"type": "admin", "id": "a"},
                    },
                    {"part_type": "comment", "body": "<p>" + U2 + "</p>", "author": {"type": "user", "id": "u"}},
                    {"part_type": "close", "body": None, "author": {"type": "admin", "id": "a"}},
                ],
            },
        },
        1,
        2,
    ),
    (
        "telegram.json",
        {
            "name": "Bot",
            "type": "bot_chat",
            "id": 1,
            "messages": [
                {
                    "id": 1,
                    "type": "message",
                    "date": "2024-01-01T00:00:00",
                    "from": "Ana",
                    "from_id": "user1",
                    "text": U,
                },
                {
                    "id": 2,
                    "type": "service",
                    "date": "2024-01-01T00:00:00",
                    "actor": "Ana",
                    "action": "pin_message",
                    "text": "",
                },
                {
                    "id": 3,
                    "type": "message",
                    "date": "2024-01-01T00:00:01",
                    "from": "Pool Bot",
                    "from_id": "user2",
                    "text": ["Yes, ", {"type": "bold", "text": "until eight"}],
                },
            ],
        },
        1,
        1,
    ),
    (
        "whatsapp.txt",
        "12/31/24, 10:15 - Messages and calls are end-to-end encrypted.\n12/31/24, 10:15 - Ana: "
        + U
        + "\n12/31/24, 10:16 - Pool Desk: "
        + A
        + "\nSee you\n12/31/24, 10:17 - Ana: "
        + U2
        + "\n",
        1,
        2,
    ),
    ("whatsapp2.txt", "[31.12.24, 10:15:22] Ana: " + U + "\n[31.12.24, 10:16:01] Support: " + A + "\n", 1, 1),
    ("plain.txt", "User: " + U + "\nBot: " + A + "\nUser: " + U2 + "\nBot: " + A2 + "\n", 1, 2),
    ("plain_zh.txt", "用户：泳池今天开吗？\n客服：开到八点。\n用户：明天呢？\n客服：休息。\n", 1, 2),
    ("plain_two.txt", "User: " + U + "\nBot: " + A + "\n\n---\n\nUser: " + U2 + "\nBot: " + A2 + "\n", 2, 2),
    ("timed.txt", "[2024-01-01 10:00:00] Customer: " + U + "\n[2024-01-01 10:00:05] Agent: " + A + "\n", 1, 1),
    (
        "aider.md",
        "# aider chat started at 2025-01-01 10:00:00\n\n#### " + U + "\n\n" + A + "\n\n#### " + U2 + "\n\n" + A2 + "\n",
        1,
        2,
    ),
    (
        "rasa.json",
        {
            "sender_id": "u",
            "events": [
                {"event": "action", "name": "action_listen"},
                {"event": "user", "text": U, "timestamp": 1.0},
                {"event": "bot", "text": A, "timestamp": 2.0},
                {"event": "slot", "name": "x"},
            ],
        },
        1,
        1,
    ),
    (
        "dialogflow.jsonl",
        [
            {
                "session": "projects/p/agent/sessions/1",
                "responseId": "1",
                "queryResult": {"queryText": U, "fulfillmentText": A, "languageCode": "en"},
            },
            {
                "session": "projects/p/agent/sessions/1",
                "responseId": "2",
                "queryResult": {"queryText": U2, "fulfillmentText": A2},
            },
        ],
        1,
        2,
    ),
    (
        "oasst_flat.jsonl",
        [
            {"message_id": "1", "parent_id": None, "message_tree_id": "1", "text": U, "role": "prompter", "lang": "en"},
            {"message_id": "2", "parent_id": "1", "message_tree_id": "1", "text": A, "role": "assistant"},
        ],
        1,
        1,
    ),
    (
        "lmsys.jsonl",
        [
            {
                "conversation_id": "c",
                "model": "m",
                "conversation": [{"role": "user", "content": U}, {"role": "assistant", "content": A}],
                "turn": 1,
                "language": "English",
            }
        ],
        1,
        1,
    ),
    (
        "trl_pref.jsonl",
        [
            {
                "chosen": [{"role": "user", "content": U}, {"role": "assistant", "content": A}],
                "rejected": [{"role": "user", "content": U}, {"role": "assistant", "content": A2}],
            }
        ],
        1,
        1,
    ),
    ("trl_pref2.jsonl", [{"prompt": U, "chosen": A, "rejected": A2}], 1, 1),
    ("dolly.jsonl", [{"instruction": U, "context": "", "response": A, "category": "qa"}], 1, 1),
    ("openorca.jsonl", [{"id": "1", "system_prompt": "s", "question": U, "response": A}], 1, 1),
    (
        "latin1.csv",
        ("Sitzung;Rolle;Text\n1;Kunde;Ist das Schwimmbad heute geöffnet?\n1;Agent;Ja, bis acht.\n").encode("latin-1"),
        1,
        1,
    ),
    (
        "odd.tsv",
        "ThreadId\tFromType\tBody\n1\tcustomer\t" + U + "\n1\tagent\t" + A + "\n2\tcustomer\t" + U2 + "\n",
        2,
        2,
    ),
    (
        "odd.csv",
        'dialogue_id,speaker,utterance\nd1,USER,"' + U + '"\nd1,SYSTEM,"' + A + '"\nd2,USER,"' + U2 + '"\n',
        2,
        2,
    ),
    (
        "anthropic_batch_out.jsonl",
        [
            {
                "custom_id": "q",
                "result": {
                    "type": "succeeded",
                    "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": A}]},
                },
            }
        ],
        0,
        0,
    ),
    (
        "growing.jsonl",
        [
            {
                "request": {"messages": [{"role": "user", "content": U}]},
                "response": {"choices": [{"message": {"role": "assistant", "content": A}}]},
            },
            {
                "request": {
                    "messages": [
                        {"role": "user", "content": U},
                        {"role": "assistant", "content": A},
                        {"role": "user", "content": U2},
                    ]
                },
                "response": {"choices": [{"message": {"role": "assistant", "content": A2}}]},
            },
        ],
        1,
        2,
    ),
    (
        "growing_anthropic.jsonl",
        [
            {
                "request": {"system": "s", "messages": [{"role": "user", "content": U}]},
                "response": {"role": "assistant", "content": [{"type": "text", "text": A}]},
            },
            {
                "request": {
                    "system": "s",
                    "messages": [
                        {"role": "user", "content": U},
                        {"role": "assistant", "content": [{"type": "text", "text": A}]},
                        {"role": "user", "content": U2},
                    ],
                },
                "response": {"role": "assistant", "content": [{"type": "text", "text": A2}]},
            },
        ],
        1,
        2,
    ),
    (
        "responses_chain.jsonl",
        [
            {
                "request": {"model": "m", "input": U},
                "response": {
                    "id": "resp_1",
                    "previous_response_id": None,
                    "output": [
                        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": A}]}
                    ],
                },
            },
            {
                "request": {"model": "m", "input": U2, "previous_response_id": "resp_1"},
                "response": {
                    "id": "resp_2",
                    "previous_response_id": "resp_1",
                    "output": [
                        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": A2}]}
                    ],
                },
            },
        ],
        1,
        2,
    ),
    (
        "cursor.json",
        {
            "tabs": [
                {"tabId": "1", "chatTitle": "x", "bubbles": [{"type": "user", "text": U}, {"type": "ai", "text": A}]}
            ]
        },
        1,
        1,
    ),
    (
        "openinf_nested.jsonl",
        [
            {
                "context": {"trace_id": "t", "span_id": "1"},
                "attributes": {
                    "openinference": {"span": {"kind": "LLM"}},
                    "llm": {
                        "input_messages": [{"message": {"role": "user", "content": U}}],
                        "output_messages": [{"message": {"role": "assistant", "content": A}}],
                    },
                },
            }
        ],
        1,
        1,
    ),
    (
        "otel_events.jsonl",
        [
            {
                "traceId": "t",
                "spanId": "s",
                "attributes": {},
                "events": [
                    {"name": "gen_ai.user.message", "attributes": {"content": U}},
                    {"name": "gen_ai.choice", "attributes": {"message": '{"role":"assistant","content":"Yes"}'}},
                ],
            }
        ],
        1,
        1,
    ),
    (
        "connect_lens.json",
        {
            "Participants": [{"ParticipantId": "A", "ParticipantRole": "CUSTOMER"}],
            "Transcript": [
                {"Id": "1", "ParticipantId": "CUSTOMER", "Content": U, "BeginOffsetMillis": 0},
                {"Id": "2", "ParticipantId": "AGENT", "Content": A},
            ],
            "Version": "1.1.0",
        },
        1,
        1,
    ),
    (
        "discord_csv.csv",
        "AuthorID,Author,Date,Content,Attachments,Reactions\n1,ana,2024-01-01,"
        + U
        + ",,\n2,poolbot,2024-01-01,"
        + A
        + ",,\n",
        1,
        1,
    ),
    ("qa_csv_semicolon.csv", "Question;Answer\n" + U + ";" + A + "\n" + U2 + ";" + A2 + "\n", 2, 2),
    ("bare_list.json", [{"role": "user", "content": U}, {"role": "assistant", "content": A}], 1, 1),
    ("prompt_only.jsonl", [{"prompt": U}, {"prompt": U2}], 2, 2),
]


def _write(folder: Path, name: str, data: Any) -> Path:
    path = folder / name
    if isinstance(data, bytes):
        path.write_bytes(data)
    elif isinstance(data, str):
        path.write_text(data, encoding="utf-8")
    elif name.endswith(".jsonl"):
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in data), encoding="utf-8")
    else:
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "data", "conversations", "turns"), CASES, ids=[case[0] for case in CASES])
def test_a_log_holds_so_many_conversations_and_user_turns(
    tmp_path: Path, name: str, data: Any, conversations: int, turns: int
) -> None:
    bad: list[Any] = []
    found = list(read_logs(_write(tmp_path, name, data), quarantine=bad.append))
    users = [message.content for one in found for message in one.messages if message.role == "user"]
    assert (len(found), len(users)) == (conversations, turns), bad
    assert all(text.strip() and "environment_context" not in text for text in users)


def test_fields_that_nobody_guesses_are_mapped(tmp_path: Path) -> None:
    rows = [
        {"grp": "1", "kto": "human", "chto": U},
        {"grp": "1", "kto": "ai", "chto": A},
        {"grp": "2", "kto": "human", "chto": U2},
    ]
    path = _write(tmp_path, "odd.jsonl", rows)
    with pytest.raises(InputError, match="nothing was read"):
        explain([str(path)])
    found = explain([str(path)], {"role": "kto", "text": "chto", "session": "grp"})
    assert (found.conversations, found.user_turns) == (2, 2)
    assert found.fields == {"role": "kto", "text": "chto", "user": None, "session": "grp", "time": None}
    assert found.first == [{"role": "user", "content": U}, {"role": "assistant", "content": A}]


def test_a_mapping_reaches_the_columns_of_a_table(tmp_path: Path) -> None:
    path = _write(tmp_path, "odd.csv", f"grp;kto;chto\n1;human;{U}\n1;ai;{A}\n")
    found = explain([str(path)], {"role": "kto", "text": "chto", "session": "grp"})
    assert (found.format, found.conversations, found.user_turns) == ("table", 1, 1)


def test_a_mapping_of_something_else_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a mapping names 'colour'"):
        explain([str(_write(tmp_path, "a.jsonl", [{"prompt": U}]))], {"colour": "x"})


def test_what_was_seen_is_said_where_nothing_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        explain([str(_write(tmp_path, "a.jsonl", [{"alpha": 1, "beta": 2}]))])
    assert "alpha, beta" in str(caught.value) and "--map" in caught.value.remedy


@pytest.mark.parametrize(
    ("rows", "fields"),
    [
        ([{"id": "1", "user": "u", "created_at": 1, "messages": [{"role": "user", "content": U}]}],
         {"role": "messages[].role", "text": "messages[].content", "user": "user", "session": "id", "time": "created_at"}),
        ([{"thread_id": "t", "speaker": "user", "utterance": U, "sent_at": "2025-01-01"}],
         {"role": "speaker", "text": "utterance", "user": None, "session": "thread_id", "time": "sent_at"}),
    ],
)  # fmt: skip
def test_the_fields_that_were_taken_are_named(tmp_path: Path, rows: Any, fields: Any) -> None:
    assert explain([str(_write(tmp_path, "a.jsonl", rows))]).fields == fields


def test_two_people_with_the_same_request_are_two_conversations(tmp_path: Path) -> None:
    call = {
        "request": {"messages": [{"role": "user", "content": U}]},
        "response": {"choices": [{"message": {"role": "assistant", "content": A}}]},
    }
    found = list(read_logs(_write(tmp_path, "a.jsonl", [call, call]), quarantine=lambda row: None))
    assert len(found) == 2

"""Assistant messages as servers really send them."""

from __future__ import annotations

import pytest

from wildtool.schemas.message import read_arguments, read_calls


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ('{"a": ', None),
        ("[1]", None),
        ('{"a": NaN}', None),
        ('{"a": 1e999}', None),
        ('{"a": "\\ud800"}', None),
        ("[" * 100_000, None),
        ('{"a": ' + "9" * 5000 + "}", None),
    ],
    ids=["object", "empty", "cut", "array", "nan", "infinity", "surrogate", "deep", "huge"],
)
def test_argument_text_is_an_object_or_none(text: str, expected: object) -> None:
    assert read_arguments(text) == expected


def test_calls_as_servers_really_send_them() -> None:
    message = {
        "tool_calls": [
            {"id": "", "function": {"name": "a", "arguments": {"x": 1}}},
            {"id": "same", "function": {"name": "b", "arguments": '{"x": '}},
            {"id": "same", "function": {"name": "c", "arguments": None}},
            {"id": 7},
        ]
    }
    calls = read_calls(message, "made_0_0")
    assert [call.id for call in calls] == ["made_0_0_0", "same", "made_0_0_2", "made_0_0_3"]
    assert [call.arguments for call in calls] == [{"x": 1}, None, {}, {}]
    assert calls[1].raw_arguments == '{"x": '
    assert read_calls({"content": "hi"}, "p") == ()

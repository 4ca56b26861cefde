"""Good inputs to begin from, and ways to spoil them."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from wildtool.schemas.vocabulary import Language

REPOSITORY = Path(__file__).resolve().parents[2]

TOKENS = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf0\x9f", b'"', b"'", b"{", b"}", b"[", b"]", b",",
    b":", b"\n", b"\r", b"\t", b"\\", b"\\u0000", b'"\\ud800"', b"null", b"NaN", b"Infinity", b"-1e999", b"true", b"1" * 400,
    b"[" * 300, b'{"a":' * 300, b"$ref", b'{"$ref": "#"}', b'{"$ref": "#/paths"}', b"../../../etc/passwd", b"file:///etc/passwd",
    b"http://127.0.0.1:9/", b"&a", b"*a", b"<<: *a", b"!!python/object:os.system", b"= ", b"<script>", b"depends_on",
    b"content", b"role", b"messages", b"conversations", b"type", b"properties", b"required", b"parameters", b"paths", b"mapping",
)  # fmt: skip
"""What parsers stumble over, and words that steer ours."""


@cache
def logs() -> tuple[bytes, ...]:
    """Logs of several forms."""
    chat = [{"role": "user", "content": "Find me a train to Lyon, please."}, {"role": "assistant", "content": "When?"}]
    node = {
        "id": "b",
        "parent": "a",
        "children": [],
        "message": {"author": {"role": "user"}, "content": {"parts": ["hi"]}},
    }
    rows = [
        {"messages": chat},
        {"conversations": [{"from": "human", "value": "hello there"}, {"from": "gpt", "value": "hi"}]},
        {"conversation": chat, "language": "English", "turn": 1, "toxic": False, "redacted": False},
        {"conversation_id": "c", "model": "m", "conversation": chat, "turn": 1, "language": "English"},
        {"title": "t", "create_time": 1720000000.5, "current_node": "b", "mapping": {"a": {"id": "a", "children": ["b"]}, "b": node}},
        {"traceId": "t1", "id": "o1", "type": "GENERATION", "input": chat, "output": {"role": "assistant", "content": "ok"}},
    ]  # fmt: skip
    lines = [json.dumps(row).encode() for row in rows]
    csv = b"conversation_id,role,content\n1,user,hello there\n1,assistant,hi\n"
    return (*lines, b"\n".join(lines), json.dumps(rows).encode(), csv, gzip.compress(lines[0] * 20))


@cache
def descriptions() -> tuple[bytes, ...]:
    """API descriptions of several forms."""
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "A city."}},
        "required": ["city"],
    }
    openapi = {
        "openapi": "3.0.0",
        "info": {"title": "Weather", "version": "1", "description": "Weather of cities."},
        "paths": {
            f"/{word}/{{city}}": {
                "get": {
                    "operationId": f"get{word}",
                    "summary": f"The {word} of a city, hour by hour.",
                    "parameters": [
                        {"name": "city", "in": "path", "required": True, "schema": {"$ref": "#/components/schemas/City"}},
                        {"name": "days", "in": "query", "description": "Days, default is 3", "schema": {"type": "integer"}},
                    ],
                    "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}},
                }
            }
            for word in ("Rain", "Wind")
        },
        "components": {"schemas": {"City": {"type": "string", "description": "Name of the city.", "nullable": True}}},
    }  # fmt: skip
    functions = [
        {"name": name, "description": "Gives the rain of a city.", "parameters": schema} for name in ("a.rain", "wind")
    ]
    tools = [{"type": "function", "function": one} for one in functions]
    mcp = {
        "tools": [{"name": one["name"], "description": one["description"], "inputSchema": schema} for one in functions]
    }
    yaml = b"swagger: '2.0'\ninfo: {title: W, version: '1'}\npaths:\n  /rain:\n    get:\n      summary: Rain of a city.\n      parameters:\n        - {name: city, in: query, type: string, example: =}\n      responses: {'200': {description: ok}}\n"  # noqa: E501
    return (*(json.dumps(each).encode() for each in (openapi, tools, functions, mcp)), yaml)


@st.composite
def spoiled(draw: st.DrawFn, goods: tuple[bytes, ...]) -> bytes:
    """A good input with up to eight wounds: cuts, doubled parts, foreign tokens, flipped bytes."""
    data = bytearray(draw(st.sampled_from(goods)))
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 60)))
        match draw(st.sampled_from(("cut", "double", "token", "bytes", "swap"))):
            case "cut":
                del data[start:end]
            case "double":
                data[start:start] = data[start:end]
            case "token":
                data[start:end] = draw(st.sampled_from(TOKENS))
            case "bytes":
                data[start:end] = draw(st.binary(max_size=6))
            case _:
                other = draw(st.integers(0, len(data)))
                data[other:other] = data[start:end]
    return bytes(data)


def json_values() -> st.SearchStrategy[object]:
    """Any JSON value, with numbers and texts that are near each other and far out."""
    texts = st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            ("2024-07-13", "13 July 2024", "明天", "5", "5.0", "1e3", "not", "null", "http://a.b/c?d", "::1", "۱۲")
        ),
    )
    leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts)
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
        max_leaves=12,
    )


def small_release(folder: Path) -> Path:
    """A frozen release of two dozen sessions."""
    from tests.frozen import freeze
    from tests.warehouse.conftest import make_label, make_session

    sessions = [make_session(number, language) for language in Language for number in range(12)]
    freeze(
        sessions,
        "1.0.0",
        folder,
        labels=[make_label(session) for session in sessions],
        code_version="0.1.0",
        rules_version="1",
    )
    return folder

"""Defaults as schemas declare and descriptions state them: what leaving a parameter out means."""

from __future__ import annotations

from typing import Any

import pytest

from wildtool.language.prose_defaults import is_default


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        (20, {"default": 20}, True),
        ("20", {"default": 20}, True),
        (21, {"default": 20}, False),
        (1, {"default": True}, False),
        (5, {"default": -5}, False),
        ("-5", {"default": -5}, True),
        ("fr", {"default": "de", "description": "default is fr"}, False),
        ("fr", {"description": "The default is fr."}, True),
        ("fr", {"description": "fr, de or it. Default: fr"}, True),
        ("de", {"description": "fr, de or it. Default: fr"}, False),
        ("zh", {"description": "语言，默认为zh"}, True),
        ("fr", {"description": "fr or de"}, False),
        # Only what stands beside the mention, not any word near it.
        ("fr", {"description": "default is set by the account, such as fr"}, False),
        (5, {"description": "default 5"}, True),
        (True, {"description": "default is True", "type": "boolean"}, True),
        (10, {"description": "Page size, default value is 10.", "type": "integer"}, True),
        (20, {"description": "If omitted, 20 is used.", "type": "integer"}, True),
        ("metric", {"description": "Units, `metric` by default.", "type": "string"}, True),
        ("fr", {}, False),
        ("", {}, False),
    ],
)
def test_is_default(value: Any, schema: dict[str, Any], expected: bool) -> None:
    assert is_default(value, schema) is expected

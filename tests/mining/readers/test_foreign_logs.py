"""Logs as other tools write them are read rightly; the files and their right readings were made by others."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from wildtool.mining.readers.explain import explain
from wildtool.schemas.errors import InputError

LOGS = Path(os.environ.get("WILDTOOL_SHARED", Path(__file__).parents[4] / "shared")) / "data" / "foreign" / "logs"
EXPECTED: dict[str, Any] = json.loads((LOGS / "expected.json").read_text()) if (LOGS / "expected.json").exists() else {}

pytestmark = pytest.mark.skipif(not EXPECTED, reason="the foreign logs are not on this machine (WILDTOOL_SHARED)")


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_foreign_log_is_read_rightly(name: str) -> None:
    right = EXPECTED[name]
    if not right["conversations"]:
        with pytest.raises(InputError) as caught:
            explain([str(LOGS / name)])
        assert "no user message in it" in str(caught.value)
        return
    found = explain([str(LOGS / name)])
    assert (found.conversations, found.user_turns) == (right["conversations"], right["user_turns"])
    assert found.first and found.first[-1]["content"].strip()
    assert set(found.data()) == {"format", "fields", "conversations", "user_turns", "first"}

"""Names of parameters in plain words."""

from __future__ import annotations

from wildtool.language.parameter_names import humanise


def test_words() -> None:
    assert humanise("windSpeedKmh") == "wind speed kmh"
    assert humanise("user_ID") == "user ID"

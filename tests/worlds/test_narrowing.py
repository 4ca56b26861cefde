"""Results are brought within what the arguments ask for."""

from __future__ import annotations

from wildtool.worlds.narrowing import in_units


def test_degrees_follow_the_units() -> None:
    assert in_units("temperature", 20.0, {"units": "imperial"}) == 68.0
    assert in_units("temperature", 20.0, {"units": "metric"}) == 20.0
    assert in_units("highPrice", 20.0, {"units": "imperial"}) == 20.0

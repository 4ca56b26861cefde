"""The benchmark of mining measures what it says: every stage, a start apart, memory of all processes; no clock is judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks import mining_speed
from benchmarks.measuring import Took
from benchmarks.mining_log import conversations

STAGES = {"parse", "quality", "language", "duplicates", "privacy", "behaviour", "records", "whole shard"}


def test_stages_are_those_of_a_shard(repository: Path) -> None:
    found = mining_speed.stages(repository / "examples" / "logs" / "assistant_en.jsonl", 12)
    assert set(found["microseconds"]) == STAGES
    assert all(value >= 0 for value in found["microseconds"].values())
    assert found["conversations"] == 12
    assert found["two_cores_per_second"] > 0


def test_a_whole_run_reports_the_memory_of_all_its_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def took(command: Any) -> Took:
        assert Path(command[-1]).read_bytes().count(b"\n") == 40
        return Took(2.0, 3.0, 321.0, '{"rows": 40, "kept": 30, "quarantined": 10, "main_cpu_seconds": 1.0}')

    monkeypatch.setattr(mining_speed, "measured", took)
    (run,) = mining_speed.growth([40])
    assert (run["per_second"], run["cpu_seconds"], run["peak_mb"]) == (20, 3.0, 321.0)


def test_generated_conversations_are_as_long_as_they_say() -> None:
    lengths = [sum(len(message["content"]) for message in one["messages"]) for one in conversations(400)]  # type: ignore[attr-defined]
    assert 700 < sum(lengths) / len(lengths) < 950

"""The benchmark of rules tells files apart by their fields, and the table in docs is in step with the registry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import rules as bench
from tests.validation.small_cases import action, changed, drop_edge
from tests.warehouse.conftest import make_session


def test_the_table_of_rules_is_in_step() -> None:
    assert bench.DOCS.read_text(encoding="utf-8") == bench.page(), "run python -m benchmarks.rules --write-docs"


def rows() -> list[dict[str, Any]]:
    good = make_session(3)
    wrong = changed(good, lambda data: action(data, 0, 0)["arguments"].update(city=7))
    edge = changed(good, drop_edge)
    return [
        {"case": "shows", "defect": None, "session": good.model_dump(mode="json")},
        {"case": "shows", "defect": "wrong type", "session": wrong.model_dump(mode="json")},
        {"case": "shows", "defect": "missing dependency", "session": edge.model_dump(mode="json")},
        {"case": "shows", "defect": "nothing", "session": good.model_dump(mode="json")},
    ]


def written(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def test_planted_defects_are_counted_by_kind_and_good_rows_judge_the_rules(tmp_path: Path) -> None:
    report, judged = bench.measure(written(tmp_path / "planted.jsonl", rows()))
    assert (report["good"], report["good_blocked"], report["good_doubted"]) == (1, 0, 1)
    assert (report["defects"], report["found"]) == (3, 2)
    assert report["by_kind"] == {"wrong type": [1, 1], "missing dependency": [1, 1], "nothing": [0, 1]}
    assert (judged.judged["edges"], judged.right["edges"]) == (1, 1)
    assert judged.judged["untold"] and judged.right["untold"] == 0


def test_what_privacy_finds_is_right_inside_of_what_must_go(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "text": "write to jane.roe@mailbox.org", "must_go": ["jane.roe@mailbox.org"]},
        {"id": "b", "text": "write to joe@corp.org", "spans": [{"kind": "EMAIL_ADDRESS", "start": 9, "end": 21}]},
        {"id": "c", "text": "the package joe@corp.org"},
    ]
    report, judged = bench.measure(written(tmp_path / "texts.jsonl", lines))
    assert (report["texts"], report["found"], report["right"]) == (3, 3, 2)
    assert report["wrong"] == ["c: looks like an e-mail address: j…g"] and judged.judged["privacy"] == 3


def test_other_sessions_are_listed_by_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = changed(make_session(4), lambda data: action(data, 0, 0)["arguments"].update(city=7))
    path = written(
        tmp_path / "records.jsonl", [make_session(3).model_dump(mode="json"), broken.model_dump(mode="json")]
    )
    assert bench.main([str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["sessions"] == 2 and report["blocked"] == 1
    assert report["by_rule"]["arguments"]["sessions"] == [broken.id]


def test_no_good_foreign_session_is_blocked(shared_data: Path) -> None:
    planted = shared_data / "foreign" / "sessions" / "planted.jsonl"
    if not planted.exists():
        pytest.skip(f"no foreign sessions at {planted}")
    report, _ = bench.measure(planted)
    assert report["good_blocked"] == 0 and report["found"] >= 30

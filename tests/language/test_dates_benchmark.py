"""The benchmark of the readers of language, where dates are concerned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.language.__main__ import main
from benchmarks.language.dates import judge

ROW = {"id": "d1", "language": "en", "now": "2026-07-09T14:20", "text": "by Friday please", "expression": "by Friday"}
RIGHT = {**ROW, "expected": {"kind": "date", "value": "2026-07-10"}, "deadline": True}
FOREIGN = Path(__file__).parents[3] / "shared" / "data" / "foreign" / "language" / "dates.jsonl"


def test_a_row_is_judged_by_kind_value_and_deadline() -> None:
    assert judge(RIGHT) == (True, True)
    assert judge({**RIGHT, "deadline": False}) == (False, True)
    assert judge({**RIGHT, "expected": {"kind": "datetime", "value": "2026-07-10T00:00"}}) == (False, True)


def test_nothing_is_right_where_nothing_is_said() -> None:
    none = {**ROW, "text": "may I come in?", "expression": None, "expected": {"kind": "none", "value": None}}
    assert judge(none) == (True, True)
    assert judge({**none, "text": "see you today"}) == (False, True)


def test_an_ambiguous_row_takes_a_question_or_one_of_its_values() -> None:
    row = {**ROW, "text": "half past seven", "expression": "half past seven", "ambiguous": True, "values": ["19:30"]}
    assert judge({**row, "expected": {"kind": "time", "value": None}}) == (True, False)


def test_prints_what_each_file_came_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(RIGHT) + "\n" + json.dumps({**RIGHT, "id": "d2", "deadline": False}) + "\n")
    assert main([str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        str(path): {"cases": 2, "agree": 1, "wrong": ["d2"], "by_language": {"en": [1, 2]}, "sure": 1, "sure_wrong": 1}
    }
    assert main([str(path)]) == 0
    assert "sure and wrong: 1 (goal 0)  MISSED" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content", [None, "", "no json\n", "[]\n", '{"id": "x"}\n', json.dumps({**RIGHT, "now": "soon"})]
)
def test_bad_input_ends_in_one_line(content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.jsonl"
    if content is not None:
        path.write_text(content)
    assert main([str(path), "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.startswith("error: ") and printed.err.count("\n") == 1


@pytest.mark.skipif(not FOREIGN.is_file(), reason="foreign test data is not here (../shared/data/foreign)")
def test_foreign_rows_meet_the_goals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(FOREIGN), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out).values()
    assert all(agree >= 0.95 * cases for agree, cases in found["by_language"].values())
    assert found["sure_wrong"] == 0
    assert found["sure"] >= 0.7 * found["agree"]

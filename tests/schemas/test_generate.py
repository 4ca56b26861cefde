"""The JSON Schemas in the repository say what the records say."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from wildtool.schemas import generate
from wildtool.schemas.base import Record


def test_files_are_in_step() -> None:
    assert generate.stale() == [], "run python -m wildtool.schemas.generate"


@pytest.mark.parametrize("record", generate.TOP_LEVEL, ids=lambda record: record.__name__)
def test_each_schema_is_valid_and_described(record: type[Record]) -> None:
    schema = json.loads(generate.schema_text(record))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    undescribed = [name for name, field in schema["properties"].items() if not field.get("description")]
    assert undescribed == []


def test_check_finds_stale_missing_and_left_over_files(tmp_path: Path) -> None:
    assert generate.write(tmp_path) == sorted(generate.schema_texts())
    assert generate.write(tmp_path) == []
    (tmp_path / "Session.json").write_text("{}", encoding="utf-8")
    (tmp_path / "Draft.json").unlink()
    (tmp_path / "Gone.json").write_text("{}", encoding="utf-8")
    assert generate.stale(tmp_path) == ["Draft.json", "Gone.json", "Session.json"]
    generate.write(tmp_path)
    assert generate.stale(tmp_path) == []
    assert not (tmp_path / "Gone.json").exists()


def test_command_refuses_unknown_arguments() -> None:
    assert generate.main(["--what"]) == 2
    assert generate.main(["--check"]) == 0

"""Ids, canonical JSON and the strictness of records."""

from __future__ import annotations

from typing import ClassVar

import pytest
from pydantic import ValidationError

from wildtool.schemas.base import Identified, Record, canonical_json, content_id, sha256_hex
from wildtool.schemas.quarantine import Quarantined, StepCount
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language, Stage


class Thing(Identified):
    PREFIX: ClassVar[str] = "thg"
    IDENTITY: ClassVar[tuple[str, ...]] = ("name",)

    name: str
    remark: str = ""


def test_canonical_json_is_one_text_for_equal_values() -> None:
    assert canonical_json({"b": 1, "a": ["日", None]}) == '{"a":["日",null],"b":1}'
    assert canonical_json({"a": ["日", None], "b": 1}) == canonical_json({"b": 1, "a": ["日", None]})
    with pytest.raises(ValueError):
        canonical_json(float("nan"))


def test_ids_are_stable_across_versions() -> None:
    # A changed value here orphans every stored record: it takes a migration, not a new expectation.
    assert content_id("tst", {"a": 1, "b": ["日本", None, True]}) == "tst_2fbe2329dcadf762"
    row = Quarantined.of(stage=Stage.MINE, step="read", reason="broken_json", raw="{")
    assert row.id == Quarantined.of(stage=Stage.MINE, step="read", reason="broken_json", raw="{").id
    assert row.id.startswith("qua_") and len(row.id) == 4 + 16
    assert row.id != Quarantined.of(stage=Stage.MINE, step="read", reason="broken_json", raw="[").id


def test_identity_names_the_fields_that_count() -> None:
    assert Thing.of(name="a", remark="x").id == Thing.of(name="a", remark="y").id
    assert Thing.of(name="a").id != Thing.of(name="b").id


def test_lone_surrogates_hash() -> None:
    assert sha256_hex("\ud800") != sha256_hex("?")


def test_records_are_frozen_and_refuse_unknown_fields() -> None:
    thing = Thing.of(name="a")
    with pytest.raises(ValidationError):
        thing.name = "b"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Thing.of(name="a", colour="red")


def test_json_round_trip() -> None:
    session = Session.for_plan(
        "pln_1",
        language=Language.ZH,
        now="2024-07-12T09:30:00+08:00",
        tool_list="tls_1",
        category="c",
        subcategory="s",
        tools=(),
        tasks=(),
    )
    assert Session.model_validate_json(session.to_json()) == session
    assert Session.model_validate_json(session.to_json()).to_json() == session.to_json()


def test_timestamps_need_an_offset() -> None:
    with pytest.raises(ValidationError, match="UTC offset"):
        Session.for_plan(
            "p",
            language="en",
            now="2024-07-12T09:30:00",
            tool_list="t",
            category="c",
            subcategory="s",
            tools=(),
            tasks=(),
        )


def test_nothing_vanishes_in_a_step() -> None:
    StepCount(step="read", rows_in=3, rows_out=2, quarantined=1)
    with pytest.raises(ValidationError, match="3 in, but 2 out"):
        StepCount(step="read", rows_in=3, rows_out=2, quarantined=0)


def test_records_without_identity_have_no_id() -> None:
    assert "id" not in Record.model_fields

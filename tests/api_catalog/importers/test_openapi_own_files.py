"""People's own OpenAPI files keep what they say: names, types, nesting; what cannot be kept leaves a row with a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wildtool.api_catalog import ImportReport, import_paths
from wildtool.schemas.tool import Tool


def imported(folder: Path, *operations: dict[str, Any], components: dict[str, Any] | None = None) -> ImportReport:
    """The report on a file with these operations, each a POST at a path of its own."""
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Shop", "version": "1", "description": "Orders of a shop"},
        "paths": {f"/p{number}": {"post": operation} for number, operation in enumerate(operations)},
        "components": {"schemas": components or {}},
    }
    file = folder / "api.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return import_paths([str(file)])


def operation(schema: Any = None, *, name: str = "placeOrder", **more: Any) -> dict[str, Any]:
    """An operation that takes a body of this schema."""
    body = (
        {}
        if schema is None
        else {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
    )
    return (
        {"operationId": name, "summary": "Place an order in the shop", "responses": {"200": {"description": "ok"}}}
        | body
        | more
    )


def only_tool(report: ImportReport) -> Tool:
    """The one tool of the report."""
    (found,) = [tool for each in report.lists for tool in each.tools]
    return found


def reasons(report: ImportReport) -> list[str]:
    """Why rows were left behind."""
    return [row.reason for row in report.quarantined]


def branch(**properties: Any) -> dict[str, Any]:
    """One object branch of an ``allOf``."""
    return {"type": "object", "properties": properties}


def test_branches_of_all_of_are_intersected(tmp_path: Path) -> None:
    schema = {
        "allOf": [
            branch(
                kind={"type": "string", "enum": ["a", "b"], "description": "Kind"},
                pieces={"type": "integer", "minimum": 1, "description": "Pieces"},
            ),
            branch(kind={"type": "string", "enum": ["b", "c"]}, pieces={"type": "number", "minimum": 3, "maximum": 9}),
        ]
    }
    properties = only_tool(imported(tmp_path, operation(schema))).parameters["properties"]
    assert properties["kind"]["enum"] == ["b"]
    assert {key: properties["pieces"][key] for key in ("type", "minimum", "maximum")} == {
        "type": "integer",
        "minimum": 3,
        "maximum": 9,
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "integer"}, {"type": "string"}),
        ({"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["b"]}),
        (
            {"type": "object", "properties": {"x": {"type": "string"}}},
            {"type": "object", "properties": {"x": {"type": "boolean"}}},
        ),
    ],
)
def test_branches_that_no_value_satisfies_quarantine_the_function(tmp_path: Path, one: Any, other: Any) -> None:
    described = {**one, "description": "What is ordered"}
    report = imported(tmp_path, operation({"allOf": [branch(thing=described), branch(thing=other)]}))
    assert not report.lists
    assert reasons(report) == ["conflicting_branches"]


def test_nesting_is_kept_to_ten_levels_and_reported_below(tmp_path: Path) -> None:
    def nested(levels: int) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "string", "description": "Deepest"}
        for level in range(levels):
            schema = {"type": "object", "description": f"Level {level}", "properties": {f"l{level}": schema}}
        return schema

    kept = imported(tmp_path, operation(nested(8)))
    assert "Deepest" in json.dumps(only_tool(kept).parameters)
    assert reasons(kept) == []
    cut = imported(tmp_path, operation(nested(14)))
    assert only_tool(cut)
    assert [reason for reason in reasons(cut) if "depth_cut" in reason]


def test_a_body_known_by_an_example_alone_takes_its_shape(tmp_path: Path) -> None:
    body = {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"example": {"article": "tent", "pieces": 2, "gift": True}}},
        }
    }
    properties = only_tool(imported(tmp_path, operation(**body))).parameters["properties"]
    assert {name: schema["type"] for name, schema in properties.items()} == {
        "article": "string",
        "pieces": "integer",
        "gift": "boolean",
    }


@pytest.mark.parametrize("name", ["getRefund", "GET_v1_xyz", "list-all", "refund2"])
def test_a_legal_operation_id_is_kept(tmp_path: Path, name: str) -> None:
    schema = branch(article={"type": "string", "description": "Article"})
    assert only_tool(imported(tmp_path, operation(schema, name=name))).name == name


def test_a_required_parameter_that_is_lost_costs_the_function(tmp_path: Path) -> None:
    nameless = {"in": "query", "required": True, "description": "Day", "schema": {"type": "string"}}
    report = imported(tmp_path, operation(parameters=[nameless]))
    assert not report.lists
    assert reasons(report) == ["unnamed_parameter"]


def test_a_result_in_another_file_leaves_a_row(tmp_path: Path) -> None:
    answer = {"200": {"description": "ok", "content": {"application/json": {"schema": {"$ref": "other.yaml#/Order"}}}}}
    schema = branch(article={"type": "string", "description": "Article"})
    report = imported(tmp_path, operation(schema, responses=answer))
    assert only_tool(report).returns is None
    assert [reason for reason in reasons(report) if "external_result" in reason]


@pytest.mark.parametrize(
    ("file", "tools", "left"),
    [
        ("norway.yaml", ["searchParcels"], []),
        ("allof_conflict.json", [], ["conflicting_branches"]),
        ("deep_object.json", ["placeOrder"], []),
        ("example_only.json", ["placeOrder"], []),
        ("renamed_operation.yaml", ["startReturn", "getRefund", "listGiftCards"], []),
        ("odd_tools/api.json", ["GET_v1_xyz", "v1_quotes_create-POST", "GET_v1_shipments_shipmentId",
                                 "DELETE_v1_shipments_shipmentId", "schedulePickup"], []),
    ],
)  # fmt: skip
def test_files_by_others(shared_data: Path, file: str, tools: list[str], left: list[str]) -> None:
    report = import_paths([str(shared_data / "foreign" / "faults" / file)])
    assert [tool.name for each in report.lists for tool in each.tools] == tools
    assert reasons(report) == left


def test_norway_stays_norway(shared_data: Path) -> None:
    properties = only_tool(import_paths([str(shared_data / "foreign" / "faults" / "norway.yaml")])).parameters[
        "properties"
    ]
    assert properties["country"]["enum"] == ["NO", "SE", "ON"]
    assert "on" in properties

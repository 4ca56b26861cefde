"""The table of pitfalls: what each file of the shared sample has in it, and what must hold of what came out.

``manifest.tsv`` names the pitfalls of each file; a pitfall that it names and no line here handles fails the test.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from wildtool.api_catalog import import_paths, verify_catalogue
from wildtool.api_catalog.functions.values import kinds_of
from wildtool.api_catalog.importers.schema_cleaning import MOST_ENUM_VALUES
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.tool import Tool

REFUSED = {"non_english": "language"}
"""Pitfalls for which the whole file is refused, and the reason; files with any other pitfall are imported."""

MARKUP = re.compile(
    r"</?(?:p|br|b|i|a|ul|li|code|strong|em|div|h\d|table|td)\b[^>]*>|\*\*\S|\]\(http|```|&(?:nbsp|lt|gt|amp);|^#+ "
)
KINDS = {"string", "integer", "number", "boolean", "array", "object"}
TYPED: dict[str, Any] = {"string": str, "integer": int, "number": int | float, "boolean": bool}


@dataclass
class Came:
    """What came of one file."""

    tools: list[Tool] = field(default_factory=list)
    lists: list[list[Tool]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)


def schemas_of(schema: JsonObject) -> Iterator[JsonObject]:
    yield schema
    for inner in (*(schema.get("properties") or {}).values(), *schema.get("anyOf", ()), schema.get("items")):
        if isinstance(inner, dict):
            yield from schemas_of(inner)


def all_of(holds: Callable[[Tool], bool]) -> Callable[[Came], bool]:
    return lambda came: all(holds(tool) for tool in came.tools)


def some(holds: Callable[[Tool], bool]) -> Callable[[Came], bool]:
    return lambda came: any(holds(tool) for tool in came.tools)


def is_of(value: Any, schema: JsonObject) -> bool:
    return isinstance(value, TYPED.get(str(schema.get("type")), object))


def texts(tool: Tool) -> list[str]:
    return [tool.description, *(str(each.get("description", "")) for each in schemas_of(tool.parameters))]


def every(holds: Callable[[JsonObject], bool], *, results: bool = False) -> Callable[[Came], bool]:
    return all_of(lambda tool: all(holds(each) for each in schemas_of(tool.parameters)) and (
        not results or all(holds(each) for each in schemas_of(tool.returns or {}))))  # fmt: skip


def bound(tool: Tool) -> JsonObject:
    found: JsonObject = (tool.binding or {}).get("arguments", {})
    return found


def callable_path(tool: Tool) -> bool:
    binding = tool.binding or {}
    places = [*bound(tool).values(), *binding.get("fixed", ()), *binding.get("credentials", ())]
    held = {each["name"] for each in places if each["in"] == "path"}
    return set(re.findall(r"\{([^{}]+)\}", (tool.binding or {})["path"])) <= held


legal_names = all_of(lambda tool: re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name) is not None)
no_markup = all_of(lambda tool: not any(MARKUP.search(text) for text in texts(tool)))
described = all_of(
    lambda tool: (
        len(tool.description) > 3 and all(each["description"] for each in tool.parameters["properties"].values())
    )
)
short_texts = all_of(lambda tool: len(tool.description) <= 330 and all(len(text) <= 330 for text in texts(tool)))
resolved = every(lambda each: not each.keys() & {"$ref", "allOf", "oneOf", "discriminator", "nullable"}, results=True)
plain_types = every(lambda each: kinds_of(each) <= KINDS | {"null"} and each.get("format") != "binary")
null_where_required = every(lambda each: "nullable" not in each and all(
    "null" not in kinds_of(inner) or name in each["required"] for name, inner in each.get("properties", {}).items()))  # fmt: skip
no_keys = all_of(lambda tool: not any(
    re.fullmatch(r"x?-?(?:api[-_]?key|access[-_]?token|authorization|auth[-_]?token|client[-_]?secret)", name, re.IGNORECASE)
    for name in tool.parameters["properties"]))  # fmt: skip
has_returns = some(lambda tool: tool.returns is not None)
imported = some(lambda tool: True)
unique_names: Callable[[Came], bool] = lambda came: all(  # noqa: E731 - a row of the table like the others
    len({tool.name for tool in tools}) == len(tools) for tools in came.lists
)

HANDLED: dict[str, Callable[[Came], bool]] = {
    "spec_unparsable": lambda came: bool(came.tools) and came.reasons["cut_off"] > 0,
    "allOf": resolved, "anyOf": resolved, "oneOf": resolved, "ref_siblings": resolved, "ref_cycle": resolved,
    "ref_percent_encoded": resolved, "ref_into_list": resolved, "deep_cut": resolved, "param_content": resolved,
    "nullable": null_where_required, "type_list": plain_types,
    "bad_type:file": plain_types, "bad_type:null": plain_types, "oas31": imported, "swagger2_yaml": imported,
    "op_illegal_name": legal_names, "op_name_over_64": legal_names, "op_no_operationId": legal_names, "op_dup_name": unique_names,
    "html_op": no_markup, "html_param": no_markup, "markdown_op": no_markup,
    "op_no_desc": described, "op_desc_lt3words": described, "param_no_desc": described,
    "desc_over_1024_op": short_texts, "desc_over_1024_param": short_texts,
    "op_over_20_params": all_of(lambda tool: len(canonical_json(tool.openai())) <= 6000),
    "op_zero_params": lambda came: some(lambda tool: not tool.parameters["properties"])(came) or came.reasons["plumbing"] > 0,
    "illegal_param_name": all_of(lambda tool: all(
        re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) and bound(tool)[name]["name"] for name in tool.parameters["properties"])),
    "param_clash": some(lambda tool: any(name != each["name"] for name, each in bound(tool).items())),
    "param_overridden_or_dup": all_of(lambda tool: len({(each["in"], each["name"]) for each in bound(tool).values()}) == len(bound(tool))),
    "path_template_undeclared": all_of(callable_path),
    "auth_param_declared": no_keys, "auth_param_heuristic:header": no_keys, "auth_param_heuristic:query": no_keys,
    "auth_like_body_prop": no_keys,
    "enum_over_50": every(lambda each: len(each.get("enum", ())) <= MOST_ENUM_VALUES),
    "enum_over_200": every(lambda each: len(each.get("enum", ())) <= MOST_ENUM_VALUES),
    "enum_type_mismatch": every(lambda each: all(is_of(value, each) for value in each.get("enum", ()))),
    "array_no_items": every(lambda each: each.get("type") != "array" or isinstance(each.get("items"), dict)),
    "required_undefined": every(lambda each: set(each.get("required", ())) <= set(each.get("properties", {})), results=True),
    "readOnly_prop": every(lambda each: "readOnly" not in each),
    "op_deprecated": lambda came: came.reasons["deprecated"] > 0,
    "op_resp_example": has_returns, "nonstring_response_keys": has_returns,
    "body_nonjson": some(lambda tool: any(each["in"] == "body" for each in bound(tool).values())),
    "body_multi_content": some(lambda tool: "media" in (tool.binding or {})),
    "body_nonobject_or_freeform": some(lambda tool: any(each["in"] == "body" for each in bound(tool).values())),
}  # fmt: skip
"""Pitfall → what holds of every file that has it."""


@pytest.fixture(scope="module")
def came(shared_data: Path) -> tuple[dict[str, list[str]], dict[str, Came], dict[str, str]]:
    """(files by pitfall, what came of each file, reason of refusal by file)."""
    folder = shared_data / "openapi"
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        manifest = list(csv.DictReader(file, delimiter="\t"))
    report = import_paths([folder / row["file"] for row in manifest])
    assert verify_catalogue(report.lists).ok
    assert report.files == len(manifest) == report.imported + len(report.refused)
    by_pitfall: dict[str, list[str]] = defaultdict(list)
    for row in manifest:
        for pitfall in filter(None, row["pitfalls"].split(",")):
            by_pitfall[pitfall].append(row["file"])
    found: dict[str, Came] = defaultdict(Came)
    for each in report.lists:
        found[Path(each.source).name].tools += each.tools
        found[Path(each.source).name].lists.append(list(each.tools))
    for lost in report.quarantined:
        found[Path(lost.source).name].reasons[lost.reason] += 1
    return by_pitfall, found, {Path(each["file"]).name: each["reason"] for each in report.refused}


def test_every_file_is_imported_or_refused_for_its_pitfall(came: tuple[Any, Any, Any]) -> None:
    by_pitfall, found, refused = came
    expected = {name: reason for pitfall, reason in REFUSED.items() for name in by_pitfall[pitfall]}
    assert refused == expected
    assert all(found[name].tools for names in by_pitfall.values() for name in names if name not in refused)
    assert set(by_pitfall) <= set(HANDLED) | set(REFUSED), "a pitfall that no line of the table handles"


@pytest.mark.parametrize("pitfall", sorted(HANDLED))
def test_handled(pitfall: str, came: tuple[Any, Any, Any]) -> None:
    by_pitfall, found, refused = came
    files = [name for name in by_pitfall[pitfall] if name not in refused]
    assert [name for name in files if not HANDLED[pitfall](found[name])] == []

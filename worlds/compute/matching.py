"""Tell which function of the library a tool is, by its name and those of its inputs and outputs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wildtool.language.result_filters import split
from wildtool.schemas.json_schema import plain_type, properties, required
from wildtool.schemas.tool import Tool
from wildtool.schemas.world_results import ComputedNode, FromParameter, Now, ObjectNode, ResultNode
from wildtool.worlds.compute.library import tables


@dataclass(frozen=True)
class Match:
    """A tool as a function of the library."""

    function: str
    inputs: dict[str, str]
    """Parameter by input."""
    result: ObjectNode


def matching(tool: Tool) -> Match | None:
    """Return the function that a tool is; None where a required parameter or result has no place in it."""
    name = "".join(split(tool.name))
    parameters = {"".join(split(each)): each for each in properties(tool)}
    for row in tables()["match"]:
        if not re.search(row["tool"], name):
            continue
        inputs = {
            part: parameters[word]
            for part, words in row["inputs"].items()
            if (word := next((each for each in words.split() if each in parameters), None)) is not None
        }
        if not set(required(tool)) <= set(inputs.values()) or len(inputs) < 2:
            continue
        result = _result(tool, row["outputs"], parameters)
        if result is not None:
            return Match(row["function"], inputs, result)
    return None


def _result(tool: Tool, outputs: dict[str, str], parameters: dict[str, str]) -> ObjectNode | None:
    schema = tool.returns or {}
    if plain_type(schema) != "object":
        return None
    nodes: dict[str, ResultNode] = {}
    for name, inner in (schema.get("properties") or {}).items():
        held = "".join(split(name))
        part = next((part for part, words in outputs.items() if held in words.split()), None)
        if part == "date":
            nodes[name] = FromParameter(parameter=parameters["date"]) if "date" in parameters else Now(form="date")
            if "date" in parameters:
                nodes[name] = Now(form="date")
        elif part is not None and held not in parameters:
            nodes[name] = ComputedNode(part=part)
        elif held in parameters:
            nodes[name] = FromParameter(parameter=parameters[held], otherwise=inner.get("default"))
        elif name in (schema.get("required") or ()):
            return None
    return ObjectNode(fields=nodes) if any(node.node == "computed" for node in nodes.values()) else None

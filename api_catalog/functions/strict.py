"""Tools in the form that strict function calling takes: every property required, optional ones nullable, nothing added.

Source: OpenAI's guide to structured outputs, "supported schemas".
"""

from __future__ import annotations

from wildtool.schemas.base import JsonObject
from wildtool.schemas.tool import Tool

_KEPT = (
    "type", "description", "enum", "const", "format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minItems", "maxItems",
)  # fmt: skip
"""Keywords that strict mode knows; ``default`` and lengths of strings it refuses."""


def strict_openai(tool: Tool) -> JsonObject:
    """The tool as OpenAI's ``tools`` entry with ``strict``: in strict form if it can be, else as it is and marked so."""
    made = tool.openai()
    function = {**made["function"], "strict": tool.strict}
    if tool.strict:
        function["parameters"] = _strict(tool.parameters)
    return {**made, "function": function}


def _strict(schema: JsonObject, *, optional: bool = False) -> JsonObject:
    form: JsonObject = {key: schema[key] for key in _KEPT if key in schema}
    if "default" in schema:
        said = f"Default: {schema['default']}."
        form["description"] = f"{schema.get('description', '')} {said}".strip()
    if "properties" in schema:
        required = schema.get("required", ())
        form["properties"] = {
            name: _strict(inner, optional=name not in required) for name, inner in schema["properties"].items()
        }
        form |= {"required": list(schema["properties"]), "additionalProperties": False}
    if "items" in schema:
        form["items"] = _strict(schema["items"])
    if "anyOf" in schema:
        # A branch says its own type: beside branches strict mode takes no other keyword but the description.
        form = {key: form[key] for key in ("description",) if key in form}
        form["anyOf"] = [_strict(branch) for branch in schema["anyOf"]] + ([{"type": "null"}] if optional else [])
    elif optional:
        kinds = form["type"] if isinstance(form["type"], list) else [form["type"]]
        form["type"] = [*kinds, *(["null"] if "null" not in kinds else [])]
        if "enum" in form:
            form["enum"] = [*form["enum"], *([None] if None not in form["enum"] else [])]
    return form

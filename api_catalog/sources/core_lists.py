"""The core catalogue: hand-written lists, one JSON file each in ``core/``, in the languages that the file is written in.

A text is either the same in all languages or one by language, ``{"en": …, "zh": …}``. Parameters carry what helps to speak of them
beside their schema: ``examples``, ``x-enum-words``, ``x-from-link``; none of it is for a candidate's eyes.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from wildtool.language.lexicon import languages
from wildtool.schemas.base import JsonObject
from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.vocabulary import Language

CORE_FOLDER = Path(__file__).parent.parent / "core"
"""Where the files are."""

CORE_VERSION = "1"
"""Version stated on the lists."""

_SPOKEN = ("examples", "x-enum-words", "x-from-link")


def read_core() -> list[ToolList]:
    """Every core list in each language, in file order."""
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(CORE_FOLDER.glob("*.json"))]
    return [core_list(document, language) for document in documents for language in written_in(document)]


def written_in(document: JsonObject) -> list[Language]:
    """Registered languages of a core file: those of its title. A list in a language that it lacks is not offered."""
    return [Language(code) for code in languages() if code in document["title"]]


def core_list(document: JsonObject, language: Language) -> ToolList:
    """The tool list of one core file in one language."""
    spoken = _in(document, language)
    from_link = {
        (function["name"], name)
        for function in spoken["functions"]
        for name, schema in function["parameters"]["properties"].items()
        if schema.get("x-from-link")
    }
    return ToolList.of(
        slug=spoken["slug"],
        title=spoken["title"],
        description=spoken["description"],
        language=language,
        category=spoken["category"],
        subcategory=spoken["subcategory"],
        source="core",
        licence="Apache-2.0",
        version=CORE_VERSION,
        tools=tuple(_tool(function) for function in spoken["functions"]),
        links=tuple(
            ToolLink(**link, required=(link["consumer"], link["parameter"]) in from_link)
            for link in spoken.get("links", ())
        ),
    )


def _tool(function: JsonObject) -> Tool:
    parameters = function["parameters"]
    properties: dict[str, JsonObject] = parameters["properties"]
    visible = {
        name: {key: value for key, value in schema.items() if key not in _SPOKEN} for name, schema in properties.items()
    }
    return Tool(
        name=function["name"],
        description=function["description"],
        parameters={**parameters, "properties": visible},
        returns=_as_results(function["returns"]),
        phrasings=tuple(function["phrasings"]),
        optional_phrasings={name: tuple(texts) for name, texts in function.get("optional_phrasings", {}).items()},
        examples={name: tuple(schema["examples"]) for name, schema in properties.items() if schema.get("examples")},
        enum_words={name: schema["x-enum-words"] for name, schema in properties.items() if "x-enum-words" in schema},
    )


def _in(value: Any, language: Language) -> Any:
    """The value with every text by language replaced by that in one language."""
    match value:
        case dict():
            if value and value.keys() <= _codes():
                return _in(value[language], language)
            return {key: _in(inner, language) for key, inner in value.items()}
        case list():
            return [_in(inner, language) for inner in value]
        case _:
            return value


@cache
def _codes() -> frozenset[str]:
    return frozenset(languages())


_SHORTENED = ("x-enum-words", "minItems", "maxItems")
"""What a result's schema leaves out: words, and numbers of items. How many there are is a matter of the world."""


def _as_results(value: Any) -> Any:
    """A result's schema as tools state it."""
    match value:
        case dict():
            return {key: _as_results(inner) for key, inner in value.items() if key not in _SHORTENED}
        case list():
            return [_as_results(inner) for inner in value]
        case _:
            return value

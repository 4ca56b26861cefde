"""Tools, tool lists and the producer-consumer links between tools."""

from __future__ import annotations

from typing import Any, ClassVar

from wildtool.schemas.base import Identified, JsonObject, Record
from wildtool.schemas.vocabulary import Language


class Tool(Record):
    """One function of an API.

    What a candidate model may see is ``openai()``; the rest helps planning and drafting and stays inside.
    """

    name: str
    """Legal for function calling: ``^[a-zA-Z0-9_-]{1,64}$``."""
    description: str
    """What it does, for a model to read."""
    parameters: JsonObject
    """JSON Schema 2020-12 of the arguments, an object."""
    returns: JsonObject | None = None
    """JSON Schema of the result (``x-returns``)."""
    binding: JsonObject | None = None
    """How a real call is rebuilt (``x-binding``): method, path, where each argument goes."""
    phrasings: tuple[str, ...] = ()
    """Casual verb phrases with ``{parameter}`` placeholders, for the offline model."""
    optional_phrasings: dict[str, tuple[str, ...]] = {}
    """Fragments by optional parameter, to append to a phrasing."""
    examples: dict[str, tuple[Any, ...]] = {}
    """Values by top-level parameter that a user could say. Never shown to a candidate."""
    enum_words: dict[str, dict[str, str]] = {}
    """How a person says an enum's values, by parameter."""

    @property
    def strict(self) -> bool:
        """Whether strict function calling can take it, once optional parameters are nullable: no free-form objects.

        It follows from the parameters alone, so it is reckoned and not kept: a kept mark could contradict them.
        """
        return strict_ready(self.parameters)

    def openai(self, *, returns: bool = False) -> JsonObject:
        """The tool as OpenAI's ``tools`` entry; with ``returns``, the result's schema under ``x-returns``."""
        function: JsonObject = {"name": self.name, "description": self.description, "parameters": self.parameters}
        if returns and self.returns is not None:
            function["x-returns"] = self.returns
        return {"type": "function", "function": function}


def strict_ready(schema: JsonObject) -> bool:
    """Whether strict function calling takes a schema once every property is required and optional ones are nullable."""
    if "anyOf" in schema:
        return all(strict_ready(branch) for branch in schema["anyOf"])
    if schema.get("type") == "object":
        if "properties" not in schema or schema.get("additionalProperties"):
            return False
        return all(strict_ready(inner) for inner in schema["properties"].values())
    if schema.get("type") == "array":
        return strict_ready(schema.get("items", {}))
    return bool(schema.get("type"))


class ToolLink(Record):
    """A value of the producer's result can be an argument of the consumer."""

    producer: str
    """Name of the tool whose result holds the value."""
    path: str
    """Where in the result: names joined by dots, ``[*]`` after an array, as in ``stations[*].id``."""
    consumer: str
    """Name of the tool that takes it."""
    parameter: str
    """Its top-level parameter."""
    required: bool = False
    """True where a user could not say the value: it must come from the producer."""
    confidence: float = 1.0
    """1.0 for declared links, less for inferred ones."""


class ToolList(Identified):
    """The tools of one public API."""

    PREFIX: ClassVar[str] = "tls"

    slug: str
    """Short name, unique in a catalogue together with the language."""
    title: str
    """Name of the API."""
    description: str
    """What the API is for."""
    language: Language
    """Language of the texts."""
    category: str
    """Major category of the taxonomy."""
    subcategory: str
    """Minor category of the taxonomy."""
    category_confidence: float = 1.0
    """0 to 1; 1 for categories given by hand."""
    source: str
    """Where it came from: package and path, or ``core``."""
    licence: str
    """Licence of the description."""
    version: str
    """Version of the source."""
    tools: tuple[Tool, ...]
    """The functions."""
    links: tuple[ToolLink, ...] = ()
    """Producer-consumer links between them."""
    flags: tuple[str, ...] = ()
    """Marks such as ``near_duplicate``."""

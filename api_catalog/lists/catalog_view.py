"""Looking at a catalogue: figures, one list, and what people take out of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from wildtool.api_catalog.functions.strict import strict_openai
from wildtool.api_catalog.sources.storage import Catalogue
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError
from wildtool.schemas.taxonomy import TAXONOMY
from wildtool.schemas.tool import ToolList


def catalogue_stats(catalogue: Catalogue) -> JsonObject:
    """Figures of a catalogue: by category, by parameters and by description length.

    ``{"lists", "functions", "links", "lists_with_links", "languages", "categories": [{"category", "lists",
    "functions", "subcategories": {name: lists}, "minors": [{"name", "lists", "functions"}]}], "list_sizes": {count: lists},
    "parameters": {count: functions}, "required": {count: functions},
    "description_words": {"0-4": …}, "with_returns", "with_defaults", "sources": {name: lists}}``
    """
    tools = [tool for each in catalogue.lists for tool in each.tools]
    by_minor = Counter(each.subcategory for each in catalogue.lists)
    in_minor: Counter[str] = Counter()
    for each in catalogue.lists:
        in_minor[each.subcategory] += len(each.tools)
    words = Counter(min(40, len(tool.description.split()) // 5 * 5) for tool in tools)
    return {
        "lists": len(catalogue.lists),
        "functions": len(tools),
        "links": sum(len(each.links) for each in catalogue.lists),
        "lists_with_links": sum(bool(each.links) for each in catalogue.lists),
        "languages": dict(sorted(Counter(each.language.value for each in catalogue.lists).items())),
        "categories": [
            {
                "category": major.name,
                "lists": sum(by_minor[minor.name] for minor in major.subcategories),
                "functions": sum(len(each.tools) for each in catalogue.lists if each.category == major.name),
                "subcategories": {minor.name: by_minor[minor.name] for minor in major.subcategories},
                "minors": [
                    {"name": minor.name, "lists": by_minor[minor.name], "functions": in_minor[minor.name]}
                    for minor in major.subcategories
                ],
            }
            for major in TAXONOMY
        ],
        "list_sizes": _counted(len(each.tools) for each in catalogue.lists),
        "parameters": _counted(len(tool.parameters["properties"]) for tool in tools),
        "required": _counted(len(tool.parameters.get("required", ())) for tool in tools),
        "description_words": {f"{low}-{low + 4}" if low < 40 else "40+": words[low] for low in sorted(words)},
        "with_returns": sum(tool.returns is not None for tool in tools),
        "with_defaults": sum(
            any("default" in schema for schema in tool.parameters["properties"].values()) for tool in tools
        ),
        "sources": dict(sorted(Counter(each.source.split(" ")[0] for each in catalogue.lists).items())),
    }


def stats_page(stats: JsonObject) -> str:
    """The figures of ``catalogue_stats`` as one HTML page with plots, for any browser, without a script."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("wildtool.api_catalog.lists", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("stats.html.jinja").render(stats=stats)


def _counted(numbers) -> dict[str, int]:  # type: ignore[no-untyped-def]  # Iterable[int]
    counted = Counter(numbers)
    return {str(number): counted[number] for number in sorted(counted)}


def find(catalogue: Catalogue, name: str) -> list[ToolList]:
    """Lists by id, slug, function name, or a part of slug or title.

    Raises ``InputError`` where nothing fits.
    """
    folded = name.casefold()
    for fits in (
        lambda each: each.id == name or each.slug == name,
        lambda each: any(tool.name == name for tool in each.tools),
        lambda each: folded in each.slug.casefold() or folded in each.title.casefold(),
    ):
        found = [each for each in catalogue.lists if fits(each)]
        if found:
            return found
    raise InputError(f"no tool list or function is called {name!r}", "look for it: wildtool catalog list")


def export_openai(catalogue: Catalogue, path: Path, *, strict: bool = False) -> int:
    """Writes one JSON line a list, ``{"slug", "language", "tools": [OpenAI tools]}``; the number of functions.

    With ``strict`` each function says whether it is ``strict``, and those that can be are in strict form.
    """
    functions = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for each in catalogue.lists:
            tools = [strict_openai(tool) if strict else tool.openai() for tool in each.tools]
            functions += len(tools)
            line = {"slug": each.slug, "language": each.language.value, "tools": tools}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return functions

"""The core catalogue: every hand-written list, in both languages, is fit to be used."""

from __future__ import annotations

import re

import pytest

from wildtool.api_catalog import verify_catalogue
from wildtool.api_catalog.functions.verify import link_resolves
from wildtool.api_catalog.sources.core_lists import read_core
from wildtool.schemas.taxonomy import CATEGORY_OF
from wildtool.schemas.tool import ToolList
from wildtool.schemas.vocabulary import Language

LISTS = read_core()
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@pytest.mark.parametrize("language", list(Language))
def test_it_covers_the_taxonomy(language: Language) -> None:
    own = [each for each in LISTS if each.language is language]
    assert len(own) >= 24
    assert sum(len(each.tools) for each in own) >= 100
    assert {each.subcategory for each in own} == set(CATEGORY_OF)
    assert all(CATEGORY_OF[each.subcategory].name == each.category for each in own)
    assert len({each.slug for each in own}) == len(own)


def test_every_tool_is_valid() -> None:
    verification = verify_catalogue(LISTS)
    assert verification.ok, verification.examples
    assert verification.tools == sum(len(each.tools) for each in LISTS)


@pytest.mark.parametrize("tools", LISTS, ids=lambda each: f"{each.slug}-{each.language}")
def test_one_list(tools: ToolList) -> None:
    by_name = {tool.name: tool for tool in tools.tools}
    for tool in tools.tools:
        properties = tool.parameters["properties"]
        required = set(tool.parameters.get("required", ()))
        assert tool.phrasings
        for phrasing in tool.phrasings:
            assert required >= set(PLACEHOLDER.findall(phrasing)), (tool.name, phrasing)
        for name, fragments in tool.optional_phrasings.items():
            assert name in properties and name not in required
            assert all(set(PLACEHOLDER.findall(fragment)) <= {name} for fragment in fragments), (tool.name, fragments)
        for name, schema in properties.items():
            assert not schema.keys() & {"examples", "x-enum-words", "x-from-link"}, "a candidate must not see these"
            assert set(tool.enum_words.get(name, {})) <= {str(value) for value in schema.get("enum", [])}
            from_link = any(
                link.required and (link.consumer, link.parameter) == (tool.name, name) for link in tools.links
            )
            dated = schema.get("format") in {"date", "time", "date-time"}  # the clock gives those
            speakable = dated or "enum" in schema or schema["type"] == "boolean" or bool(tool.examples.get(name))
            assert name not in required or speakable or from_link, (
                f"{tool.name}.{name} can neither be said nor looked up"
            )
    for link in tools.links:
        assert link_resolves(by_name.get(link.producer), link.path, by_name.get(link.consumer), link.parameter), link
    has_han = any("\u4e00" <= character <= "\u9fff" for character in tools.description)
    assert has_han == (tools.language is Language.ZH)

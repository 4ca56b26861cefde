"""The tools of a session: fitting, cut, with the partners they need, spread over the catalogue."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from wildtool.api_catalog import Catalogue, build_catalogue, sample
from wildtool.schemas.conversation import BehaviourStats
from wildtool.schemas.errors import InputError
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.taxonomy import TAXONOMY
from wildtool.schemas.tool import ToolList
from wildtool.schemas.vocabulary import Language, Persona

BEHAVIOUR = BehaviourStats(conversations=5, turns=20, kinds={}, compositional=0.2, hidden={}, transitions={})


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return Catalogue(build_catalogue(["core"], cache=tmp_path_factory.mktemp("cache")).lists, {})


def scenario(category: str, subcategory: str, *keywords: str) -> SeedScenario:
    return SeedScenario.of(
        language="en", title=subcategory, description=f"Someone asks about {subcategory}.", goal=f"Find out about {subcategory}.",
        category=category, subcategory=subcategory, keywords=keywords or tuple(subcategory.split()), persona=Persona.NOVICE,
        behaviour=BEHAVIOUR, evidence=("cnv_1",), supporting_users=5,
    )  # fmt: skip


SEEDS = [scenario(major.name, minor.name) for major in TAXONOMY for minor in major.subcategories]


@pytest.mark.parametrize("language", list(Language))
def test_five_hundred_sessions(catalogue: Catalogue, language: Language) -> None:
    rng, used = Random(1), Counter[str]()
    whole = {each.slug: each for each in catalogue.lists if each.language is language}
    began = time.perf_counter()
    chosen = [sample(SEEDS[turn % 24], catalogue, rng, language=language, used=used) for turn in range(512)]
    assert time.perf_counter() - began < 10
    assert sum(used.values()) == 512
    for tools in chosen:
        assert tools.language is language and 2 <= len(tools.tools) <= 17
        names = {tool.name for tool in tools.tools}
        for tool in tools.tools:
            needed = {
                link.parameter for link in whole[tools.slug].links if link.required and link.consumer == tool.name
            }
            held = {link.parameter for link in tools.links if link.required and link.consumer == tool.name}
            assert needed == held, f"{tool.name} lost the function that it needs"
        assert all({link.producer, link.consumer} <= names for link in tools.links)
    assert sum(tools.category == seed.category for seed, tools in zip(SEEDS * 22, chosen, strict=False)) > 480
    assert max(used.values()) <= 3 * 512 / len(whole)
    assert len({tools.id for tools in chosen}) > 60


def test_the_same_seed_gives_the_same_tools(catalogue: Catalogue) -> None:
    first, second = (
        [sample(seed, catalogue, rng, language="en", used=used).id for seed in SEEDS]
        for rng, used in ((Random(7), Counter[str]()), (Random(7), Counter[str]()))
    )
    assert first == second


def test_the_number_of_tools_is_bounded(catalogue: Catalogue) -> None:
    rng = Random(3)
    sizes = [len(sample(seed, catalogue, rng, language="en", tools=(2, 3), mean_tools=2.5, used=Counter()).tools)
             for seed in SEEDS]  # fmt: skip
    assert set(sizes) <= {2, 3}


def test_sizes_are_spread_as_the_original_spreads_them(catalogue: Catalogue) -> None:
    wide = []
    for major in TAXONOMY:  # the lists of a major category as one, so that no size is out of reach
        parts = [each for each in catalogue.lists if each.category == major.name and each.language is Language.EN]
        tools = {tool.name: tool for each in parts for tool in each.tools}
        fields = parts[0].model_dump(exclude={"id", "tools", "links"})
        links = tuple(link for each in parts for link in each.links)
        for number in range(3):
            wide.append(ToolList.of(**fields | {"slug": f"{fields['slug']}_{number}"}, tools=tuple(tools.values())[:20], links=tuple(
                link for link in links if {link.producer, link.consumer} <= set(list(tools)[:20]))))  # fmt: skip
    rng, used = Random(5), Counter[str]()
    whole = Catalogue(tuple(wide), {})
    chosen = [sample(SEEDS[turn % 24], whole, rng, language="en", used=used) for turn in range(1_024)]
    sizes = Counter(len(tools.tools) for tools in chosen)
    assert min(sizes) == 2 and 14 <= max(sizes) <= 17 and len(sizes) >= 12
    assert 4.6 <= sum(size * count for size, count in sizes.items()) / 1_024 <= 5.2
    assert max(sizes.values()) < 0.3 * 1_024, "no one size is the rule"
    by_slug = {each.slug: each for each in wide}
    for tools in chosen:
        names = {tool.name for tool in tools.tools}
        for link in by_slug[tools.slug].links:
            if link.required and link.consumer in names:
                rivals = {other.producer for other in by_slug[tools.slug].links
                          if (other.consumer, other.parameter) == (link.consumer, link.parameter)}  # fmt: skip
                assert names & rivals, f"{link.consumer} without anything that yields its {link.parameter}"


def test_no_list_in_the_language(tmp_path: Path) -> None:
    only_english = Catalogue(tuple(each for each in build_catalogue(["core"], cache=tmp_path).lists
                                   if each.language is Language.EN), {})  # fmt: skip
    with pytest.raises(InputError, match="no list in zh"):
        sample(SEEDS[0], only_english, Random(1), language="zh", used=Counter())

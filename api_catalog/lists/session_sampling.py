"""Choosing the tools of a session: the list that fits its scenario, cut to a handful of functions that belong together."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from weakref import WeakKeyDictionary

from wildtool.api_catalog.functions.names import singular, words_of
from wildtool.api_catalog.sources.storage import Catalogue
from wildtool.schemas.errors import InputError
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import Language

SHORTLIST = 10
"""Best lists among which chance decides, so that like scenarios get different tools."""

TEMPERATURE = 0.06
"""Of that chance, in the unit of the score: 0.06 less halves a list's share, roughly."""

USABLE = 0.02
"""Bonus of each usable function, of six at most."""

ASKED = 0.1
"""Bonus of a list with a function that needs a said value."""

CORE = "core"
"""Source of the lists that come with the project."""

_STOP = frozenset(
    """
    the a an of and or to in for on with by from is are be this that it as at all any get list returns return use your
    you user users api wants want need needs find search information data given specific details help me i my about
    """.split()
)


@dataclass(frozen=True)
class Usable:
    """What of a list a session can be made of."""

    tools: frozenset[str]
    """Names of functions that people ask for."""
    asked: frozenset[str]
    """Those of them that need a value which people say, so that it can be left out and asked for."""


def everything(tools: ToolList) -> Usable:
    """Return all functions of a list."""
    names = frozenset(tool.name for tool in tools.tools)
    return Usable(names, names)


@dataclass(slots=True)
class _Index:
    """TF-IDF over the lists of one language."""

    lists: list[ToolList]
    postings: dict[str, list[tuple[int, float]]]
    idf: dict[str, float]
    words: list[dict[str, set[str]]]
    """By list, the words of each of its functions."""
    linked: list[bool]
    """By list, whether a function waits for another."""
    near: dict[str, list[float]] = field(default_factory=dict)
    """By seed, how near it is to each list: a seed is asked for again and again, and all else about it is counting."""


_INDICES: WeakKeyDictionary[Catalogue, dict[str, _Index]] = WeakKeyDictionary()


def sample(
    seed: SeedScenario,
    catalogue: Catalogue,
    rng: Random,
    *,
    language: Language | str,
    tools: tuple[int, int] = (2, 17),
    mean_tools: float = 4.9,
    used: Counter[str],
    usable: Callable[[ToolList], Usable] = everything,
    core: bool | None = None,
) -> ToolList:
    """Draw the tool list of one session: one API of the catalogue, cut to the functions that the session needs.

    Args:
        seed: what the session is about; it may be in another language than the tools.
        catalogue: where to choose from.
        rng: decides among the fitting lists, how many functions there are, and which.
        language: language of the tools' texts.
        tools: fewest and most functions.
        mean_tools: mean number of functions; the original has 4.9.
        used: how often each slug was given so far; counted up here. Spreads the sessions over lists and categories.
        usable: what of a list a session can be made of. Lists with less than two such functions come last, and a list is
            cut to those first.
        core: draw from the lists that come with the project alone, or from the others alone; from all where a category has
            none of these, and without it.

    Returns:
        A copy of the list with the chosen functions and the links between them.

    Raises:
        InputError: the catalogue holds no list in the language.

    Source: ``api_catalog/lists/session_sampling.py``.
    """
    index = _index(catalogue, Language(language))
    wanted = _draw(rng, tools, mean_tools)
    scores = _scores(index, seed, wanted, used)
    own: list[int] = []
    for position, each in enumerate(index.lists):
        if each.category != seed.category:
            continue
        able = usable(each)
        scores[position] += USABLE * min(len(able.tools), 6) + ASKED * bool(able.asked)
        if len(able.tools) >= 2:
            own.append(position)
    if core is not None:
        own = [position for position in own if (index.lists[position].source == CORE) is core] or own
    best = sorted(own or range(len(scores)), key=lambda position: (-scores[position], position))[:SHORTLIST]
    top = scores[best[0]]
    weights = [math.exp((scores[position] - top) / TEMPERATURE) for position in best]
    chosen = rng.choices(best, weights)[0]
    found = index.lists[chosen]
    used[found.slug] += 1
    return _cut(found, index.words[chosen], _seed_words(seed), wanted, tools[1], rng, usable(found))


def _index(catalogue: Catalogue, language: Language) -> _Index:
    by_language = _INDICES.setdefault(catalogue, {})
    if language not in by_language:
        lists = [each for each in catalogue.lists if each.language is language and len(each.tools) >= 2]
        if not lists:
            raise InputError(
                f"the API catalogue holds no list in {language.value}",
                "build it with the core lists: wildtool catalog build",
            )
        by_language[language] = _built(lists)
    return by_language[language]


def _built(lists: list[ToolList]) -> _Index:
    function_words = [
        {tool.name: set(_tokens(f"{tool.name} {tool.description}")) for tool in each.tools} for each in lists
    ]
    counts: list[Counter[str]] = []
    for each, functions in zip(lists, function_words, strict=True):
        count = Counter(
            _tokens(
                f"{each.title} {each.title} {each.description} {each.category} {each.subcategory} {each.subcategory}"
            )
        )
        for words in functions.values():
            count.update(words)
        counts.append(count)
    frequency = Counter(word for count in counts for word in count)
    idf = {word: math.log((1 + len(lists)) / (1 + in_lists)) for word, in_lists in frequency.items()}
    postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for position, count in enumerate(counts):
        weights = {word: (1 + math.log(number)) * idf[word] for word, number in count.items()}
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        for word, weight in weights.items():
            if weight:
                postings[word].append((position, weight / length))
    linked = [any(link.required for link in each.links) for each in lists]
    return _Index(lists, dict(postings), idf, function_words, linked)


def _nearness(index: _Index, seed: SeedScenario) -> list[float]:
    """Of the seed to each list, by their words and categories."""
    query: Counter[str] = Counter()
    for text, weight in ((seed.title, 2), (seed.goal, 1), (" ".join(seed.tool_needs), 2), (seed.description, 1)):
        for word in _tokens(text):
            query[word] += weight
    for rank, keyword in enumerate(seed.keywords):
        for word in _tokens(keyword):
            query[word] += max(1, 4 - rank)
    weights = {word: (1 + math.log(number)) * index.idf.get(word, 0.0) for word, number in query.items()}
    length = math.sqrt(sum(value * value for value in weights.values())) or 1.0
    scores = [0.0] * len(index.lists)
    for word, value in weights.items():
        for position, stored in index.postings.get(word, ()):
            scores[position] += value * stored / length
    for position, each in enumerate(index.lists):
        if each.subcategory == seed.subcategory:
            scores[position] += 0.30
        elif each.category == seed.category:
            scores[position] += 0.10
    return scores


def _scores(index: _Index, seed: SeedScenario, wanted: int, used: Counter[str]) -> list[float]:
    if seed.id not in index.near:
        index.near[seed.id] = _nearness(index, seed)
    scores = list(index.near[seed.id])
    total = sum(used[each.slug] for each in index.lists)
    categories: Counter[str] = Counter()
    for each in index.lists:
        categories[each.subcategory] += used[each.slug]
    even = total / max(1, len(categories))
    cap = 2 + 2 * total / len(index.lists)
    for position, each in enumerate(index.lists):
        if each.subcategory != seed.subcategory:
            scores[position] -= 0.05 * max(0.0, categories[each.subcategory] / (even + 1) - 1)
        scores[position] += 0.05 * index.linked[position]
        # A short list cannot give a long session: less than 0.1 here, and the mean falls short of what was asked for.
        scores[position] -= 0.12 * max(0, wanted - len(each.tools))
        scores[position] -= 0.06 * used[each.slug] / (1 + total / len(index.lists)) + (
            1.0 if used[each.slug] >= cap else 0.0
        )
    return scores


def _draw(rng: Random, tools: tuple[int, int], mean: float) -> int:
    """How many functions: a Poisson number over the least, with a mean that itself varies, as wide as the original's."""
    least, most = tools
    rate = rng.gammavariate(2.0, max(0.05, mean - least) / 2.0)
    floor, product, number = math.exp(-rate), rng.random(), 0
    while product > floor:
        product *= rng.random()
        number += 1
    return min(most, least + number)


def _cut(
    tools: ToolList,
    words: dict[str, set[str]],
    query: set[str],
    wanted: int,
    most: int,
    rng: Random,
    usable: Usable,
) -> ToolList:
    """The list with about ``wanted`` functions: those near the scenario, none without the partners it needs."""
    if wanted >= len(tools.tools):
        return tools
    by_name = {tool.name: tool for tool in tools.tools}
    near = {name: 0.25 * len(words[name] & query) + rng.random() + (name in usable.tools) for name in by_name}
    order = sorted(by_name, key=lambda name: (-near[name], name))
    pairs = [link for link in tools.links if link.required]
    if pairs and rng.random() < 0.75:
        # A consumer with its producer first: without one there is nothing to do in sequence.
        best = max(pairs, key=lambda link: (near[link.consumer] + near[link.producer], link.consumer, link.producer))
        order = [best.producer, best.consumer, *(name for name in order if name not in (best.producer, best.consumer))]
    asked = next((name for name in order if name in usable.asked), None)
    if asked is not None and asked not in order[:2]:
        order = [*order[:2], asked, *(name for name in order[2:] if name != asked)]
    chosen: set[str] = set()
    for name in order:
        if len(chosen) >= wanted:
            break
        needed = _partners(by_name[name], tools, chosen)
        if len(chosen | needed) <= min(most, max(wanted, 2 if chosen else 3)):
            chosen |= needed
    if len(chosen) < 2:
        chosen |= set(order[:4])
        for name in tuple(chosen):
            chosen |= _partners(by_name[name], tools, chosen)
    fields = {
        **{name: getattr(tools, name) for name in type(tools).model_fields if name != "id"},
        "tools": tuple(tool for tool in tools.tools if tool.name in chosen),
        "links": tuple(link for link in tools.links if link.producer in chosen and link.consumer in chosen),
    }
    return ToolList.of(**fields)


def _partners(tool: Tool, tools: ToolList, there: Iterable[str]) -> set[str]:
    """The function's name and those of the producers that it cannot do without, the surest where there is a choice."""
    needed = {tool.name}
    waiting = [tool.name]
    while waiting:
        consumer = waiting.pop()
        options: dict[str, list[str]] = defaultdict(list)
        for link in tools.links:
            if link.required and link.consumer == consumer:
                options[link.parameter].append(link.producer)
        for producers in options.values():
            if not needed & set(producers) and not set(there) & set(producers):
                needed.add(producers[0])
                waiting.append(producers[0])
    return needed


def _seed_words(seed: SeedScenario) -> set[str]:
    return set(_tokens(" ".join((seed.title, seed.goal, *seed.keywords, *seed.tool_needs))))


def _tokens(text: str) -> Sequence[str]:
    """Words in the singular; of Chinese, pairs of characters."""
    found = [singular(word) for word in words_of(text) if word not in _STOP and len(word) > 1]
    for run in re.findall(r"[\u4e00-\u9fff]{2,}", text):
        found += [run[place : place + 2] for place in range(len(run) - 1)]
    return found

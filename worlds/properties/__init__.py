"""Judge a world without a model: what its spec says is sound, and what its calls show keeps what the spec promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from wildtool.schemas.base import canonical_json
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import WorldSpec
from wildtool.worlds.properties.drawing import draw, explore
from wildtool.worlds.properties.reads import (
    counts_agree,
    filters_hold,
    filters_narrow,
    names_are_kept,
    pages_concatenate,
    reads_agree,
    results_fit,
    sorts_permute,
    valid_calls_are_taken,
)
from wildtool.worlds.properties.repeats import defaults_hold, reads_change_nothing, series_windows_agree
from wildtool.worlds.properties.static import sound
from wildtool.worlds.properties.subject import Property, Subject, Violation, operations
from wildtool.worlds.properties.writes import (
    effects_show,
    guards_hold,
    others_untouched,
    refusals_change_nothing,
    transitions_hold,
    writes_show,
)

__all__ = ["PROPERTIES", "Violation", "check", "judge", "same_seed_same_bytes", "sound"]

PROPERTIES: dict[str, Property] = {
    each.__name__: each
    for each in (
        valid_calls_are_taken,
        results_fit,
        filters_narrow,
        filters_hold,
        names_are_kept,
        pages_concatenate,
        sorts_permute,
        reads_agree,
        counts_agree,
        defaults_hold,
        series_windows_agree,
        reads_change_nothing,
        writes_show,
        others_untouched,
        effects_show,
        guards_hold,
        transitions_hold,
        refusals_change_nothing,
    )
}
"""Properties by name; each judges one round of random calls."""

ROUNDS = 4
"""Rounds of each property: a fault of one tool in ten calls is seen with a probability of a third in each."""


def check(
    spec: WorldSpec, tools: Sequence[Tool], make: Callable[[], Subject], *, seed: int = 0, rounds: int = ROUNDS
) -> list[Violation]:
    """Return what is wrong with a spec and with the worlds that ``make`` makes of it, each time anew."""
    return [
        *sound(spec, tools),
        *judge(make(), tools, seed=seed, rounds=rounds),
        *same_seed_same_bytes(make, tools, seed),
    ]


def judge(world: Subject, tools: Sequence[Tool], *, seed: int = 0, rounds: int = ROUNDS) -> list[Violation]:
    """Return the violations of all properties in some rounds; each property draws its own calls. ``world`` is used up."""
    by_name = {tool.name: tool for tool in tools}
    found: list[Violation] = []
    try:
        list(explore(world, by_name, Random(f"{seed}:explore")))
    except Exception as error:
        return [Violation("valid_calls_are_taken", "a call", f"raises {type(error).__name__}: {error}")]
    for name, holds in PROPERTIES.items():
        for number in range(rounds):
            try:
                found += holds(world.fork(), by_name, Random(f"{seed}:{name}:{number}"))
            except Exception as error:  # a call that raises must not hide what the other properties find
                found.append(Violation(name, "a call", f"raises {type(error).__name__}: {error}"))
    return list({(each.property, each.tool, each.detail): each for each in found}.values())


def same_seed_same_bytes(make: Callable[[], Subject], tools: Sequence[Tool], seed: int = 0) -> list[Violation]:
    """Two worlds of the same seed answer the same calls, writes among them, with the same bytes."""
    by_name, rng = {tool.name: tool for tool in tools}, Random(f"{seed}:bytes")
    one, other = make(), make()
    for name, arguments, outcome in explore(one, by_name, rng):
        if canonical_json(other.call(name, arguments).result) != canonical_json(outcome.result):
            return [Violation("same_seed_same_bytes", name, "two worlds of one seed answer differently", arguments)]
    for name, _ in [*operations(one, by_name)] * 2:
        asked = draw(one, by_name[name], rng)
        if asked is None:
            continue
        results = [world.call(name, asked).result for world in (one, other)]
        if canonical_json(results[0]) != canonical_json(results[1]):
            return [Violation("same_seed_same_bytes", name, "two worlds of one seed answer differently", asked)]
    return []

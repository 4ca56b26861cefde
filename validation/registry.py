"""The one list of rules. To add one, write it beside the rules that judge the same thing and list it here.

Packages add rules of their own by the entry point group ``wildtool.rules``: each names a ``Rule``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from importlib.metadata import entry_points

from wildtool.schemas.errors import InputError, SettingsError
from wildtool.validation import (
    answers,
    dataset,
    dependencies,
    duplicates,
    formats,
    graph,
    grounding,
    hidden_intents,
    labels,
    plan,
    pointing,
    privacy,
    questions,
    replay,
    results,
    schema,
    spelling,
    stated_values,
    wording,
)
from wildtool.validation.rule import LooksAt, Rule

RULES: tuple[Rule, ...] = (
    dataset.ids,
    dataset.tasks,
    schema.tools,
    schema.tool_text,
    schema.arguments,
    graph.graph,
    graph.waits,
    graph.redundant,
    graph.type_,
    plan.shape,
    plan.arguments_planned,
    hidden_intents.hidden_intent,
    questions.asks,
    labels.judged,
    grounding.grounding,
    grounding.optional,
    grounding.traces,
    dependencies.edges,
    hidden_intents.hidden_text,
    questions.slots,
    stated_values.limits,
    stated_values.counts,
    stated_values.dates,
    stated_values.times,
    pointing.ordinals,
    spelling.spelling,
    formats.formats,
    results.observations,
    results.filters,
    results.consistency,
    replay.gold_replays,
    answers.answer,
    answers.untold,
    wording.language,
    wording.tool_names,
    wording.injected,
    privacy.privacy,
    duplicates.near_equal,
    duplicates.same_gold,
    duplicates.overlap,
    dataset.licences,
    labels.agreement,
)
"""The rules of this package, in the order in which people see their findings."""

GROUP = "wildtool.rules"
"""Entry point group of rules from other packages."""


@cache
def all_rules() -> tuple[Rule, ...]:
    """The rules of this package and those that installed packages add.

    Raises ``SettingsError`` where an entry point cannot be loaded, is not a rule, or takes an id that is taken.
    """
    return combined(RULES, _installed())


def _installed() -> Iterable[Rule]:
    for entry in entry_points(group=GROUP):
        try:
            rule = entry.load()
        except Exception as error:
            raise SettingsError(
                f"the rule {entry.name} ({entry.value}) cannot be loaded: {error}",
                "correct or uninstall the package that declares it",
            ) from error
        if not isinstance(rule, Rule):
            raise SettingsError(
                f"{entry.value} is not a rule", f"name a wildtool.validation.rule.Rule in the group {GROUP}"
            )
        yield rule


def combined(*groups: Iterable[Rule]) -> tuple[Rule, ...]:
    """Several groups of rules as one. Raises ``SettingsError`` where two share an id."""
    rules: dict[str, Rule] = {}
    for rule in (rule for group in groups for rule in group):
        if rule.id in rules:
            raise SettingsError(f"there are two rules {rule.id}", "give one of them another id")
        rules[rule.id] = rule
    return tuple(rules.values())


def of_drafts(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules that can judge a draft: all but those that need a whole release."""
    return tuple(rule for rule in rules if rule.looks_at is not LooksAt.RELEASE)


def of_releases(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules that can judge a release: all but those that need a plan."""
    return tuple(rule for rule in rules if rule.looks_at is not LooksAt.DRAFT)


def known_ids(rules: Iterable[Rule]) -> frozenset[str]:
    """Every id by which a rule may be allowed, those of earlier versions too."""
    return frozenset(name for rule in rules for name in (rule.id, *rule.aliases))


def allowed(rules: Collection[Rule], ids: Collection[str]) -> frozenset[str]:
    """Ids of the rules that ``ids`` let pass; an id of an earlier version stands for each rule that took over from it.

    Raises ``InputError`` for an id that no rule has or had.
    """
    unknown = sorted(set(ids) - known_ids(rules))
    if unknown:
        raise InputError(
            f"there is no gate named {', '.join(unknown)}", f"name one of {', '.join(rule.id for rule in rules)}"
        )
    return frozenset(rule.id for rule in rules if {rule.id, *rule.aliases} & set(ids))

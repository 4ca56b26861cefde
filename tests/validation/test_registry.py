"""The registry: one id a rule, ids of version 0.1.0 that go on working, rules of other packages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from tests.validation.findings import found, planted, results
from tests.validation.rich_cases import GOOD as RICH_GOOD
from tests.validation.rich_cases import SESSIONS, edited
from tests.validation.small_cases import GOOD, changed
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.errors import InputError, SettingsError
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language
from wildtool.validation import registry
from wildtool.validation.registry import RULES, all_rules, allowed, combined, known_ids
from wildtool.validation.rule import Finding, session_rule
from wildtool.validation.rule import found as finding

CHECKS_OF_0_1_0 = (
    "schema grounding redundant observation dependencies parallel ending shape hidden_intent ordinal clarify answer"
    " language tool_names injected"
).split()
GATES_OF_0_1_0 = (
    "ids tasks tools arguments graph type hidden_intent asks judged grounding optional edges hidden_text slots limits"
    " counts dates times ordinals spelling formats observations privacy near_equal same_gold overlap licences agreement"
).split()


def test_ids_are_unique_and_those_of_earlier_versions_are_known() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert {*CHECKS_OF_0_1_0, *GATES_OF_0_1_0} <= known_ids(RULES)


def test_an_earlier_id_allows_each_rule_that_took_over_from_it() -> None:
    assert allowed(RULES, ["observations"]) == {"observations", "filters"}
    assert allowed(RULES, ["schema"]) == {"arguments"}
    assert allowed(RULES, ["edges"]) == {"edges", "waits"}
    with pytest.raises(InputError, match="no gate named nonsense"):
        allowed(RULES, ["ids", "nonsense"])


def test_every_rule_on_sessions_has_a_defect_to_find() -> None:
    """Rules without a planted defect have tests of their own, in the file named like their module."""
    elsewhere = {
        "ids", "tasks", "licences", "judged", "agreement", "near_equal", "same_gold", "overlap", "times", "shape",
        "traces", "consistency", "answer", "untold", "language", "tool_names", "injected", "arguments_planned", "replay",
    }  # fmt: skip
    assert {rule.id for rule in RULES} == planted() | elsewhere
    assert not planted() & elsewhere


def test_good_sessions_raise_no_false_alarm(make: Any) -> None:
    assert found([make(number, language) for language in Language for number in range(100)]) == {}
    licences = ReleaseContext(licences={session.tool_list: "MIT" for session in SESSIONS.values()})
    assert found(list(SESSIONS.values()), licences) == {}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("number", range(len(GOOD)))
def test_other_words_for_the_same_facts_pass(make: Any, number: int, language: Language) -> None:
    assert found([changed(make(3, language), GOOD[number])]) == {}


@pytest.mark.parametrize(("name", "edit"), RICH_GOOD, ids=[f"{n}-{one[0]}" for n, one in enumerate(RICH_GOOD)])
def test_other_words_for_the_same_pass(name: str, edit: Any) -> None:
    assert found([edited(name, edit)]) == {}


def test_every_rule_says_what_it_looks_at(make: Any) -> None:
    for rule in RULES:
        assert rule.id and rule.title and rule.title[0].islower()
    assert [result.gate for result in results([make(1)]).values()] == [
        rule.id for rule in RULES if rule.looks_at != "draft"
    ]


@session_rule("extra", "nobody is called Bob", reads_text=False)
def extra(session: Session) -> Iterator[Finding]:
    """A rule as another package adds it."""
    if "Bob" in session.tasks[0].user:
        yield finding(None, "somebody is called Bob", task=0)


def _installed(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    entry = EntryPoint(name="extra", value=value, group=registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry] if group == registry.GROUP else [])
    all_rules.cache_clear()


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    yield
    all_rules.cache_clear()


def test_rules_of_other_packages_are_found_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    _installed(monkeypatch, "tests.validation.test_registry:extra")
    assert [rule.id for rule in all_rules()] == [*(rule.id for rule in RULES), "extra"]


@pytest.mark.parametrize("value", ["no.such.module:rule", "tests.validation.test_registry:CHECKS_OF_0_1_0"])
def test_an_entry_point_that_is_not_a_rule_fails_at_start(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    _installed(monkeypatch, value)
    with pytest.raises(SettingsError):
        all_rules()


def test_two_rules_of_one_id_fail() -> None:
    with pytest.raises(SettingsError, match="two rules extra"):
        combined((extra,), (extra,))

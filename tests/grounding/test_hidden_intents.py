"""The registry of hidden-intent kinds and reference devices: complete, open to other packages, loud where it is not sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.plugin import install, run_with
from wildtool.grounding import hidden_intents
from wildtool.grounding.distance import LONG_RANGE
from wildtool.grounding.hidden_intents import (
    HiddenIntentSpec,
    hidden_intent,
    hidden_intent_kinds,
    reference_device,
    reference_devices,
    require_complete,
)
from wildtool.language.lexicon import languages, words
from wildtool.schemas.errors import SettingsError
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Device, HiddenIntentKind


def test_every_kind_and_device_has_a_spec() -> None:
    require_complete()
    assert set(hidden_intent_kinds()) == set(HiddenIntentKind)
    assert set(reference_devices()) == set(Device)
    assert all(spec.kind is kind for kind, spec in hidden_intent_kinds().items())
    assert len({spec.subtype for spec in hidden_intent_kinds().values()}) == len(HiddenIntentKind)


def test_every_language_has_a_hint_for_every_device() -> None:
    for language in languages():
        assert set(words(language, "reference_hints")) == {*map(str, Device), "far"}


@pytest.mark.parametrize("turns", range(1, 8))
def test_near_and_far_kinds_share_out_all_distances(turns: int) -> None:
    far = hidden_intent(HiddenIntentKind.LONG_RANGE)
    near = hidden_intent(HiddenIntentKind.COREFERENCE)
    assert far.reaches(turns) == (turns >= LONG_RANGE) == (not near.reaches(turns))
    assert far.far and not near.far
    assert not far.reaches(0) and not near.reaches(0)


def test_an_unregistered_kind_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    without = {kind: spec for kind, spec in hidden_intent_kinds().items() if kind is not HiddenIntentKind.COREFERENCE}
    monkeypatch.setattr(hidden_intents, "hidden_intent_kinds", lambda: without)
    with pytest.raises(SettingsError, match=r"coreference.*not registered.*wildtool\.hidden_intents"):
        require_complete()


def test_devices_of_said_values_follow_the_parameter() -> None:
    schema: dict[str, Any] = {"city": {"type": "string"}, "day": {"type": "string"}, "units": {"type": "string"}}
    parameters = {"type": "object", "properties": schema, "required": ["city", "day"]}
    tool = Tool(name="getIt", description="Gets it.", parameters=parameters)

    def devices(kind: HiddenIntentKind, parameter: str) -> list[Device]:
        return list(hidden_intent(kind).said_devices(tool, parameter))

    partial, coreference = HiddenIntentKind.PARTIAL_INFORMATION, HiddenIntentKind.COREFERENCE
    assert devices(partial, "city") == [Device.OMITTED_SUBJECT]
    assert devices(partial, "day") == [Device.OMITTED_ATTRIBUTE]
    assert devices(partial, "units") == [Device.OMITTED_MODIFIER]
    assert devices(coreference, "city") == [Device.PRONOUN, Device.DEMONSTRATIVE]
    assert devices(coreference, "day") == [Device.DEMONSTRATIVE]
    assert reference_device(Device.PRONOUN).refers and not reference_device(Device.OMITTED_SUBJECT).refers


SOURCE = """
from wildtool.grounding.hidden_intents import DeviceSpec, HiddenIntentSpec
from wildtool.schemas.vocabulary import Device, HiddenIntentKind

RECAP = HiddenIntentSpec(
    kind=HiddenIntentKind("recap"), title="Recap", subtype="Recap", reach=(2, None),
    said_devices=lambda tool, parameter: (Device("nickname"), Device.DEMONSTRATIVE),
    chat_devices=(Device.DEMONSTRATIVE,),
)
NICKNAME = DeviceSpec(Device("nickname"), refers=True, hints={"en": "use a nickname"}, worded_like=Device.DEMONSTRATIVE)
"""

USE = """
from random import Random
from tests.agents.planning import choose, seeds
from wildtool.agents import SIMULATOR, load_profile, plan_sessions
from wildtool.flows.library import draft_all
from wildtool.grounding.distance import distance, planned_turns
from wildtool.schemas.vocabulary import HiddenIntentKind, Language
from wildtool.schemas.plan import SessionPlan

kind = HiddenIntentKind("recap")
profile = load_profile("default").model_copy(update={
    "sessions": {Language.EN: 6}, "hidden_intents": {kind: 1, HiddenIntentKind.COREFERENCE: 4}, "fault_share": 0.0})
plans = plan_sessions(profile, seeds(), choose, seed=5, drafter=SIMULATOR)
assert SessionPlan.model_validate_json(plans[0].model_dump_json()) == plans[0]
found = [(p, n, t) for p in plans for n, t in enumerate(p.tasks) if t.hidden_intent and t.hidden_intent.kind is kind]
assert len(found) == round(6 * 3 / 5), len(found)
for plan, number, task in found:
    turns = planned_turns([each.type for each in plan.tasks])
    assert distance(turns, number, task.hidden_intent.said_in) >= 2
result = draft_all(plans, cache=None, offline=True)
print(len(result.drafts) + len(result.quarantined), len({str(t.hidden_intent.kind) for d in result.drafts
      for t in d.session.tasks if t.hidden_intent}))
"""


@pytest.mark.e2e  # a kind goes the whole way in tests/plugins, too
def test_another_package_adds_a_kind_and_a_device(tmp_path: Path) -> None:
    points = "[wildtool.hidden_intents]\nrecap = more:RECAP\n[wildtool.reference_devices]\nnickname = more:NICKNAME\n"
    done = run_with(install(tmp_path, "more", SOURCE, points), USE)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[0] == "6"


RECAP = """
from dataclasses import replace
from wildtool.grounding.hidden_intents import _BUILT_IN_KINDS
from wildtool.schemas.vocabulary import HiddenIntentKind
FAR = _BUILT_IN_KINDS[2]
RECAP = replace(FAR, **{{"kind": HiddenIntentKind("recap"), "subtype": "Recap", **dict({})}})
"""


@pytest.mark.parametrize(
    ("points", "source", "cause"),
    [
        ("recap = more:NOTHING", "", "cannot be loaded"),
        ("recap = more:RECAP", "RECAP = 1", "not a HiddenIntentSpec"),
        ("coreference = more:RECAP", "RECAP = 1", "built in"),
        ("Re-cap = more:RECAP", "RECAP = 1", "not a lower-case word"),
        (
            "recap = more:SPEC",
            "from wildtool.grounding.hidden_intents import _BUILT_IN_KINDS\nSPEC = _BUILT_IN_KINDS[0]",
            "is the spec of 'partial_information'",
        ),
        ("recap = more:RECAP", RECAP.format("reach=(0, None)"), "'recap' reaches from 0 to None user turns back"),
        ("recap = more:RECAP", RECAP.format("reach=(3, 2)"), "reaches from 3 to 2"),
        (
            "recap = more:RECAP",
            RECAP.format('subtype="First Turn"'),
            "subtype 'First Turn', which means something else",
        ),
        ("recap = more:RECAP", RECAP.format("chat_devices=()"), "no device for chat tasks"),
        ("recap = more:RECAP", RECAP.format("refers=False"), "has refers=False, but not all of its chat devices do"),
        ("recap = more:RECAP", RECAP.format("published=-1"), "weighs -1"),
    ],
)
def test_a_kind_without_a_sound_spec_stops_planning_before_it_starts(
    tmp_path: Path, points: str, source: str, cause: str
) -> None:
    start = "from wildtool.grounding.hidden_intents import require_complete\nrequire_complete()"
    done = run_with(install(tmp_path, "more", source, f"[wildtool.hidden_intents]\n{points}\n"), start)
    assert done.returncode != 0 and "SettingsError" in done.stderr and cause in done.stderr, done.stderr[-2000:]


def test_a_device_that_the_simulator_cannot_word_stops_it_at_its_start(tmp_path: Path) -> None:
    source = (
        "from wildtool.grounding.hidden_intents import DeviceSpec\n"
        "from wildtool.schemas.vocabulary import Device\nLONER = DeviceSpec(Device('loner'))"
    )
    points = "[wildtool.reference_devices]\nloner = more:LONER\n"
    code = "from wildtool.agents.simulator.app import simulator\nsimulator(())"
    done = run_with(install(tmp_path, "more", source, points), code)
    assert "no wording for the reference device 'loner'" in done.stderr, done.stderr[-2000:]
    assert "worded_like" in done.stderr


def test_specs_are_frozen() -> None:
    spec = hidden_intent(HiddenIntentKind.COREFERENCE)
    with pytest.raises(AttributeError):
        spec.shown = False  # type: ignore[misc]
    assert isinstance(spec, HiddenIntentSpec)

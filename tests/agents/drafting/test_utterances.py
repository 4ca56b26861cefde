"""A plan is resolved once: nouns, words, ordinals and what must stay unsaid."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.agents.planning import choose, core, seeds
from wildtool.agents.drafting.user_brief import message_faults, opening_brief, reply_brief, said_intent
from wildtool.agents.drafting.utterances import Script, script_of
from wildtool.agents.planning.plan import plan_sessions
from wildtool.agents.profiles import load_profile
from wildtool.agents.simulator.drafter import SIMULATOR
from wildtool.language.parameter_nouns import noun
from wildtool.schemas.plan import Blueprint, PlannedArgument, PlannedCall, SessionPlan
from wildtool.schemas.session import HiddenIntent
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, Language, Persona, ReplyManner, TaskType

LIST = next(each for each in core() if each.language is Language.EN and each.links)
LINK = next(link for link in LIST.links if "[*]" in link.path)


def argument(parameter: str, source: Any, **more: Any) -> PlannedArgument:
    return PlannedArgument(parameter=parameter, source=source, **more)


def plan(*tasks: Blueprint) -> SessionPlan:
    return SessionPlan.of(
        profile="test", index=0, language=LIST.language, now="2026-07-10T09:30:00+00:00", seed=None, scenario="A trip.",
        persona=Persona.NOVICE, tool_list=LIST, tasks=tasks, random_seed=1,
    )  # fmt: skip


def single(tool: str, *arguments: PlannedArgument, **more: Any) -> Blueprint:
    return Blueprint(**{"type": TaskType.SINGLE, "calls": (PlannedCall(tool=tool, arguments=arguments),), **more})


def pointing(device: Device, item: int, kind: HiddenIntentKind = HiddenIntentKind.COREFERENCE) -> Script:
    """A second task that points at an item which the first one showed."""
    path = LINK.path.replace("[*]", f"[{item}]")
    shown = argument(LINK.parameter, "earlier", task=0, action=0, path=path)
    hidden = HiddenIntent(kind=kind, device=device, piece=LINK.parameter, said_in=0, distance=1)
    return script_of(plan(single(LINK.producer), single(LINK.consumer, shown, hidden_intent=hidden)))


def results(labels: list[str]) -> dict[tuple[int, int], Any]:
    """What the first task's call showed, an item a label."""
    head, _, leaf = LINK.path.partition("[*].")
    assert "." not in head and "[" not in leaf
    return {(0, 0): {head: [{leaf: f"X{n}", "title": label} for n, label in enumerate(labels)]}}


def test_places_are_resolved_to_ordinals_and_nouns() -> None:
    script = pointing(Device.ORDINAL, 1)
    spoken = script.utterances[1].wishes[0].arguments[0]
    tools = {tool.name: tool for tool in LIST.tools}
    assert (spoken.ordinal, spoken.index, spoken.shown_by) == ("second", 1, (0, 0))
    assert spoken.noun == noun(tools[LINK.consumer], LINK.parameter, Language.EN)
    assert script.utterances[1].piece == spoken
    assert script.least_items == {(0, 0): 3}
    assert pointing(Device.ORDINAL, 2).least_items == {(0, 0): 4}
    assert pointing(Device.REVERSE_ORDINAL, -1).utterances[1].wishes[0].arguments[0].ordinal == "last"


def test_the_brief_tells_a_model_what_to_point_at_and_how() -> None:
    brief = opening_brief(pointing(Device.ORDINAL, 1), 1, (), {})
    assert brief["wants"][0]["points"][0]["at"] == "second"
    assert brief["device"] == "ordinal"
    assert brief["reference"]["how"] == ['count to it in what was shown: "the second one"']
    far = opening_brief(pointing(Device.DEMONSTRATIVE, 1, HiddenIntentKind.LONG_RANGE), 1, (), {})
    assert any("early in the conversation" in hint for hint in far["reference"]["how"])
    assert opening_brief(pointing(Device.ORDINAL, 1), 0, (), {})["reference"] is None


def test_the_brief_holds_nothing_that_only_the_simulator_needs() -> None:
    plain = pointing(Device.ORDINAL, 1)
    without = LIST.model_copy(
        update={
            "tools": tuple(tool.model_copy(update={"phrasings": (), "optional_phrasings": {}}) for tool in LIST.tools)
        }
    )
    other = script_of(plain.plan.model_copy(update={"tool_list": without}))
    assert other.utterances[1].wishes[0].phrasings != plain.utterances[1].wishes[0].phrasings
    for number in (0, 1):
        assert opening_brief(other, number, (), {}) == opening_brief(plain, number, (), {})


@pytest.mark.parametrize(
    ("labels", "device", "called", "said"),
    [
        (["Alpha Inn", "Beta House", "Gamma Hotel"], Device.DESCRIPTION, "Beta House", Device.DESCRIPTION),
        (["Alpha Inn", "Beta House", "Gamma Hotel"], Device.ABBREVIATION, "Beta", Device.ABBREVIATION),
        (["Beta Inn", "Beta House", "Gamma Hotel"], Device.ABBREVIATION, None, Device.ORDINAL),
        (["Same", "Same", "Same"], Device.DESCRIPTION, None, Device.ORDINAL),
        (["Alpha Inn", "Beta House", "Gamma Hotel"], Device.ORDINAL, None, Device.ORDINAL),
    ],
)
def test_a_shown_thing_is_called_by_name_where_that_tells_it_from_the_others(
    labels: list[str], device: Device, called: str | None, said: Device
) -> None:
    script = pointing(device, 1)
    brief = opening_brief(script, 1, (), results(labels))
    assert brief["called"] == ({"0.0": called} if called else {})
    hidden = said_intent(script.utterances[1], brief)
    assert hidden is not None and hidden.device is said


def test_the_last_of_unnamed_things_goes_by_its_place_from_the_end() -> None:
    script = pointing(Device.DESCRIPTION, -1)
    hidden = said_intent(script.utterances[1], opening_brief(script, 1, (), {}))
    assert hidden is not None and hidden.device is Device.REVERSE_ORDINAL


def clarify(manner: ReplyManner) -> Script:
    tool = next(each for each in LIST.tools if len(each.parameters["properties"]) > 1)
    first, second = list(tool.parameters["properties"])[:2]
    missing = (
        argument(first, "missing", value="Lyon", words="Lyon"),
        argument(second, "missing", value="Porto", words="Porto", task=0),
    )
    task = single(tool.name, *missing, type=TaskType.CLARIFY, missing=(first, second), reply=manner)
    return script_of(plan(single(tool.name), task))


def test_replies_say_what_is_new_and_leave_the_rest_to_the_dialogue() -> None:
    script = clarify(ReplyManner.PARTLY)
    brief = reply_brief(script, 1, "Which one?")
    utterance = script.utterances[1]
    assert (brief["says"], brief["manner"]) == (["Lyon"], "partly")
    assert brief["same"] == [utterance.slots[1]]
    assert utterance.withheld == ("Lyon", "Porto")


def faults_of(script: Script, number: int, message: str) -> list[str]:
    return message_faults(script, number, message, opening_brief(script, number, [], {}))


@pytest.mark.parametrize(
    ("message", "faults"),
    [
        ("", 1),
        ("Please look that up.", 0),
        ("Please look that up in LYON.", 1),
        ("Please look that up in Lyon.", 1),
        ("Please look up how a lyon is spelt.", 0),
        ("Lyonnaise potatoes, please.", 0),
        ("x" * 1300, 1),
    ],
)
def test_messages_that_say_what_the_plan_leaves_unsaid_are_refused(message: str, faults: int) -> None:
    assert len(faults_of(clarify(ReplyManner.FULL), 1, message)) == faults


def test_a_message_that_names_a_tool_is_left_to_the_rule_that_doubts_it() -> None:
    """That rule may send a draft back only once its precision was measured."""
    name = next(tool.name for tool in LIST.tools if any(char.isupper() for char in tool.name))
    assert faults_of(clarify(ReplyManner.FULL), 0, f"Call {name} now") == []


@pytest.mark.parametrize(
    ("said", "message", "faults"),
    [
        ("Lyon", "From Lyon to the other one, please.", 0),
        ("Lyon Fair", "Is the Lyon Fair open?", 0),
        ("Lyon Fair", "Is the Lyon Fair open, in Lyon I mean?", 1),
        ("Porto", "Is Lyon near Porto?", 1),
    ],
)
def test_words_that_the_brief_gives_for_something_else_may_be_said(said: str, message: str, faults: int) -> None:
    script = clarify(ReplyManner.FULL)
    brief = opening_brief(script, 1, [], {})
    brief["wants"][0]["says"].append({"about": "thing", "words": said})
    assert len([fault for fault in message_faults(script, 1, message, brief) if "'Lyon'" in fault]) == faults


def test_a_long_text_that_the_plan_has_the_user_say_may_be_said() -> None:
    script = clarify(ReplyManner.FULL)
    brief = opening_brief(script, 1, [], {})
    assert message_faults(script, 1, "x" * 1300, brief)
    brief["wants"][0]["says"].append({"about": "text", "words": "x" * 1200})
    assert not message_faults(script, 1, "x" * 1300, brief)


@cache
def planned() -> tuple[SessionPlan, ...]:
    profile = load_profile("default").model_copy(update={"sessions": {Language.EN: 12, Language.ZH: 12}})
    return tuple(plan_sessions(profile, seeds(), choose, seed=2, drafter=SIMULATOR))


def test_every_planned_value_has_words_and_every_slot_a_noun() -> None:
    for each in planned():
        script = script_of(each)
        for blueprint, utterance in zip(each.tasks, script.utterances, strict=True):
            assert len(utterance.slots) == len(blueprint.missing) and all(utterance.slots)
            assert (utterance.piece is None) == (blueprint.hidden_intent is None)
            for wish in utterance.wishes:
                assert wish.gist and wish.phrasings and all(wish.nouns.values())
                for spoken in wish.arguments:
                    assert spoken.noun and spoken.fragments
                    assert spoken.value is None or spoken.said in (*script.values, str(spoken.value))

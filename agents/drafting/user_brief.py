"""Brief a model that plays the user: what to say next, and what to leave unsaid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from wildtool.agents.drafting.utterances import Script, Spoken, Utterance
from wildtool.grounding.hidden_intents import DeviceSpec
from wildtool.language.lexicon import words
from wildtool.language.short_names import short_label
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_paths import loosen, parent, resolve
from wildtool.schemas.session import Answer, Ask, HiddenIntent, Task
from wildtool.schemas.vocabulary import Device, Language
from wildtool.worlds.fields import label_of
from wildtool.worlds.spoken_values import speak

Results = Mapping[tuple[int, int], Any]
"""Observations by task and planned call."""

_LONGEST = 1200
"""Characters of a user message; the original's longest is about half of it."""

_NUMBER = re.compile(r"[\d.,:/%-]+")

_HAN = re.compile(r"[\u3400-\u9fff]")


def opening_brief(
    script: Script, number: int, done: Sequence[Task], results: Results, again: Sequence[str] = ()
) -> JsonObject:
    """Brief the user to open a task, for ``prompts/*/user.md``."""
    utterance = script.utterances[number]
    called: dict[str, str] = {}
    wants: list[JsonObject] = []
    for index, wish in enumerate(utterance.wishes):
        want: JsonObject = {"do": wish.gist, "then": wish.then, "says": [], "points": []}
        for place, spoken in enumerate(wish.arguments):
            if spoken.source in ("user", "clock"):
                want["says"].append(
                    {"about": spoken.noun, "words": spoken.words or speak(spoken.value, script.language)}
                )
            elif spoken.path is not None and spoken.source in ("observation", "earlier"):
                name = _name(spoken, results, utterance.device, script.language)
                if name and spoken.source == "earlier":
                    called[f"{index}.{place}"] = name
                    want["points"].append({"about": spoken.noun, "called": name})
                else:
                    want["points"].append({"about": spoken.noun, "at": spoken.ordinal})
        wants.append(want)
    plan = script.plan
    return {
        "language": plan.language.value,
        "persona": plan.persona.value,
        "scenario": plan.scenario,
        "now": plan.now,
        "so_far": dialogue(done),
        "wants": wants,
        "called": called,
        "unsaid": list(utterance.unsaid),
        "withheld": list(utterance.withheld),
        "device": utterance.device.device.value if utterance.device is not None else None,
        "reference": _reference(utterance, script.language),
        "topics": [topic.said for topic in utterance.topics if topic.source != "earlier"],
        "again": list(again),
    }


def reply_brief(script: Script, number: int, question: str, again: Sequence[str] = ()) -> JsonObject:
    """Brief the user to answer a question back, for ``prompts/*/reply.md``."""
    utterance = script.utterances[number]
    return {
        "language": script.language.value,
        "persona": script.persona.value,
        "question": question,
        "manner": str(utterance.manner),
        "says": [each.said for each in utterance.reply if each.value is not None and not each.as_before],
        "same": [each.noun for each in utterance.reply if each.as_before],
        "points": [each.ordinal for each in utterance.reply if each.path is not None],
        "again": list(again),
    }


def dialogue(done: Sequence[Task]) -> list[str]:
    """Write the dialogue so far, one line a turn."""
    lines: list[str] = []
    for task in done:
        lines.append(f"user: {task.user}")
        for action in task.actions:
            if isinstance(action, Ask):
                lines.extend((f"assistant: {action.question}", f"user: {action.reply}"))
            elif isinstance(action, Answer):
                lines.append(f"assistant: {action.text}")
    return lines


def message_faults(script: Script, number: int, text: str, brief: JsonObject) -> list[str]:
    """Return the reasons why a message cannot open a task.

    Only what the plan decides counts: the exact words that it has the user leave unsaid, unless the brief gives them for
    something else. Whatever needs reading is left to rules, which doubt (``validation/``).
    """
    if not text.strip():
        return ["the message is empty"]
    faults: list[str] = []
    given = _given(brief)
    if len(text) > (longest := _LONGEST + sum(map(len, given))):
        faults.append(f"the message has {len(text)} characters; write at most {longest}")
    utterance = script.utterances[number]
    for hidden in (*utterance.unsaid, *utterance.withheld):
        # Short words and bare numbers stand in many messages by chance.
        if len(hidden) < (2 if _HAN.search(hidden) else 4) or _NUMBER.fullmatch(hidden):
            continue
        if _holds(_without([words for words in given if _holds(words, hidden)], text), hidden):
            faults.append(f"the message says {hidden!r}, which is to be left unsaid")
    return faults


def _given(brief: JsonObject) -> list[str]:
    """The words that a brief has the user say."""
    said = [each["words"] for want in brief["wants"] for each in want["says"]]
    return [str(words) for words in (*said, *brief["called"].values(), *brief["topics"])]


def _without(given: Sequence[str], text: str) -> str:
    """Remove given words from a text, longest first."""
    for one in sorted(given, key=len, reverse=True):
        text = re.sub(re.escape(one), " ", text, flags=re.IGNORECASE)
    return text


def said_intent(utterance: Utterance, brief: JsonObject) -> HiddenIntent | None:
    """Return the hidden intent as the brief lets the user word it: a shown thing without a unique name goes by its place."""
    hidden, piece = utterance.hidden, utterance.piece
    if hidden is None or utterance.device is None or not utterance.device.names or brief["called"]:
        return hidden
    index = piece.index if piece is not None and piece.source == "earlier" else None
    if index is None:
        return hidden
    return hidden.model_copy(update={"device": Device.REVERSE_ORDINAL if index < 0 else Device.ORDINAL})


def _reference(utterance: Utterance, language: Language) -> JsonObject | None:
    """Tell what the message refers to, and how to word that."""
    if utterance.device is None or utterance.piece is None:
        return None
    hints = words(language, "reference_hints")
    how = utterance.device.hints.get(language) or hints.get(utterance.device.device.value)
    return {"about": utterance.piece.noun, "how": [*([how] if how else []), *([hints["far"]] if utterance.far else [])]}


def _name(spoken: Spoken, results: Results, device: DeviceSpec | None, language: Language) -> str | None:
    """Return the name of the thing referred to, or its short form, where that tells it from the others and is not the
    piece itself; None for devices that refer otherwise."""
    if device is None or not device.names or spoken.path is None or spoken.shown_by is None:
        return None
    if spoken.source != "earlier":
        return None
    try:
        result = results[spoken.shown_by]
        item = resolve(result, parent(spoken.path))
        value = resolve(result, spoken.path)
        siblings = resolve(result, parent(loosen(spoken.path)).rpartition("[*]")[0])
    except LookupError:
        return None
    if not isinstance(item, dict) or not isinstance(siblings, list):
        return None
    name = label_of(item)
    labels = [label_of(each) for each in siblings if isinstance(each, dict)]
    if name is None or name == value or labels.count(name) != 1:
        return None
    if device.shortens:
        return short_label(name, [label for label in labels if label is not None and label != name], language)
    return name


def _holds(text: str, said: str) -> bool:
    """Whether a text holds just these words. A capital counts: "nice" is not the city."""
    if not said.isascii():
        return said in text
    places = re.finditer(rf"(?<!\w){re.escape(said)}(?!\w)", text, re.IGNORECASE)
    return any(place[0] == said or not place[0].islower() for place in places)

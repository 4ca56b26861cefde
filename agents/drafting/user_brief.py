"""Briefs: what the simulated user is told to say next, and what must not be in the message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from wildtool.agents.planning.reply_styles import missing_arguments, same_as_before
from wildtool.language.ordinal_words import ordinal_word
from wildtool.language.parameter_nouns import noun
from wildtool.language.short_names import short_label
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_paths import loosen, parent, pinned_index, resolve
from wildtool.schemas.plan import Blueprint, PlannedArgument, SessionPlan
from wildtool.schemas.session import Answer, Ask, HiddenIntent, Task
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Device, Language, ReplyManner
from wildtool.worlds.fields import label_of

Results = Mapping[tuple[int, int], Any]
"""Observations by task and planned call."""

_LONGEST = 1200
"""Characters of a user message; the original's longest is about half of it."""


def opening_brief(
    plan: SessionPlan, number: int, done: Sequence[Task], results: Results, again: Sequence[str] = ()
) -> JsonObject:
    """What the user shall say to open a task, for ``prompts/*/user.md``."""
    blueprint = plan.tasks[number]
    tools = {tool.name: tool for tool in plan.tool_list.tools}
    hidden = blueprint.hidden_intent
    called: dict[str, str] = {}
    wants: list[JsonObject] = []
    for index, call in enumerate(blueprint.calls):
        tool = tools[call.tool]
        want: JsonObject = {"do": _gist(tool), "then": bool(call.depends_on), "says": [], "points": []}
        for place, argument in enumerate(call.arguments):
            about = noun(tool, argument.parameter, plan.language)
            if argument.source in ("user", "clock"):
                want["says"].append({"about": about, "words": argument.words})
            elif argument.path is not None and argument.source in ("observation", "earlier"):
                name = _name(argument, results, hidden.device if hidden is not None else None, plan.language)
                if name and argument.source == "earlier":
                    called[f"{index}.{place}"] = name
                    want["points"].append({"about": about, "called": name})
                else:
                    want["points"].append({"about": about, "at": ordinal(argument.path, plan.language)})
        wants.append(want)
    return {
        "language": plan.language.value,
        "persona": plan.persona.value,
        "scenario": plan.scenario,
        "now": plan.now,
        "so_far": dialogue(done),
        "wants": wants,
        "called": called,
        "unsaid": unsaid(plan, number),
        "withheld": [_words(a) for a in _arguments(plan, number, "missing") if a.value is not None],
        "device": hidden.device.value if hidden is not None and hidden.device is not None else None,
        "topics": [_words(each) for each in blueprint.mentions if each.source != "earlier"],
        "again": list(again),
    }


def reply_brief(plan: SessionPlan, number: int, question: str, again: Sequence[str] = ()) -> JsonObject:
    """What the user shall reply to a question back, for ``prompts/*/reply.md``."""
    missing = missing_arguments(plan.tasks[number])
    tool = next(each for each in plan.tool_list.tools if each.name == plan.tasks[number].calls[0].tool)
    return {
        "language": plan.language.value,
        "persona": plan.persona.value,
        "question": question,
        "manner": str(plan.tasks[number].reply or ReplyManner.FULL),
        "says": [_words(a) for a in missing if a.value is not None and not same_as_before(a)],
        "same": [noun(tool, a.parameter, plan.language) for a in missing if same_as_before(a)],
        "points": [ordinal(a.path, plan.language) for a in missing if a.path is not None],
        "again": list(again),
    }


def dialogue(done: Sequence[Task]) -> list[str]:
    """What was said so far, a line a turn."""
    lines: list[str] = []
    for task in done:
        lines.append(f"user: {task.user}")
        for action in task.actions:
            if isinstance(action, Ask):
                lines.extend((f"assistant: {action.question}", f"user: {action.reply}"))
            elif isinstance(action, Answer):
                lines.append(f"assistant: {action.text}")
    return lines


def ordinal(path: str | None, language: Language) -> str | None:
    """How a person counts to an item: ``first``, ``last``, 二; None for a path without one."""
    index = pinned_index(path or "")
    return None if index is None else ordinal_word(index, language)


def unsaid(plan: SessionPlan, number: int) -> list[str]:
    """Words and values that the message must not hold, since the assistant is to find them in the dialogue."""
    found: list[str] = []
    blueprint = plan.tasks[number]
    for argument in (*_arguments(plan, number, "earlier"), *(m for m in blueprint.mentions if m.source == "earlier")):
        if argument.value is not None:
            found.extend({str(argument.value), _words(argument)})
    return sorted(found)


def message_faults(plan: SessionPlan, number: int, text: str) -> list[str]:
    """Why a message cannot open a task; empty if it can. Checks of whole drafts look closer."""
    faults: list[str] = []
    if not text.strip():
        faults.append("the message is empty")
    if len(text) > _LONGEST:
        faults.append(f"the message has {len(text)} characters; people write shorter")
    for tool in plan.tool_list.tools:
        if re.search(r"[a-z][A-Z]|_", tool.name) and tool.name.casefold() in text.casefold():
            faults.append(f"the message names the tool {tool.name}")
    withheld = [_words(a) for a in _arguments(plan, number, "missing") if a.value is not None]
    for words in (*unsaid(plan, number), *withheld):
        # Short words and bare numbers stand in many messages by chance.
        if len(words) >= (2 if plan.language is Language.ZH and not words.isascii() else 4) and _holds(text, words):
            faults.append(f"the message says {words!r}, which is to be left unsaid")
    return faults


def spoken_values(plan: SessionPlan) -> list[str]:
    """All that the user says or means anywhere in a session; results must not hit on it by chance."""
    found: set[str] = set()
    for blueprint in plan.tasks:
        for argument in (*(a for call in blueprint.calls for a in call.arguments), *blueprint.mentions):
            if argument.value is not None and not isinstance(argument.value, bool):
                found.update((str(argument.value), _words(argument)))
    return sorted(found)


def said_device(blueprint: Blueprint, brief: JsonObject) -> HiddenIntent | None:
    """How a task leans, as the brief let the user say it: where a shown thing has no name of its own, by its place."""
    hidden = blueprint.hidden_intent
    if hidden is None or hidden.device not in (Device.DESCRIPTION, Device.ABBREVIATION) or brief["called"]:
        return hidden
    arguments = [a for call in blueprint.calls for a in call.arguments]
    path = next((a.path for a in arguments if a.parameter == hidden.piece and a.source == "earlier"), None)
    index = pinned_index(path or "")
    if index is None:
        return hidden
    return hidden.model_copy(update={"device": Device.REVERSE_ORDINAL if index < 0 else Device.ORDINAL})


def least_items(plan: SessionPlan, number: int, call: int) -> int:
    """Items that a call's lists must have for all that point into them, and one more, so that it points at one of several."""
    most = 0
    for later, blueprint in enumerate(plan.tasks):
        for argument in (a for each in blueprint.calls for a in each.arguments):
            where = argument.task if argument.task is not None else later
            if argument.path is None or (where, argument.action) != (number, call):
                continue
            index = pinned_index(argument.path)
            if index is not None:
                most = max(most, index + 2, 3)
    return most


def _arguments(plan: SessionPlan, number: int, source: str) -> list[PlannedArgument]:
    return [a for call in plan.tasks[number].calls for a in call.arguments if a.source == source]


def _name(argument: PlannedArgument, results: Results, device: Device | None, language: Language) -> str | None:
    """What the thing pointed at is called, or called for short, where that tells it from the others and is not the
    piece itself; None for devices that point otherwise."""
    if device not in (Device.DESCRIPTION, Device.ABBREVIATION):
        return None
    if argument.path is None or argument.task is None or argument.action is None:
        return None
    try:
        result = results[argument.task, argument.action]
        item = resolve(result, parent(argument.path))
        value = resolve(result, argument.path)
        siblings = resolve(result, parent(loosen(argument.path)).rpartition("[*]")[0])
    except LookupError:
        return None
    if not isinstance(item, dict) or not isinstance(siblings, list):
        return None
    name = label_of(item)
    labels = [label_of(each) for each in siblings if isinstance(each, dict)]
    if name is None or name == value or labels.count(name) != 1:
        return None
    if device is Device.ABBREVIATION:
        return short_label(name, [label for label in labels if label is not None and label != name], language)
    return name


def _words(argument: PlannedArgument) -> str:
    return argument.words or str(argument.value)


def _holds(text: str, words: str) -> bool:
    if words.isascii():
        return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None
    return words in text


def _gist(tool: Tool) -> str:
    return re.split(r"(?<=[a-z)])[.:;]|。", tool.description)[0].strip()

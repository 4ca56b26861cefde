"""The simulator's user: opens tasks, leans on what was said, answers questions back, makes small talk."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

from wildtool.agents.planning.reference_devices import abbreviation
from wildtool.agents.planning.reply_styles import missing_arguments, same_as_before
from wildtool.agents.simulator.chat import chat_message
from wildtool.agents.simulator.clauses import Mention, clause, join, pointed
from wildtool.agents.simulator.wording import capital, say, wording
from wildtool.language.parameter_nouns import noun
from wildtool.language.tool_phrasings import fragments
from wildtool.schemas.plan import Blueprint, PlannedArgument, PlannedCall, SessionPlan
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, Language, Persona, ReplyManner, TaskType


def opener(plan: SessionPlan, task: int, brief: Mapping[str, Any], attempt: int, rng: Random) -> str:
    """The message that opens a task. ``brief["called"]`` holds names of things pointed at, by places of call and argument."""
    blueprint = plan.tasks[task]
    if blueprint.type is TaskType.CHAT:
        return tidy(chat_message(plan, task, attempt, rng), plan.language)
    if _is_again(blueprint):
        return tidy(_again(plan, blueprint, rng), plan.language)
    tools = {tool.name: tool for tool in plan.tool_list.tools}
    clauses: list[tuple[str, bool]] = []
    for number, call in enumerate(blueprint.calls):
        tool = tools[call.tool]
        mentions = {
            a.parameter: _mention(blueprint, tool, a, brief["called"].get(f"{number}.{place}"), plan.language)
            for place, a in enumerate(call.arguments)
        }
        clauses.append((clause(tool, mentions, plan.language, rng), bool(call.depends_on)))
    wish = join(clauses, plan.language, rng)
    novice = plan.persona is Persona.NOVICE
    first = task == 0 or rng.random() < 0.2
    key = ("wraps" if novice else "expert_wraps") if first else "later"
    fits_wish = [
        each
        for each in wording(plan.language)[key]
        if not _ODD.search(each.replace("{c}", wish).replace("{C}", wish)) and not (task and _BEGINS.match(each))
    ]
    text = rng.choice(fits_wish).replace("{c}", wish).replace("{C}", capital(wish))
    # Who knows little says more around it.
    if novice and rng.random() < 0.6:
        blank = " " if plan.language is Language.EN else ""
        if first and rng.random() < 0.6:
            text = say(plan.language, "novice_intros", rng) + blank + capital(text)
        else:
            text += blank + say(plan.language, "novice_outros", rng)
    return tidy(text, plan.language)


_BEGINS = re.compile(
    r"\A(?:Hi\b|Hello|Hey\b|Good morning|First things|For a start|To begin|在吗|你好|嗨|先\{|.*nothing else|.*别的先不用)"
)
"""Openings of a conversation: nobody greets in the middle of one."""

_ODD = re.compile(
    r"(?:帮我|给我|替我|帮忙)(?:帮|给我|让我)|.{160}, please\.$|(?:需要|我要|直接|我还[想要])(?:帮|替|给|推荐|讲|说|报|介绍|告诉|分享|来)"
)
"""Openings that do not go with a wish: a "please" too far from what it asks for, a favour asked twice."""


_KEYS = {
    ReplyManner.FULL: ("replies", "replies", "replies_bare"),
    ReplyManner.PARTLY: ("replies", "replies_bare"),
    ReplyManner.VAGUE: ("replies_vague",),
}
"""Wordings by how a question back is answered."""


def reply(plan: SessionPlan, task: int, rng: Random) -> str:
    """The answer to a question back."""
    blueprint = plan.tasks[task]
    language = plan.language
    missing = missing_arguments(blueprint)
    if missing[0].value is None:
        assert missing[0].path is not None
        word = "个" if language is Language.ZH else "one"
        thing = pointed(missing[0].path, word, language, rng)
        key = "points_vague" if blueprint.reply is ReplyManner.VAGUE else "points_reply"
        return tidy(say(language, key, rng, x=thing, X=capital(thing)), language)
    told = [argument.words or str(argument.value) for argument in missing if not same_as_before(argument)]
    words = say(language, "both", rng, a=told[0], b=told[1]) if len(told) == 2 else told[0]
    first = words if "://" in words or "@" in words else capital(words)
    same = next((argument for argument in missing if same_as_before(argument)), None)
    if same is not None:
        tool = next(each for each in plan.tool_list.tools if each.name == blueprint.calls[0].tool)
        word = noun(tool, same.parameter, language)
        return tidy(say(language, "replies_rest", rng, v=words, V=first, n=word, N=capital(word)), language)
    return tidy(say(language, rng.choice(_KEYS[blueprint.reply or ReplyManner.FULL]), rng, v=words, V=first), language)


def tidy(text: str, language: Language) -> str:
    """The text with doubled stops and blanks mended."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"(?<!\s)\s++([,.?!，。？！])", r"\1", text)
    text = re.sub(r"([?!？！])[.。]", r"\1", text)
    text = re.sub(r",(\s*,)+", ",", text)
    text = re.sub(r"，{2,}", "，", text)
    text = re.sub(r"([。.])\1+", r"\1", text)
    if language is Language.EN:
        text = re.sub(
            r"\b(look|pull|dig|bring|set|pick|check|write|call|turn) (up|out|on|off|down) (it|them)\b",
            r"\1 \3 \2",
            text,
        )
        text = re.sub(r"\b(template|kind|topic|list|price|date) \1\b", r"\1", text)
        text = re.sub(r"([.?!] )([a-z])", lambda hit: hit[1] + hit[2].upper(), text)
        return capital(text)
    text = re.sub(r"(帮我|麻烦|请|再|能不能帮我|给我)(帮我|给我|帮忙)", r"\1", text)
    return re.sub(r"(一下)(吧|呗)?一下", r"\1\2", text)


def _is_again(blueprint: Blueprint) -> bool:
    hidden = blueprint.hidden_intent
    again = (Device.ADDED_CONSTRAINT, Device.CHANGED_CONSTRAINT, Device.INTERROGATIVE, Device.OMITTED_SEVERAL)
    return hidden is not None and hidden.device in again


def _mention(
    blueprint: Blueprint, tool: Tool, argument: PlannedArgument, called: str | None, language: Language
) -> Mention:
    hidden = blueprint.hidden_intent
    far = hidden is not None and hidden.kind is HiddenIntentKind.LONG_RANGE
    needed = argument.parameter in tool.parameters.get("required", ())
    match argument.source:
        case "user" | "clock":
            return Mention("say", argument.words or "")
        case "missing":
            return Mention("vague")
        case "default":
            return Mention("omit")
        case "observation":
            return Mention("point", path=argument.path or "")
        case "earlier":
            if argument.path is not None:
                return Mention("point", called or "", argument.path, far)
            device = hidden.device if hidden is not None and hidden.piece == argument.parameter else None
            match device:
                case Device.OMITTED_MODIFIER:
                    return Mention("hint", far=far)
                case Device.ABBREVIATION:
                    return Mention("say", abbreviation(argument, language) or "")
                case Device.PRONOUN:
                    return Mention("said_thing", "pronoun", far=far)
                case Device.DEMONSTRATIVE | Device.DESCRIPTION:
                    return Mention("said_thing", "", far=far)
                case _:
                    return Mention("omit" if needed else "hint", far=far)


def _again(plan: SessionPlan, blueprint: Blueprint, rng: Random) -> str:
    call: PlannedCall = blueprint.calls[0]
    tool = next(each for each in plan.tool_list.tools if each.name == call.tool)
    assert blueprint.hidden_intent is not None
    new = next(a for a in call.arguments if a.source in ("user", "clock"))
    words = new.words or ""
    piece = rng.choice(fragments(tool, new.parameter, plan.language)).replace("{" + new.parameter + "}", words)
    given = bool(tool.optional_phrasings.get(new.parameter))
    named = say(plan.language, "again_named", rng, w=words, n=noun(tool, new.parameter, plan.language))
    match blueprint.hidden_intent.device:
        case Device.ADDED_CONSTRAINT:
            return say(plan.language, "again_added", rng, f=piece if given or not words else named)
        case Device.CHANGED_CONSTRAINT | Device.OMITTED_SEVERAL:
            return say(plan.language, "again_changed", rng, f=piece if given or not words else named)
        case _:
            return say(plan.language, "again_asked", rng, f=words or piece)

"""The simulator's small talk: what the user says, and what the assistant answers to just that."""

from __future__ import annotations

import re
from random import Random

from wildtool.agents.planning.small_talk import TopicKind, topic_kind
from wildtool.agents.simulator.wording import capital, say, small_talk, wording
from wildtool.language.parameter_nouns import noun
from wildtool.schemas.json_schema import properties
from wildtool.schemas.plan import Blueprint, PlannedArgument, SessionPlan
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, Language


def chat_message(plan: SessionPlan, task: int, attempt: int, rng: Random) -> str:
    """The user's message of a chat task."""
    language, blueprint = plan.language, plan.tasks[task]
    blank = " " if language is Language.EN else ""
    about, *others = blueprint.mentions
    text = _pair(plan, task, attempt)[0]
    if about.source != "earlier":
        text = text.replace("{a}", _name(about))
    else:
        text = text.replace("{x}", _pointed(plan, blueprint, about, rng)).replace(
            "{in}", _inside(plan, blueprint, about, rng)
        )
        head = say(language, "chat_heads", rng)
        text = f"{head}{blank}{text if head.endswith((',', ':', 'but', '，')) else capital(text)}"
    for other in others:
        kind = topic_kind(other.parameter) or TopicKind.THEME
        also = rng.choice(small_talk(language, "also", kind))
        text += blank + also.replace("{a}", _name(other)).replace("{A}", capital(_name(other)))
    if about.source == "earlier":
        text += say(language, "chat_tails", rng)
    return text


def chat_answer(plan: SessionPlan, task: int, attempt: int) -> str:
    """The assistant's answer to the message of the same try."""
    language, name = plan.language, _name(plan.tasks[task].mentions[0])
    text = _pair(plan, task, attempt)[1]
    if "{a}" not in text:
        # Named, so that the next task can lean on what this one was about.
        lead = say(language, "chat_leads", Random(f"{plan.random_seed}:{task}:lead:{attempt}"))
        text = f"{lead}{' ' if language is Language.EN else ''}{text}"
    return capital(text.replace("{a}", name))


def _pair(plan: SessionPlan, task: int, attempt: int) -> tuple[str, str]:
    """Message and answer, drawn the same for both roles."""
    blueprint = plan.tasks[task]
    about = blueprint.mentions[0]
    hidden = blueprint.hidden_intent
    omitted = hidden is not None and hidden.device is Device.OMITTED_SUBJECT
    way = "open" if about.source != "earlier" else "omit" if omitted else "point"
    pairs = small_talk(plan.language, way, topic_kind(about.parameter) or TopicKind.THEME)
    rng = Random(f"{plan.random_seed}:{task}:chat:{attempt}")
    message, answer = rng.choice(pairs)
    return _chosen(message, rng), answer


def _chosen(text: str, rng: Random) -> str:
    """The text with one wording of each ``[one|other]``."""
    return re.sub(r"\[([^\[\]]*\|[^\[\]]*)\]", lambda hit: rng.choice(hit[1].split("|")), text)


def _name(argument: PlannedArgument) -> str:
    return argument.words or str(argument.value)


def _pointed(plan: SessionPlan, blueprint: Blueprint, about: PlannedArgument, rng: Random) -> str:
    hidden = blueprint.hidden_intent
    word = _about(plan, about)
    if hidden is not None and hidden.kind is HiddenIntentKind.LONG_RANGE:
        return say(plan.language, "first_said", rng, n=word)
    if hidden is not None and hidden.device is Device.PRONOUN:
        return say(plan.language, "them" if topic_kind(about.parameter) is TopicKind.FAME else "it", rng)
    return say(plan.language, "that", rng, n=word)


def _inside(plan: SessionPlan, blueprint: Blueprint, about: PlannedArgument, rng: Random) -> str:
    """Where: ``there``, ``in that city``."""
    hidden = blueprint.hidden_intent
    if hidden is not None and hidden.kind is not HiddenIntentKind.LONG_RANGE and hidden.device is Device.PRONOUN:
        return say(plan.language, "in_there", rng)
    return say(plan.language, "in", rng, n=_pointed(plan, blueprint, about, rng))


def _about(plan: SessionPlan, argument: PlannedArgument) -> str:
    """What the thing is called that a chat points at, as the tool has it for which it was said."""
    if (plain := wording(plan.language)["chat_nouns"].get(topic_kind(argument.parameter) or "")) is not None:
        return str(plain)
    said = plan.tasks[argument.task].calls if argument.task is not None else ()
    first = [call.tool for call in said if any(a.parameter == argument.parameter for a in call.arguments)]
    tools = sorted(plan.tool_list.tools, key=lambda each: each.name not in first)
    found = next((tool for tool in tools if argument.parameter in properties(tool)), None)
    if found is None:
        return "thing" if plan.language is Language.EN else "东西"
    return noun(found, argument.parameter, plan.language)

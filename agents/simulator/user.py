"""User of the simulator: opens tasks, refers to what was said, answers questions back, makes small talk."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any, assert_never

from wildtool.agents.drafting.utterances import Script, Spoken, Utterance, Wish
from wildtool.agents.simulator.chat import chat_message
from wildtool.agents.simulator.clauses import Mention, clause, join, pointed
from wildtool.agents.simulator.references import Manner, manner, repeat_wording
from wildtool.agents.simulator.wording import capital, say, wording
from wildtool.schemas.vocabulary import Language, Persona, ReplyManner, TaskType


def opener(script: Script, task: int, brief: Mapping[str, Any], attempt: int, rng: Random) -> str:
    """Write the message that opens a task. ``brief["called"]`` holds names of things pointed at, by places of call and argument."""
    utterance, language = script.utterances[task], script.language
    if utterance.type is TaskType.CHAT:
        return tidy(chat_message(script, task, attempt, rng), language)
    if utterance.device is not None and utterance.device.repeats:
        return tidy(_again(utterance, language, rng), language)
    clauses: list[tuple[str, bool]] = []
    for number, each in enumerate(utterance.wishes):
        mentions = {
            spoken.parameter: _mention(utterance, each, spoken, brief["called"].get(f"{number}.{place}"))
            for place, spoken in enumerate(each.arguments)
        }
        clauses.append((clause(each, mentions, language, rng), each.then))
    wish = join(clauses, language, rng)
    novice = script.persona is Persona.NOVICE
    first = task == 0 or rng.random() < 0.2
    key = ("wraps" if novice else "expert_wraps") if first else "later"
    fits_wish = [
        each
        for each in wording(language)[key]
        if not _ODD.search(each.replace("{c}", wish).replace("{C}", wish)) and not (task and _BEGINS.match(each))
    ]
    text = rng.choice(fits_wish).replace("{c}", wish).replace("{C}", capital(wish))
    # Who knows little says more around it.
    if novice and rng.random() < 0.6:
        blank = " " if language is Language.EN else ""
        if first and rng.random() < 0.6:
            text = say(language, "novice_intros", rng) + blank + capital(text)
        else:
            text += blank + say(language, "novice_outros", rng)
    return tidy(text, language)


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


def reply(script: Script, task: int, rng: Random) -> str:
    """Answer a question back."""
    utterance, language = script.utterances[task], script.language
    asked = utterance.reply
    if asked[0].value is None:
        thing = pointed(asked[0], "个" if language is Language.ZH else "one", language, rng)
        key = "points_vague" if utterance.manner is ReplyManner.VAGUE else "points_reply"
        return tidy(say(language, key, rng, x=thing, X=capital(thing)), language)
    told = [each.said for each in asked if not each.as_before]
    words = say(language, "both", rng, a=told[0], b=told[1]) if len(told) == 2 else told[0]
    first = words if "://" in words or "@" in words else capital(words)
    same = next((each for each in asked if each.as_before), None)
    if same is not None:
        key = "replies_rest"
        return tidy(say(language, key, rng, v=words, V=first, n=same.noun, N=capital(same.noun)), language)
    return tidy(say(language, rng.choice(_KEYS[utterance.manner]), rng, v=words, V=first), language)


def tidy(text: str, language: Language) -> str:
    """Remove doubled stops and blanks."""
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


def _mention(utterance: Utterance, wish: Wish, spoken: Spoken, called: str | None) -> Mention:
    match spoken.source:
        case "user" | "clock":
            return Mention("say", spoken.words)
        case "missing":
            return Mention("vague", spoken=spoken)
        case "default":
            return Mention("omit")
        case "observation":
            return Mention("point", spoken=spoken)
        case "earlier":
            if spoken.path is not None:
                return Mention("point", called or "", spoken, utterance.far)
            return _of_said(utterance, wish, spoken)
        case _:
            assert_never(spoken.source)


def _of_said(utterance: Utterance, wish: Wish, spoken: Spoken) -> Mention:
    """Treat a value that an earlier message said."""
    is_piece = utterance.hidden is not None and utterance.hidden.piece == spoken.parameter
    how = manner(utterance.device if is_piece else None)
    match how:
        case Manner.HINT:
            return Mention("hint", far=utterance.far)
        case Manner.SHORTEN:
            return Mention("say", spoken.short or "")
        case Manner.PRONOUN:
            return Mention("said_thing", "pronoun", far=utterance.far)
        case Manner.POINT:
            return Mention("said_thing", far=utterance.far)
        case Manner.OMIT:
            return Mention("omit" if spoken.parameter in wish.needed else "hint", far=utterance.far)
        case _:
            assert_never(how)


def _again(utterance: Utterance, language: Language, rng: Random) -> str:
    wish = utterance.wishes[0]
    assert utterance.device is not None
    new = next(each for each in wish.arguments if each.source in ("user", "clock"))
    piece = rng.choice(new.fragments).replace("{" + new.parameter + "}", new.words)
    given = new.parameter in wish.optional_phrased
    named = say(language, "again_named", rng, w=new.words, n=new.noun)
    key = repeat_wording(utterance.device)
    if key == "again_asked":
        return say(language, key, rng, f=new.words or piece)
    return say(language, key, rng, f=piece if given or not new.words else named)

"""Small talk of the simulator: a message of the user and the assistant's answer to it."""

from __future__ import annotations

import re
from random import Random

from wildtool.agents.drafting.utterances import Script, Spoken, Utterance
from wildtool.agents.planning.small_talk import TopicKind
from wildtool.agents.simulator.references import Manner, manner
from wildtool.agents.simulator.wording import capital, say, small_talk, wording
from wildtool.schemas.vocabulary import Language


def chat_message(script: Script, task: int, attempt: int, rng: Random) -> str:
    """Write the user's message of a chat task."""
    language, utterance = script.language, script.utterances[task]
    blank = " " if language is Language.EN else ""
    about, *others = utterance.topics
    text = _pair(script, task, attempt)[0]
    if about.source != "earlier":
        text = text.replace("{a}", about.said)
    else:
        text = text.replace("{x}", _pointed(language, utterance, about, rng)).replace(
            "{in}", _inside(language, utterance, about, rng)
        )
        head = say(language, "chat_heads", rng)
        text = f"{head}{blank}{text if head.endswith((',', ':', 'but', '，')) else capital(text)}"
    for other in others:
        also = rng.choice(small_talk(language, "also", other.topic or TopicKind.THEME))
        text += blank + also.replace("{a}", other.said).replace("{A}", capital(other.said))
    if about.source == "earlier":
        text += say(language, "chat_tails", rng)
    return text


def chat_answer(script: Script, task: int, attempt: int) -> str:
    """Write the assistant's answer to the message of the same attempt."""
    language, name = script.language, script.utterances[task].topics[0].said
    text = _pair(script, task, attempt)[1]
    if "{a}" not in text:
        # Named, so that the next task can refer to what this one was about.
        lead = say(language, "chat_leads", Random(f"{script.plan.random_seed}:{task}:lead:{attempt}"))
        text = f"{lead}{' ' if language is Language.EN else ''}{text}"
    return capital(text.replace("{a}", name))


def _pair(script: Script, task: int, attempt: int) -> tuple[str, str]:
    """Draw message and answer, the same for both roles."""
    utterance = script.utterances[task]
    about = utterance.topics[0]
    omitted = utterance.device is not None and manner(utterance.device) is Manner.OMIT
    way = "open" if about.source != "earlier" else "omit" if omitted else "point"
    pairs = small_talk(script.language, way, about.topic or TopicKind.THEME)
    rng = Random(f"{script.plan.random_seed}:{task}:chat:{attempt}")
    message, answer = rng.choice(pairs)
    return _chosen(message, rng), answer


def _chosen(text: str, rng: Random) -> str:
    """Choose one wording of each ``[one|other]`` in a text."""
    return re.sub(r"\[([^\[\]]*\|[^\[\]]*)\]", lambda hit: rng.choice(hit[1].split("|")), text)


def _pointed(language: Language, utterance: Utterance, about: Spoken, rng: Random) -> str:
    word = str(wording(language)["chat_nouns"].get(about.topic or "", about.noun))
    if utterance.far:
        return say(language, "first_said", rng, n=word)
    if manner(utterance.device) is Manner.PRONOUN:
        return say(language, "them" if about.topic is TopicKind.FAME else "it", rng)
    return say(language, "that", rng, n=word)


def _inside(language: Language, utterance: Utterance, about: Spoken, rng: Random) -> str:
    """Where: ``there``, ``in that city``."""
    if not utterance.far and manner(utterance.device) is Manner.PRONOUN:
        return say(language, "in_there", rng)
    return say(language, "in", rng, n=_pointed(language, utterance, about, rng))

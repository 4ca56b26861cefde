"""Checks on what is left unsaid: hidden intents that are real, questions back that are needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from wildtool.grounding.distance import LONG_RANGE, distance, turns_of
from wildtool.grounding.ordinals import ordinals_said, places_of
from wildtool.grounding.value_mentions import Cues, find, fold, said
from wildtool.grounding.value_sources import STRONG, Setting, arguments_of, same_value, shown, user_words
from wildtool.language.parameter_names import humanise
from wildtool.language.parameter_nouns import noun
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.json_schema import properties, required
from wildtool.schemas.session import Answer, Ask, Call, HiddenIntent, Task
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, Language, TaskType
from wildtool.validation.verdicts import calls_in, doubt, shorten

_QUESTION = re.compile(
    r"[?？]|\b(?:which|what|when|where|who|how)\b|\b(?:please|could you|can you) (?:tell|give|provide|specify|confirm)\b"
    r"|\bi(?:'ll| will)? (?:still )?need\b|\blet me know\b|请|哪|什么|多少|几|吗|呢",
    re.IGNORECASE,
)
_AS_BEFORE = re.compile(
    r"\bsame\b|\bas before\b|\bfrom before\b|\bstill\b|\bunchanged\b|一样|照旧|不变|之前|刚才|不用换", re.IGNORECASE
)
"""A reply that leaves a slot to what was said before."""
_POINTING = re.compile(r"\bwhich\b|\bwhat\b|哪|什么|几", re.IGNORECASE)


def hidden_intent(draft: Draft) -> Iterator[Verdict]:
    """The unsaid piece is absent from the task's opening, present where it is said to be, at the planned distance."""
    setting = Setting.of(draft.plan.tool_list, draft.session.now)
    tasks = draft.session.tasks
    for number, task in enumerate(tasks):
        hidden = task.hidden_intent
        planned = draft.plan.tasks[number].hidden_intent if number < len(draft.plan.tasks) else hidden
        if (hidden is None) != (planned is None) or (hidden and planned and hidden.kind is not planned.kind):
            reason = (
                f"hidden intent {hidden.kind if hidden else 'none'}, planned was {planned.kind if planned else 'none'}"
            )
            yield doubt("hidden_intent", reason, task=number)
        if hidden is None:
            continue
        if not 0 <= hidden.said_in < number:
            yield doubt("hidden_intent", f"task {hidden.said_in} is no earlier task", task=number)
            continue
        yield from _piece(draft, number, task, hidden, setting)


def _piece(draft: Draft, number: int, task: Task, hidden: HiddenIntent, setting: Setting) -> Iterator[Verdict]:
    tasks = draft.session.tasks
    turns = distance(turns_of(tasks), number, hidden.said_in)
    if hidden.distance is not None and hidden.distance != turns:
        reason = f"the piece lies {turns} user turns back, not {hidden.distance}"
        yield doubt("hidden_intent", reason, task=number)
    elif (turns >= LONG_RANGE) != (hidden.kind is HiddenIntentKind.LONG_RANGE):
        yield doubt("hidden_intent", f"{turns} user turns back is no {hidden.kind}", task=number)
    found = _value(draft, number, task, hidden, setting)
    if found is None:
        if task.type is not TaskType.CHAT:
            reason = f"no call of the task takes {hidden.piece}, the piece that is left unsaid"
            yield doubt("hidden_intent", reason, task=number, confidence=0.7)
        return
    value, cues = found
    weak = _weak(value)
    hit = said(value, task.user, cues)
    if hit is not None and hit.confidence >= STRONG:
        reason = f"{hidden.piece} is to be left unsaid, but the message says {shorten(hit.quote)}"
        yield doubt("hidden_intent", reason, task=number, confidence=0.5 if weak else 0.9, evidence=task.user)
    if not holds(tasks[hidden.said_in], value, cues):
        reason = f"{hidden.piece} ({shorten(value)}) does not occur in task {hidden.said_in}"
        yield doubt("hidden_intent", reason, task=number, confidence=0.6 if isinstance(value, bool) else 0.85)
    for nearer in range(number - 1, hidden.said_in, -1):
        if weak or not holds(tasks[nearer], value, cues):
            continue
        near = distance(turns_of(tasks), number, nearer)
        if (near >= LONG_RANGE) != (turns >= LONG_RANGE):
            in_words = any(_says(words, value, cues) for words in user_words(tasks[nearer]))
            reason = f"{hidden.piece} ({shorten(value)}) occurs again in task {nearer}, only {near} user turns back"
            # In the words it is nearer for certain; a result may hold it without anyone looking.
            yield doubt("hidden_intent", reason, task=number, confidence=0.85 if in_words else 0.6)
        break


def _value(draft: Draft, number: int, task: Task, hidden: HiddenIntent, setting: Setting) -> tuple[Any, Cues] | None:
    """The value of the unsaid piece, and how to recognise it."""
    blueprint = draft.plan.tasks[number] if number < len(draft.plan.tasks) else None
    wanted = [
        call.tool
        for call in (blueprint.calls if blueprint else ())
        for argument in call.arguments
        if argument.parameter == hidden.piece and argument.source in ("earlier", "missing")
    ]
    made = [call for _, call in calls_in(task.actions) if call.arguments.get(hidden.piece) is not None]
    made.sort(key=lambda call: call.name not in wanted)
    for call in made[:1]:
        for path, value in arguments_of(call):
            cues = setting.cues(call, path)
            if cues.parameter == hidden.piece:
                return value, cues
    for mention in blueprint.mentions if blueprint else ():
        if mention.parameter == hidden.piece and mention.source == "earlier" and mention.value is not None:
            cues = Cues(
                mention.parameter,
                setting.now,
                setting.language,
                enum_words={str(mention.value): mention.words} if mention.words else {},
            )
            return mention.value, cues
    return None


def _weak(value: Any) -> bool:
    """Whether a value is so short that it occurs by chance."""
    text = str(value)
    # Two Chinese characters are a name; two letters or digits are anything.
    return isinstance(value, bool) or len(text) + 2 * sum(char > "\u3400" for char in text) <= 3


def holds(task: Task, value: Any, cues: Cues) -> bool:
    """Whether a value occurs in a task: in words, arguments, observations or the answer."""
    if any(_says(words, value, cues) for words in user_words(task)):
        return True
    for action in task.actions:
        match action:
            case Call():
                if any(same_value(value, given) for _, given in arguments_of(action)):
                    return True
                if any(same_value(value, held) for _, held in shown(action)):
                    return True
            case Answer():
                if _says(action.text, value, cues):
                    return True
            case Ask():
                if _says(action.question, value, cues):
                    return True
    return False


def _says(text: str, value: Any, cues: Cues) -> bool:
    hit = said(value, text, cues)
    return hit is not None and hit.confidence >= STRONG


def ordinal(draft: Draft) -> Iterator[Verdict]:
    """An ordinal in the words means the item that the call takes: "the second" is not the third."""
    setting = Setting.of(draft.plan.tool_list, draft.session.now)
    tasks = draft.session.tasks
    for number, task in enumerate(tasks):
        hidden = task.hidden_intent
        pointed = hidden is not None and hidden.device in (Device.ORDINAL, Device.REVERSE_ORDINAL)
        words = " ".join(user_words(task))
        claimed = ordinals_said(words)
        if not pointed or hidden is None or not claimed:
            continue
        found = _value(draft, number, task, hidden, setting)
        if found is None:
            continue
        places = places_of(found[0], tasks[hidden.said_in])
        if places and not any(_meets(claim, place) for claim in claimed for place in places):
            index, size = places[0]
            reason = f"{shorten(found[0])} is number {index + 1} of {size}, which the words do not say"
            yield doubt("ordinal", reason, task=number, confidence=0.8, evidence=words)


def _meets(claim: int, place: tuple[int, int]) -> bool:
    index, size = place
    return claim == index or (claim < 0 and size + claim == index)


def clarify(draft: Draft) -> Iterator[Verdict]:
    """A clarify task asks once, for a slot that the tool requires and nobody said; the reply gives it."""
    setting = Setting.of(draft.plan.tool_list, draft.session.now)
    for number, task in enumerate(draft.session.tasks):
        asks = [(index, action) for index, action in enumerate(task.actions) if isinstance(action, Ask)]
        if len(asks) > 1:
            yield doubt("clarify", f"{len(asks)} questions back, one is enough", task=number, action=asks[1][0])
        for index, ask in asks:
            yield from _ask(draft, number, index, ask, setting)


def _ask(draft: Draft, number: int, index: int, ask: Ask, setting: Setting) -> Iterator[Verdict]:
    task = draft.session.tasks[number]
    where = {"task": number, "action": index}
    waiting = [
        call
        for _, call in calls_in(task.actions)
        if ask.tool in (None, call.name) and set(ask.slots) & set(call.arguments)
    ]
    if not ask.slots:
        yield doubt("clarify", "the question asks for no slot", **where)
    if not ask.reply.strip():
        yield doubt("clarify", "the user does not reply", **where)
    if not _QUESTION.search(ask.question):
        yield doubt("clarify", "the question back is no question", confidence=0.9, evidence=ask.question, **where)
    if not waiting:
        yield doubt("clarify", f"no call takes {', '.join(ask.slots)} after the question", **where)
        return
    call = waiting[0]
    tool = setting.tools.get(call.name)
    for slot in ask.slots:
        if tool is not None and slot not in required(tool):
            yield doubt("clarify", f"{call.name} does not require {slot}", confidence=0.85, **where)
        if slot not in call.arguments:
            yield doubt("clarify", f"{slot} is asked for, but {call.name} does not take it", confidence=0.9, **where)
            continue
        if tool is not None and (about := _asks_for_another(ask, slot, tool, setting.language)):
            yield doubt("clarify", about, confidence=0.8, evidence=ask.question, **where)
        yield from _missing_and_given(draft, number, index, ask, slot, call, setting)


def _missing_and_given(
    draft: Draft, number: int, index: int, ask: Ask, slot: str, call: Call, setting: Setting
) -> Iterator[Verdict]:
    tasks = draft.session.tasks
    where = {"task": number, "action": index}
    for path, value in arguments_of(call):
        cues = setting.cues(call, path)
        if cues.parameter != slot:
            continue
        weak = _weak(value)
        hit = said(value, tasks[number].user, cues)
        if hit is not None and hit.confidence >= STRONG:
            reason = f"{slot} is asked for, but the message says it: {shorten(hit.quote)}"
            yield doubt("clarify", reason, confidence=0.5 if weak else 0.9, evidence=tasks[number].user, **where)
        elif not weak and not _AS_BEFORE.search(ask.reply) and any(_used(each, value, cues) for each in tasks[:number]):
            reason = f"{slot} is asked for, though the user said {shorten(value)} before"
            yield doubt("clarify", reason, confidence=0.4, **where)
        places = [place for each in tasks[:number] for place in places_of(value, each)]
        if any(_meets(claim, place) for claim in ordinals_said(tasks[number].user) for place in places):
            reason = f"{slot} is asked for, though the message may point at {shorten(value)}"
            yield doubt("clarify", reason, confidence=0.6, evidence=tasks[number].user, **where)
        as_before = _AS_BEFORE.search(ask.reply) and any(holds(each, value, cues) for each in tasks[:number])
        if not as_before and not _given(value, ask.reply, cues, tasks[:number]):
            reason = f"the reply does not give {slot} ({shorten(value)})"
            yield doubt(
                "clarify", reason, confidence=0.6 if isinstance(value, bool) else 0.8, evidence=ask.reply, **where
            )


def _used(task: Task, value: Any, cues: Cues) -> bool:
    """Whether the user said a value and meant it: "45 minutes" is no word for a template called minutes."""
    if not any(_says(words, value, cues) for words in user_words(task)):
        return False
    named = not isinstance(value, str) or not value.isascii() or value != value.lower() or " " in value
    return named or any(same_value(value, held) for _, call in calls_in(task.actions) for _, held in arguments_of(call))


def _given(value: Any, reply: str, cues: Cues, earlier: Sequence[Task]) -> bool:
    """Whether a reply says a value, or points at the item that holds it: by its place, or by a name it bears."""
    if said(value, reply, cues):
        return True
    places = [place for task in earlier for place in places_of(value, task)]
    claimed = ordinals_said(reply)
    if claimed and places:
        return any(_meets(claim, place) for claim in claimed for place in places)
    for task in earlier:
        for _, call in calls_in(task.actions):
            holding = [path.rpartition(".")[0] for path, held in shown(call) if same_value(value, held)]
            for path, held in shown(call):
                if isinstance(held, str) and len(held) > 2 and path.rpartition(".")[0] in holding and find(held, reply):
                    return True
    return False


def _asks_for_another(ask: Ask, slot: str, tool: Tool, language: Language) -> str | None:
    """Why a question seems to be about another parameter; None where it is about the slot, or only points."""
    question = fold(ask.question)

    def named(parameter: str) -> bool:
        words = {noun(tool, parameter, language), humanise(parameter), *humanise(parameter).split()}
        schema = properties(tool).get(parameter, {})
        words |= set(re.findall(r"[a-z]{4,}", fold(str(schema.get("description", "")))))
        runs = re.findall(r"[\u3400-\u9fff]{2,}", str(schema.get("description", "")))
        words |= {a + b for run in runs for a, b in pairwise(run)}
        return any(len(word) > 1 and fold(word) in question for word in words)

    if named(slot):
        return None
    others = [name for name in properties(tool) if name not in ask.slots and named(name)]
    if others:
        return f"the question seems to ask for {others[0]}, not for {slot}"
    return None if _POINTING.search(question) else f"the question does not ask for {slot}"

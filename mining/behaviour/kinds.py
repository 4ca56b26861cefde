"""What a user turn does: opens a task, adds to it, answers a question back, follows up, chats, closes."""

from __future__ import annotations

from mining.behaviour.cues import Cues
from mining.behaviour.turns import Turn
from schemas.vocabulary import TurnKind


def kinds(turns: list[Turn], cues: Cues) -> list[TurnKind]:
    """Kind of each turn, decided in order: a turn is read against the task that is open."""
    found: list[TurnKind] = []
    task: frozenset[str] = frozenset()
    talked: set[str] = set()
    for turn in turns:
        kind = _kind(turn, cues, task, talked, found)
        talked |= turn.topics.keys()
        found.append(kind)
        if kind is TurnKind.TASK_OPEN:
            task = frozenset(turn.topics) or task
    return found


def _kind(turn: Turn, cues: Cues, task: frozenset[str], talked: set[str], before: list[TurnKind]) -> TurnKind:
    text, asked = turn.text, turn.asked
    asks_more = cues.anything_else.search(asked) is not None
    offers = cues.offers.search(asked) is not None and not asks_more
    confirms = cues.confirms.search(asked) is not None
    wants_value = cues.asks.search(asked) is not None and not asks_more
    requests = cues.request.search(text) is not None
    question = cues.question.search(text) is not None

    if cues.greeting.fullmatch(text):
        return TurnKind.CHAT
    if _closes(turn, cues, requests=requests, question=question, asks_more=asks_more, offers=offers):
        return TurnKind.CLOSE
    if TurnKind.TASK_OPEN not in before:
        return TurnKind.CHAT if _talks(turn, cues, before, talked, requests=requests) else TurnKind.TASK_OPEN

    says = len(turn.core)
    opens = cues.opens.search(text) is not None
    acts = cues.act.search(text) is not None
    also = cues.also.search(text) is not None
    changes = cues.alternative.search(text) is not None or cues.change.search(text) is not None
    other_topic = bool(set(turn.topics) - task) and bool(task)
    asks_of_find = cues.attribute.search(text) is not None

    if confirms and not question and cues.negate.search(text):
        return TurnKind.TASK_UPDATE
    if opens and other_topic and (not wants_value or also or question):
        return TurnKind.TASK_OPEN
    if changes:
        return TurnKind.TASK_UPDATE
    if offers and not confirms and cues.affirm.search(text) and not question:
        return TurnKind.TASK_OPEN if says == 0 or not wants_value or acts else TurnKind.CLARIFY_ANSWER
    if (wants_value or confirms) and not question:
        return TurnKind.CLARIFY_ANSWER
    if question and asks_of_find and not acts and not (opens and also):
        return TurnKind.FOLLOW_UP
    if requests and (acts or also or opens) and not (question and asks_of_find and not opens):
        return TurnKind.TASK_OPEN
    if question or (requests and asks_of_find):
        return TurnKind.FOLLOW_UP
    if requests and says > MOST_SMALL_TALK:
        return TurnKind.TASK_OPEN if other_topic or asks_more else TurnKind.TASK_UPDATE
    if asks_of_find and says <= MOST_ATTRIBUTE:
        return TurnKind.FOLLOW_UP
    if cues.small_talk.search(text) or says <= FEWEST_SAID:
        return TurnKind.CHAT
    if "?" in asked or "？" in asked:
        return TurnKind.CLARIFY_ANSWER
    return TurnKind.TASK_UPDATE if turn.values or turn.topics else TurnKind.CHAT


MOST_SMALL_TALK = 8
"""Characters without fillers up to which a request without a verb of its own is politeness."""

MOST_ATTRIBUTE = 20
"""Characters without fillers up to which a message that names a property asks for it: "the address, then"."""

FEWEST_SAID = 3
"""Characters without fillers up to which a message says nothing."""


def _talks(turn: Turn, cues: Cues, before: list[TurnKind], talked: set[str], *, requests: bool) -> bool:
    """Before any task is open: is this turn talk? It is if it only talks, or goes on with the talk before it."""
    if not turn.core:
        return True
    if requests or cues.opens.search(turn.text):
        return False
    if cues.small_talk.search(turn.text):
        return True
    goes_on = bool(before) and before[-1] is TurnKind.CHAT and bool(turn.before)
    if not goes_on:
        return False
    return not cues.question.search(turn.text) or not set(turn.topics) - talked or _points(turn, cues)


def _points(turn: Turn, cues: Cues) -> bool:
    return any(pattern.search(turn.text) for _, pattern in cues.devices)


def _closes(turn: Turn, cues: Cues, *, requests: bool, question: bool, asks_more: bool, offers: bool) -> bool:
    text = turn.text
    ends = cues.close.search(text) is not None
    thanks = cues.thanks.search(text) is not None
    refuses = cues.negate.search(text) is not None
    if question and not ends:
        return False
    if ends and (len(turn.core) < 60 or not requests):
        return True
    if refuses and (asks_more or offers) and not question and len(turn.core) < 30:
        return True
    return thanks and len(turn.core) < 25 and not (requests and turn.topics) and not turn.values

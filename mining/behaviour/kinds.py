"""What a user turn does: opens a task, adds to it, answers a question back, follows up, chats, closes."""

from __future__ import annotations

from collections import Counter

from mining.behaviour.cues import Cues
from mining.behaviour.turns import Turn
from schemas.vocabulary import TurnKind


def kinds(turns: list[Turn], cues: Cues) -> list[TurnKind]:
    """Kind of each turn, decided in order: a turn is read against the task that is open."""
    found: list[TurnKind] = []
    task: Counter[str] = Counter()
    for turn in turns:
        kind = _kind(turn, cues, task, opened=TurnKind.TASK_OPEN in found)
        found.append(kind)
        if kind is TurnKind.TASK_OPEN:
            task = Counter(turn.topics)
        elif kind in (TurnKind.TASK_UPDATE, TurnKind.CLARIFY_ANSWER, TurnKind.FOLLOW_UP):
            task.update(turn.topics)
    return found


def _kind(turn: Turn, cues: Cues, task: Counter[str], *, opened: bool) -> TurnKind:
    text, asked = turn.text, turn.asked
    asks_more = cues.anything_else.search(asked) is not None
    offers = cues.offers.search(asked) is not None and not asks_more
    confirms = cues.confirms.search(asked) is not None
    wants_value = cues.asks.search(asked) is not None and not asks_more
    requests = cues.request.search(text) is not None
    question = cues.question.search(text) is not None
    says = len(turn.core)

    if cues.greeting.fullmatch(text):
        return TurnKind.CHAT
    if _closes(turn, cues, requests=requests, question=question, asks_more=asks_more, offers=offers):
        return TurnKind.CLOSE
    if not opened:
        talks = cues.small_talk.search(text) is not None and not turn.topics and not cues.act.search(text)
        return TurnKind.CHAT if (talks and not requests) or not says else TurnKind.TASK_OPEN
    new_topic = bool(turn.topics) and bool(task) and not set(turn.topics) & set(task)
    changes = cues.alternative.search(text) is not None or cues.change.search(text) is not None
    affirms = cues.affirm.search(text) is not None
    acts = cues.act.search(text) is not None

    if confirms and not question and cues.negate.search(text):
        return TurnKind.TASK_UPDATE
    if changes and not (new_topic and requests):
        return TurnKind.TASK_UPDATE
    if offers and not confirms and affirms and not question:
        return TurnKind.TASK_OPEN if says == 0 or not wants_value or acts else TurnKind.CLARIFY_ANSWER
    if (wants_value or confirms) and not question and not (new_topic and requests):
        return TurnKind.CLARIFY_ANSWER
    if requests and (new_topic or acts or cues.also.search(text)) and not (question and _short_question(turn, cues)):
        return TurnKind.TASK_OPEN
    if new_topic and question and not any(pattern.search(text) for _, pattern in cues.devices):
        return TurnKind.TASK_OPEN
    if question:
        return TurnKind.FOLLOW_UP
    if requests and says > 8:
        return TurnKind.TASK_OPEN if new_topic or asks_more else TurnKind.TASK_UPDATE
    if cues.small_talk.search(text) or says <= 3:
        return TurnKind.CHAT
    if "?" in asked or "？" in asked:
        return TurnKind.CLARIFY_ANSWER
    return TurnKind.TASK_UPDATE if turn.values or turn.topics else TurnKind.CHAT


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


def _short_question(turn: Turn, cues: Cues) -> bool:
    """A question on what was found, rather than a search of its own."""
    return len(turn.text) < 90 and not cues.act.search(turn.text) and not cues.also.search(turn.text)

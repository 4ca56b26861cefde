"""Find messages that point past something nearer: the gold takes a value from a list or message, and a later one rivals it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.worlds.results import Seen, kind_of, lists_of
from wildtool.language.folding import plain
from wildtool.language.pointers import Device as Pointer
from wildtool.language.pointers import read_pointers
from wildtool.language.result_filters import split
from wildtool.schemas.vocabulary import Device, HiddenIntentKind
from wildtool.worlds.values import dig, equal

FAR = re.compile(
    r"(?i)first message|started (?:out )?with|at the (?:very )?(?:start|beginning)|from the (?:very )?(?:start|beginning)"
    r"|(?:that|the) (?:very )?first \w+(?: \w+){0,2} (?:I|you|we) |to begin with|originally"
    r"|\b(?:two|three|several) (?:messages|turns|questions) (?:ago|back)"
    r"|一开始|最开始|最初|开头|刚开始|起初|第一条|第一次|最早|前面第"
)
"""Words that say how far back something was said, beyond those that name a list."""


def rivals(draft: Any, calls: Sequence[Seen]) -> Iterator[str]:
    """Yield one line for each message that points at something although something of its kind is nearer."""
    for number, (blueprint, task) in enumerate(zip(draft.plan.tasks, draft.session.tasks, strict=True)):
        intent = task.hidden_intent
        if intent is None or not _points(intent) or _says_where(task.user, str(draft.session.language)):
            continue
        planned = [argument for call in blueprint.calls for argument in call.arguments]
        for argument in [*planned, *blueprint.mentions]:
            if (
                argument.source not in ("earlier", "missing")
                or argument.task is None
                or argument.parameter != intent.piece
            ):
                continue
            told = _nearer(draft, calls, number, argument, task.user)
            if told is not None:
                yield f"task {number + 1} {task.user!r}: {told}"
                break


def _points(intent: Any) -> bool:
    return intent.kind is HiddenIntentKind.COREFERENCE or intent.device in (Device.ORDINAL, Device.REVERSE_ORDINAL)


def _says_where(text: str, language: str) -> bool:
    """Return whether a message says from which list or message the thing is."""
    lists = [p.best.value for p in read_pointers(text, language) if p.best.value.device is Pointer.LIST]
    return any(pointer.place != -1 for pointer in lists) or FAR.search(text) is not None


def _nearer(draft: Any, calls: Sequence[Seen], number: int, argument: Any, text: str) -> str | None:
    if argument.path is None:
        return _nearer_value(draft, calls, number, argument)
    # The plan numbers the calls of a task, the session its actions.
    source = [call for call in calls if call.task == argument.task]
    at = argument.action or 0
    if at >= len(source):
        return None
    begun = calls.index(source[at])
    after = [call for call in calls[begun + 1 :] if call.task < number and not call.failed]
    whole, bracket, field = argument.path.rpartition("].")
    if not bracket:
        return next(
            (f"{c.tool} shows another {argument.path}" for c in after if _another(c, source[at], argument)), None
        )
    name = whole[: whole.rfind("[")]
    items = dict(lists_of(source[at].result)).get(name, [])
    index = int(whole[whole.rfind("[") + 1 :])
    item = items[index] if -len(items) <= index < len(items) else None
    words = _words_said(item, text)
    for call in after:
        for path, held in lists_of(call.result):
            kin = path.rpartition(".")[2] == name.rpartition(".")[2] or kind_of(field.rpartition(".")[2])
            same = [each for each in held if isinstance(each, dict) and dig(each, field) is not None and kin]
            if words and not any(_words_said(each, text) >= words for each in same):
                continue  # the message names the thing, and nothing here is called so
            if same and held != items:
                return f"{call.tool} shows a nearer list, {path or 'the result'}"
    return None


def _words_said(item: Any, text: str) -> frozenset[str]:
    """Return the words of an item's short texts, beyond little ones, that a message says."""
    held = [v for v in item.values() if isinstance(v, str) and len(v) <= 80] if isinstance(item, dict) else []
    said = plain(text)
    words = {word for each in held for word in re.findall(r"[^\W\d_\u4e00-\u9fff]{4,}", plain(each))}
    # Chinese is written without blanks: two characters in a row stand for a word.
    words |= {pair for each in held for pair in re.findall(r"(?=([\u4e00-\u9fff]{2}))", each)}
    return frozenset(word for word in words if word in said)


def _another(call: Seen, source: Seen, argument: Any) -> bool:
    value = dig(call.result, argument.path)
    return value is not None and not equal(value, dig(source.result, argument.path))


def _nearer_value(draft: Any, calls: Sequence[Seen], number: int, argument: Any) -> str | None:
    """A value that was said: a call before the message takes another value for the same parameter, or one of its kind."""
    said = [
        (call, name)
        for call in calls
        if argument.task <= call.task < number
        for name in call.arguments
        if split(name)[-1:] == split(argument.parameter)[-1:] and _spoken(draft, call, name)
    ]
    named = [each for each in said if equal(each[0].arguments[each[1]], argument.value)]
    if not named:
        return None
    for call, name in said[said.index(named[0]) + 1 :]:
        value = call.arguments[name]
        later = said.index((call, name)) > said.index(named[-1])
        if later and not equal(value, argument.value) and isinstance(value, type(argument.value)):
            return f"{argument.parameter} was {argument.value!r}, nearer is {name} {value!r}"
    return None


def _spoken(draft: Any, call: Seen, parameter: str) -> bool:
    """Return whether a person said the value, or pointed at it, in that task."""
    blueprint = draft.plan.tasks[call.task]
    return any(
        argument.parameter == parameter and argument.source in ("user", "missing", "earlier")
        for planned in blueprint.calls
        if planned.tool == call.tool
        for argument in planned.arguments
    )

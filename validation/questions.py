"""Questions back: they ask for what a call requires and nobody said, and the call takes what the reply says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from wildtool.grounding.evidence import Known, ancestors, content_words, is_number, parameter_schema
from wildtool.grounding.value_sources import parsed
from wildtool.language.counts import counts, holds_article, kind_of_parameter, values_of
from wildtool.language.dates.spoken import when_said
from wildtool.language.dates.values import days_of_value
from wildtool.language.folding import REFERS, normal, tokens, weight
from wildtool.language.ordinals import read_ordinals
from wildtool.language.spoken_numbers import numbers_said
from wildtool.schemas.json_paths import objects
from wildtool.schemas.session import Ask, Session, Task
from wildtool.validation.question_words import faulty_question
from wildtool.validation.rule import Finding, found, task_rule
from wildtool.validation.session_parts import all_calls, calls_of, functions


@task_rule("asks", "asked slots exist, are required, used, and asked once", reads_text=False, aliases=("clarify",))
def asks(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """A question asks for required parameters of a call that waits for the reply."""
    known = functions(session)
    asked: Counter[tuple[str | None, str]] = Counter()
    for index, action in enumerate(task.actions):
        if not isinstance(action, Ask):
            continue
        if not action.slots:
            yield found(index, "asks for nothing")
        if action.tool is None or action.tool not in known:
            yield found(index, f"asks on behalf of {action.tool}, which is not among the session's tools")
            continue
        parameters = known[action.tool].get("parameters", {})
        for slot in action.slots:
            asked[action.tool, slot] += 1
            if slot not in parameters.get("properties", {}):
                yield found(index, f"asks for {slot}, which {action.tool} does not have")
            elif slot not in parameters.get("required", []):
                yield found(index, f"asks for {slot}, which {action.tool} does not require")
        waiting = [call for _, call in calls_of(task) if call.name == action.tool]
        for slot in action.slots:
            if not any(slot in call.arguments for call in waiting):
                yield found(index, f"asks for {slot}, but no call of {action.tool} uses it")
        waits = [
            other for other, call in calls_of(task) if call.name == action.tool and index in ancestors(task, other)
        ]
        if waiting and not waits:
            yield found(index, "no action waits for the reply")
    for (tool, slot), times in asked.items():
        if times > 1:
            yield found(None, f"asks {times} times for {slot} of {tool}")


@task_rule(
    "slots",
    "what is asked for was missing, and all that was missing is asked for",
    reads_text=True,
    aliases=("clarify",),
)
def slots(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """(Action, reason) of each ask for what was said, of each question for another slot, of each slot left out."""
    known_functions = functions(session)
    for index, action in enumerate(task.actions):
        if not isinstance(action, Ask):
            continue
        known = Known(session, number, index)
        function = known_functions.get(action.tool or "", {})
        if fault := faulty_question(action, function):
            yield found(index, fault, evidence=action.question)
        elif wrong := _question_for_another(action, function):
            yield found(index, f"the question is about {wrong}, the slots are {', '.join(action.slots)}")
        for call_index, call in calls_of(task):
            if call.name != action.tool or index not in ancestors(task, call_index):
                continue
            for slot in action.slots:
                value = call.arguments.get(slot)
                if _said_before(value, "\n".join(known.own_words), session) or _counted_before(
                    slot, value, "\n".join(known.own_words), calls_of(task)
                ):
                    yield found(index, f"asks for {slot}, but the user had already said {value!r}")
                elif "enum" not in parameter_schema(function, slot)[0] and _contradicts(action.reply, value, known):
                    yield found(index, f"the reply to {slot} is {action.reply[:60]!r}, but the call takes {value!r}")
            for name in function.get("parameters", {}).get("required", []):
                value = call.arguments.get(name)
                if (
                    name not in action.slots
                    and is_number(value)
                    and not any(name in other.slots for other in task.actions if isinstance(other, Ask))
                ):
                    earlier = "\n".join(known.own_words)
                    if (
                        _counts_it(name, value, action.reply)
                        and not _counts_it(name, value, earlier)
                        and (
                            float(value or 0) not in numbers_said("\n".join(known.words)) and not known.observed(value)
                        )
                    ):
                        yield found(index, f"the reply gives {name} too, but the question does not ask for it")
                if name in action.slots or not isinstance(value, str) or weight(value) < 3:
                    continue
                other_asks = {s for a in task.actions if isinstance(a, Ask) for s in a.slots}
                if name not in other_asks and normal(value) in normal(action.reply) and not known.said(value):
                    yield found(index, f"the reply gives {name} too, but the question does not ask for it")


def _counts_it(name: str, value: Any, words: str) -> bool:
    """A text counts as many of what the parameter takes, and no other number of it."""
    kind = kind_of_parameter(tokens(name))
    if kind is None or not is_number(value) or kind.name in ("money", "distance", "stars"):
        return False
    said = [one for one in counts(words) if not one.article]
    return values_of(kind.name, said) == {float(value)} and (value != 1 or not holds_article(words))


def _counted_before(slot: str, value: Any, words: str, calls: Any) -> bool:
    """The user had counted it before the question: "I want 4 tickets"."""
    others = [call for _, call in calls if is_number(call.arguments.get(slot))]
    return len(others) == 1 and _counts_it(slot, value, words)


def _said_before(value: Any, words: str, session: Session) -> bool:
    """The user had said the value before the question."""
    days = days_of_value(value)
    if days:
        said = when_said(words, session.language, session.now)
        return bool(days & said.days) and len({(day.month, day.day) for day in said.days}) == 1
    return isinstance(value, str) and weight(value) >= 3 and normal(value) in normal(words)


def _contradicts(reply: str, value: Any, known: Known) -> bool:
    """The reply names one thing, and the call takes another that was said before."""
    if (
        not isinstance(value, str)
        or weight(value) < 4
        or days_of_value(value) is not None
        or normal(value) in normal(reply)
    ):
        return False
    if (
        REFERS.search(reply.casefold())
        or read_ordinals(reply, known.session.language)
        or set(tokens(value)) & set(tokens(reply))
        or not reply.strip()
    ):
        return False
    if value.isascii() and not reply.isascii():
        return False  # the reply may be the same in the other script
    if _names_its_item(reply, value, known.session):
        return False
    return known.said(value) or known.observed(value)


def _names_its_item(reply: str, value: str, session: Session) -> bool:
    """The reply names the thing that bears the value by another of its fields: "the budget call" for its id."""
    said = normal(reply)
    for *_, call in all_calls(session):
        for thing in objects(parsed(call.observation)):
            held = [normal(str(one)) for one in thing.values() if isinstance(one, str | int | float)]
            if normal(value) in held and any(weight(one) >= 3 and one in said for one in held):
                return True
    return False


_ASKED_BY = {
    "date": r"\bwhen\b|\bday\b|\bdate\b|日期|哪天|哪一天|几号|什么时候",
    "city": r"\bwhere\b|\bcity\b|\btown\b|城市|哪里|哪儿|哪座城",
    "email": r"e-?mail|邮箱|邮件",
    "phone": r"\bphone\b|\bnumber to call\b|电话|手机号",
}
"""Words of a question by what the parameter is called."""


def _question_for_another(ask: Ask, function: Any) -> str | None:
    """The parameter that the question is about where that is none of its slots; None where that cannot be told."""
    properties = function.get("parameters", {}).get("properties", {})
    text = ask.question.casefold()

    def about(name: str) -> bool:
        known_words = {word for word in tokens(name) if len(word) > 2}
        pattern = next((pattern for word, pattern in _ASKED_BY.items() if word in known_words), None)
        stems = {word[:5] for word in known_words}
        described = content_words(str(properties.get(name, {}).get("description", "")))
        return (
            any(word[:5] in stems for word in tokens(text))
            or (pattern is not None and re.search(pattern, text) is not None)
            # Names are English, so a Chinese question shares words with the description alone.
            or any(not word.isascii() for word in described & content_words(text))
        )

    if not ask.slots or not properties or any(about(slot) for slot in ask.slots):
        return None
    described = " ".join(str(properties.get(slot, {}).get("description", "")) for slot in ask.slots)
    if content_words(described) & content_words(ask.question):
        return None
    others = [name for name in properties if name not in ask.slots and about(name)]
    return others[0] if len(others) == 1 else None

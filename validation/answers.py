"""Answers: what the assistant says is what the results hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from wildtool.grounding.value_sources import parsed, same_value
from wildtool.language.folding import as_said
from wildtool.language.numbers_text import digits_in
from wildtool.language.parameter_names import looks_like_id
from wildtool.language.spoken_numbers import numbers_in_words
from wildtool.schemas.base import canonical_json
from wildtool.schemas.json_paths import leaf, leaves
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.validation.rule import Finding, found, session_rule, task_rule
from wildtool.validation.session_parts import calls_of, is_error, shorten

_NAME = re.compile(
    r"(?<![.!?:] )(?<!^)\b[A-Z][a-zà-ž]+(?:\s+(?:of|the|de|la|le|van|von|&)?\s?[A-Z][a-zà-ž]+)+|[《“\"]([^《》“”\"]{2,40})[》”\"]"
)

COUNTED = 10
"""Numbers up to this are let pass in answers: people count what they list."""

INVENTED = 0.8
"""Certainty that a number found nowhere, and not computed from two results, is invented."""


@session_rule("answer", "answers hold no number or name that nothing before holds", reads_text=True)
def answer(session: Session) -> Iterator[Finding]:
    """Numbers and names in a final answer stand in a result, an argument, a message, a tool or the clock."""
    sources: list[str] = [session.now, *(canonical_json(tool) for tool in session.tools)]
    for number, task in enumerate(session.tasks):
        sources.append(task.user)
        figures: list[float] = []
        for index, action in enumerate(task.actions):
            match action:
                case Call():
                    sources += [canonical_json(action.arguments), canonical_json(action.observation)]
                    figures += [float(v) for _, v in leaves(parsed(action.observation)) if _is_number(v)]
                case Ask():
                    sources += [action.question, action.reply]
                case Answer():
                    yield from _unsupported(action.text, sources, figures, number, index)
                    sources.append(action.text)


@task_rule(
    "untold", "answers tell of every result that was asked for", reads_text=True, aliases=("answer", "redundant")
)
def untold(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """An answer says something of each result that no later call takes anything from."""
    last = len(task.actions) - 1
    text = getattr(task.actions[last], "text", "") if task.actions else ""
    if not text.strip():
        return  # releases in other formats keep no answers
    used = {on for action in task.actions if isinstance(action, Call) for on in action.depends_on}
    for place, call in calls_of(task):
        if place in used or is_error(call.observation):
            continue
        news = [value for path, value in leaves(parsed(call.observation)) if _is_news(path, value, call)]
        # "Done, 3 seats are yours" tells that the booking worked.
        confirmed = any(str(value) in text for _, value in leaves(call.arguments))
        if news and not confirmed and not told(news, text):
            yield found(last, f"the answer tells nothing of what {call.name} found", evidence=text)


def _is_news(path: str, value: Any, call: Call) -> bool:
    """Whether a value of a result is worth telling: switches, identifiers, and what the call itself said are not."""
    if isinstance(value, bool) or value is None or len(str(value)) < 2 or looks_like_id(leaf(path)):
        return False
    return not any(same_value(value, given) for _, given in leaves(call.arguments))


def told(news: list[Any], answer: str) -> bool:
    """Whether an answer tells any of these values."""
    # The numbers by which an answer counts its lines are not results.
    plain = re.sub(r"(?m)^[^\S\n]*+\d++[.)、]\s", "", answer)
    text, numbers = as_said(plain), set(_numbers(plain))
    return any(_stands(value, text, numbers) for value in news)


def _stands(value: Any, text: str, numbers: set[float]) -> bool:
    if isinstance(value, int | float):
        # 27.9 is told as 27.90, and as 28.
        return any(abs(value) == number or round(abs(value)) == number for number in numbers)
    words = as_said(str(value))
    # A moment is told by its time of day.
    parts = [words, *re.findall(r"^\d{4}-\d\d-\d\d[t ](\d\d:\d\d)", words)]
    return any(len(part) > 1 and part in text for part in parts)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unsupported(text: str, sources: list[str], figures: list[float], task: int, action: int) -> Iterator[Finding]:
    known = {number for source in sources for number in _numbers(source)}
    known |= {number for source in sources if not source.startswith("{") for number, _ in numbers_in_words(source)}
    known |= {round(number, places) for number in known for places in (0, 1, 2)}
    for words, number in {said.lstrip("-−"): abs(number) for said, number in digits_in(text)}.items():
        if number in known or (number <= COUNTED and number.is_integer()):
            continue
        places = len(words.partition(".")[2])
        certainty = 0.4 if _derived(number, places, figures) else INVENTED
        reason = f"the answer says {words}, which no result, argument or message holds"
        yield found(action, reason, task=task, certainty=certainty, evidence=text)
    hay = as_said(" ".join(sources))
    for hit in _NAME.finditer(text):
        name = hit[1] or hit[0]
        if as_said(name) not in hay and not all(as_said(word) in hay for word in name.split()):
            reason = f"the answer names {shorten(name)}, which nothing before holds"
            yield found(action, reason, task=task, certainty=0.5, evidence=text)


def _numbers(text: str) -> Iterator[float]:
    """Numbers in digits, without their signs."""
    return (abs(number) for _, number in digits_in(text))


def _derived(number: float, places: int, figures: list[float]) -> bool:
    """Whether a number is a sum, difference, product, share or percentage of results, rounded to its places."""
    few = figures[:40]
    totals = {sum(few), *few}
    for one in few:
        totals |= {one * 100, one / 100, one / 60, one / 1000, one * 60}
        for other in few:
            totals |= {one + other, one - other, one * other, (one + other) / 2}
            if other:
                totals |= {one / other, 100 * one / other}
    return any(round(abs(total), places) == number for total in totals)

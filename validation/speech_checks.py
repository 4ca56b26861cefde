"""Checks on what is said: an answer that the results support, one language, a user who knows no tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from wildtool.grounding.value_mentions import fold, numbers_said
from wildtool.grounding.value_sources import parsed
from wildtool.schemas.base import canonical_json
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.json_paths import leaves
from wildtool.schemas.session import Answer, Ask, Call, Task
from wildtool.schemas.vocabulary import Language
from wildtool.validation.result_checks import told
from wildtool.validation.verdicts import doubt, is_error, shorten

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_NAME = re.compile(
    r"(?<![.!?:] )(?<!^)\b[A-Z][a-zà-ž]+(?:\s+(?:of|the|de|la|le|van|von|&)?\s?[A-Z][a-zà-ž]+)+|[《“\"]([^《》“”\"]{2,40})[》”\"]"
)

FOREIGN = 0.2
"""Share of letters in the other script, values aside, from which a text is in the other language."""

COUNTED = 10
"""Numbers up to this are let pass in answers: people count what they list."""

INVENTED = 0.8
"""Confidence that a number found nowhere, and not computed from two results, is invented."""


def answer(draft: Draft) -> Iterator[Verdict]:
    """Final answers say something of every result, and no number or name that nothing before holds."""
    sources: list[str] = [draft.session.now, *(canonical_json(tool) for tool in draft.session.tools)]
    for number, task in enumerate(draft.session.tasks):
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
                    if not action.text.strip():
                        yield doubt("answer", "the answer is empty", task=number, action=index)
                    yield from _unsupported(action.text, sources, figures, number, index)
                    yield from _untold(task, number, index, action.text)
                    sources.append(action.text)


def _untold(task: Task, number: int, index: int, text: str) -> Iterator[Verdict]:
    """Results that no later call takes anything from, and of which the answer says nothing: what they were asked for."""
    used = {on for action in task.actions if isinstance(action, Call) for on in action.depends_on}
    for place, call in enumerate(task.actions):
        if not isinstance(call, Call) or place in used or is_error(call.observation):
            continue
        values = [value for _, value in leaves(parsed(call.observation)) if isinstance(value, str | int | float)]
        # "Done, 3 seats are yours" tells that the booking worked.
        confirmed = any(str(value) in text for _, value in leaves(call.arguments))
        if any(len(str(value)) > 1 for value in values) and not confirmed and not told(call.observation, text):
            reason = f"the answer tells nothing of what {call.name} found"
            yield doubt("answer", reason, task=number, action=index, confidence=0.7, evidence=text)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unsupported(text: str, sources: list[str], figures: list[float], task: int, action: int) -> Iterator[Verdict]:
    known = {abs(number) for source in sources for number in _numbers(source)}
    known |= {number for source in sources if not source.startswith("{") for number, _ in numbers_said(source)}
    known |= {round(number, places) for number in known for places in (0, 1, 2)}
    for words in dict.fromkeys(_NUMBER.findall(text)):
        number = float(words.replace(",", ""))
        if number in known or (number <= COUNTED and number.is_integer()):
            continue
        places = len(words.partition(".")[2])
        confidence = 0.4 if _derived(number, places, figures) else INVENTED
        reason = f"the answer says {words}, which no result, argument or message holds"
        yield doubt("answer", reason, task=task, action=action, confidence=confidence, evidence=text)
    hay = fold(" ".join(sources))
    for hit in _NAME.finditer(text):
        name = hit[1] or hit[0]
        if fold(name) not in hay and not all(fold(word) in hay for word in name.split()):
            reason = f"the answer names {shorten(name)}, which nothing before holds"
            yield doubt("answer", reason, task=task, action=action, confidence=0.5, evidence=text)


def _numbers(text: str) -> Iterator[float]:
    return (float(words.replace(",", "")) for words in _NUMBER.findall(text))


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


def language(draft: Draft) -> Iterator[Verdict]:
    """Everything said in a session is in its language; values out of results may be in any."""
    values = _values(draft)
    for number, task in enumerate(draft.session.tasks):
        said: list[tuple[int | None, str]] = [(None, task.user)]
        for index, action in enumerate(task.actions):
            match action:
                case Ask():
                    said += [(index, action.question), (index, action.reply)]
                case Answer():
                    said.append((index, action.text))
                case Call():
                    pass
        for where, text in said:
            confidence = _foreign(text, draft.session.language, values)
            if confidence:
                reason = f"not in the session's language ({draft.session.language}): {shorten(text)}"
                yield doubt("language", reason, task=number, action=where, confidence=confidence, evidence=text)


def _values(draft: Draft) -> list[str]:
    """Texts among arguments and observations, longest first; they may be quoted in any language."""
    found: set[str] = set()
    for task in draft.session.tasks:
        for action in task.actions:
            if isinstance(action, Call):
                for tree in (action.arguments, parsed(action.observation)):
                    found |= {value for _, value in leaves(tree) if isinstance(value, str) and len(value) > 1}
    for blueprint in draft.plan.tasks:
        for argument in (*(a for call in blueprint.calls for a in call.arguments), *blueprint.mentions):
            found |= {text for text in (argument.words, argument.value) if isinstance(text, str) and len(text) > 1}
    return sorted(found, key=len, reverse=True)


def _foreign(text: str, session: Language, values: list[str]) -> float:
    """Confidence that a text is in another language; 0 for none."""
    if session is Language.EN and not _HAN.search(text):
        return 0.0
    if session is Language.ZH and len(_LATIN_WORD.findall(text)) < 3:
        return 0.0
    rest = text
    for value in values:
        rest = rest.replace(value, " ")
    han, latin = len(_HAN.findall(rest)), sum(len(word) for word in _LATIN_WORD.findall(rest))
    if session is Language.EN:
        return 0.0 if not han else 0.9 if han > FOREIGN * (han + latin) else 0.5
    # A Chinese character says about as much as two to three Latin letters.
    return 0.9 if latin >= 12 and han < FOREIGN * (han + latin / 2.5) else 0.0


def tool_names(draft: Draft) -> Iterator[Verdict]:
    """The user speaks of what they want, never of tools or their parameters by name."""
    tools = [tool.name for tool in draft.plan.tool_list.tools]
    parameters = {name for tool in draft.plan.tool_list.tools for name in tool.parameters.get("properties", {})}
    # Plain words ("search", "city") are people's words, too.
    names = [name for name in (*tools, *sorted(parameters)) if re.search(r"[a-z][A-Z]|_", name)]
    for number, task in enumerate(draft.session.tasks):
        texts = [(None, task.user), *((i, a.reply) for i, a in enumerate(task.actions) if isinstance(a, Ask))]
        for index, text in texts:
            for name in names:
                if re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text, re.IGNORECASE):
                    kind = "tool" if name in tools else "parameter"
                    reason = f"the user names the {kind} {name}"
                    yield doubt("tool_names", reason, task=number, action=index, confidence=0.95, evidence=text)

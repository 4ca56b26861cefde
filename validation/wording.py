"""Wording: one language, a user who knows no tools, and nobody who gives orders to the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from wildtool.grounding.value_sources import parsed
from wildtool.language.injection import looks_injected
from wildtool.language.lexicon import spaced
from wildtool.schemas.json_paths import leaves
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.schemas.vocabulary import Language
from wildtool.validation.rule import Finding, found, session_rule, task_rule
from wildtool.validation.session_parts import all_calls, functions, shorten

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")

FOREIGN = 0.2
"""Share of letters in the other script, values aside, from which a text is in the other language."""


@session_rule("language", "everything said is in the session's language", reads_text=True)
def language(session: Session) -> Iterator[Finding]:
    """Messages, questions, replies and answers are in one language; values out of results may be in any."""
    values = _values(session)
    for number, task in enumerate(session.tasks):
        for where, text in _said(task):
            certainty = _foreign(text, session.language, values)
            if certainty:
                reason = f"not in the session's language ({session.language}): {shorten(text)}"
                yield found(where, reason, task=number, certainty=certainty, evidence=text)


def _said(task: Task) -> Iterator[tuple[int | None, str]]:
    yield None, task.user
    for index, action in enumerate(task.actions):
        match action:
            case Ask():
                yield index, action.question
                yield index, action.reply
            case Answer():
                yield index, action.text
            case Call():
                pass


def _values(session: Session) -> list[str]:
    """Texts among arguments and observations, longest first; they may be quoted in any language."""
    trees = [tree for *_, call in all_calls(session) for tree in (call.arguments, parsed(call.observation))]
    found = {value for tree in trees for _, value in leaves(tree) if isinstance(value, str) and len(value) > 1}
    return sorted(found, key=len, reverse=True)


def _foreign(text: str, session: Language, values: list[str]) -> float:
    """Certainty that a text is in another language; 0 for none."""
    parted = spaced(session)
    if parted and not _HAN.search(text):
        return 0.0
    if not parted and len(_LATIN_WORD.findall(text)) < 3:
        return 0.0
    rest = text
    for value in values:
        rest = rest.replace(value, " ")
    han, latin = len(_HAN.findall(rest)), sum(len(word) for word in _LATIN_WORD.findall(rest))
    if parted:
        return 0.0 if not han else 0.9 if han > FOREIGN * (han + latin) else 0.5
    # A Chinese character says about as much as two to three Latin letters.
    return 0.9 if latin >= 12 and han < FOREIGN * (han + latin / 2.5) else 0.0


@task_rule("tool_names", "the user names no tool and no parameter", reads_text=True)
def tool_names(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """The user's words hold no name as only code writes it."""
    known = functions(session)
    parameters = {name for one in known.values() for name in one.get("parameters", {}).get("properties", {})}
    # Plain words ("search", "city") are people's words, too.
    names = [name for name in (*known, *sorted(parameters)) if re.search(r"[a-z][A-Z]|_", name)]
    texts = [(None, task.user), *((i, a.reply) for i, a in enumerate(task.actions) if isinstance(a, Ask))]
    for index, text in texts:
        for name in names:
            if re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text, re.IGNORECASE):
                kind = "tool" if name in known else "parameter"
                yield found(index, f"the user names the {kind} {name}", evidence=text)


@task_rule("injected", "nothing said or returned gives orders to the model", reads_text=True)
def injected(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """Neither messages nor observations hold instructions to the model; a session that does is not a fair task."""
    if looks_injected(task.user):
        yield _order("the user's message", task.user, None)
    for index, action in enumerate(task.actions):
        match action:
            case Call():
                said = [*leaves(parsed(action.observation)), *leaves(action.arguments)]
                texts = [value for _, value in said if isinstance(value, str)]
                where = f"what {action.name} was given or returned"
            case Ask():
                texts, where = [action.question, action.reply or ""], "a question or its reply"
            case Answer():
                texts, where = [action.text], "the answer"
        for text in filter(looks_injected, texts):
            yield _order(where, text, index)


def _order(where: str, text: Any, action: int | None) -> Finding:
    return found(action, f"{where} holds instructions to the model", evidence=shorten(text))

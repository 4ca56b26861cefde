"""What was known when a call was made: words, results, the clock; and whether a value follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from schemas.base import JsonObject
from schemas.session import Answer, Ask, Call, Session, Task, ValueSource
from schemas.vocabulary import Language
from warehouse.gates.words import days_said, normal, numbers_said, tokens

DATE = re.compile(r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$")
"""A day or a moment as tools take it."""
TIME_WORD = re.compile(
    r"\d|day|night|week|month|year|now|recent|latest|current|morning|evening|noon|season|spring|summer|autumn|winter|"
    r"今|明|昨|天|日|周|月|年|现在|最近|近|早|晚|午|季|春|夏|秋|冬",
    re.IGNORECASE,
)
SCALES = (1, 10, 100, 1000, 10_000, 1_000_000, 60, 3600, 7, 12, 24)
"""Factors between the unit that a user says and the one that a tool takes: km and m, hours and seconds."""


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(Path, value) of each innermost value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{index}]")
    else:
        yield path, value


def ancestors(task: Task, index: int) -> set[int]:
    """Actions that must be done before an action."""
    found: set[int] = set()
    waiting = list(task.actions[index].depends_on)
    while waiting:
        on = waiting.pop()
        if on not in found:
            found.add(on)
            waiting += task.actions[on].depends_on
    return found


def task_words(task: Task, until: int | None = None) -> list[str]:
    """What the user said in a task: the message and the replies to asks (of actions before ``until``)."""
    actions = task.actions if until is None else task.actions[:until]
    return [task.user, *(action.reply for action in actions if isinstance(action, Ask))]


@dataclass(frozen=True)
class Known:
    """What is known before call ``action`` of task ``number``."""

    session: Session
    number: int
    action: int

    @cached_property
    def own_words(self) -> list[str]:
        """The user's words in this task so far."""
        return task_words(self.session.tasks[self.number], self.action)

    @cached_property
    def words(self) -> list[str]:
        """The user's words so far."""
        earlier = [text for task in self.session.tasks[: self.number] for text in task_words(task)]
        return [*earlier, *self.own_words]

    @cached_property
    def texts(self) -> str:
        """All words so far, the assistant's too."""
        spoken = [
            action.text if isinstance(action, Answer) else action.question
            for task in self.session.tasks[: self.number]
            for action in task.actions
            if isinstance(action, Answer | Ask)
        ]
        return "\n".join([*self.words, *spoken])

    @cached_property
    def plain_texts(self) -> str:
        """``texts`` as ``normal`` makes it."""
        return normal(self.texts)

    @cached_property
    def earlier_values(self) -> list[Any]:
        """Innermost values of earlier tasks: results and arguments."""
        return [
            value
            for task in self.session.tasks[: self.number]
            for action in task.actions
            if isinstance(action, Call)
            for _, value in leaves([action.observation, action.arguments])
        ]

    @cached_property
    def own_values(self) -> list[Any]:
        """Innermost values of the results of the other calls of this task."""
        return [
            value
            for index, action in enumerate(self.session.tasks[self.number].actions)
            if isinstance(action, Call) and index != self.action
            for _, value in leaves(action.observation)
        ]

    @cached_property
    def values(self) -> set[str]:
        """All innermost values so far, as ``normal`` makes them."""
        return {normal(str(value)) for value in (*self.earlier_values, *self.own_values)}

    @cached_property
    def numbers(self) -> set[float]:
        """All numbers so far, said or observed."""
        seen = numbers_said(self.texts)
        seen |= {float(v) for v in (*self.earlier_values, *self.own_values) if _is_number(v)}
        for value in (*self.earlier_values, *self.own_values):
            if isinstance(value, str) and len(value) < 200:
                seen |= {float(digits) for digits in re.findall(r"\d{1,15}(?:\.\d+)?", value)}
        now = self.session.now
        days = days_said(self.texts, now)
        seen |= {part for day in days for part in (day.year, day.month, day.day)}
        return seen | {float(part) for part in re.findall(r"\d+", now[:10])}

    def said(self, value: Any) -> bool:
        """The value itself, not its meaning, stands in the dialogue's words."""
        if _is_number(value):
            return float(value) in numbers_said("\n".join(self.words))
        plain = normal(str(value))
        return bool(plain) and plain in self.plain_texts


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def grounded(known: Known, path: str, value: Any, schema: JsonObject, trace: tuple[ValueSource, ...]) -> bool:
    """Whether a value follows from what was known: said, observed, computed, a default, or common knowledge.

    Meant to doubt only what nothing supports: units, spellings, word order and inflection may differ.
    """
    if value is None or value == "" or is_default(value, schema):
        return True
    sources = [
        source
        for source in trace
        if source.argument == path or path.startswith((f"{source.argument}.", f"{source.argument}["))
    ]
    if any(supports(known, source) for source in sources):
        return True
    if isinstance(value, bool):
        return bool(set(tokens(f"{path} {schema.get('description', '')}")) & _content_tokens(known.texts))
    if _is_number(value):
        return _number_grounded(known, float(value), path, schema)
    return _text_grounded(known, str(value), schema)


def is_default(value: Any, schema: JsonObject) -> bool:
    """The value is the parameter's default, by key or as its description says."""
    if "default" in schema:
        return bool(schema["default"] == value)
    text = str(schema.get("description", "")).casefold()
    said = re.search(
        r"(?:defaults?(?: is| to| value)?|默认(?:值)?(?:为|是)?)[:：]?\s*[\"'“`]?([^\s,，。;；)）\"'”`]+)", text
    )
    return said is not None and normal(said[1]) == normal(str(value))


def supports(known: Known, source: ValueSource) -> bool:
    """The trace names words that are really there, or a source that needs none."""
    match source.kind:
        case "user" | "earlier_user" | "knowledge":
            if source.quote is None:
                return source.kind == "knowledge"
            return normal(source.quote) in known.plain_texts
        case "clock":
            return True
        case "observation" | "default" | "unknown":
            return False


def _content_tokens(text: str) -> set[str]:
    return {token for token in tokens(text) if len(token) > 3 or "\u3400" <= token <= "\u9fff"}


def _number_grounded(known: Known, value: float, path: str, schema: JsonObject) -> bool:
    name = path.rpartition(".")[2].casefold()
    if re.search(r"lat|lng|lon", name):
        return True  # coordinates of a named place are common knowledge
    if "enum" in schema and len(schema["enum"]) > 1:
        return True  # a code for something that was said in words
    return any(
        abs(value - number * scale) < 1e-9 or abs(value * scale - number) < 1e-9
        for number in known.numbers
        for scale in SCALES
    )


def _text_grounded(known: Known, value: str, schema: JsonObject) -> bool:
    plain = normal(value)
    if not plain or plain in known.plain_texts or plain in known.values:
        return True
    if "enum" in schema or "const" in schema:
        return True  # how a person says an enum's value is for the labels to judge
    if DATE.match(value) or re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", value):
        return bool(TIME_WORD.search(known.texts)) or any(value[:10] in str(seen) for seen in known.values)
    if re.fullmatch(r"[A-Za-z]{2,3}", value) or re.fullmatch(r"[a-z]{2}[-_][A-Z]{2}", value):
        return True  # codes of countries, currencies and languages: China is CN
    if re.fullmatch(r"-?\d+(?:\.\d+)?", value):
        return _number_grounded(known, float(value), "", schema)
    if known.session.language is Language.ZH and value.isascii() and not any(char.isdigit() for char in value):
        return True  # a name written in Latin letters
    if any(len(seen) > 3 and (seen in plain or (len(plain) > 3 and plain in seen)) for seen in known.values):
        return True
    parts = [token for token in tokens(value) if len(token) > 1 or not token.isascii()]
    heard = [
        token for token in parts if token in known.plain_texts or (token[:-1] in known.plain_texts and len(token) > 4)
    ]
    return bool(parts) and len(heard) * 2 >= len(parts)

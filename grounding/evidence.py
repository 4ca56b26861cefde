"""What was known when a call was made: words, results, the clock; and whether a value follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wildtool.language.codes import IDENTIFIER, is_code, stands_whole
from wildtool.language.counts import counts, in_other_units, kind_of_parameter, may_mean_one, names_company
from wildtool.language.dates.spoken import when_said
from wildtool.language.dates.spoken_times import times_said
from wildtool.language.dates.values import clock_value, days_of_value
from wildtool.language.folding import normal, tokens
from wildtool.language.lexicon import traits
from wildtool.language.numbers_text import digits_in
from wildtool.language.party import party_said
from wildtool.language.prose_defaults import is_default
from wildtool.language.spoken_numbers import numbers_said
from wildtool.language.transliteration import named_in_chinese, named_in_latin
from wildtool.schemas.base import JsonObject
from wildtool.schemas.session import Answer, Ask, Call, Session, Task, ValueSource

DATE = re.compile(r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$")
"""A day or a moment as tools take it."""
TIME_WORD = re.compile(
    r"\d|day|night|week|month|year|now|recent|latest|current|morning|evening|noon|season|spring|summer|autumn|winter|"
    r"今|明|昨|天|日|周|月|年|现在|最近|近|早|晚|午|季|春|夏|秋|冬",
    re.IGNORECASE,
)
TIMELY = re.compile(
    r"day|night|week|month|year|\bnow\b|recent|latest|current|morning|evening|noon|season|spring|summer|autumn|winter|upcoming|soon|"
    r"今|明|昨|天|日|周|月|年|现在|最近|近|早|晚|午|季|春|夏|秋|冬",
    re.IGNORECASE,
)
"""Words that speak of time at all."""


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
    def chinese(self) -> str:
        """All words so far, and the short Chinese texts of results."""
        seen = [value for value in self.observations if isinstance(value, str) and len(value) < 80]
        return "\n".join([self.texts, *(value for value in seen if _CHINESE.search(value))])

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
    def observations(self) -> list[Any]:
        """Innermost values of all results so far."""
        earlier = [
            value
            for task in self.session.tasks[: self.number]
            for action in task.actions
            if isinstance(action, Call)
            for _, value in leaves(action.observation)
        ]
        return [*earlier, *self.own_values]

    @cached_property
    def observed_numbers(self) -> set[float]:
        """Numbers of all results so far, also those inside of short texts."""
        seen = {float(value) for value in self.observations if is_number(value)}
        for value in self.observations:
            if isinstance(value, str) and len(value) < 400:
                seen |= {abs(number) for _, number in digits_in(value)}
        return seen

    @cached_property
    def spoken_numbers(self) -> frozenset[float]:
        """Numbers that anybody said."""
        return numbers_said(self.texts)

    @cached_property
    def date_parts(self) -> set[float]:
        """Years, months and days of the days that were said, and of the clock."""
        said = when_said(self.texts, self.session.language, self.session.now)
        days = said.days.union(*({first, last} for first, last, _ in said.named))
        spoken = {float(part) for day in days for part in (day.year, day.month, day.day)}
        return spoken | {float(part) for part in re.findall(r"\d+", self.session.now[:16])}

    def observed(self, value: Any) -> bool:
        """A result holds the value itself."""
        if is_number(value):
            return float(value) in self.observed_numbers
        plain = normal(str(value))
        return any(normal(str(seen)) == plain for seen in self.observations)

    def observed_day(self, value: str) -> bool:
        """A result holds the day, in whatever format of the common ones."""
        days = days_of_value(value) or set()
        return any(
            value[:10] in seen or bool(days & (days_of_value(seen) or set()))
            for seen in self.observations
            if isinstance(seen, str)
        )

    def observed_time(self, value: Any) -> bool:
        """A result holds the time of day, by itself or behind a day."""
        wanted = clock_value(value)
        if wanted is None:
            return self.observed(value)
        return any(
            found is not None and found.minute == wanted.minute
            for seen in self.observations
            if isinstance(seen, str) and len(seen) < 40
            for found in (clock_value(seen),)
        )

    def user_said(self, value: Any) -> bool:
        """The user said the value itself; the assistant's words do not count."""
        if is_number(value):
            return float(value) in numbers_said("\n".join(self.words))
        return bool(normal(str(value))) and normal(str(value)) in normal("\n".join(self.words))

    def said(self, value: Any) -> bool:
        """The value itself, not its meaning, stands in the dialogue's words."""
        if is_number(value):
            return float(value) in self.spoken_numbers
        plain = normal(str(value))
        return bool(plain) and plain in self.plain_texts


def parameter_schema(function: JsonObject, path: str) -> tuple[JsonObject, bool]:
    """The schema of the value at a path, and whether its top-level parameter is required."""
    parameters = function.get("parameters", {})
    top = re.split(r"[.\[]", path)[0]
    schema = parameters.get("properties", {}).get(top, {})
    for part in re.findall(r"\[\d+\]|[^.\[\]]+", path)[1:]:
        schema = schema.get("items", {}) if part.startswith("[") else schema.get("properties", {}).get(part, {})
        if not isinstance(schema, dict):
            schema = {}
    return schema, top in parameters.get("required", [])


def is_number(value: Any) -> bool:
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
        return bool(content_words(f"{path} {schema.get('description', '')}") & content_words(known.texts))
    if is_number(value):
        if abs(value) >= 20 and IDENTIFIER & set(tokens(re.sub(r"\[\d+\]$", "", path).rpartition(".")[2])):
            # An identifier is said or shown as it is: no sum, no other unit leads to it.
            return float(value) in known.spoken_numbers | known.observed_numbers or _carried(known, path, float(value))
        return _number_grounded(known, float(value), path, schema)
    return _text_grounded(known, path, str(value), schema)


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


_GENERIC = frozenset(
    """the this that with from what which whether return returns include included only optional value values true false parameter
    filter filters show list results result given name number type data default defaults using used when will should have must
    want need please could would your some more about there them they""".split()
)


def content_words(text: str) -> set[str]:
    """Stems of telling English words, and pairs of neighbouring Chinese characters: what two texts may share."""
    stems = {token[:5] for token in tokens(text) if len(token) > 3 and token.isascii() and token not in _GENERIC}
    runs = re.findall(r"[\u3400-\u9fff]+", text)
    return stems | {run[at : at + 2] for run in runs for at in range(len(run) - 1)} - _GENERIC_ZH


_GENERIC_ZH = frozenset(
    "是否 可选 参数 返回 结果 默认 列表 数量 类型 名称 使用 一个 需要 指定 包含 查询 方式 按照 搜索 我想 请问 帮我 一下 有没 没有 什么".split()
)


def _number_grounded(known: Known, value: float, path: str, schema: JsonObject) -> bool:
    name = tokens(path)
    if re.search(r"lat|lng|lon", path.rpartition(".")[2].casefold()):
        return True  # coordinates of a named place are common knowledge
    if "enum" in schema and len(schema["enum"]) > 1:
        return True  # a code for something that was said in words
    spoken = known.spoken_numbers
    if value in spoken or value in known.observed_numbers or _carried(known, path, value):
        return True
    if re.search(r"year|month|day|date|hour|minute|week|time|年|月|日|时", path.casefold()) and (
        value in known.date_parts or value - 12 in spoken | known.date_parts
    ):
        return True
    kind = kind_of_parameter(name)
    if kind is not None and kind.name in ("people", "children", "tickets") and names_company(known.texts):
        party = party_said("\n".join(known.words))
        return party is None or value <= party  # more than all that are named come from nowhere
    if value == 1 and may_mean_one(known.texts):
        return True  # "a", "that one"
    if any(abs(value - number) < 1e-6 * max(1.0, abs(value)) for number in in_other_units(counts(known.texts))):
        return True
    return value >= 20 and _reckoned(known, value)


def _carried(known: Known, path: str, value: float) -> bool:
    """An earlier task's call took the same value under the same name."""
    return any(
        seen == value and at == path
        for task in known.session.tasks[: known.number]
        for action in task.actions
        if isinstance(action, Call)
        for at, seen in leaves(action.arguments)
        if is_number(seen)
    )


def _reckoned(known: Known, value: float) -> bool:
    """A sum, difference or product of a number that the user said and another said or observed one."""
    own = numbers_said("\n".join(known.words))
    others = [*own, *sorted(known.observed_numbers)[:200]]
    return any(abs(value - result) < 1e-6 for a in own for b in others for result in (a + b, a - b, b - a, a * b))


def _text_grounded(known: Known, path: str, value: str, schema: JsonObject) -> bool:
    plain = normal(value)
    if not plain or plain in known.values:
        return True
    if is_code(value) and days_of_value(value) is None and clock_value(value) is None and "enum" not in schema:
        if value.isdigit() and len(value) < 12 and float(value) in known.spoken_numbers:
            return True  # 一万二 may be given as a text of digits
        return stands_whole(value, [known.texts, *map(str, known.observations), *map(str, known.earlier_values)])
    if plain in known.plain_texts:
        return True
    if "@" in value:
        return False  # an address is said as it is, or not at all
    if "enum" in schema or "const" in schema:
        return True  # how a person says an enum's value is for the labels to judge
    if (clock := clock_value(value)) is not None and not clock.dated:
        said = times_said(known.texts, known.session.language, known.session.now)
        return bool(said) or said.unclear or bool(TIMELY.search(known.texts)) or known.observed_time(value)
    if days_of_value(value) is not None:
        said = times_said(known.texts, known.session.language, known.session.now)
        return (
            bool(TIME_WORD.search(known.texts))
            or known.observed_day(value)
            or (clock is not None and said.allows(clock.minute))
        )
    if re.fullmatch(r"[A-Za-z]{2,3}", value) or re.fullmatch(r"[a-z]{2}[-_][A-Z]{2}", value):
        return True  # codes of countries, currencies and languages: China is CN
    if re.fullmatch(r"-?\d+(?:\.\d+)?", value):
        return _number_grounded(known, float(value), "", schema)
    if (
        traits(known.session.language).script in HAN_SCRIPTS
        and value.isascii()
        and not any(char.isdigit() for char in value)
    ):
        # A place keeps its sound or has a name of its own; whether other words are translated well is for people to judge.
        return not _names_a_place(path, schema) or named_in_chinese(value.split(",")[0], known.chinese)
    if _CHINESE.search(value) and named_in_latin(value, known.texts):
        return True
    if any(len(seen) > 3 and (seen in plain or (len(plain) > 3 and plain in seen)) for seen in known.values):
        return True
    parts = [token for token in tokens(value) if len(token) > 1 or not token.isascii()]
    heard = [
        token for token in parts if token in known.plain_texts or (token[:-1] in known.plain_texts and len(token) > 4)
    ]
    numbers = {number for token in parts for _, number in digits_in(token)}
    if numbers - known.spoken_numbers - known.observed_numbers - known.date_parts:
        return False  # half of the words may be somebody's own, numbers not
    return bool(parts) and len(heard) * 2 >= len(parts)


_CHINESE = re.compile(r"[\u3400-\u9fff]")
HAN_SCRIPTS = frozenset({"Hans", "Hant"})
"""Scripts in which a foreign place is written by its sound."""
_PLACES = frozenset(
    "city cities town village country countries place location destination origin departure arrival airport region state province capital island".split()
)
_PLACE = re.compile(r"\bcity\b|\bcountry\b|\bplace name|\btown\b|城市|国家|地名|地点|目的地|出发地", re.IGNORECASE)


def _names_a_place(path: str, schema: JsonObject) -> bool:
    name = tokens(re.sub(r"\[\d+\]$", "", path).rpartition(".")[2])
    return bool(_PLACES & set(name)) or _PLACE.search(str(schema.get("description", ""))[:80]) is not None

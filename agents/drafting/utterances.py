"""Resolve a session plan into what is to be said, once, before the dialogue starts.

A plan names parameters, values and places in results. A ``Script`` holds the nouns, words, ordinals and phrasings for
them, so that whoever writes or judges the user's messages never reads the plan again. The brief of a model that plays the
user and the simulator's user both read it; the brief reads nothing that only the simulator needs (``phrasings``,
``fragments``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from wildtool.agents.planning.reference_devices import abbreviation
from wildtool.agents.planning.reply_styles import missing_arguments, same_as_before
from wildtool.agents.planning.small_talk import TopicKind, topic_kind
from wildtool.grounding.hidden_intents import DeviceSpec, hidden_intent, reference_device
from wildtool.language.lexicon import words
from wildtool.language.ordinal_words import ordinal_word
from wildtool.language.parameter_nouns import noun
from wildtool.language.tool_phrasings import fragments, phrasings
from wildtool.schemas.json_paths import pinned_index
from wildtool.schemas.json_schema import plain_type, properties, required
from wildtool.schemas.plan import Blueprint, PlannedArgument, PlannedCall, SessionPlan
from wildtool.schemas.session import HiddenIntent
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language, Persona, ReplyManner, TaskType

Source = Literal["user", "earlier", "observation", "clock", "default", "missing"]


@dataclass(frozen=True)
class Spoken:
    """One argument or topic, as people speak of it."""

    parameter: str
    source: Source
    """Where it comes from, as in ``PlannedArgument``."""
    noun: str
    """What people call the thing."""
    value: Any = None
    """The value, where the plan knows it."""
    words: str = ""
    """How the user says the value; empty where the plan does not know it."""
    path: str | None = None
    """Where a result shows it."""
    shown_by: tuple[int, int] | None = None
    """Task and call whose result shows it."""
    ordinal: str | None = None
    """How people count to the item that holds it: ``second``, ``last``."""
    short: str | None = None
    """The short form of the words, where the plan has the user say that."""
    as_before: bool = False
    """The reply to a question back only says that it is as before."""
    fragments: tuple[str, ...] = ()
    """Pieces by which the simulator appends the value to a wish."""
    topic: TopicKind | None = None
    """What it is to people who chat about it."""

    @property
    def index(self) -> int | None:
        """Which item of the shown list holds it, from 0; negative from the end."""
        return pinned_index(self.path or "")

    @property
    def said(self) -> str:
        """The words, or the value as text."""
        return self.words or str(self.value)


@dataclass(frozen=True)
class Wish:
    """One planned call, as people ask for it."""

    gist: str
    """What the tool does, from its description."""
    then: bool
    """It builds on an earlier wish of the task."""
    arguments: tuple[Spoken, ...]
    """In the plan's order."""
    needed: frozenset[str] = frozenset()
    """Parameters that the tool requires."""
    texts: frozenset[str] = frozenset()
    """Parameters that take text, so that a pronoun can stand for their values."""
    nouns: Mapping[str, str] = field(default_factory=dict)
    """Noun by parameter, for all that the phrasings hold."""
    phrasings: tuple[str, ...] = ()
    """Verb phrases with ``{parameter}`` places, for the simulator."""
    optional_phrased: frozenset[str] = frozenset()
    """Optional parameters for which the catalogue has fragments."""


@dataclass(frozen=True)
class Utterance:
    """What the user says in one task: its opening message, and the reply to a question back."""

    task: int
    type: TaskType
    wishes: tuple[Wish, ...]
    topics: tuple[Spoken, ...]
    """Of a chat task: what it is about, the first before the others."""
    slots: tuple[str, ...]
    """Nouns of what the assistant must ask for."""
    reply: tuple[Spoken, ...]
    """What the question back asks for, in the order of the slots."""
    manner: ReplyManner
    """How the user answers it."""
    hidden: HiddenIntent | None
    device: DeviceSpec | None
    """By which device the message refers back."""
    piece: Spoken | None
    """What it refers to."""
    far: bool
    """The piece lies far back, so the user makes clear where."""
    unsaid: tuple[str, ...]
    """Words and values that the message must not hold, since the assistant is to find them in the dialogue."""
    withheld: tuple[str, ...]
    """Words that the message leaves out, and that the reply gives."""


@dataclass(frozen=True)
class Script:
    """All that is to be said in a session."""

    plan: SessionPlan
    utterances: tuple[Utterance, ...]
    values: tuple[str, ...]
    """All that the user says or means anywhere; results must not hit on it by chance."""
    least_items: Mapping[tuple[int, int], int]
    """Items that the lists of a task's call must have, so that a reference into them points at one of several."""

    @property
    def language(self) -> Language:
        """Language of the session."""
        return self.plan.language

    @property
    def persona(self) -> Persona:
        """How much the user knows."""
        return self.plan.persona


def script_of(plan: SessionPlan) -> Script:
    """Resolve a plan. Raises ``SettingsError`` for a hidden intent or a device that nobody registered."""
    tools = {tool.name: tool for tool in plan.tool_list.tools}
    return Script(
        plan=plan,
        utterances=tuple(_utterance(plan, number, tools) for number in range(len(plan.tasks))),
        values=tuple(_values(plan)),
        least_items=_least_items(plan),
    )


def _utterance(plan: SessionPlan, number: int, tools: Mapping[str, Tool]) -> Utterance:
    blueprint, language = plan.tasks[number], plan.language
    hidden = blueprint.hidden_intent
    asked = tools[blueprint.calls[0].tool] if blueprint.calls else None
    device = reference_device(hidden.device) if hidden is not None and hidden.device is not None else None
    wishes = tuple(_wish(tools[call.tool], call, number, device, hidden, language) for call in blueprint.calls)
    topics = tuple(_topic(plan, each) for each in blueprint.mentions)
    referable = [*(spoken for wish in wishes for spoken in wish.arguments), *topics]
    return Utterance(
        task=number,
        type=blueprint.type,
        wishes=wishes,
        topics=topics,
        slots=tuple(noun(asked, slot, language) for slot in blueprint.missing) if asked is not None else (),
        reply=tuple(
            _spoken(asked, argument, number, language) for argument in missing_arguments(blueprint) if asked is not None
        ),
        manner=blueprint.reply or ReplyManner.FULL,
        hidden=hidden,
        device=device,
        piece=_piece(referable, hidden),
        far=hidden is not None and hidden_intent(hidden.kind).far,
        unsaid=tuple(sorted(_texts(a for a in _arguments(blueprint) if a.source == "earlier"))),
        withheld=tuple(
            a.words or str(a.value)
            for call in blueprint.calls
            for a in call.arguments
            if a.source == "missing" and a.value is not None
        ),
    )


def _piece(referable: Sequence[Spoken], hidden: HiddenIntent | None) -> Spoken | None:
    if hidden is None:
        return None
    named = [each for each in referable if each.parameter == hidden.piece]
    return next((each for each in named if each.source == "earlier"), named[0] if named else None)


def _wish(
    tool: Tool,
    call: PlannedCall,
    number: int,
    device: DeviceSpec | None,
    hidden: HiddenIntent | None,
    language: Language,
) -> Wish:
    phrases = phrasings(tool, language)
    places = {name for phrase in phrases for name in re.findall(r"\{(\w+)\}", phrase)}
    spoken = []
    for argument in call.arguments:
        shortened = (
            device is not None
            and device.shortens
            and hidden is not None
            and hidden.piece == argument.parameter
            and argument.source == "earlier"
        )
        short = abbreviation(argument, language) if shortened else None
        spoken.append(_spoken(tool, argument, number, language, short=short))
    return Wish(
        gist=re.split(r"(?<=[a-z)])[.:;]|。", tool.description)[0].strip(),
        then=bool(call.depends_on),
        arguments=tuple(spoken),
        needed=frozenset(required(tool)),
        texts=frozenset(name for name, schema in properties(tool).items() if plain_type(schema) == "string"),
        nouns={name: noun(tool, name, language) for name in (*properties(tool), *sorted(places))},
        phrasings=phrases,
        optional_phrased=frozenset(name for name, pieces in tool.optional_phrasings.items() if pieces),
    )


def _spoken(
    tool: Tool, argument: PlannedArgument, number: int, language: Language, *, short: str | None = None
) -> Spoken:
    index = pinned_index(argument.path or "")
    where = number if argument.task is None else argument.task
    return Spoken(
        parameter=argument.parameter,
        source=argument.source,
        noun=noun(tool, argument.parameter, language),
        value=argument.value,
        words=argument.words or "",
        path=argument.path,
        shown_by=(where, argument.action) if argument.path is not None and argument.action is not None else None,
        ordinal=None if index is None else ordinal_word(index, language),
        short=short,
        as_before=same_as_before(argument),
        fragments=fragments(tool, argument.parameter, language),
    )


def _topic(plan: SessionPlan, argument: PlannedArgument) -> Spoken:
    """A thing to chat about, called as the tool has it for which it was said first."""
    said = plan.tasks[argument.task].calls if argument.task is not None else ()
    first = [call.tool for call in said if any(a.parameter == argument.parameter for a in call.arguments)]
    tools = sorted(plan.tool_list.tools, key=lambda each: each.name not in first)
    found = next((tool for tool in tools if argument.parameter in properties(tool)), None)
    thing = str(words(plan.language, "parameter_nouns")["thing"])
    return Spoken(
        parameter=argument.parameter,
        source=argument.source,
        noun=thing if found is None else noun(found, argument.parameter, plan.language),
        value=argument.value,
        words=argument.words or "",
        topic=topic_kind(argument.parameter),
    )


def _texts(arguments: Iterable[PlannedArgument]) -> set[str]:
    """Values and their words."""
    return {text for a in arguments if a.value is not None for text in (str(a.value), a.words or str(a.value))}


def _values(plan: SessionPlan) -> list[str]:
    arguments = [a for task in plan.tasks for a in _arguments(task)]
    return sorted(_texts(a for a in arguments if not isinstance(a.value, bool)))


def _arguments(blueprint: Blueprint) -> list[PlannedArgument]:
    return [*(a for call in blueprint.calls for a in call.arguments), *blueprint.mentions]


def _least_items(plan: SessionPlan) -> dict[tuple[int, int], int]:
    least: dict[tuple[int, int], int] = {}
    for number, blueprint in enumerate(plan.tasks):
        for argument in (a for call in blueprint.calls for a in call.arguments):
            index = pinned_index(argument.path or "")
            if index is None or argument.action is None:
                continue
            where = (number if argument.task is None else argument.task, argument.action)
            # One more than is counted to, and three at least: a reference points at one of several.
            least[where] = max(least.get(where, 0), index + 2, 3)
    return least

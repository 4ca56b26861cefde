"""The record that everything turns around: a session of tasks, each a graph of actions."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from wildtool.schemas.base import Identified, JsonObject, Record, Timestamp, content_id
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, Language, TaskType, Topology


class ValueSource(Record):
    """Where one argument value of a gold call came from."""

    argument: str
    """Path of the value: ``city``, ``filters.from``, ``ids[0]``."""
    kind: Literal["user", "earlier_user", "observation", "clock", "default", "knowledge", "unknown"]
    """Said in this task, said in an earlier one, observed, from the clock, a default, world knowledge, or untraced."""
    task: int | None = None
    """Task whose words or observation hold it, from 0."""
    action: int | None = None
    """Action of that task, for observations."""
    path: str | None = None
    """Path in the observation."""
    quote: str | None = None
    """The words that say it."""
    confidence: float = 1.0
    """0 to 1."""


class Call(Record):
    """A gold call of a tool."""

    kind: Literal["call"] = "call"
    name: str
    """Name of the tool."""
    arguments: JsonObject
    """The arguments."""
    observation: Any = None
    """What the environment answered: JSON or text."""
    depends_on: tuple[int, ...] = ()
    """Actions of this task (by index) that must be done before."""
    argument_alternatives: dict[str, tuple[Any, ...]] = {}
    """Other right values by top-level argument."""
    trace: tuple[ValueSource, ...] = ()
    """Where each value came from."""


class Ask(Record):
    """A question back to the user, and the reply."""

    kind: Literal["ask"] = "ask"
    slots: tuple[str, ...]
    """Parameters that are missing."""
    tool: str | None = None
    """The tool that misses them."""
    question: str
    """What the assistant asks."""
    reply: str
    """What the user replies."""
    depends_on: tuple[int, ...] = ()
    """Actions of this task that must be done before."""


class Answer(Record):
    """The final answer of a task."""

    kind: Literal["answer"] = "answer"
    text: str
    """What the assistant says."""
    depends_on: tuple[int, ...] = ()
    """Actions of this task that must be done before."""


Action = Annotated[Call | Ask | Answer, Field(discriminator="kind")]
"""One gold node of a task's graph."""


class HiddenIntent(Record):
    """How a task leans on earlier turns."""

    kind: HiddenIntentKind
    """The kind."""
    device: Device | None = None
    """The linguistic device."""
    piece: str
    """What is left unsaid: a parameter's name."""
    said_in: int
    """Task (from 0) where it was said or observed."""
    distance: int | None = None
    """User turns back to the words, or to the turn whose answer showed it."""


class Task(Record):
    """One user goal inside a session."""

    user: str
    """The user's message."""
    type: TaskType
    """What it asks of the assistant."""
    topology: Topology | None = None
    """Of a multi task, else None."""
    hidden_intent: HiddenIntent | None = None
    """None for the first task, and where nothing is hidden."""
    actions: tuple[Action, ...]
    """The gold actions; the last one is the answer."""
    alternatives: tuple[tuple[Action, ...], ...] = ()
    """Other right sets of actions, each whole."""

    @model_validator(mode="after")
    def _graphs_are_sound(self) -> Task:
        for actions in (self.actions, *self.alternatives):
            check_graph(actions)
        if (self.topology is not None) != (self.type is TaskType.MULTI):
            raise ValueError("a topology belongs to multi tasks, and only to them")
        return self


def check_graph(actions: tuple[Call | Ask | Answer, ...]) -> None:
    """Raise ``ValueError`` unless dependencies point at other actions of the task and form no cycle."""
    graph = {}
    for index, action in enumerate(actions):
        wrong = [on for on in action.depends_on if not 0 <= on < len(actions) or on == index]
        if wrong:
            raise ValueError(f"action {index} depends on {wrong[0]}, which is no other action of the task")
        graph[index] = set(action.depends_on)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise ValueError(f"dependencies form a cycle: {error.args[1]}") from error


class Provenance(Record):
    """Where a session came from."""

    seed: str | None = None
    """Id of the seed scenario."""
    plan: str | None = None
    """Id of the session plan."""
    draft: str | None = None
    """Id of the draft."""
    labels: tuple[str, ...] = ()
    """Ids of the labels that it rests on."""
    models: dict[str, str] = {}
    """Model by agent role."""
    prompts: dict[str, str] = {}
    """SHA-256 of each prompt file, by name."""
    offline: bool = False
    """True if a simulator wrote it."""
    simulated_labels: bool = False
    """True if a simulator labelled it."""
    imported: JsonObject | None = None
    """Of a session read from another format: what that format says beyond these records, to be written back."""


class Session(Identified):
    """One dialogue of (by default) 4 tasks over one tool list, in one language, at one fixed ``now``.

    The id hashes the plan, so that corrected labels keep it.
    """

    PREFIX: ClassVar[str] = "ses"

    @classmethod
    def for_plan(cls, plan: str, **fields: Any) -> Session:
        """A session of these fields whose id follows from the plan's id alone."""
        return cls.model_validate({"id": content_id(cls.PREFIX, plan), **fields})

    language: Language
    """Language of the dialogue and of the tools."""
    now: Timestamp
    """The session's fixed clock."""
    tool_list: str
    """Id of the tool list."""
    category: str
    """Major category of the tool list."""
    subcategory: str
    """Minor category of the tool list."""
    tools: tuple[JsonObject, ...]
    """OpenAI tools that the candidate sees; ``x-returns`` may hold the result's schema."""
    tasks: tuple[Task, ...]
    """The tasks in order."""
    provenance: Provenance = Provenance()
    """Where it came from."""

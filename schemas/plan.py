"""Plans: what a session shall be, before anyone writes a word of it."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from wildtool.schemas.base import Identified, JsonObject, Record, Timestamp
from wildtool.schemas.session import HiddenIntent
from wildtool.schemas.session_world import SessionWorld
from wildtool.schemas.tool import ToolList
from wildtool.schemas.vocabulary import HiddenIntentKind, Language, Persona, ReplyManner, TaskType, Topology

Share = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
"""A weight: counts of a log will do as well as parts of 1. Bounded, so that no sum of them overflows."""

MOST_SESSIONS = 10_000_000
"""Of one language: ten times the largest log that was ever mined."""

MOST_SEQUENCES = 100_000
"""Of task types that ``type_sequences = "all"`` may lay out: eight tasks of four types are 65,536, nine 262,144."""

ToolCount = Annotated[int, Field(ge=1, le=128)]
"""Tools of one session. 128 is the most that OpenAI's chat endpoint takes."""


class Profile(Record):
    """What a benchmark shall be made of; read from TOML.

    Shares are weights: they need not sum to 1. Quotas are met exactly (largest remainder).
    """

    name: str = Field(min_length=1, max_length=200)
    """Name and version, as in ``wildtoolbench-1.0``."""
    sessions: dict[Language, Annotated[int, Field(ge=0, le=MOST_SESSIONS)]]
    """Sessions by language."""
    tasks_per_session: int = Field(default=4, ge=1, le=20)
    """Tasks in each session. People's sessions are shorter than 20 needs, and longer ones outgrow models' contexts."""
    type_sequences: Literal["all", "sampled"] = "sampled"
    """``all``: every sequence of task types once, then again; ``sampled``: drawn by ``types``."""
    types: dict[TaskType, Share]
    """Share of tasks by type."""
    topologies: dict[Topology, Share]
    """Share of multi tasks by topology."""
    hidden_intents: dict[HiddenIntentKind, Share]
    """Share of later tasks by hidden intent; what is missing to 1 has none, if the shares sum below 1."""
    tools: tuple[ToolCount, ToolCount] = (2, 17)
    """Fewest and most tools a session."""
    mean_tools: float = Field(default=4.9, allow_inf_nan=False)
    """Mean tools a session."""
    fault_share: float = Field(default=0.0, ge=0.0, le=1.0)
    """Share of calls whose observation is an error or empty."""

    write_share: float = Field(default=0.25, ge=0.0, le=1.0)
    """Share of the tasks with calls of which one writes: books, changes, cancels. Met as far as the lists have such tools."""

    replies: dict[ReplyManner, Share] = {ReplyManner.FULL: 0.6, ReplyManner.PARTLY: 0.2, ReplyManner.VAGUE: 0.2}
    """Share of clarify tasks by how the user answers the question back. Where too few can be answered partly, those are
    answered in full."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        fewest, most = self.tools
        if not any(self.sessions.values()):
            raise ValueError("sessions: all are 0, so there is nothing to draft")
        if fewest > most:
            raise ValueError(f"tools: the fewest ({fewest}) are more than the most ({most})")
        if not fewest <= self.mean_tools <= most:
            raise ValueError(
                f"mean_tools: {self.mean_tools:g} is not between the fewest and most tools, {fewest} and {most}"
            )
        if not any(self.types.values()):
            raise ValueError("types: no share is above zero")
        if self.types.get(TaskType.MULTI) and not any(self.topologies.values()):
            raise ValueError("topologies: no share is above zero, but multi tasks need one")
        if self.types.get(TaskType.CLARIFY) and not any(self.replies.values()):
            raise ValueError("replies: no share is above zero, but clarify tasks need one")
        kinds = sum(share > 0 for share in self.types.values())
        if self.type_sequences == "all" and kinds**self.tasks_per_session > MOST_SEQUENCES:
            raise ValueError(
                f"tasks_per_session: all sequences of {self.tasks_per_session} tasks of {kinds} types are more than"
                f" {MOST_SEQUENCES:,}"
            )
        return self


class PlannedArgument(Record):
    """Where one argument of a planned call comes from."""

    parameter: str
    """Top-level parameter."""
    source: Literal["user", "earlier", "observation", "clock", "default", "missing"]
    """Said in this task, said or observed in an earlier one, result of an earlier call of this task,
    computed from the clock, a default, or missing until asked for."""
    value: Any = None
    """The value, where it is known at planning time."""
    words: str | None = None
    """How the user says it: ``tomorrow`` for a date."""
    task: int | None = None
    """For ``earlier``: the task."""
    action: int | None = None
    """For ``observation``, and ``earlier`` where it was observed: the call, by index among that task's calls."""
    path: str | None = None
    """For observed values: the path in the result."""


class PlannedCall(Record):
    """One call of a blueprint."""

    tool: str
    """Name of the tool."""
    arguments: tuple[PlannedArgument, ...]
    """Its arguments."""
    depends_on: tuple[int, ...] = ()
    """Earlier calls of the task whose results it needs, by index."""
    fault: Literal["none", "error", "empty"] = "none"
    """Whether the environment shall answer with an error or an empty result."""


class Blueprint(Record):
    """What one task shall be."""

    type: TaskType
    """Task type."""
    topology: Topology | None = None
    """Of a multi task."""
    calls: tuple[PlannedCall, ...] = ()
    """Calls in a topological order; none for a chat task."""
    missing: tuple[str, ...] = ()
    """Slots of the first call that the user leaves out and the assistant must ask for (clarify)."""
    reply: ReplyManner | None = None
    """Of a clarify task: how the user answers the question. A missing argument with a value and a ``task`` is one that the
    reply leaves to the dialogue: it is the same as there."""
    hidden_intent: HiddenIntent | None = None
    """How it leans on earlier tasks."""
    gist: str = ""
    """What it is about, in a few words."""
    mentions: tuple[PlannedArgument, ...] = ()
    """Of a chat task: what the user names (``user``) or points at (``earlier``) without wanting a call."""


class SessionPlan(Identified):
    """A session before it is drafted."""

    PREFIX: ClassVar[str] = "pln"

    profile: str
    """Name of the profile."""
    index: int
    """Number within the profile and language, from 0."""
    language: Language
    """Language of the session."""
    now: Timestamp
    """The session's fixed clock."""
    seed: str | None
    """Id of the seed scenario."""
    scenario: str
    """What the user is up to, one or two sentences."""
    persona: Persona
    """How much the user knows."""
    tool_list: ToolList
    """The tool list, cut to the session's tools."""
    tasks: tuple[Blueprint, ...]
    """One blueprint a task."""
    random_seed: int
    """Seed of all randomness in drafting."""
    parameters: JsonObject = {}
    """Drafting parameters that shape the result: prompt version, committee size."""
    world: SessionWorld | None = None
    """What answers the calls; None where a role makes results up, as in plans of 0.1.0."""

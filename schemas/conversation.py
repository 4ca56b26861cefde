"""Logged chats, normalised to OpenAI messages, and what was seen in them."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from wildtool.schemas.base import Identified, Record
from wildtool.schemas.vocabulary import Composition, Device, HiddenIntentKind, TurnKind


class Message(Record):
    """One message of a logged conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    """Role in OpenAI's sense; other logs' names are mapped by the readers."""
    content: str
    """Text. Content parts are joined; images become ``[image]``."""


class Conversation(Identified):
    """One logged chat, as a reader gives it."""

    PREFIX: ClassVar[str] = "cnv"
    IDENTITY: ClassVar[tuple[str, ...]] = ("source_id", "messages")

    source_id: str
    """Id in the log, or file and line where the log has none."""
    source: str
    """Name of the file that it came from (no folder: a path may name a person)."""
    line: int
    """Line or row in the source, from 1."""
    user: str
    """Pseudonym of the user (a hash); equal for equal users of one log, else the conversation's own."""
    language: str
    """BCP 47 primary language of the user's words; ``und`` until it is known."""
    created_at: str | None = None
    """ISO 8601, where the log says it."""
    messages: tuple[Message, ...]
    """The messages in order."""
    flags: tuple[str, ...] = ()
    """Marks that never delete: ``toxic``, ``redacted``, ``code``."""
    copies: int = 1
    """Conversations that this one stands for, itself included, after duplicates were folded."""


class HiddenReference(Record):
    """A place where a user turn leans on what was said before."""

    kind: HiddenIntentKind
    """How it leans."""
    device: Device | None = None
    """By which device, where it is known."""
    span: str
    """The words that lean, scrubbed; at most a few of them."""
    leans_on: int | None = None
    """User turn (from 0) that said the missing piece; None where it cannot be told."""
    distance: int | None = None
    """User turns back."""


class TurnBehaviour(Record):
    """What one user turn does."""

    turn: int
    """Index among the user turns, from 0."""
    message: int
    """Index among the messages."""
    kind: TurnKind
    """What it does."""
    composition: Composition = Composition.NONE
    """Several needs in one message?"""
    hidden: tuple[HiddenReference, ...] = ()
    """Where it leans on earlier turns."""


class ConversationBehaviour(Identified):
    """The behaviours of one conversation's user turns."""

    PREFIX: ClassVar[str] = "bhv"
    IDENTITY: ClassVar[tuple[str, ...] | None] = ("conversation", "language", "turns")

    conversation: str
    """Id of the conversation."""
    language: str
    """Its language."""
    turns: tuple[TurnBehaviour, ...]
    """One entry a user turn."""
    copies: int = Field(default=1, ge=1)
    """Conversations of its log that it stands for, itself included: exact and near duplicates are folded into one."""


class BehaviourStats(Record):
    """How users behave, over a set of conversations."""

    conversations: int
    """Conversations counted."""
    turns: int
    """User turns counted."""
    kinds: dict[TurnKind, float]
    """Share of user turns by kind; sums to 1."""
    compositional: float
    """Share of task-opening turns that hold several needs."""
    compositions: dict[Composition, float] = {}
    """Of these, share by how the needs hang together; sums to 1 where there are any."""
    hidden: dict[HiddenIntentKind, float]
    """Share of later user turns that lean on earlier ones, by kind."""
    transitions: dict[str, float]
    """Share of neighbouring turn pairs by ``from>to`` of turn kinds; sums to 1."""

"""Traces: rows that hold a turn each, gathered into conversations, and the messages in a turn's input and output.

A turn of a chat is one trace, and most tracers log the whole history again with each turn. So the rows of one
session are sorted by time, and a row whose messages repeat what is already there adds only what is new.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from wildtool.mining.readers.content import Role, text_of
from wildtool.mining.readers.shapes import asked, told
from wildtool.mining.readers.speakers import conversation_of, settled

HISTORY = "\1"
SAME_FILE = "\0"
"""Session of rows that belong to the one conversation of their file."""

MAX_OPEN = 20_000
"""Sessions held open at once. Beyond it the one untouched for longest is closed, so that memory stays bounded
(about 100 MB); a session whose rows lie further apart than that comes out in two pieces."""


@dataclass(slots=True)
class Turn:
    """What one trace row says."""

    session: str
    """Key of the conversation."""
    user: str
    """Whatever tells users apart."""
    time: str
    """ISO 8601, or empty."""
    messages: list[tuple[Role, str]]
    """What went in and came out."""
    speaker: str = ""
    """Name of who says the one message, where only the whole conversation tells which role that is."""
    own: str = ""
    """Further name of the conversation, by which a later row may go on from this one."""
    step: bool = False
    """Whether it is a step inside another row's turn: it counts where no row holds the turn as a whole."""


@dataclass(slots=True)
class Group:
    """A session being gathered."""

    source: str
    line: int
    turns: list[Turn] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """The session as rows of OpenAI messages: one, but for calls that are told apart by the history that they send again."""
        if not self.turns[0].session.startswith(HISTORY):
            return [self.merged()]
        chains: list[list[Turn]] = []
        for turn in self.turns:
            core = [message for message in turn.messages if _counts(message)]
            named = not turn.session.startswith(HISTORY)
            chain = next(
                (
                    each
                    for each in reversed(chains)
                    if (named and each[-1].own == turn.session) or (not named and _goes_on(each[-1], core))
                ),
                None,
            )
            if chain is None:
                chains.append([turn])
            else:
                chain.append(turn)
        return [Group(self.source, self.line, [*chain]).merged() for chain in chains]

    def merged(self) -> dict[str, Any]:
        """The session as one row of OpenAI messages."""
        turns = sorted(self.turns, key=lambda turn: turn.time)
        if any(not turn.step for turn in turns):
            turns = [turn for turn in turns if not turn.step]
        messages: list[tuple[Role, str]] = []
        if any(turn.speaker for turn in turns):
            messages = settled(
                [(None if turn.speaker else role, turn.speaker, text) for turn in turns for role, text in turn.messages]
            )
        else:
            for turn in turns:
                messages.extend(_new_messages(messages, turn.messages))
        return {
            "id": "" if turns[0].session.startswith((SAME_FILE, HISTORY)) else turns[0].session,
            "user": next((turn.user for turn in turns if turn.user), ""),
            "created_at": turns[0].time or None,
            "messages": [{"role": role, "content": text} for role, text in messages],
        }


def history_of(key: str) -> str:
    """Session of calls that send their history again; ``key`` stands for how it begins."""
    return HISTORY + key


def _goes_on(last: Turn, core: list[tuple[Role, str]]) -> bool:
    """Whether a call sends all that the last one held, and more."""
    before = [message for message in last.messages if _counts(message)]
    return len(before) < len(core) and core[: len(before)] == before


def _new_messages(said: list[tuple[Role, str]], row: list[tuple[Role, str]]) -> list[tuple[Role, str]]:
    """Messages of a row beyond those already said: its longest beginning that ends what was said is left out.

    Only what people and assistants say is compared; system prompts, results of tools and empty messages may differ.
    """
    row = [message for message in row if message[0] != "system"] if any(role != "system" for role, _ in said) else row
    core = [message for message in said if _counts(message)]
    places = [place for place, message in enumerate(row) if _counts(message)]
    for length in range(min(len(places), len(core)), 0, -1):
        if [row[place] for place in places[:length]] == core[-length:]:
            return row[places[length - 1] + 1 :]
    return row


def _counts(message: tuple[Role, str]) -> bool:
    return message[0] in ("user", "assistant") and bool(message[1].strip())


def exchange(asked_for: list[tuple[Role, str]], replied: list[tuple[Role, str]]) -> list[tuple[Role, str]]:
    """Messages of a turn's input and output, where the output may hold the input again."""
    core = [message for message in asked_for if _counts(message)]
    if core and [message for message in replied if _counts(message)][: len(core)] == core:
        return replied
    return [*asked_for, *replied]


class Grouper:
    """Gathers rows into conversations, with at most ``MAX_OPEN`` of them open."""

    def __init__(self, limit: int = MAX_OPEN) -> None:
        self._open: OrderedDict[str, Group] = OrderedDict()
        self._limit = limit
        self._also: dict[str, str] = {}

    def add(self, source: str, line: int, turn: Turn) -> Iterator[Group]:
        """Take one row in; gives back a session that had to be closed, if any."""
        key = source if turn.session == SAME_FILE else turn.session or f"{source}:{line}"
        key = self._also.get(key, key)
        if turn.own:
            self._also[turn.own] = key
        group = self._open.get(key)
        if group is None:
            group = self._open[key] = Group(source, line)
        group.turns.append(turn)
        self._open.move_to_end(key)
        if len(self._open) > self._limit:
            yield self._open.popitem(last=False)[1]

    def close(self) -> Iterator[Group]:
        """All sessions still open, in the order of their last row."""
        while self._open:
            yield self._open.popitem(last=False)[1]


def trace_messages(value: Any, role: Role) -> list[tuple[Role, str]]:
    """Messages in a trace's input or output: a list, an object that holds one, JSON text of these, or plain text."""
    if isinstance(value, str):
        if value.lstrip()[:1] in ("[", "{"):
            try:
                return trace_messages(json.loads(value), role)
            except ValueError:
                pass
        return [(role, text_of(value))] if value.strip() else []
    if isinstance(value, list):
        if value and isinstance(value[0], list):  # LangChain batches: a list of lists of messages
            return trace_messages(value[0], role)
        if all(isinstance(one, dict) for one in value):
            return conversation_of([_plain(one) for one in value])
        return [(role, text_of(value))]
    if isinstance(value, dict):
        for key in ("messages", "chat_history", "history"):
            if isinstance(value.get(key), list):
                pairs = trace_messages(value[key], role)
                last = value.get("input", value.get("question"))
                return [*pairs, *trace_messages(last, role)] if isinstance(last, str) else pairs
        if isinstance(value.get("choices"), list) and value["choices"]:
            return trace_messages(value["choices"][0].get("message"), role)
        if isinstance(value.get("generations"), list) and value["generations"]:
            return trace_messages(value["generations"][0], role)
        inner = value.get("kwargs")
        if isinstance(inner, dict) and "content" not in inner and "role" not in value:
            return trace_messages(inner, role)
        if "role" in value or "kwargs" in value:
            return conversation_of([_plain(value)])
        for key in (
            "content",
            "input",
            "question",
            "query",
            "prompt",
            "text",
            "output",
            "answer",
            "response",
            "result",
        ):
            if value.get(key):
                return trace_messages(value[key], role)
        return told(value) if role == "assistant" else asked(value)
    return []


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """A message out of the wrappings of LangChain's serialiser (``kwargs``, ``data``, ``message``)."""
    if isinstance(message.get("message"), dict) and "role" not in message:
        return _plain(message["message"])
    for key in ("kwargs", "data"):
        inner = message.get(key)
        if isinstance(inner, dict) and "content" in inner:
            name = inner.get("type") or message.get("type") or (message.get("id") or [""])[-1]
            return {
                "role": str(name).removesuffix("Chunk").removesuffix("Message").lower(),
                "content": inner["content"],
            }
    return message

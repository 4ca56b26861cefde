"""A user turn with what surrounds it: what the rules look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from mining.behaviour.cues import Cues
from mining.topics import topics_in

TAIL = 220
"""Characters of a reply's end in which it asks: what comes before is the answer."""

LONG_TURN = 4_000
"""Characters of a message that are looked at: a need stands at the beginning or the end of a pasted document."""


@dataclass(slots=True)
class Turn:
    """One user turn in its place."""

    index: int
    """Among the user turns, from 0."""
    message: int
    """Among the messages."""
    text: str
    """What the user says, scrubbed."""
    before: str
    """The assistant's message before it; empty at the start."""
    after: str
    """The assistant's message after it; empty at the end."""
    core: str = ""
    """The text without acknowledgements and politeness."""
    topics: Counter[str] = field(default_factory=Counter)
    """Topics of the text."""
    values: list[str] = field(default_factory=list)
    """Values of the text, in lower case."""

    @property
    def asked(self) -> str:
        """The end of the message before, where a question back stands."""
        return self.before[-TAIL:]


def user_turns(texts: Sequence[tuple[str, str]], cues: Cues) -> list[Turn]:
    """The user turns of a conversation given as (role, scrubbed text); consecutive user messages stay apart."""
    turns: list[Turn] = []
    chat = [(place, role, text) for place, (role, text) in enumerate(texts) if role in ("user", "assistant")]
    for spot, (place, role, text) in enumerate(chat):
        if role != "user" or not text.strip():
            continue
        before = chat[spot - 1][2] if spot and chat[spot - 1][1] == "assistant" else ""
        after = chat[spot + 1][2] if spot + 1 < len(chat) and chat[spot + 1][1] == "assistant" else ""
        shown = text if len(text) <= LONG_TURN else f"{text[: LONG_TURN // 2]}\n{text[-LONG_TURN // 2 :]}"
        turns.append(
            Turn(
                index=len(turns),
                message=place,
                text=shown,
                before=before[-LONG_TURN:],
                after=after[:LONG_TURN],
                core=cues.filler.sub(" ", shown).strip(),
                topics=topics_in(shown),
                values=[value.casefold() for value in cues.values.findall(shown)],
            )
        )
    return turns

"""A language model's part in mining: it puts scenarios in better words, and looks again at how turns were labelled.

The model is a function that is passed in: texts of requests in, texts of answers out, None where there is none. What it
answers is checked; where it does not pass, what was there before stays. It sees no raw message of a scenario, only our own
description of it; the turns that it looks at are scrubbed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, ValidationError

from wildtool.mining.scenarios.expand import Gate
from wildtool.mining.words import text as text_of
from wildtool.schemas.base import Record
from wildtool.schemas.conversation import TurnBehaviour
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.vocabulary import TurnKind

Ask = Callable[[Sequence[str]], Sequence[str | None]]
"""Requests, each of which asks for one JSON object, to answers in the same order."""

SCENARIOS_A_REQUEST = 8
"""Scenarios in one request: more make models drop some, fewer cost instructions."""

TURNS_A_REQUEST = 60
"""User turns in one request, at most (one conversation at least)."""

LONGEST_MESSAGE = 400
"""Letters of a message that the model sees."""

_LABEL = """You label what user turns in chats with an assistant do. Kinds:
- task_open: opens a task, a need that is not part of the one before
- task_update: adds to, narrows or changes the task that is open
- clarify_answer: answers a question that the assistant put back
- follow_up: asks about what was found or done
- chat: talks, without a need
- close: ends the conversation
For every user turn below give its kind. "guess" is what rules say; keep it unless it is wrong.
Answer with one JSON object: {"conversations": [{"id": ..., "kinds": ["task_open", ...]}]}, one kind a user turn, in order."""


class _Wording(Record):
    id: str
    title: str = Field(min_length=2, max_length=120)
    description: str = Field(min_length=10, max_length=600)
    goal: str = Field(min_length=4, max_length=300)


class _Kinds(Record):
    id: str
    kinds: tuple[TurnKind, ...]


@dataclass(frozen=True, slots=True)
class Observed:
    """A conversation whose turns were labelled by the models."""

    id: str
    texts: tuple[tuple[str, str], ...]
    """Role and scrubbed text of each message."""
    turns: tuple[TurnBehaviour, ...]


def word(seeds: Sequence[SeedScenario], ask: Ask) -> tuple[list[SeedScenario], int]:
    """The scenarios in a model's words, in the same order, and how many of them it worded.

    An answer that is malformed, too long, or nearer to another scenario than the gate allows is not taken. Parents that
    got new words have new ids; ``parent`` follows.
    """
    batches: list[list[SeedScenario]] = []
    for language in sorted({one.language for one in seeds}):
        own = [one for one in seeds if one.language == language]
        batches += [own[start : start + SCENARIOS_A_REQUEST] for start in range(0, len(own), SCENARIOS_A_REQUEST)]
    answers = ask(
        [
            _request(text_of(batch[0].language, "rewrite_prompt.md").strip(), "scenarios", map(_shown, batch))
            for batch in batches
        ]
    )
    worded: dict[str, _Wording] = {}
    for batch, answer in zip(batches, answers, strict=True):
        known = {one.id for one in batch}
        worded |= {one.id: one for one in _entries(answer, "scenarios", _Wording) if one.id in known}
    gate = Gate()
    for one in seeds:
        if one.id not in worded:
            gate.add(one)
    renamed: dict[str, str] = {}
    found: list[SeedScenario] = []
    taken = 0
    for one in sorted(seeds, key=lambda seed: seed.parent is not None):  # parents first: their ids change
        fields = one.model_dump(exclude={"id"}) | {"parent": renamed.get(one.parent or "", one.parent)}
        if one.id in worded:
            wording = worded[one.id].model_dump(exclude={"id"})
            candidate = SeedScenario.of(**(fields | wording))
            if gate.admits(candidate):
                fields |= wording
                taken += 1
            gate.add(SeedScenario.of(**fields))
        result = SeedScenario.of(**fields)
        renamed[one.id] = result.id
        found.append(result)
    order = {renamed[one.id]: place for place, one in enumerate(seeds)}
    return sorted(found, key=lambda seed: order[seed.id]), taken


def refine(conversations: Sequence[Observed], ask: Ask) -> tuple[list[tuple[TurnBehaviour, ...]], int]:
    """The turns of each conversation with a model's word on their kinds, and the number of kinds that it changed.

    A conversation for which it gives no valid kind for every turn keeps the labels that it had.
    """
    batches: list[list[Observed]] = []
    weight = TURNS_A_REQUEST
    for one in conversations:
        if not one.turns:
            continue
        if weight + len(one.turns) > TURNS_A_REQUEST:
            batches.append([])
            weight = 0
        batches[-1].append(one)
        weight += len(one.turns)
    answers = ask([_request(_LABEL, "conversations", map(_transcript, batch)) for batch in batches])
    said: dict[str, tuple[TurnKind, ...]] = {}
    for batch, answer in zip(batches, answers, strict=True):
        counts = {one.id: len(one.turns) for one in batch}
        for entry in _entries(answer, "conversations", _Kinds):
            if counts.get(entry.id) == len(entry.kinds):
                said[entry.id] = entry.kinds
    changed = 0
    found: list[tuple[TurnBehaviour, ...]] = []
    for one in conversations:
        kinds = said.get(one.id) or tuple(turn.kind for turn in one.turns)
        changed += sum(kind is not turn.kind for kind, turn in zip(kinds, one.turns, strict=True))
        found.append(tuple(turn.model_copy(update={"kind": kind}) for kind, turn in zip(kinds, one.turns, strict=True)))
    return found, changed


def _request(instruction: str, name: str, entries: Iterable[dict[str, Any]]) -> str:
    return f"{instruction}\n\n{json.dumps({name: list(entries)}, ensure_ascii=False, indent=1)}"


def _shown(seed: SeedScenario) -> dict[str, Any]:
    return {
        "id": seed.id,
        "domain": seed.subcategory,
        "title": seed.title,
        "description": seed.description,
        "goal": seed.goal,
        "words": list(seed.keywords),
        "needs": list(seed.tool_needs),
        "user": seed.persona.value,
    }


def _transcript(one: Observed) -> dict[str, Any]:
    guesses = {turn.message: turn.kind.value for turn in one.turns}
    messages = []
    for place, (role, text) in enumerate(one.texts):
        if role in ("user", "assistant") and (role == "assistant" or place in guesses):
            shown = (
                text
                if len(text) <= LONGEST_MESSAGE
                else f"{text[: LONGEST_MESSAGE // 2]} … {text[-LONGEST_MESSAGE // 2 :]}"
            )
            messages.append({role: shown} | ({"guess": guesses[place]} if place in guesses else {}))
    return {"id": one.id, "messages": messages}


def _entries(answer: str | None, name: str, kind: type[Any]) -> list[Any]:
    """The valid entries of an answer; an answer that is not such a JSON object has none."""
    if answer is None:
        return []
    start, end = answer.find("{"), answer.rfind("}")
    try:
        listed = json.loads(answer[start : end + 1])[name]
    except (ValueError, KeyError, TypeError):
        return []
    found = []
    for entry in listed if isinstance(listed, list) else ():
        try:
            found.append(kind.model_validate(entry, strict=False))
        except ValidationError:
            continue
    return found

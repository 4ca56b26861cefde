"""Resolves what a message points at among the lists that were shown: the item, nothing, or several that fit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from wildtool.grounding.pointing_items import Table, read_table
from wildtool.grounding.pointing_message import Message
from wildtool.grounding.pointing_picks import Outcome, Pick, pick
from wildtool.language.spans import SURE


class Aim(StrEnum):
    """What a message points at."""

    ITEM = "item"
    NOTHING = "nothing"
    AMBIGUOUS = "ambiguous"
    """Several items fit, or one is meant that nothing singles out."""


@dataclass(frozen=True, slots=True)
class ShownList:
    """A list that the user has seen."""

    name: str
    items: tuple[Any, ...]
    """JSON values, in the order shown: objects, or texts that are names."""


@dataclass(frozen=True, slots=True)
class Pointing:
    """What a message points at."""

    aim: Aim
    certainty: float
    """Probability that the aim, and the item of one, are what the writer meant."""
    list: int | None = None
    """Index of the list, oldest first; set for an item, and for what is ambiguous within one list."""
    item: int | None = None
    """Index of the item; set only where ``aim`` is an item."""
    candidates: tuple[int, ...] = ()
    """Items of the list that fit, where several do."""

    @property
    def sure(self) -> bool:
        """Whether the result is certain enough to decide something."""
        return self.certainty >= SURE


def resolve(text: str, lists: Sequence[ShownList], language: str) -> Pointing:
    """Finds what a message points at in the lists shown so far, oldest first.

    Where the message names no list, the newest list that has what is pointed at counts.
    Raises ``RegistryError`` for an unknown language.
    """
    tables = tuple(_table(each.name, json.dumps(each.items, ensure_ascii=False)) for each in lists)
    message = Message.read(text, tables, language)
    if not tables:
        return Pointing(Aim.NOTHING, 0.995)
    order, given = message.lists_meant()
    outcomes = [(at, pick(message, tables[at], at)) for at in order]
    for wanted in (Outcome.ITEM, Outcome.SEVERAL):
        for rank, (at, found) in enumerate(outcomes):
            if found.outcome is wanted:
                return _pointing(at, found, given if rank == 0 else given * (0.999 if found.named else 0.97))
    at, found = outcomes[0]
    return _pointing(at, found, 1.0)


def _pointing(at: int, found: Pick, factor: float) -> Pointing:
    certainty = round(found.certainty * factor, 4)
    if found.outcome is Outcome.ITEM:
        return Pointing(Aim.ITEM, certainty, at, found.items[0])
    if found.outcome is Outcome.NOTHING:
        return Pointing(Aim.NOTHING, certainty)
    return Pointing(Aim.AMBIGUOUS, certainty, at if found.items else None, None, found.items)


@lru_cache(maxsize=256)  # the lists of one session are asked about at every turn
def _table(name: str, items: str) -> Table:
    return read_table(name, json.loads(items))

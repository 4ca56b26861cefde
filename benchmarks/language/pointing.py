"""Judges one row of a corpus of pointing messages."""

from __future__ import annotations

from typing import Any

from wildtool.grounding.pointing import Aim, Pointing, ShownList, resolve


def judge(row: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the reading of a row agrees with ``expected`` (null, "ambiguous" or {list, item}), and whether it is sure."""
    found = read(row)
    return said(found) == row["expected"], found.sure


def read(row: dict[str, Any]) -> Pointing:
    """The reading of a row."""
    lists = [ShownList(each["name"], tuple(each["items"])) for each in row["lists"]]
    return resolve(row["text"], lists, row["language"])


def said(found: Pointing) -> Any:
    """A reading as the corpus writes it."""
    if found.aim is Aim.ITEM:
        return {"list": found.list, "item": found.item}
    return "ambiguous" if found.aim is Aim.AMBIGUOUS else None

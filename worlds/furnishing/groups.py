"""Make the rows of one list agree: ranks count them from the highest, shares of a whole add up to at most all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wildtool.schemas.base import sha256_hex
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole
from wildtool.worlds.furnishing.checks import is_figure
from wildtool.worlds.furnishing.data import name_words
from wildtool.worlds.furnishing.facts import Facts
from wildtool.worlds.furnishing.plan import FieldPlan, TablePlan
from wildtool.worlds.rows import Row
from wildtool.worlds.values import form

_RANKS = frozenset(("rank", "position", "ranking", "standing", "place"))
_LOWEST_FIRST = frozenset("time seconds minutes delay distance price cost errors".split())
"""Figures of which the lowest ranks first."""


def settle(plan: TablePlan, rows: Sequence[Row], given: Mapping[str, Any] | None = None) -> None:
    """Let rows that are listed together agree, in place; ``given`` values are what brought them all into being.

    Rows of the start are listed with those that refer to the same row.
    """
    rank = next((each for each in plan.fields if _is_rank(each)), None)
    shares = [each for each in plan.fields if _is_share(each)]
    if rank is None and not shares:
        return
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(form(row.get(plan.parent)) if plan.parent is not None and given is None else "", []).append(
            row
        )
    for group in groups.values():
        for share in shares:
            _part(share, group)
        if rank is not None and rank.name not in (given or {}):
            _rank(rank, plan, group)


def grow(plan: TablePlan, row: Row, given: Mapping[str, Any], years: int, facts: Facts) -> None:
    """Move the figures of a thing from this year's to those of another, a few per cent a year; what must agree agrees again."""
    for each in plan.fields:
        held = row.get(each.name)
        if each.role is not FieldRole.FACT or each.name in given or not is_figure(held) or _is_rank(each):
            continue
        rate = (int(sha256_hex(f"{plan.name}:{each.name}")[:4], 16) / 0xFFFF - 0.35) * 0.03
        value = held * (1 + rate) ** years
        value = round(value) if isinstance(held, int) else round(value, len(f"{held:.10g}".partition(".")[2]) or 1)
        if each.check(value):
            row[each.name] = value
    plan.agree(row, given.keys(), facts, {})


def _is_rank(each: FieldPlan) -> bool:
    held = name_words(each.name)
    return (
        each.role is FieldRole.FACT and plain_type(each.schema) == "integer" and held[-1:] != () and held[-1] in _RANKS
    )


def _is_share(each: FieldPlan) -> bool:
    held = name_words(each.name)
    number = each.role is FieldRole.FACT and plain_type(each.schema) in ("integer", "number")
    return number and ("share" in held or held[:1] == ("allocation",)) and not set(held) & {"price", "per", "count"}


def _part(share: FieldPlan, group: Sequence[Row]) -> None:
    """Scale shares that add up to more than the whole."""
    values = [row.get(share.name) for row in group]
    figures = [value for value in values if is_figure(value)]
    if len(figures) != len(group) or len(group) < 2:
        return
    whole, total = (1 if max(figures) <= 1 else 100), sum(figures)
    if total <= whole:
        return
    for row in group:
        value = row[share.name] / total * whole * 0.98
        value = int(value) if isinstance(row[share.name], int) else round(value, 3 if whole == 1 else 1)
        if share.check(value):
            row[share.name] = value


def _rank(rank: FieldPlan, plan: TablePlan, group: Sequence[Row]) -> None:
    measure = next(
        (
            each.name
            for each in sorted(plan.fields, key=lambda each: list(plan.spec.fields).index(each.name))
            if each.role is FieldRole.FACT
            and each is not rank
            and plain_type(each.schema) in ("integer", "number")
            and all(is_figure(row.get(each.name)) for row in group)
        ),
        None,
    )
    order = list(group)
    if measure is not None:
        rising = bool(set(name_words(measure)) & _LOWEST_FIRST)
        order.sort(key=lambda row: row[measure] if rising else -row[measure])
    if all(rank.check(place) for place in range(1, len(order) + 1)):
        for place, row in enumerate(order, 1):
            row[rank.name] = place

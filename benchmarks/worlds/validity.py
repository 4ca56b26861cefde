"""Whether derived worlds keep their properties, how many mutants of their specs are noticed, and how long a call takes."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from statistics import mean, median
from typing import Any

from wildtool.worlds.coverage import Derived
from wildtool.worlds.interpreter import World
from wildtool.worlds.mutants import LEAST_KILLED, acceptable
from wildtool.worlds.properties import check
from wildtool.worlds.properties.drawing import draw
from wildtool.worlds.rows import RowSource

NOW = "2026-03-02T09:30:00+00:00"

LIMITS = {"build_ms": 20.0, "call_ms": 1.0}
"""Milliseconds to make a session's world with all of its rows, and to answer one call."""

Furnish = Callable[[Derived, int], RowSource]
"""Makes the rows of a list's world from a seed."""


def furnisher(derived: Derived, seed: int) -> RowSource:
    """Rows as sessions get them."""
    from wildtool.worlds.furnishing import Furnisher

    made: RowSource = Furnisher(derived.spec, seed=seed, now=NOW)
    return made


def properties(derived: Sequence[Derived], furnish: Furnish, *, rounds: int) -> dict[str, Any]:
    """Judge the worlds of some lists."""
    failures: Counter[str] = Counter()
    failing: set[str] = set()
    examples: dict[str, str] = {}
    for each in derived:

        def make(each: Derived = each) -> World:
            return World(each.spec, each.listed.tools, furnish(each, 0), NOW)

        for violation in check(each.spec, each.listed.tools, make, rounds=rounds):
            failures[violation.property] += 1
            failing.add(each.listed.id)
            examples.setdefault(violation.property, f"{each.listed.slug}: {violation}"[:400])
    return {
        "lists": len(derived),
        "failures": failures.total(),
        "failing_lists": len(failing),
        "by_property": dict(failures.most_common()),
        "examples": examples,
    }


def kills(derived: Sequence[Derived], furnish: Furnish) -> dict[str, Any]:
    """Plant the mutants of some specs."""
    killed = total = refused = 0
    by_kind: Counter[str] = Counter()
    survived: Counter[str] = Counter()
    worst: list[tuple[float, str]] = []
    for each in derived:
        found = acceptable(each.spec, each.listed.tools, furnish(each, 0), NOW)
        killed, total, refused = killed + found.killed, total + found.total, refused + (not found.accepted)
        by_kind.update(found.kinds)
        survived.update(f"{mutant.kind}: {mutant.place.rpartition(': ')[2]}" for mutant in found.survivors)
        if not found.accepted:
            worst.append((round(found.rate, 3), each.listed.slug))
    return {
        "lists": len(derived),
        "mutants": total,
        "killed": killed,
        "rate": round(killed / max(1, total), 4),
        "refused": refused,
        "least": LEAST_KILLED,
        "by_kind": dict(by_kind.most_common()),
        "survived": dict(survived.most_common(20)),
        "worst": sorted(worst)[:20],
    }


def times(derived: Sequence[Derived], furnish: Furnish) -> dict[str, Any]:
    """Time worlds and their calls in processor milliseconds, and the same rows in SQLite."""
    builds, calls, tables, queries = [], [], [], []
    for each in derived:
        began = time.process_time()
        world = World(each.spec, each.listed.tools, furnish(each, 0), NOW)
        for table in each.spec.tables:
            world.rows.table(table)
        builds.append((time.process_time() - began) * 1000)
        calls += _calls(each, world)
        took, asked = _sqlite(world)
        tables.append(took)
        queries += asked
    return {
        "worlds": len(builds),
        "calls": len(calls),
        "build_ms": _told(builds),
        "call_ms": _told(calls),
        "sqlite_build_ms": _told(tables),
        "sqlite_query_ms": _told(queries),
    }


def _calls(each: Derived, world: World) -> list[float]:
    rng, found = Random(0), []
    for tool in each.listed.tools:
        arguments = draw(world, tool, rng) if world.executes(tool.name) else None
        if arguments is None:
            continue
        # The first call of a tool reads its schema; sessions share what was read.
        for repeat in range(3):
            fork = world.fork()
            began = time.perf_counter()
            fork.call(tool.name, arguments)
            if repeat:
                found.append((time.perf_counter() - began) * 1000)
    return found


def _sqlite(world: World) -> tuple[float, list[float]]:
    """Put the same rows into SQLite in memory, and ask each table for ten rows by one field, in order of the key."""
    held = {name: list(world.rows.table(name).values()) for name in world.spec.tables}
    base = sqlite3.connect(":memory:")
    began = time.process_time()
    columns: dict[str, list[str]] = {}
    for index, (name, rows) in enumerate(held.items()):
        fields = list(world.spec.tables[name].fields)
        columns[name] = [f"f{number}" for number in range(len(fields))]
        base.execute(f"create table t{index} ({', '.join(columns[name]) or 'f0'})")
        marks = ", ".join("?" * len(fields))
        values = [[_scalar(row.get(field)) for field in fields] for row in rows]
        if fields:
            base.executemany(f"insert into t{index} values ({marks})", values)  # noqa: S608 (numbers and marks)
    build = (time.process_time() - began) * 1000
    queries = []
    for index, (name, rows) in enumerate(held.items()):
        for field, column in list(zip(world.spec.tables[name].fields, columns[name], strict=True))[:2]:
            if rows:
                began = time.perf_counter()
                query = f"select * from t{index} where {column} = ? order by f0 limit 10"  # noqa: S608 (numbers alone)
                base.execute(query, [_scalar(rows[0].get(field))]).fetchall()
                queries.append((time.perf_counter() - began) * 1000)
    base.close()
    return build, queries


def _scalar(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _told(values: list[float]) -> dict[str, float]:
    ordered = sorted(values) or [0.0]
    return {
        "median": round(median(ordered), 4),
        "mean": round(mean(ordered), 4),
        "p95": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 4),
        "most": round(ordered[-1], 4),
    }

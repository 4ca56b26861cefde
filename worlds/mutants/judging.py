"""Try mutants: the same probe calls on the spec's world and on the mutant's, and the properties that the spec promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import OperationKind, WorldSpec
from wildtool.worlds.interpreter import Outcome, World
from wildtool.worlds.mutants.kinds import Mutant, mutants
from wildtool.worlds.properties import PROPERTIES
from wildtool.worlds.properties.drawing import draw, explore
from wildtool.worlds.properties.subject import at, given_with, next_path, same_bytes
from wildtool.worlds.rows import Row, RowSource, Taken

LEAST_KILLED = 0.9
"""Share of mutants that must be noticed; a spec below it is refused."""

ROUNDS = (4, 16, 64)
"""Probe scripts of each tool, in turns: most mutants fall in the first, those that need a rare row in the last."""

Step = tuple[str, JsonObject, Outcome]
"""A probe call and what the spec's own world showed."""


@dataclass(frozen=True)
class Acceptance:
    """Whether a spec may be used."""

    killed: int
    """Mutants that something noticed."""
    survivors: tuple[Mutant, ...]
    """Mutants that nothing noticed."""
    by_property: int = 0
    """Mutants that a property noticed as well."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Mutants by kind."""

    @property
    def total(self) -> int:
        """How many mutants the spec has."""
        return self.killed + len(self.survivors)

    @property
    def rate(self) -> float:
        """Share of the mutants that were noticed; 1 for a spec without any."""
        return self.killed / self.total if self.total else 1.0

    @property
    def accepted(self) -> bool:
        """Whether the spec may be used."""
        return self.rate >= LEAST_KILLED


class _Kept:
    """A source whose rows are made once for all mutants: rows are never changed in place."""

    def __init__(self, source: RowSource) -> None:
        self._source = source
        self._made: dict[str, list[Row]] = {}
        self._parts: dict[tuple[str, str], list[Row]] = {}

    def initial(self, table: str) -> list[Row]:
        if table not in self._made:
            self._made[table] = self._source.initial(table)
        return self._made[table]

    def partition(self, table: str, given: Any, taken: Taken) -> list[Row]:
        place = (table, canonical_json(dict(given)))
        if place not in self._parts:
            self._parts[place] = self._source.partition(table, given, taken)
        return self._parts[place]

    def fresh(self, table: str, given: Row, number: int, taken: Taken) -> Row:
        return self._source.fresh(table, given, number, taken)

    def point(self, table: str, entity: Row, moment: Any, position: int) -> Row:
        return self._source.point(table, entity, moment, position)


class _Promised:
    """A mutant's world that is judged by the spec it came from."""

    def __init__(self, world: World, spec: WorldSpec) -> None:
        self._world, self.spec = world, spec
        self.now, self.rows, self.call = world.now, world.rows, world.call

    def fork(self) -> _Promised:
        return _Promised(self._world.fork(), self.spec)


def acceptable(
    spec: WorldSpec,
    tools: Sequence[Tool],
    source: RowSource,
    now: str,
    *,
    seed: int = 0,
    properties: bool = False,
    gold: Sequence[Sequence[tuple[str, JsonObject]]] = (),
) -> Acceptance:
    """Try all mutants of a spec on the rows of ``source``. ``gold`` are calls of sessions, played beside the probes.

    A mutant is noticed where a probe call shows other bytes than on the spec's own world, or where a property of the spec
    fails on it. With ``properties`` the latter is tried for all mutants, to say how many the properties alone notice.
    """
    kept = _Kept(source)
    probes = Probes(spec, tools, kept, now, seed, gold)
    killed, by_property, survivors, kinds = 0, 0, [], Counter[str]()
    for mutant in mutants(spec, tools):
        kinds[mutant.kind] += 1
        seen = _seen(mutant, probes)
        broken = (properties or not seen) and _breaks(mutant, probes)
        by_property += broken
        if seen or broken:
            killed += 1
        else:
            survivors.append(mutant)
    return Acceptance(killed, tuple(survivors), by_property, kinds)


class Probes:
    """Probe calls on a spec's own world, made when they are first needed."""

    def __init__(
        self,
        spec: WorldSpec,
        tools: Sequence[Tool],
        source: RowSource,
        now: str,
        seed: int,
        gold: Sequence[Sequence[tuple[str, JsonObject]]] = (),
    ) -> None:
        """Play the gold calls; the probes are drawn later."""
        self.spec, self.source, self.now, self.seed = spec, source, now, seed
        self.tools = {tool.name: tool for tool in tools}
        self._scripts: dict[tuple[str, int], list[Step]] = {}
        self._base = World(spec, tools, source, now)
        self.opening: list[Step] = list(explore(self._base, self.tools, Random(f"{seed}:explore")))
        self.gold = [self._replayed(calls) for calls in gold]

    def world(self, spec: WorldSpec) -> World:
        """Return a world of another spec over the same rows."""
        return World(spec, list(self.tools.values()), self.source, self.now)

    def _replayed(self, calls: Sequence[tuple[str, JsonObject]]) -> list[Step]:
        world = self._base.fork()
        return [(tool, arguments, world.call(tool, arguments)) for tool, arguments in calls]

    def script(self, tool: str, number: int) -> list[Step]:
        """Return the calls of one script about a tool, from a world that nobody has called."""
        if (tool, number) not in self._scripts:
            rng = Random(f"{self.seed}:{tool}:{number}")
            self._scripts[tool, number] = list(self._played(tool, number, rng))
        return self._scripts[tool, number]

    def _played(self, tool: str, number: int, rng: Random) -> Iterator[Step]:
        """Play: rows to work on, the call itself, its next page, and what shows its outcome."""
        world = self._base.fork()
        operation = self.spec.tools[tool]
        related = [
            name
            for name, other in self.spec.tools.items()
            if other.executable and name in self.tools and (other.table == operation.table or self._touched(tool, name))
        ]
        if operation.op.writes or number % 4 == 3:
            makers = [name for name in related if self.spec.tools[name].op is OperationKind.CREATE and name != tool]
            for maker in makers[:2]:
                yield from self._call(world, maker, rng)
        step = yield from self._call(world, tool, rng, **self._optional(tool, number))
        if step is None:
            return
        yield from self._follow(world, step)
        if operation.op.writes:
            yield from self._call(world, tool, rng)
            for name in related:
                yield from self._call(world, name, rng, optional=0.0 if number % 2 else 0.3)
            for name in related:
                if not self.spec.tools[name].op.writes:
                    yield from self._call(world, name, rng, optional=0.0)

    def _touched(self, tool: str, other: str) -> bool:
        """Return whether a tool's writes reach into the other's table, or its rows belong to rows of it."""
        table, theirs = self.spec.tools[tool].table, self.spec.tools[other].table
        if table is None or theirs is None:
            return False
        refs = [held.ref.partition(".")[0] for held in self.spec.tables[table].fields.values() if held.ref]
        return theirs in refs

    def _optional(self, tool: str, number: int) -> dict[str, Any]:
        """Return which optional parameters a script gives: none, one of them (every other script), few, or most."""
        if number % 2 == 0:
            return {"optional": (0.0, 0.35, 0.8)[number // 2 % 3]}
        schema = self.tools[tool].parameters
        names = [name for name in schema.get("properties") or {} if name not in schema.get("required", ())]
        one = names[number // 2 % len(names)] if names else None
        return {"optional": 1.0, "leave": frozenset(names) - {one}}

    def _call(self, world: World, tool: str, rng: Random, **how: Any) -> Any:
        arguments = draw(world, self.tools[tool], rng, **({"optional": 0.35} | how))
        if arguments is None:
            return None
        step = (tool, arguments, world.call(tool, arguments))
        yield step
        return step

    def _follow(self, world: World, step: Step) -> Iterator[Step]:
        """Go to the next page, where a cursor leads to it."""
        tool, arguments, outcome = step
        page = self.spec.tools[tool].page
        where = next_path(self.spec.tools[tool])
        if page is not None and page.cursor is not None and where is not None and outcome.error is None:
            cursor = at(outcome.result, where)
            if cursor is not None:
                follow = given_with(arguments, page.cursor, cursor)
                yield tool, follow, world.call(tool, follow)


def _seen(mutant: Mutant, probes: Probes) -> bool:
    """Return whether a probe call shows other bytes on the mutant's world."""
    names = [name for name, operation in probes.spec.tools.items() if operation.executable and name in probes.tools]
    first = [name for name in names if name == mutant.tool]
    first = first or [name for name in names if probes.spec.tools[name].table == mutant.table]
    others = [name for name in names if name not in first]
    base = probes.world(mutant.spec)
    if _differs(base, probes.opening) or any(_differs(base.fork(), script) for script in probes.gold):
        return True
    done = 0
    for rounds in ROUNDS:
        for number in range(done, rounds):
            if any(_differs(base.fork(), probes.script(name, number)) for name in first):
                return True
        done = rounds
    # Effects and links may show in the calls of other tools alone.
    return any(_differs(base.fork(), probes.script(name, number)) for name in others for number in range(ROUNDS[0]))


def _differs(world: World | _Promised, script: Sequence[Step]) -> bool:
    for tool, arguments, due in script:
        try:
            outcome = world.call(tool, arguments)
        except Exception:  # a mutant that raises is noticed by whoever calls it
            return True
        if not same_bytes(outcome, due):
            return True
    return False


def _breaks(mutant: Mutant, probes: Probes) -> bool:
    """Return whether a property of the spec fails on the mutant's world, and holds on the spec's own."""
    world = _Promised(probes.world(mutant.spec), probes.spec)
    own = _Promised(probes.world(probes.spec), probes.spec)
    for each in (world, own):
        _differs(each, probes.opening)  # brings the same rows into being
    for name, holds in PROPERTIES.items():
        for number in range(2):
            seed = f"{probes.seed}:{name}:{number}"
            try:
                broken = bool(holds(world.fork(), probes.tools, Random(seed)))
            except Exception:  # as above
                broken = True
            if broken and not holds(own.fork(), probes.tools, Random(seed)):
                return True
    return False

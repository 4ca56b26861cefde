"""Plan single calls of a blueprint: values that the user says, and results of other calls of the task."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from random import Random

from wildtool.agents.planning.askable_tools import sayable
from wildtool.agents.planning.reference_devices import argument_of
from wildtool.agents.planning.session_memory import ORDINALS, Memory
from wildtool.schemas.base import canonical_json
from wildtool.schemas.json_paths import pin
from wildtool.schemas.json_schema import properties, required
from wildtool.schemas.plan import PlannedArgument, PlannedCall
from wildtool.schemas.tool import Tool, ToolList
from wildtool.worlds.spoken_values import pick

OPTIONAL_SHARE = 0.4
"""Chance that a user gives an optional parameter; the original has about one in three calls with one."""

BARE_SHARE = 0.8
"""The same for a tool that requires none: who looks for something says what."""


@dataclass
class Caller:
    """Makes the calls of one session's tasks."""

    offered: ToolList
    tools: Sequence[Tool]
    """Tools that the user can ask for."""
    bound: set[tuple[str, str]]
    """Tools with their parameters that only a result can fill."""
    memory: Memory
    now: str
    rng: Random
    untold: Set[tuple[str, str]] = frozenset()
    """Optional parameters that no user gives, by tool."""

    @property
    def named(self) -> dict[str, Tool]:
        """The usable tools by name."""
        return {tool.name: tool for tool in self.tools}

    def say(self, tool: Tool, parameter: str, used: set[str]) -> PlannedArgument | None:
        """Draw a value that the user says here, new to the session."""
        if not sayable(tool, parameter):
            return None
        avoid = frozenset(used | self.memory.texts)
        said = pick(tool, parameter, self.offered.language, self.now, self.rng, avoid=avoid)
        if said is None:
            return None
        used.add(canonical_json(said.value))
        return argument_of(parameter, said)

    def call(
        self, tool: Tool, given: Sequence[PlannedArgument], used: set[str], *, optional: bool = True
    ) -> PlannedCall | None:
        """Plan a call with the given arguments, the other required ones said by the user, and perhaps an optional one."""
        arguments = {argument.parameter: argument for argument in given}
        for name in required(tool):
            if name not in arguments:
                if (tool.name, name) in self.bound:
                    return None
                said = self.say(tool, name, used)
                if said is None:
                    return None
                arguments[name] = said
        if optional:
            extra = [
                n for n in properties(tool) if n not in arguments and (tool.name, n) not in self.bound | self.untold
            ]
            self.rng.shuffle(extra)
            # A call without any argument is the same each time.
            share, tries = (OPTIONAL_SHARE, extra[:1]) if arguments else (BARE_SHARE, extra)
            for name in tries:
                said = self.say(tool, name, used) if self.rng.random() < share else None
                if said is not None:
                    arguments[name] = said
                    break
        order = [name for name in properties(tool) if name in arguments]
        on = {a.action for a in arguments.values() if a.source == "observation" and a.action is not None}
        return PlannedCall(
            tool=tool.name, arguments=tuple(arguments[name] for name in order), depends_on=tuple(sorted(on))
        )

    def side(self, calls: Sequence[PlannedCall], used: set[str], unsaid: str | None) -> PlannedCall | None:
        """Plan an independent call: mostly of another tool, now and then of the same one for another value.

        It must not take the ``unsaid`` parameter: with one value left out and another said, nobody could tell which belongs where.
        """
        taken = {call.tool for call in calls}
        same = self.rng.random() < 0.25
        options = [
            tool
            for tool in self.tools
            if (tool.name in taken) == same and not (unsaid is not None and unsaid in required(tool))
        ]
        call = self.call(self.rng.choice(options), (), used) if options else None
        return None if call and unsaid in {argument.parameter for argument in call.arguments} else call

    def follow(self, calls: Sequence[PlannedCall], step: str, used: set[str], unsaid: str | None) -> PlannedCall | None:
        """Plan a call that takes results of this task: of the last call (chain), the first (fan), or two calls (join).

        Nor does it say an ``unsaid`` parameter.
        """
        bases = {"chain": [len(calls) - 1], "fan": [0], "join": [0, len(calls) - 1]}[step]
        links = [(base, link) for base in bases for link in self.offered.links if link.producer == calls[base].tool]
        consumers = sorted({link.consumer for _, link in links})
        self.rng.shuffle(consumers)
        for name in consumers:
            given: dict[str, PlannedArgument] = {}
            for base, link in self.rng.sample(links, len(links)):
                if link.consumer == name and link.parameter not in given:
                    if step == "join" and base in {a.action for a in given.values()}:
                        continue
                    path = pin(link.path, self.rng.choice(ORDINALS))
                    given[link.parameter] = PlannedArgument(
                        parameter=link.parameter, source="observation", action=base, path=path
                    )
            if step != "join":
                # One result of the call is enough, unless the user could not say the others.
                needed = [a for n, a in given.items() if (name, n) in self.bound] or list(given.values())[:1]
                given = {a.parameter: a for a in needed}
            elif len({a.action for a in given.values()}) < 2:
                continue
            if name not in {tool.name for tool in self.tools}:
                continue
            call = self.call(self.named[name], list(given.values()), used, optional=self.rng.random() < 0.5)
            if call is None:
                continue
            if unsaid not in {a.parameter for a in call.arguments if a.source in ("user", "clock")}:
                return call
        return None

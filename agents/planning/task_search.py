"""Search for the blueprints of one session's tasks, by a seeded search over the tool list's links."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import assert_never

from wildtool.agents.planning.antecedents import nearer_rivals
from wildtool.agents.planning.askable_tools import askable, plausible, sayable
from wildtool.agents.planning.call_search import Caller
from wildtool.agents.planning.drafters import ANY_DRAFTER, Drafter
from wildtool.agents.planning.leak_check import clashes
from wildtool.agents.planning.quotas import Cell
from wildtool.agents.planning.reference_search import References
from wildtool.agents.planning.rehearsal import rehearse
from wildtool.agents.planning.session_memory import Memory, call_key
from wildtool.agents.planning.small_talk import chatty, pieces, topic_kind
from wildtool.grounding.hidden_intents import hidden_intent
from wildtool.grounding.topology import topology_of
from wildtool.schemas.base import canonical_json
from wildtool.schemas.json_paths import pinned_index
from wildtool.schemas.json_schema import plain_type, properties, required
from wildtool.schemas.plan import Blueprint, PlannedArgument, PlannedCall
from wildtool.schemas.session import HiddenIntent
from wildtool.schemas.session_world import SessionWorld
from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import Device, TaskType, Topology
from wildtool.schemas.world import ParameterRole, WorldSpec
from wildtool.worlds.derivation import derive
from wildtool.worlds.wishes import topics_of

ATTEMPTS = 10
"""Whole-session restarts on one list. Of core lists that work at all, most do within 10; then another list is cheaper."""

TASK_ATTEMPTS = 20
"""Tries at one task before the session starts over."""

TOPICAL_SHARE = 0.8
"""Chance that a call before a chat says a thing that people chat about."""

TWO_SLOTS_SHARE = 0.5
"""Chance that a clarify task lacks a second slot, where the tool requires another that a person can say."""

AS_BEFORE_SHARE = 0.8
"""Chance that a required value that a clarify task leaves out, since it was said before, is asked for as well."""


_UNTOLD = frozenset((ParameterRole.UNSUPPORTED, ParameterRole.FORMAT))
"""Optional parameters that nobody asks for: the world cannot tell what they change."""


class Planner:
    """A seeded search for the blueprints of one session on one tool list.

    The session is planned for ``drafter`` to word. A ``lenient`` planner chats about any name. ``write_chance`` is the chance
    that a task begins with a call that writes, on lists that have one.
    """

    def __init__(
        self,
        tools: ToolList,
        cells: Sequence[Cell],
        now: str,
        rng: Random,
        *,
        drafter: Drafter = ANY_DRAFTER,
        lenient: bool = False,
        write_chance: float = 0.0,
    ) -> None:
        named = {tool.name: tool for tool in tools.tools}
        links = tuple(link for link in tools.links if plausible(link, named[link.consumer]))
        tools = self.list = tools.model_copy(update={"links": links})
        self.drafter = drafter
        self.tools: list[Tool] = []
        self.spec: WorldSpec | None = None
        untold: set[tuple[str, str]] = set()
        if sum(self._usable(tool, tools) for tool in tools.tools) >= 2:
            spec = self.spec = derive(tools)
            tools = self.list = drafter.worded(tools, spec)
            self.tools = [
                tool
                for tool in tools.tools
                if self._usable(tool, tools)
                and askable(tool, links)
                and spec.tools[tool.name].executable
                and drafter.can_say(tool)
            ]
            untold = {
                (name, parameter)
                for name, operation in spec.tools.items()
                for parameter, use in operation.parameters.items()
                if use.role in _UNTOLD
            }
        self.by_name = {tool.name: tool for tool in tools.tools}
        self.bound = {(link.consumer, link.parameter) for link in tools.links if link.required}
        self.told = [t for t in self.tools if any(topic_kind(name) is not None for name in required(t))]
        self.cells = cells
        self.now = now
        self.rng = rng
        self.lenient = lenient
        self.write_chance = write_chance
        writes = {name for name, each in self.spec.tools.items() if each.op.writes} if self.spec is not None else set()
        self.writers = [tool for tool in self.tools if tool.name in writes]
        self.readers = [tool for tool in self.tools if tool.name not in writes]
        self.askers = [
            tool
            for tool in self.tools
            if any((tool.name, name) not in self.bound and sayable(tool, name) for name in required(tool))
        ]
        """Tools that need a value which people say."""
        self.takers = [tool for tool in self.tools if any(link.consumer == tool.name for link in self.list.links)]
        """Tools that take something that another one shows."""
        self.topics = topics_of(self.spec) if self.spec is not None else ()
        self.types = [cell.type for cell in cells]
        self.memory = Memory(self.types)
        self.caller = Caller(tools, self.tools, self.bound, self.memory, now, rng, untold)
        self.references = References(self.caller)

    @staticmethod
    def _usable(tool: Tool, tools: ToolList) -> bool:
        """Return whether every required parameter can be said or come from a link."""
        linked = {link.parameter for link in tools.links if link.consumer == tool.name}
        return all(
            name in linked or plain_type(properties(tool)[name]) not in ("object", "null") for name in required(tool)
        )

    def worded(self, tools: ToolList) -> ToolList:
        """Return the list, all its links kept, with the wordings that the session is planned for."""
        if self.list.tools == tools.tools:
            return tools
        fields = {name: getattr(tools, name) for name in ToolList.model_fields if name != "id"}
        return ToolList.of(**{**fields, "tools": self.list.tools})

    @property
    def hopeful(self) -> bool:
        """Return whether the list has the least that the cells need: two tools, links where calls depend on others, and values
        to ask for."""
        names = {tool.name for tool in self.tools}
        chains = any(link.producer in names and link.consumer in names for link in self.list.links)
        waits = any(cell.topology in (Topology.SEQUENTIAL, Topology.MIXED) for cell in self.cells)
        asks = any(cell.type is TaskType.CLARIFY and cell.hidden is None for cell in self.cells)
        return len(names) >= 2 and (chains or not waits) and (bool(self.askers) or not asks)

    def search(self, attempts: int = ATTEMPTS) -> tuple[tuple[Blueprint, ...], SessionWorld] | None:
        """Find blueprints for all cells, and the world on which their calls execute; None where the list does not support
        them."""
        if not self.hopeful or self.spec is None:
            return None
        for _ in range(attempts):
            self.memory = self.caller.memory = Memory(self.types)
            blueprints: list[Blueprint] = []
            for index, cell in enumerate(self.cells):
                blueprint = self._task(index, cell, blueprints)
                if blueprint is None:
                    break
                self.memory.note(index, blueprint.calls, blueprint.mentions)
                blueprints.append(blueprint)
            else:
                tasks = tuple(blueprints)
                seed = self.rng.randrange(2**31)
                rehearsal = rehearse(self.spec, self.list.tools, tasks, self.now, seed)
                if rehearsal is None:
                    continue
                if not nearer_rivals(tasks, self.list.tools, self.list.language, rehearsal):
                    return tasks, rehearsal.world
        return None

    def _task(self, index: int, cell: Cell, before: Sequence[Blueprint]) -> Blueprint | None:
        for _ in range(TASK_ATTEMPTS):
            match cell.type:
                case TaskType.CHAT:
                    found = self._chat(index, cell)
                case TaskType.SINGLE:
                    found = self._single(index, cell)
                case TaskType.CLARIFY:
                    found = self._clarify(index, cell)
                case TaskType.MULTI:
                    found = self._multi(index, cell)
                case _:
                    assert_never(cell.type)
            if found is None or any(call_key(call, index) in self.memory.done for call in found.calls):
                continue
            if len(_pinned(found)) > 1:
                continue
            if next(clashes(found, index, before, self.by_name, self.list.language, self.drafter), None) is None:
                return found
        return None

    # Task types

    def _single(self, index: int, cell: Cell) -> Blueprint | None:
        repeat_share = hidden_intent(cell.hidden).repeat_share if cell.hidden is not None else 0.0
        hidden = None
        if cell.hidden is not None and repeat_share and self.rng.random() < repeat_share:
            again = self.references.repeat(index, cell.hidden)
            if again is None:
                return None
            call, hidden = again
        else:
            root = self._root(index, cell, set())
            if root is None:
                return None
            call, hidden = root
        return self._blueprint(cell, [call], hidden)

    def _root(self, index: int, cell: Cell, used: set[str]) -> tuple[PlannedCall, HiddenIntent | None] | None:
        """Plan a call without dependencies in its task, with a reference to earlier tasks where the cell wants one."""
        tool = self._tool(index)
        if cell.hidden is None:
            call = self.caller.call(tool, (), used)
            return None if call is None else (call, None)
        short_share = hidden_intent(cell.hidden).short_share
        if short_share and self.rng.random() < short_share:
            tool = self.references.taker_of_short_name() or tool
        reference = self.references.find(index, cell.hidden, tool)
        if reference is None:
            return None
        call = self.caller.call(tool, [reference[0]], used)
        return None if call is None else (call, reference[1])

    def _tool(self, index: int) -> Tool:
        """Choose a tool to call; before a chat task, mostly one for which the user says something to chat about."""
        if self.writers and self.rng.random() < self.write_chance:
            return self.rng.choice(self.writers)
        later = any(cell.type is TaskType.CHAT and cell.hidden is not None for cell in self.cells[index + 1 :])
        told = self.told if self.told and later and self.rng.random() < TOPICAL_SHARE else None
        return self.rng.choice(told or self.readers or self.tools)

    def _clarify(self, index: int, cell: Cell) -> Blueprint | None:
        if cell.hidden is None:
            tool = self.rng.choice(self.askers) if self.askers else self._tool(index)
        else:
            # What was shown can be asked for as "which one?".
            tool = self.rng.choice(self.takers) if self.takers and self.rng.random() < 0.5 else self._tool(index)
        used: set[str] = set()
        given: list[PlannedArgument] = []
        hidden = None
        if cell.hidden is not None:
            kind = cell.hidden
            shown = [
                (argument, last)
                for link, argument, last in self.memory.observed(kind, index, self.list, tool, self.rng)
                if "[*]" in link.path and link.required
            ]
            if shown and hidden_intent(kind).shown and self.rng.random() < 0.5:
                # "Book one of them": what they are is known, which one is not.
                argument, last = self.rng.choice(shown)
                missing = argument.model_copy(update={"source": "missing"})
                device = self.rng.choice((Device.DEMONSTRATIVE, Device.PRONOUN))
                hidden = self.references.intent(index, kind, argument.parameter, last, device)
                call = self.caller.call(tool, [missing], used)
                return None if call is None else self._blueprint(cell, [call], hidden, (argument.parameter,))
            reference = self.references.find(index, kind, tool)
            if reference is None:
                return None
            given, hidden = [reference[0]], reference[1]
        slots = [
            n
            for n in required(tool)
            if n not in {a.parameter for a in given}
            and (tool.name, n) not in self.bound
            and "default" not in properties(tool)[n]
            and plain_type(properties(tool)[n]) != "boolean"
        ]
        if not slots:
            return None
        slot = self.rng.choice(slots)
        said = self.caller.say(tool, slot, used)
        if said is None:
            return None
        absent = [said.model_copy(update={"source": "missing"})]
        kept = given[0] if given else None
        if (
            kept is not None
            and cell.hidden is not None
            and hidden_intent(cell.hidden).asks_again
            and kept.parameter in required(tool)
        ):
            # Both are asked for, and the reply says that the one is as before.
            if kept.value is not None and self.rng.random() < AS_BEFORE_SHARE:
                absent.append(kept.model_copy(update={"source": "missing"}))
                given = []
        elif len(slots) > 1 and self.rng.random() < TWO_SLOTS_SHARE:
            other = self.caller.say(tool, self.rng.choice([n for n in slots if n != slot]), used)
            absent += [other.model_copy(update={"source": "missing"})] if other is not None else []
        call = self.caller.call(tool, [*given, *absent], used)
        names = tuple(argument.parameter for argument in absent)
        return None if call is None else self._blueprint(cell, [call], hidden, names)

    def _multi(self, index: int, cell: Cell) -> Blueprint | None:
        used: set[str] = set()
        root = self._root(index, cell, used)
        if root is None:
            return None
        calls, hidden = [root[0]], root[1]
        match cell.topology:
            case Topology.PARALLEL:
                grow = ["side"] * self.rng.choice((1, 1, 2))
            case Topology.SEQUENTIAL:
                grow = ["chain"] * self.rng.choice((1, 1, 2))
            case Topology.MIXED:
                grow = self.rng.choice((["chain", "side"], ["side", "join"], ["chain", "fan"], ["side", "chain"]))
            case None:
                return None
            case _:
                assert_never(cell.topology)
        unsaid = hidden.piece if hidden else None
        for step in grow:
            caller = self.caller
            beside = step == "side"
            call = caller.side(calls, used, unsaid) if beside else caller.follow(calls, step, used, unsaid)
            if call is None or call_key(call, index) in {call_key(each, index) for each in calls}:
                return None
            calls.append(call)
        if topology_of([call.depends_on for call in calls]) is not cell.topology:
            return None
        return self._blueprint(cell, calls, hidden)

    def _chat(self, index: int, cell: Cell) -> Blueprint | None:
        if cell.hidden is None:
            return self._blueprint(cell, [], None, mentions=tuple(self._topics(2)))
        options = pieces(self.memory, cell.hidden, index, lenient=self.lenient)
        if not options:
            return None
        argument = self.rng.choice(options)
        assert argument.task is not None
        spec = hidden_intent(cell.hidden)
        device = self.rng.choice(spec.chat_devices)
        hidden = self.references.intent(index, cell.hidden, argument.parameter, argument.task, device)
        fresh = self._topics(1) if self.rng.random() < spec.second_topic_share else []
        return self._blueprint(cell, [], hidden, mentions=(argument, *fresh))

    def _topics(self, count: int) -> list[PlannedArgument]:
        """Draw named things of the list's field that a user could chat about; fewer where the list has no more."""
        names = [
            (tool, name)
            for tool in self.list.tools
            for name in properties(tool)
            if (topic_kind(name) is not None or (self.lenient and tool.examples.get(name)))
            and (tool.name, name) not in self.bound
        ]
        self.rng.shuffle(names)
        topics: list[PlannedArgument] = []
        used: set[str] = set()
        for tool, name in names * 2:
            said = self.caller.say(tool, name, used)
            if said and chatty(said, name, lenient=self.lenient) and len(topics) < count:
                topics.append(said)
        held = {topic.value for topic in topics}
        free = [each for each in self.topics if each not in held and canonical_json(each) not in self.memory.texts]
        for topic in self.rng.sample(free, min(len(free), count - len(topics))):
            topics.append(PlannedArgument(parameter="topic", source="user", value=topic, words=topic))
        return topics

    def _blueprint(
        self,
        cell: Cell,
        calls: Sequence[PlannedCall],
        hidden: HiddenIntent | None,
        missing: tuple[str, ...] = (),
        mentions: tuple[PlannedArgument, ...] = (),
    ) -> Blueprint | None:
        if (hidden is None) != (cell.hidden is None) or (cell.type is TaskType.CHAT and not mentions):
            return None
        gist = "; ".join(self.by_name[call.tool].description.split(".")[0].split("。")[0] for call in calls)
        return Blueprint(
            type=cell.type,
            topology=cell.topology,
            calls=tuple(calls),
            missing=missing,
            hidden_intent=hidden,
            gist=gist or "small talk",
            mentions=mentions,
        )


def usable_tools(tools: ToolList, drafter: Drafter) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of a list's tools that a drafter's user can ask for, and of those that need a value which is said."""
    planner = Planner(tools, (), "", Random(0), drafter=drafter)
    return frozenset(tool.name for tool in planner.tools), frozenset(tool.name for tool in planner.askers)


def _pinned(blueprint: Blueprint) -> set[int | None]:
    """Return the items that a task counts to. More than one ("the second of those and the last of these") is a riddle."""
    paths = [a.path for call in blueprint.calls for a in call.arguments if a.path is not None]
    return {pinned_index(path) for path in paths} - {None}

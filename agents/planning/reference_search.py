"""Search for what a task can refer back to: a value that was said, a result that was shown, or the whole last request."""

from __future__ import annotations

from dataclasses import dataclass

from wildtool.agents.planning.call_search import Caller
from wildtool.agents.planning.reference_devices import abbreviation, shown_devices
from wildtool.agents.planning.session_memory import Seen, argument_key
from wildtool.grounding.distance import distance, planned_turns
from wildtool.grounding.hidden_intents import hidden_intent
from wildtool.schemas.json_schema import plain_type, properties
from wildtool.schemas.plan import PlannedArgument, PlannedCall
from wildtool.schemas.session import HiddenIntent
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Device, HiddenIntentKind

SHOWN_SHARE = 0.65
"""Chance that a task refers to a shown result where it could also refer to a said value. Ordinals halve a model's
accuracy, so they deserve their share."""

SHORT_WEIGHT = 4
"""Short forms to each other device of a name that has one: few names do."""


@dataclass
class References:
    """Finds references for the calls of one session."""

    caller: Caller

    def find(self, index: int, kind: HiddenIntentKind, tool: Tool) -> tuple[PlannedArgument, HiddenIntent] | None:
        """Choose one argument of ``tool`` that an earlier task said or showed, within reach of the kind."""
        spec = hidden_intent(kind)
        rng, memory, bound = self.caller.rng, self.caller.memory, self.caller.bound
        options: list[tuple[PlannedArgument, int, list[Device]]] = []
        shown: list[tuple[PlannedArgument, int, list[Device]]] = []
        tools = {each.name: each for each in self.caller.offered.tools}
        for seen in memory.said(kind, index):
            name = seen.argument.parameter
            if name not in properties(tool) or (tool.name, name) in bound:
                continue
            here, there = properties(tool)[name], properties(tools[seen.tool])[name] if seen.tool else None
            # A code such as "accident" may come up in any result between; names seldom do.
            if spec.far and "enum" in here:
                continue
            if there is not None and (plain_type(here), here.get("enum")) != (plain_type(there), there.get("enum")):
                continue
            argument = PlannedArgument(
                parameter=name, source="earlier", value=seen.argument.value, words=seen.argument.words, task=seen.task
            )
            devices = list(spec.said_devices(tool, name))
            if spec.short_share and self._has_short_form(seen):
                devices += [Device.ABBREVIATION] * SHORT_WEIGHT
            options.append((argument, seen.task, devices))
        if spec.shown:
            for _, argument, last in memory.observed(kind, index, self.caller.offered, tool, rng):
                shown.append((argument, last, shown_devices(str(argument.path))))
        if not options and not shown:
            return None
        pool = shown if shown and (not options or rng.random() < SHOWN_SHARE) else options
        argument, said_in, devices = rng.choice(pool)
        return argument, self.intent(index, kind, argument.parameter, said_in, rng.choice(devices))

    def repeat(self, index: int, kind: HiddenIntentKind) -> tuple[PlannedCall, HiddenIntent] | None:
        """Repeat an earlier call with one thing added or changed, the rest left unsaid ("and for tomorrow?")."""
        rng, memory, bound = self.caller.rng, self.caller.memory, self.caller.bound
        tools = {each.name: each for each in self.caller.offered.tools}
        # "Same again" means what was done last; where that were several things, nobody could tell which.
        last_task = max((task for task, _, _ in memory.calls), default=-1)
        latest = [(task, call) for task, _, call in memory.calls if task == last_task]
        past = [
            (task, call)
            for task, call in latest
            if len(latest) == 1 and call.arguments and all(a.value is not None for a in call.arguments)
        ]
        rng.shuffle(past)
        for task, call in past:
            tool = tools[call.tool]
            free = [n for n in properties(tool) if (tool.name, n) not in bound]
            rng.shuffle(free)
            for name in free:
                kept = [a for a in call.arguments if a.parameter != name]
                old = next((a for a in call.arguments if a.parameter == name), None)
                reachable = {seen.key for seen in memory.said(kind, index)}
                pieces = [a.parameter for a in kept if argument_key(a, task) in reachable]
                new = self.caller.say(tool, name, set())
                if not pieces or new is None:
                    continue
                carried = [a.model_copy(update={"source": "earlier", "task": task}) for a in kept]
                again = self.caller.call(tool, [*carried, new], set(), optional=False)
                if again is None:
                    continue
                several = (Device.OMITTED_SEVERAL,) * 2 if len(kept) > 1 else ()
                devices: tuple[Device, ...] = (Device.ADDED_CONSTRAINT, *several)
                if old is not None:
                    # "What about 10?" leaves open ten of what.
                    bare = plain_type(properties(tool)[name]) in ("string", "any")
                    devices = (Device.CHANGED_CONSTRAINT, *((Device.INTERROGATIVE,) if bare else ()), *several)
                # The piece may have come up once more since: it lies no further back than there.
                last = memory.latest[argument_key(next(a for a in kept if a.parameter == pieces[0]), task)]
                return again, self.intent(index, kind, pieces[0], last, rng.choice(devices))
        return None

    def taker_of_short_name(self) -> Tool | None:
        """Choose a tool that takes a name with a short form. Few names have one, so chance would seldom find it."""
        short = {seen.argument.parameter for seen in self.caller.memory.seen if self._has_short_form(seen)}
        takers = [
            tool
            for tool in self.caller.tools
            if any(name in properties(tool) and (tool.name, name) not in self.caller.bound for name in short)
        ]
        return self.caller.rng.choice(takers) if takers else None

    def intent(self, index: int, kind: HiddenIntentKind, piece: str, said_in: int, device: Device) -> HiddenIntent:
        """Describe the hidden intent of a task, with its distance in user turns."""
        turns = distance(planned_turns(self.caller.memory.types), index, said_in)
        return HiddenIntent(kind=kind, device=device, piece=piece, said_in=said_in, distance=turns)

    def _has_short_form(self, seen: Seen) -> bool:
        """Return whether a name has a short form that fits nothing else said so far."""
        language = self.caller.offered.language
        short = abbreviation(seen.argument, language)
        others = [each.argument for each in self.caller.memory.seen if each.key != seen.key]
        return short is not None and all(abbreviation(each, language) != short for each in others)

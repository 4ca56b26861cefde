"""Decode one task of a form. Every slot is checked, nothing is corrected."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from wildtool.annotation.form.annotation import Form
from wildtool.annotation.form.controls import ask_label, call_label, slot_field, task_field
from wildtool.annotation.form.encode import observation_text, observation_value, tool_names
from wildtool.annotation.form.interface import NO_INTENT, USED, InterfaceSpec
from wildtool.annotation.form.order import in_order, slot_labels
from wildtool.grounding.distance import distance, turns_of
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.session import Action, Answer, Ask, Call, HiddenIntent, Session, Task, ValueSource
from wildtool.schemas.vocabulary import HiddenIntentKind, SlotStatus, TaskType, Topology

Problem = tuple[str, str]
"""Short code and one line for a person."""

_ACTION: TypeAdapter[Call | Ask | Answer] = TypeAdapter(Action)


def first(form: Form, control: str) -> str:
    """Return a control's first value, or an empty text."""
    return form.get(control, [""])[0].strip()


class TaskReader:
    """Reads one task of a form, in two passes over all tasks: slots first, then the task with renumbered traces."""

    def __init__(
        self,
        form: Form,
        prefilled: Form,
        session: Session,
        spec: InterfaceSpec,
        number: int,
        problems: list[Problem],
    ) -> None:
        self.form, self.prefilled, self.session, self.spec = form, prefilled, session, spec
        self.number, self.problems = number, problems
        self.before = session.tasks[number - 1]
        self.labels = slot_labels(self.before.actions)
        self.actions: list[Call | Ask | Answer] = []
        self.new_index: dict[int, int] = {}
        """New index of each action that stays, by its index in the draft."""
        self.statuses: tuple[SlotStatus, ...] = ()

    def fail(self, code: str, text: str, label: str = "") -> None:
        where = f"task {self.number}{f' {label}' if label else ''}"
        self.problems.append((code, f"{where}: {text}"))

    def text(self, control: str) -> str:
        """Read a text; return the draft's own where only blanks at its ends differ."""
        now, before = "\n".join(self.form.get(control, [])), "\n".join(self.prefilled.get(control, []))
        now, before = now.replace("\r\n", "\n"), before.replace("\r\n", "\n")
        return before if now.strip() == before.strip() else now.strip()

    def read_slots(self) -> None:
        """Read the statuses, then the used slots as actions in topological order; fill ``actions`` and ``new_index``."""
        all_labels = [ask_label(n) for n in range(1, self.spec.asks + 1)]
        all_labels += [call_label(n) for n in range(1, self.spec.calls + 1)]
        statuses = {label: self._status(label) for label in all_labels}
        used = [label for label in all_labels if statuses[label] in USED]
        priority = {label: index for index, label in enumerate(self.labels)}
        # An added call comes after the draft's actions; an added question opens the task, so it comes first.
        priority |= {
            label: (-1 if label.startswith("q") else len(self.labels) + index)
            for index, label in enumerate(all_labels)
            if label not in priority
        }
        waits = {label: self._waits(label, statuses) for label in used}
        try:
            order = in_order(
                [priority[label] for label in used], [[used.index(w) for w in waits[label]] for label in used]
            )
        except ValueError as error:
            self.fail("cycle", str(error))
            return
        ordered = [used[index] for index in order]
        for position, label in enumerate(ordered):
            on = tuple(sorted(ordered.index(each) for each in waits[label]))
            action = self._ask(label, on) if label.startswith("q") else self._call(label, on)
            if action is None:
                continue
            self.actions.append(action)
            if label in self.labels:
                self.new_index[self.labels.index(label)] = position
        self._answer(ordered)
        self.statuses = tuple(
            self._said(label, statuses[label]) for label in all_labels if self._in_use(label, statuses)
        )

    def _in_use(self, label: str, statuses: Mapping[str, SlotStatus]) -> bool:
        return label in self.labels or statuses[label] in USED

    def _status(self, label: str) -> SlotStatus:
        said = first(self.form, slot_field(self.number, label, "status"))
        if said in list(SlotStatus):
            status = SlotStatus(said)
            return SlotStatus.UNUSED if status is SlotStatus.DELETE and label not in self.labels else status
        if label in self.labels or said:
            self.fail("slot_missing", f"the slot has no valid status ({said!r})", label)
        return SlotStatus.UNUSED

    def _said(self, label: str, status: SlotStatus) -> SlotStatus:
        """Tell what was done with a slot, whatever box was ticked: an edited ``keep`` is a ``change``."""
        if label not in self.labels:
            return SlotStatus.ADD
        if status not in USED:
            return SlotStatus.DELETE
        fields = ("name", "arguments", "observation", "after", "alternatives", "question", "slots", "tool", "reply")
        controls = [slot_field(self.number, label, field) for field in fields]
        same = all(
            sorted(self.form.get(control, [])) == sorted(self.prefilled.get(control, []))
            or self.text(control) == "\n".join(self.prefilled.get(control, []))
            for control in controls
        )
        return SlotStatus.KEEP if same else SlotStatus.CHANGE

    def _waits(self, label: str, statuses: Mapping[str, SlotStatus]) -> list[str]:
        waits = []
        for on in self.form.get(slot_field(self.number, label, "after"), []):
            if statuses.get(on) in USED:
                waits.append(on)
            else:
                self.fail("dependency_on_deleted", f"waits for {on}, which was deleted or never used", label)
        return waits

    def _call(self, label: str, on: tuple[int, ...]) -> Call | None:
        name = first(self.form, slot_field(self.number, label, "name"))
        if name not in tool_names(self.session):
            self.fail(
                "unknown_tool", f"{name!r} is not one of the session's tools" if name else "no function chosen", label
            )
            return None
        arguments = self._json(slot_field(self.number, label, "arguments"), label, "arguments")
        if not isinstance(arguments, dict):
            return None
        for error in schema_errors(self.session, name, arguments):
            self.fail("schema_violation", error, label)
        alternatives = self._argument_alternatives(name, arguments, label)
        before = self._draft_action(label)
        trace: tuple[ValueSource, ...] = ()
        if isinstance(before, Call) and before.name == name:
            trace = tuple(source for source in before.trace if _same_argument(source, before.arguments, arguments))
        return Call(
            name=name,
            arguments=arguments,
            observation=self._observation(label, before),
            depends_on=on,
            argument_alternatives=alternatives,
            trace=trace,
        )

    def _draft_action(self, label: str) -> Call | Ask | Answer | None:
        return self.before.actions[self.labels.index(label)] if label in self.labels else None

    def _json(self, control: str, label: str, what: str) -> Any:
        text = self.text(control)
        try:
            value = json.loads(text, parse_constant=_no_constant)
        except ValueError as error:
            self.fail("broken_json", f"{what}: {error}" if text.strip() else f"{what} are empty", label)
            return None
        if not isinstance(value, dict):
            self.fail("broken_json", f"{what} must be a JSON object", label)
            return None
        return value

    def _argument_alternatives(self, name: str, arguments: JsonObject, label: str) -> dict[str, tuple[Any, ...]]:
        control = slot_field(self.number, label, "alternatives")
        if not self.text(control).strip():
            return {}
        written = self._json(control, label, "alternatives")
        if written is None:
            return {}
        for parameter, values in written.items():
            if not isinstance(values, list):
                self.fail("broken_json", f"alternatives of {parameter} must be a list", label)
                return {}
            for value in values:
                for error in schema_errors(self.session, name, {**arguments, parameter: value}):
                    self.fail("schema_violation", f"alternative of {parameter}: {error}", label)
        return {parameter: tuple(values) for parameter, values in written.items()}

    def _observation(self, label: str, before: Call | Ask | Answer | None) -> Any:
        text = self.text(slot_field(self.number, label, "observation"))
        if isinstance(before, Call) and text == (observation_text(before.observation) or ""):
            return before.observation
        if not text:
            return None
        value = observation_value(text)
        if isinstance(value, str) and text[0] in "[{":
            self.fail("broken_json", "the result starts like JSON but does not parse", label)
        return value

    def _ask(self, label: str, on: tuple[int, ...]) -> Ask | None:
        question = self.text(slot_field(self.number, label, "question"))
        reply = self.text(slot_field(self.number, label, "reply"))
        slots = tuple(
            part for part in re.split(r"[,，、\s]+", self.text(slot_field(self.number, label, "slots"))) if part
        )
        for what, value in (("question", question), ("reply", reply), ("missing parameters", slots)):
            if not value:
                self.fail("ask_incomplete", f"the {what} is empty", label)
                return None
        tool = first(self.form, slot_field(self.number, label, "tool")) or None
        return Ask(slots=slots, tool=tool, question=question, reply=reply, depends_on=on)

    def _answer(self, ordered: Sequence[str]) -> None:
        text = self.text(task_field(self.number, "answer"))
        if not text:
            self.fail("answer_missing", "there is no final answer")
            return
        before = self.before.actions[-1]
        if self._graph_is_the_drafts(ordered):
            on = tuple(sorted(self.new_index[index] for index in before.depends_on))
        else:  # the answer waits for every action that nothing else waits for
            waited_for = {index for action in self.actions for index in action.depends_on}
            on = tuple(index for index in range(len(self.actions)) if index not in waited_for)
        self.new_index[len(self.before.actions) - 1] = len(self.actions)
        self.actions.append(Answer(text=text, depends_on=on))

    def _graph_is_the_drafts(self, ordered: Sequence[str]) -> bool:
        if sorted(ordered) != sorted(self.labels[:-1]) or len(self.actions) != len(ordered):
            return False
        return all(
            sorted(self.new_index[on] for on in before.depends_on)
            == list(self.actions[self.new_index[index]].depends_on)
            for index, before in enumerate(self.before.actions[:-1])
        )

    @property
    def turns(self) -> int:
        """User turns of the task as the form has it, once its slots are read: the opening and one reply a question."""
        return 1 + sum(isinstance(action, Ask) for action in self.actions)

    def task(self, kept: Sequence[Mapping[int, int]], turns: Sequence[int]) -> Task | None:
        """Build the task, its traces renumbered by what every task of the session kept; None after a problem.

        ``turns`` holds the user turns of all tasks, by which a hidden intent's distance is counted.
        """
        kind = first(self.form, task_field(self.number, "type"))
        if kind not in list(TaskType):
            self.fail("type_missing", f"the type is {kind!r}")
            return None
        topology: Topology | None = None
        if kind == TaskType.MULTI:
            shape = first(self.form, task_field(self.number, "topology"))
            if shape not in list(Topology):
                self.fail("topology_missing", "a multi task needs a topology")
                return None
            topology = Topology(shape)
        user = self.text(task_field(self.number, "user"))
        if not user:
            self.fail("user_missing", "the user's message is empty")
        intent, alternatives = self._intent(turns), self._alternatives()
        if self.problems:
            return None
        actions = tuple(
            action.model_copy(update={"trace": _renumbered(action.trace, kept)}) if isinstance(action, Call) else action
            for action in self.actions
        )
        return Task(
            user=user,
            type=TaskType(kind),
            topology=topology,
            hidden_intent=intent,
            actions=actions,
            alternatives=alternatives,
        )

    def _intent(self, turns: Sequence[int]) -> HiddenIntent | None:
        if self.number == 1:
            return self.before.hidden_intent
        said = first(self.form, task_field(self.number, "intent"))
        if said == NO_INTENT:
            return None
        if said not in self.spec.intents:
            self.fail("intent_missing", f"the hidden intent is {said!r}")
            return None
        piece = self.text(task_field(self.number, "piece"))
        where = first(self.form, task_field(self.number, "said_in"))
        if not piece or not where.isdigit() or not 1 <= int(where) < self.number:
            self.fail("intent_incomplete", "a hidden intent needs the unstated parameter and the task that said it")
            return None
        kind, said_in, before = HiddenIntentKind(said), int(where) - 1, self.before.hidden_intent
        far = distance(turns, self.number - 1, said_in)
        if before is not None and (before.kind, before.piece, before.said_in) == (kind, piece, said_in):
            # Questions that were added or deleted in between move it; else it stays as the draft has it.
            moved = far != distance(turns_of(self.session.tasks), self.number - 1, said_in)
            return before.model_copy(update={"distance": far}) if moved else before
        device = before.device if before is not None and before.kind is kind else None
        return HiddenIntent(kind=kind, device=device, piece=piece, said_in=said_in, distance=far)

    def _alternatives(self) -> tuple[tuple[Call | Ask | Answer, ...], ...]:
        control = task_field(self.number, "alternatives")
        text = self.text(control)
        if not text:
            return ()
        if text == "\n".join(self.prefilled.get(control, [])):
            return self.before.alternatives
        try:
            written = json.loads(text, parse_constant=_no_constant)
            return tuple(self._alternative(actions) for actions in written)
        except (ValueError, TypeError, KeyError, AttributeError) as error:  # ValidationError is a ValueError
            line = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            self.fail("broken_alternative", f"alternative sets of calls: {line}")
            return ()

    def _alternative(self, written: Sequence[JsonObject]) -> tuple[Call | Ask | Answer, ...]:
        actions: list[Call | Ask | Answer] = []
        for fields in written:
            on = tuple(int(number) - 1 for number in fields.get("after", ()))
            plain = {"kind": "call", **{key: value for key, value in fields.items() if key != "after"}}
            action = _ACTION.validate_python({**plain, "depends_on": on})
            if isinstance(action, Answer):
                raise ValueError("leave the answer out: it is added")
            if isinstance(action, Call):
                if action.name not in tool_names(self.session):
                    raise ValueError(f"{action.name!r} is not one of the session's tools")
                for error in schema_errors(self.session, action.name, action.arguments):
                    raise ValueError(f"{action.name}: {error}")
            actions.append(action)
        waited_for = {index for action in actions for index in action.depends_on}
        last = tuple(index for index in range(len(actions)) if index not in waited_for)
        return (*actions, Answer(text=self.text(task_field(self.number, "answer")), depends_on=last))


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not valid JSON")


def _same_argument(source: ValueSource, before: JsonObject, now: JsonObject) -> bool:
    name = re.split(r"[.\[]", source.argument, maxsplit=1)[0]
    return name in before and name in now and canonical_json(before[name]) == canonical_json(now[name])


def _renumbered(trace: Sequence[ValueSource], kept: Sequence[Mapping[int, int]]) -> tuple[ValueSource, ...]:
    """Renumber traces after deletions and additions; drop those that lead to a deleted action."""
    renumbered = []
    for source in trace:
        if source.task is None or source.action is None or source.task >= len(kept):
            renumbered.append(source)
        elif source.action in kept[source.task]:
            renumbered.append(source.model_copy(update={"action": kept[source.task][source.action]}))
    return tuple(renumbered)


def schema_errors(session: Session, name: str, arguments: JsonObject) -> list[str]:
    """List how arguments violate their tool's parameters, one line each."""
    for tool in session.tools:
        function = tool.get("function", tool)
        if function.get("name") == name:
            validator = _validator(canonical_json(function.get("parameters") or {"type": "object"}))
            return [
                f"{'.'.join(map(str, e.absolute_path)) or name}: {e.message}" for e in validator.iter_errors(arguments)
            ]
    return [f"{name} is not one of the session's tools"]


@lru_cache(maxsize=512)
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema), format_checker=Draft202012Validator.FORMAT_CHECKER)

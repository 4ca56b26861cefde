"""Label Studio annotation + draft → label, or quarantine with all that does not hold.

Nothing is mended silently: a label whose JSON, schema or dependencies do not hold goes back to people.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from annotation.encode import (
    Form,
    alternative_json,
    draft_form,
    misfit,
    observation_text,
    observation_value,
    result_form,
    tool_names,
)
from annotation.interface import (
    HIDDEN_FIELD,
    NO_INTENT,
    USED,
    Interface,
    InterfaceSpec,
    ask_label,
    call_label,
    slot_field,
    task_field,
)
from annotation.order import in_order, slot_labels
from schemas.base import JsonObject, canonical_json
from schemas.draft import Draft
from schemas.label import Label
from schemas.quarantine import Quarantined
from schemas.session import Action, Answer, Ask, Call, HiddenIntent, Session, Task, ValueSource
from schemas.vocabulary import Decision, HiddenIntentKind, SlotStatus, Stage, TaskType, Topology

Problem = tuple[str, str]
"""Short code and one line for a person."""

_ACTION: TypeAdapter[Call | Ask | Answer] = TypeAdapter(Action)


def decode_annotation(
    annotation: JsonObject,
    draft: Draft,
    interface: Interface | None,
    *,
    project_id: int,
    annotator: str,
    simulated: bool = False,
    round: int = 1,
) -> Label | Quarantined:
    """What one person said of one draft.

    ``annotation`` is Label Studio's, with ``result``, ``was_cancelled``, ``updated_at``, ``lead_time``;
    ``interface`` is the one that the project has now, None where it is none of ours. A skipped session gives a label
    with ``Decision.SKIP`` and no tasks. A rejected one keeps its tasks if they hold, else none.
    """
    problems: list[Problem] = []
    form: Form = {}
    try:
        form = result_form(annotation.get("result") or [])
    except ValueError as error:
        problems.append(("broken_result", str(error)))
    simulated = simulated or HIDDEN_FIELD in form
    decision = _decision(annotation, form, problems)
    tasks: tuple[Task, ...] = ()
    slots: tuple[tuple[SlotStatus, ...], ...] = ()
    if interface is None:
        problems.append(("unknown_interface", "the project's labelling interface is none of ours: it was edited"))
    elif (unfit := misfit(draft, interface.spec)) is not None:
        problems.append(("does_not_fit", unfit))
    elif decision is not None and decision is not Decision.SKIP and not problems:
        found: list[Problem] = []
        decoded = _tasks(form, draft, interface.spec, found)
        if not found:
            tasks = tuple(task for task, _ in decoded)
            slots = tuple(statuses for _, statuses in decoded)
        elif decision is Decision.ACCEPT:
            problems += found
        if decision is Decision.REJECT and not form.get("reasons"):
            problems.append(("reason_missing", "rejected without a reason"))
    if problems or interface is None or decision is None:
        return Quarantined.of(
            stage=Stage.PULL,
            step="check",
            reason=problems[0][0],
            detail="; ".join(text for _, text in problems),
            source=draft.id,
            raw=canonical_json({"project": project_id, "annotator": annotator, "round": round, "annotation": annotation}),
        )
    return Label.of(
        draft=draft.id,
        session=draft.session.id,
        annotator=annotator,
        simulated=simulated,
        round=round,
        project_id=project_id,
        annotation_id=int(annotation["id"]),
        interface=interface.hash,
        updated_at=str(annotation["updated_at"]).replace("Z", "+00:00"),
        decision=decision,
        reject_reasons=tuple(form.get("reasons", ())) if decision is Decision.REJECT else (),
        remark=_one(form, "remark"),
        tasks=tasks,
        slots=slots,
        lead_seconds=annotation.get("lead_time"),
    )


def _decision(annotation: JsonObject, form: Form, problems: list[Problem]) -> Decision | None:
    if annotation.get("was_cancelled"):
        return Decision.SKIP
    said = _one(form, "decision")
    if said in (Decision.ACCEPT, Decision.REJECT):
        return Decision(said)
    if not problems:
        problems.append(("decision_missing", f"the decision is {said!r}, neither accept nor reject"))
    return None


def _one(form: Form, control: str) -> str:
    return form.get(control, [""])[0].strip()


def _tasks(
    form: Form, draft: Draft, spec: InterfaceSpec, problems: list[Problem]
) -> list[tuple[Task, tuple[SlotStatus, ...]]]:
    prefilled = draft_form(draft, spec)
    session = draft.session
    read = [_TaskReader(form, prefilled, session, spec, number, problems) for number in range(1, len(session.tasks) + 1)]
    for reader in read:
        reader.read_slots()
    kept = [reader.new_index for reader in read]
    decoded = []
    for reader in read:
        task = reader.task(kept)
        if task is not None:
            decoded.append((task, reader.statuses))
    return decoded


class _TaskReader:
    """Reads one task of a form. State is what the slots hold, between the two passes over all tasks."""

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
        """New index by the draft's index, of actions that stay."""
        self.statuses: tuple[SlotStatus, ...] = ()

    def fail(self, code: str, text: str, label: str = "") -> None:
        where = f"task {self.number}{f' {label}' if label else ''}"
        self.problems.append((code, f"{where}: {text}"))

    def text(self, control: str) -> str:
        """A text as the form holds it; the draft's own where only blanks at its ends differ."""
        now, before = "\n".join(self.form.get(control, [])), "\n".join(self.prefilled.get(control, []))
        now, before = now.replace("\r\n", "\n"), before.replace("\r\n", "\n")
        return before if now.strip() == before.strip() else now.strip()

    def read_slots(self) -> None:
        """Statuses, then the used slots as actions in a sound order; fills ``actions`` and ``new_index``."""
        all_labels = [ask_label(n) for n in range(1, self.spec.asks + 1)]
        all_labels += [call_label(n) for n in range(1, self.spec.calls + 1)]
        statuses = {label: self._status(label) for label in all_labels}
        used = [label for label in all_labels if statuses[label] in USED]
        priority = {label: index for index, label in enumerate(self.labels)}
        # What an annotator added comes after what was there; a question, which opens a task, before it.
        priority |= {
            label: (-1 if label.startswith("q") else len(self.labels) + index)
            for index, label in enumerate(all_labels)
            if label not in priority
        }
        waits = {label: self._waits(label, statuses) for label in used}
        try:
            order = in_order([priority[label] for label in used], [[used.index(w) for w in waits[label]] for label in used])
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
        self.statuses = tuple(self._said(label, statuses[label]) for label in all_labels if self._in_use(label, statuses))

    def _in_use(self, label: str, statuses: Mapping[str, SlotStatus]) -> bool:
        return label in self.labels or statuses[label] in USED

    def _status(self, label: str) -> SlotStatus:
        said = _one(self.form, slot_field(self.number, label, "status"))
        if said in list(SlotStatus):
            status = SlotStatus(said)
            return SlotStatus.UNUSED if status is SlotStatus.DELETE and label not in self.labels else status
        if label in self.labels or said:
            self.fail("slot_missing", f"the form does not say what becomes of it (status {said!r})", label)
        return SlotStatus.UNUSED

    def _said(self, label: str, status: SlotStatus) -> SlotStatus:
        """What was done with a slot, whatever box was ticked: an edited ``keep`` is a ``change``."""
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
                self.fail("dependency_on_deleted", f"waits for {on}, which is not there any more", label)
        return waits

    def _call(self, label: str, on: tuple[int, ...]) -> Call | None:
        name = _one(self.form, slot_field(self.number, label, "name"))
        if name not in tool_names(self.session):
            self.fail("unknown_tool", f"{name!r} is no tool of this session" if name else "no function chosen", label)
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
            self.fail("broken_json", f"{what} are no JSON object", label)
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
                self.fail("broken_json", f"alternatives of {parameter} are no list", label)
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
            self.fail("broken_json", "the result starts as JSON but does not parse", label)
        return value

    def _ask(self, label: str, on: tuple[int, ...]) -> Ask | None:
        question = self.text(slot_field(self.number, label, "question"))
        reply = self.text(slot_field(self.number, label, "reply"))
        slots = tuple(part for part in re.split(r"[,，、\s]+", self.text(slot_field(self.number, label, "slots"))) if part)
        for what, value in (("question", question), ("reply", reply), ("missing parameters", slots)):
            if not value:
                self.fail("ask_incomplete", f"the {what} is empty", label)
                return None
        tool = _one(self.form, slot_field(self.number, label, "tool")) or None
        return Ask(slots=slots, tool=tool, question=question, reply=reply, depends_on=on)

    def _answer(self, ordered: Sequence[str]) -> None:
        text = self.text(task_field(self.number, "answer"))
        if not text:
            self.fail("answer_missing", "there is no final answer")
            return
        before = self.before.actions[-1]
        if self._graph_is_the_drafts(ordered):
            on = tuple(sorted(self.new_index[index] for index in before.depends_on))
        else:  # the answer waits for whatever nothing else waits for
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

    def task(self, kept: Sequence[Mapping[int, int]]) -> Task | None:
        """The task, with traces renumbered by what every task of the session kept; None after a problem."""
        kind = _one(self.form, task_field(self.number, "type"))
        if kind not in list(TaskType):
            self.fail("type_missing", f"the type is {kind!r}")
            return None
        topology: Topology | None = None
        if kind == TaskType.MULTI:
            shape = _one(self.form, task_field(self.number, "topology"))
            if shape not in list(Topology):
                self.fail("topology_missing", "a multi task needs a topology")
                return None
            topology = Topology(shape)
        user = self.text(task_field(self.number, "user"))
        if not user:
            self.fail("user_missing", "the user says nothing")
        intent, alternatives = self._intent(), self._alternatives()
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

    def _intent(self) -> HiddenIntent | None:
        if self.number == 1:
            return self.before.hidden_intent
        said = _one(self.form, task_field(self.number, "intent"))
        if said == NO_INTENT:
            return None
        if said not in list(HiddenIntentKind):
            self.fail("intent_missing", f"the hidden intent is {said!r}")
            return None
        piece = self.text(task_field(self.number, "piece"))
        where = _one(self.form, task_field(self.number, "said_in"))
        if not piece or not where.isdigit() or not 1 <= int(where) < self.number:
            self.fail("intent_incomplete", "a hidden intent needs the piece left unsaid and the task that said it")
            return None
        kind, said_in, before = HiddenIntentKind(said), int(where) - 1, self.before.hidden_intent
        if before is not None and (before.kind, before.piece, before.said_in) == (kind, piece, said_in):
            return before
        device = before.device if before is not None and before.kind is kind else None
        between = self.session.tasks[said_in : self.number - 1]
        turns = len(between) + sum(isinstance(action, Ask) for task in between for action in task.actions)
        return HiddenIntent(kind=kind, device=device, piece=piece, said_in=said_in, distance=turns)

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
            self.fail("broken_alternative", f"other right sets of calls: {line}")
            return ()

    def _alternative(self, written: Sequence[JsonObject]) -> tuple[Call | Ask | Answer, ...]:
        actions: list[Call | Ask | Answer] = []
        for fields in written:
            on = tuple(int(number) - 1 for number in fields.get("after", ()))
            plain = {"kind": "call", **{key: value for key, value in fields.items() if key != "after"}}
            action = _ACTION.validate_python({**plain, "depends_on": on})
            if isinstance(action, Answer):
                raise ValueError("leave the answer out, it is added")
            if isinstance(action, Call):
                if action.name not in tool_names(self.session):
                    raise ValueError(f"{action.name!r} is no tool of this session")
                for error in schema_errors(self.session, action.name, action.arguments):
                    raise ValueError(f"{action.name}: {error}")
            actions.append(action)
        waited_for = {index for action in actions for index in action.depends_on}
        last = tuple(index for index in range(len(actions)) if index not in waited_for)
        return (*actions, Answer(text=self.text(task_field(self.number, "answer")), depends_on=last))


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _same_argument(source: ValueSource, before: JsonObject, now: JsonObject) -> bool:
    name = re.split(r"[.\[]", source.argument, maxsplit=1)[0]
    return name in before and name in now and canonical_json(before[name]) == canonical_json(now[name])


def _renumbered(trace: Sequence[ValueSource], kept: Sequence[Mapping[int, int]]) -> tuple[ValueSource, ...]:
    """Traces after deletions and additions; one that leads to a deleted action is dropped, it leads nowhere."""
    renumbered = []
    for source in trace:
        if source.task is None or source.action is None or source.task >= len(kept):
            renumbered.append(source)
        elif source.action in kept[source.task]:
            renumbered.append(source.model_copy(update={"action": kept[source.task][source.action]}))
    return tuple(renumbered)


def schema_errors(session: Session, name: str, arguments: JsonObject) -> list[str]:
    """How arguments violate their tool's parameters, one line each."""
    for tool in session.tools:
        function = tool.get("function", tool)
        if function.get("name") == name:
            validator = _validator(canonical_json(function.get("parameters") or {"type": "object"}))
            return [f"{'.'.join(map(str, e.absolute_path)) or name}: {e.message}" for e in validator.iter_errors(arguments)]
    return [f"{name} is no tool of this session"]


@lru_cache(maxsize=512)
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema), format_checker=Draft202012Validator.FORMAT_CHECKER)


__all__ = ["alternative_json", "decode_annotation", "schema_errors"]

"""Simulated annotators: programs that label over Label Studio's HTTP API, with planted errors.

They serve demonstrations and tests of the statistics, and are marked in every record: each result names its maker,
so that ``simulated`` is true in every label, whoever pulls it. They take the draft for the truth; what they get wrong
follows from the seed, and ``planted_errors`` tells it without a server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from wildtool.annotation.form.controls import slot_field, task_field
from wildtool.annotation.form.encode import Form, draft_form, form_result
from wildtool.annotation.form.interface import HIDDEN_FIELD, NO_INTENT, InterfaceSpec, read_interface
from wildtool.annotation.form.order import slot_labels
from wildtool.annotation.label_studio.connection import Connection
from wildtool.annotation.label_studio.pull import pseudonym
from wildtool.annotation.label_studio.push import find_project
from wildtool.schemas.base import JsonObject, Record, sha256_hex
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError, ServiceError
from wildtool.schemas.session import Call
from wildtool.schemas.vocabulary import Decision, HiddenIntentKind, SlotStatus, TaskType

MAKER = "wildtool simulator"
"""How results of programs are signed."""


class ErrorRates(Record):
    """How often a simulated annotator errs; each a probability."""

    argument: float = 0.02
    """A call: one text argument changed."""
    edge: float = 0.02
    """A dependency between calls: dropped."""
    type: float = 0.02
    """A task: its type flipped between single and chat, clarify and single, multi and single."""
    intent: float = 0.02
    """A later task: its hidden intent flipped."""
    deletion: float = 0.01
    """A call that nothing waits for: deleted (never a task's only call)."""
    decision: float = 0.02
    """A session: rejected where it should be accepted."""


class SimulatedAnnotator(Record):
    """One simulated person."""

    email: str
    """Account at Label Studio; made when missing. Must end with ``.invalid``, so that no mailbox can be meant."""
    rates: ErrorRates = ErrorRates()
    """How often it errs."""
    seed: int
    """Seed of its errors, together with its e-mail and the draft."""
    label: str = MAKER
    """How its results are signed."""
    apart: tuple[int, int] | None = None
    """``(number, of)``: of so many annotators the number, from 0; each place of a draft is one annotator's to err at, and
    no two make the same error. Two who agree on an error would make it gold, as it may happen among people; what
    programs label on their own should not depend on that luck."""


class PlantedError(Record):
    """One error that a simulated annotator makes."""

    email: str
    """Who."""
    draft: str
    """In which draft."""
    task: int | None
    """Task, from 0; None for the decision."""
    kind: str
    """``argument``, ``edge``, ``type``, ``intent``, ``deletion`` or ``decision``."""
    detail: str
    """What was changed."""


class SimulationResult(Record):
    """What a simulation did."""

    labelled: int
    """Labels made just now."""
    present: int
    """Labels that were there already, and were left."""
    emails: tuple[str, ...]
    """The annotators' accounts: pass them to ``pull_labels``."""
    pseudonyms: tuple[str, ...]
    """What labels call them (with the default salt)."""
    planted: tuple[PlantedError, ...]
    """The errors in all their labels, those made before included."""


def default_annotators(seed: int, n: int = 2, rates: ErrorRates | None = None) -> tuple[SimulatedAnnotator, ...]:
    """``n`` annotators with the same error rates, who err independently of one another."""
    return tuple(
        SimulatedAnnotator(email=f"simulated-{number}@wildtool.invalid", rates=rates or ErrorRates(), seed=seed)
        for number in range(1, n + 1)
    )


def annotators_apart(seed: int, n: int = 2) -> tuple[SimulatedAnnotator, ...]:
    """``n`` annotators who never make the same error; each errs as often as an independent one."""
    return tuple(
        annotator.model_copy(update={"apart": (number, n)})
        for number, annotator in enumerate(default_annotators(seed, n))
    )


def simulate_annotators(
    connection: Connection,
    *,
    project: str,
    drafts: Sequence[Draft],
    annotators: Sequence[SimulatedAnnotator],
    progress: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """Let annotators label every pushed draft of a project, each draft as many of them as Label Studio offers it to.

    What is labelled already is left. Which annotators label a draft follows from its id, so that their work is even.
    Raises ``ServiceError``, ``InputError`` for an account that could be a person's.
    """
    there, spec = _project(connection, project)
    by_id = {draft.id: draft for draft in drafts}
    tokens = [_account(connection, annotator) for annotator in annotators]
    # Without fields=all Label Studio gives an empty list of annotators.
    listed = connection.tasks(int(there["id"]), page_size=1000, include="id,data,annotators,overlap", fields="all")
    tasks = [task for task in listed if task["data"].get("uid") in by_id]
    labelled = present = 0
    wanted = sum(min(int(task["overlap"]), len(annotators)) for task in tasks)
    planted: list[PlantedError] = []
    for place, (annotator, (user, token)) in enumerate(zip(annotators, tokens, strict=True)):
        for task in sorted(tasks, key=lambda each: int(each["id"])):
            draft = by_id[task["data"]["uid"]]
            turn = (place - int(sha256_hex(draft.id)[:8], 16)) % len(annotators)
            if turn >= int(task["overlap"]):
                continue
            form, errors = simulated_form(draft, annotator, spec)
            planted += errors
            if user in _people(task):
                present += 1
            else:
                _submit(connection, token, int(task["id"]), form, _seconds(draft, annotator))
                labelled += 1
            if progress is not None:
                progress(labelled + present, wanted)
    return SimulationResult(
        labelled=labelled,
        present=present,
        emails=tuple(annotator.email for annotator in annotators),
        pseudonyms=tuple(pseudonym(annotator.email) for annotator in annotators),
        planted=tuple(planted),
    )


def simulate_adjudicator(
    connection: Connection,
    *,
    project: str,
    drafts: Sequence[Draft],
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """Let one simulated adjudicator decide an adjudication project: for the draft, without an error."""
    none = ErrorRates(argument=0, edge=0, type=0, intent=0, deletion=0, decision=0)
    adjudicator = SimulatedAnnotator(email="simulated-adjudicator@wildtool.invalid", rates=none, seed=seed)
    return simulate_annotators(connection, project=project, drafts=drafts, annotators=[adjudicator], progress=progress)


def planted_errors(draft: Draft, annotator: SimulatedAnnotator, spec: InterfaceSpec) -> list[PlantedError]:
    """The errors that an annotator makes in a draft."""
    return simulated_form(draft, annotator, spec)[1]


def simulated_form(draft: Draft, annotator: SimulatedAnnotator, spec: InterfaceSpec) -> tuple[Form, list[PlantedError]]:
    """The form that an annotator submits for a draft, and the errors in it. Pure."""
    rng = Random(sha256_hex(f"{annotator.seed}\n{annotator.email}\n{draft.id}"))
    rates = annotator.rates
    form = draft_form(draft, spec)
    errors: list[PlantedError] = []

    def planted(task: int | None, kind: str, detail: str) -> None:
        errors.append(PlantedError(email=annotator.email, draft=draft.id, task=task, kind=kind, detail=detail))

    def errs(rate: float, *place: object) -> bool:
        drawn = rng.random()
        if annotator.apart is None:
            return drawn < rate
        number, of = annotator.apart
        return int(sha256_hex(f"{draft.id} {place}")[:8], 16) % of == number and drawn < rate * of

    for index, task in enumerate(draft.session.tasks):
        labels = slot_labels(task.actions)
        calls = [label for label, action in zip(labels, task.actions, strict=True) if isinstance(action, Call)]
        waited_for = {labels[on] for action in task.actions[:-1] for on in action.depends_on}
        for label in calls:
            free = label not in waited_for and len(calls) > 2
            if errs(rates.deletion, "deletion", index, label) and free:
                _delete(form, index + 1, label)
                calls = [each for each in calls if each != label]
                planted(index, "deletion", label)
                continue
            if errs(rates.argument, "argument", index, label) and (
                detail := _change_argument(form, index + 1, label, draft)
            ):
                planted(index, "argument", f"{label}.{detail}")
            control = slot_field(index + 1, label, "after")
            for on in list(form.get(control, [])):
                if errs(rates.edge, "edge", index, label, on):
                    form[control].remove(on)
                    planted(index, "edge", f"{label} after {on}")
            if control in form and not form[control]:
                del form[control]
        if errs(rates.type, "type", index):
            flipped = _flipped(task.type)
            form[task_field(index + 1, "type")] = [str(flipped)]
            form.pop(task_field(index + 1, "topology"), None)
            planted(index, "type", f"{task.type} to {flipped}")
        if index and errs(rates.intent, "intent", index):
            planted(index, "intent", _flip_intent(form, index + 1, rng))
    rejects = errs(rates.decision, "decision")
    form["decision"] = [str(Decision.REJECT if rejects else Decision.ACCEPT)]
    if rejects:
        form["reasons"] = ["other"]
        planted(None, "decision", "rejected")
    form[HIDDEN_FIELD] = [f"{annotator.label}, seed {annotator.seed}"]
    return form, errors


def _flipped(kind: TaskType) -> TaskType:
    """Never to multi, which would want a topology that the form does not have."""
    return TaskType.CHAT if kind is TaskType.SINGLE else TaskType.SINGLE


def _flip_intent(form: Form, number: int, rng: Random) -> str:
    control = task_field(number, "intent")
    before = form[control][0]
    others = [str(kind) for kind in HiddenIntentKind if str(kind) != before]
    form[control] = [rng.choice(others)]
    if before == NO_INTENT:
        form[task_field(number, "piece")] = ["topic"]
        form[task_field(number, "said_in")] = ["1"]
    return f"{before} to {form[control][0]}"


def _delete(form: Form, number: int, label: str) -> None:
    for field in ("name", "arguments", "observation", "after", "alternatives"):
        form.pop(slot_field(number, label, field), None)
    form[slot_field(number, label, "status")] = [str(SlotStatus.DELETE)]


def _change_argument(form: Form, number: int, label: str, draft: Draft) -> str | None:
    """Change the first text argument that may hold any text; None where there is none."""
    control = slot_field(number, label, "arguments")
    name = form[slot_field(number, label, "name")][0]
    functions = [tool.get("function", tool) for tool in draft.session.tools]
    properties: dict[str, Any] = next(
        (f["parameters"].get("properties", {}) for f in functions if f["name"] == name), {}
    )
    arguments = json.loads(form[control][0])
    limits = {"enum", "const", "format", "pattern", "maxLength"}
    for parameter, value in arguments.items():
        schema = properties.get(parameter, {})
        if isinstance(value, str) and schema.get("type") == "string" and not limits & set(schema):
            arguments[parameter] = f"{value} (?)"
            form[control] = [json.dumps(arguments, ensure_ascii=False, indent=2)]
            form[slot_field(number, label, "status")] = [str(SlotStatus.CHANGE)]
            return str(parameter)
    return None


def _seconds(draft: Draft, annotator: SimulatedAnnotator) -> float:
    """A made-up time on task, so that figures of pace have something to show."""
    return round(Random(sha256_hex(f"pace {annotator.email} {draft.id}")).uniform(60, 240), 1)


def _project(connection: Connection, title: str) -> tuple[JsonObject, InterfaceSpec]:
    there = find_project(connection, title)
    interface = None if there is None else read_interface(there.get("label_config") or "")
    if there is None or interface is None:
        raise ServiceError(f"{connection.url} has no project {title!r} with our interface", "push drafts first")
    return there, interface.spec


def _people(task: JsonObject) -> set[int]:
    return {int(who["user_id"] if isinstance(who, dict) else who) for who in task.get("annotators") or []}


def _submit(connection: Connection, token: str, task: int, form: Form, seconds: float) -> None:
    path = f"/api/tasks/{task}/annotations/"
    connection.request("POST", path, json={"result": form_result(form), "lead_time": seconds}, token=token)


def _account(connection: Connection, annotator: SimulatedAnnotator) -> tuple[int, str]:
    """User id and token of an annotator's account, which is made through the invitation link when missing.

    The password follows from the maintainer's token, so that nothing has to be kept.
    """
    import httpx

    if not annotator.email.endswith(".invalid"):
        raise InputError(
            f"{annotator.email} could be a person's address", "simulated annotators' addresses end with .invalid"
        )
    password = connection.derived_secret(annotator.email)
    with httpx.Client(base_url=connection.url, timeout=60.0, trust_env=False, follow_redirects=True) as browser:
        form = {"email": annotator.email, "password": password}
        if any(user["email"] == annotator.email for user in connection.get("/api/users/")):
            page = "/user/login/"
        else:
            page = connection.get("/api/invite")["invite_url"]
            form |= {"allow_newsletters": "false", "how_find_us": "other"}
        match = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', browser.get(page).text)
        answer = browser.post(
            page,
            data={**form, "csrfmiddlewaretoken": match[1] if match else ""},
            headers={"Referer": connection.url + "/"},
        )
        token = browser.get("/api/current-user/token")
        who = browser.get("/api/current-user/whoami")
    if token.status_code != 200 or who.status_code != 200:
        raise ServiceError(
            f"Label Studio lets {annotator.email} not in (status {answer.status_code})",
            "its account was made with another maintainer's token: remove it, or start a new home",
        )
    if "invite" in page or "signup" in page:
        # The link went through the server's access log: a new one makes that worthless.
        connection.post("/api/invite/reset-token", {})
    return int(who.json()["id"]), str(token.json()["token"])

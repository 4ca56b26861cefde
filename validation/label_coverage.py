"""The gate that asks who judged a session: a label here, or an earlier release that holds the very same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wildtool.schemas.base import canonical_json, sha256_hex
from wildtool.schemas.release import GateFailure, GateResult
from wildtool.schemas.session import Answer, Session
from wildtool.schemas.vocabulary import Decision
from wildtool.validation.gate import Gate, GateContext, fail
from wildtool.validation.structure_gates import calls_of


def gold_hash(session: Session) -> str:
    """SHA-256 of all that a person judges of a session: words, tools, calls, results, graphs, labels.

    Left out are the wording of answers, which is no gold, the category, and the provenance.
    """
    tasks = [task.model_dump(mode="json") for task in session.tasks]
    for task, dumped in zip(session.tasks, tasks, strict=True):
        for all_actions, all_dumped in zip(
            (task.actions, *task.alternatives), (dumped["actions"], *dumped["alternatives"]), strict=True
        ):
            for action, row in zip(all_actions, all_dumped, strict=True):
                if isinstance(action, Answer):
                    row.pop("text")
    return sha256_hex(canonical_json([session.language.value, session.now, list(session.tools), tasks]))


def judged_golds(sessions: Mapping[str, Session], gates: Sequence[GateResult]) -> dict[str, str]:
    """``gold_hash`` by id of a release's sessions, but for those that its gate ``judged`` had to let pass."""
    results = [gate for gate in gates if gate.gate == "judged"]
    let_pass = {failure.session for gate in results for failure in gate.failures}
    if not results or "" in let_pass:  # more failures than the manifest lists: it names not all of them
        return {}
    return {id: gold_hash(session) for id, session in sessions.items() if id not in let_pass}


def _judged(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    for session in sessions:
        if not session.provenance.labels:
            yield fail(session, "no label is named in its provenance")
            continue
        if context.labels is None or gold_hash_known(session, context):
            continue
        labels = [label for label in context.labels.get(session.id, ()) if label.decision is not Decision.SKIP]
        decided = [label.tasks for label in labels]
        adjudication = context.adjudications.get(session.id)
        if adjudication is not None:
            decided.append(adjudication.tasks)
        if not labels:
            changed = session.id in context.judged
            yield fail(session, "it was changed since it was judged" if changed else "nobody has judged it")
            continue
        if adjudication is not None and adjudication.decision is Decision.REJECT:
            yield fail(session, "it was rejected")
        elif adjudication is None and all(label.decision is Decision.REJECT for label in labels):
            yield fail(session, "everybody who judged it rejected it")
        for number, task in enumerate(session.tasks):
            seen = {
                (call.name, canonical_json(call.arguments))
                for tasks in decided
                if number < len(tasks)
                for _, call in calls_of(tasks[number])
            }
            for index, call in calls_of(task):
                if (call.name, canonical_json(call.arguments)) not in seen:
                    yield fail(session, f"nobody has judged this call of {call.name}", number, index)


def gold_hash_known(session: Session, context: GateContext) -> bool:
    """An earlier release holds the session as it is, and it was judged there."""
    return session.id in context.judged and gold_hash(session) in context.judged[session.id]


JUDGED_GATES: tuple[Gate, ...] = (Gate("judged", "every call was judged by at least one label", _judged, "release"),)

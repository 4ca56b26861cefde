"""Labels: who judged a session, and whether those who judged it twice agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wildtool.schemas.base import canonical_json
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.gold import gold_hash
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Decision
from wildtool.validation.rule import Finding, found, in_session, not_judged, release_rule
from wildtool.validation.session_parts import calls_of

AGREEMENT_FIELDS = ("type", "topology", "hidden_intent")
"""Fields of gold. Alpha of the decision is left out: where nearly all is accepted it is near 0 by chance alone."""


@release_rule("judged", "every call was judged by at least one label", reads_text=False)
def judged(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """Somebody judged each call here, or an earlier release holds the session unchanged and judged."""
    if context.labels is None:
        yield not_judged("the labels are not at hand")
    for session in sessions:
        if not session.provenance.labels:
            yield in_session(session, "no label is named in its provenance")
            continue
        if context.labels is None or _judged_before(session, context):
            continue
        labels = [label for label in context.labels.get(session.id, ()) if label.decision is not Decision.SKIP]
        decided = [label.tasks for label in labels]
        adjudication = context.adjudications.get(session.id)
        if adjudication is not None:
            decided.append(adjudication.tasks)
        if not labels:
            changed = session.id in context.judged
            yield in_session(session, "it was changed since it was judged" if changed else "nobody has judged it")
            continue
        if adjudication is not None and adjudication.decision is Decision.REJECT:
            yield in_session(session, "it was rejected")
        elif adjudication is None and all(label.decision is Decision.REJECT for label in labels):
            yield in_session(session, "everybody who judged it rejected it")
        for number, task in enumerate(session.tasks):
            seen = {
                (call.name, canonical_json(call.arguments))
                for tasks in decided
                if number < len(tasks)
                for _, call in calls_of(tasks[number])
            }
            for index, call in calls_of(task):
                if (call.name, canonical_json(call.arguments)) not in seen:
                    yield in_session(session, f"nobody has judged this call of {call.name}", number, index)


def _judged_before(session: Session, context: ReleaseContext) -> bool:
    """An earlier release holds the session as it is, and it was judged there."""
    return session.id in context.judged and gold_hash(session) in context.judged[session.id]


@release_rule("agreement", "annotators agree substantially", reads_text=False)
def agreement(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """Alpha and F1 over the double-labelled slice reach the threshold."""
    report = context.agreement
    if report is None:
        yield not_judged("nobody labelled a session twice")
        return
    figures = {f"alpha of {name}": report.alpha[name] for name in AGREEMENT_FIELDS if name in report.alpha}
    figures |= {"F1 of calls": report.call_f1, "equal arguments": report.argument_exact, "F1 of edges": report.edge_f1}
    for name, figure in figures.items():
        if figure.value is not None and figure.value < context.agreement_threshold:
            yield found(None, f"{name} is {figure.value:.3f}, below {context.agreement_threshold}")

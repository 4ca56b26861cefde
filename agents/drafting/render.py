"""Render a draft for people: dialogue, calls with the sources of their values, doubts, cost."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.session import Answer, Ask, Call, Task, ValueSource

_LONGEST = 240
"""Characters of a result that are shown; ``--json`` has it whole."""


def render_draft(draft: Draft) -> str:
    """Render the draft as plain text for a terminal."""
    plan, session = draft.plan, draft.session
    made_by = "the offline simulator" if draft.offline else ", ".join(sorted(set(session.provenance.models.values())))
    lines = [
        f"{draft.id}  {session.id}  {session.language}, {session.now}",
        f"{plan.tool_list.title} ({session.category} / {session.subcategory}), {len(session.tools)} tools, {plan.persona}",
        f"drafted by {made_by}; profile {plan.profile}, number {plan.index}, seed {plan.random_seed}, {plan.seed or 'no scenario'}",
    ]
    for number, task in enumerate(session.tasks):
        lines += ["", _head(number, task), f"  user       {_indented(task.user)}"]
        for index, action in enumerate(task.actions):
            lines += _action(index, action)
        lines += [_doubt(v) for v in draft.verdicts if v.task == number]
    if rest := [_doubt(v) for v in draft.verdicts if v.task is None]:
        lines += ["", *rest]
    return "\n".join([*lines, "", *_cost(draft)]) + "\n"


def _head(number: int, task: Task) -> str:
    parts = [f"task {number + 1}: {task.type}"]
    if task.topology is not None:
        parts.append(str(task.topology))
    if (hidden := task.hidden_intent) is not None:
        device = f" by {hidden.device}" if hidden.device is not None else ""
        back = f", {hidden.distance} user turns back" if hidden.distance is not None else ""
        parts.append(f"{hidden.kind}{device}: {hidden.piece} from task {hidden.said_in + 1}{back}")
    return ", ".join(parts)


def _action(index: int, action: Call | Ask | Answer) -> list[str]:
    after = f"  after {', '.join(map(str, action.depends_on))}" if action.depends_on else ""
    match action:
        case Call():
            arguments = ", ".join(f"{name}={_json(value)}" for name, value in action.arguments.items())
            lines = [f"  {index} call     {action.name}({arguments}){after}"]
            lines += [f"             {_source(source)}" for source in action.trace]
            return [*lines, f"             → {_cut(action.observation)}"]
        case Ask():
            asked = f"  {index} ask      {_indented(action.question)}  [{', '.join(action.slots)}]{after}"
            return [asked, f"  user       {_indented(action.reply)}"]
        case Answer():
            return [f"  {index} answer   {_indented(action.text)}{after}"]


def _source(source: ValueSource) -> str:
    """Name the source of a value."""
    quote = f" “{source.quote}”" if source.quote else ""
    match source.kind:
        case "user":
            words = f"said here{quote}"
        case "earlier_user":
            words = f"said in task {(source.task or 0) + 1}{quote}"
        case "observation":
            words = f"result of task {(source.task or 0) + 1} action {source.action}, {source.path}"
        case "clock":
            words = f"from the clock{quote}"
        case "default":
            words = "the default"
        case "knowledge":
            words = f"common knowledge{quote}"
        case "unknown":
            words = "from nowhere that was found"
    return f"{source.argument}: {words}"


def _doubt(verdict: Verdict) -> str:
    mark = "✗" if not verdict.ok else "?" if verdict.doubtful else "✓"
    where = f" action {verdict.action}" if verdict.action is not None else ""
    words = verdict.reason or verdict.evidence
    return f"  {mark} {verdict.check}{where} ({verdict.by}, {verdict.confidence:.2f}){': ' + words if words else ''}"


def _cost(draft: Draft) -> list[str]:
    calls = Counter(call.role for call in draft.trace)
    told = ", ".join(f"{count} {role}" for role, count in sorted(calls.items()))
    sent = sum(call.prompt_tokens for call in draft.trace)
    received = sum(call.completion_tokens for call in draft.trace)
    cached = sum(call.cached for call in draft.trace)
    return [
        f"{len(draft.trace)} model calls ({told}), {cached} from the cache, {sent} + {received} tokens, {draft.repairs} repairs",
        *(f"prompt {name}  {digest[:16]}" for name, digest in sorted(draft.session.provenance.prompts.items())),
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cut(value: Any) -> str:
    text = value if isinstance(value, str) else _json(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _indented(text: str) -> str:
    return text.replace("\n", "\n             ")

"""HTML that annotators read: the dialogue, the tools, the doubts, people's labels side by side.

Every text comes from logs, models or people, so every text is escaped here, once, on its way into HTML.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, assert_never

from wildtool.annotation.form.order import slot_labels
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.label import Label
from wildtool.schemas.session import Answer, Ask, Call, Session, Task

MAX_OBSERVATION = 2000
"""Characters of an observation in the dialogue; the form beside it holds all of it."""


def laid_out(value: Any) -> str:
    """JSON as a person reads it: indented, no escapes beyond JSON's own."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def open_doubts(draft: Draft) -> list[Verdict]:
    """Verdicts that a person must look at."""
    return [verdict for verdict in draft.verdicts if verdict.doubtful]


def doubt_text(verdicts: Iterable[Verdict]) -> str:
    """One line a doubt, as plain text."""
    lines = []
    for verdict in verdicts:
        evidence = f" ({verdict.evidence})" if verdict.evidence else ""
        lines.append(f"⚠ {verdict.reason or verdict.check}{evidence}")
    return "\n".join(lines)


def dialogue_html(draft: Draft, *, note: str = "") -> str:
    """The whole dialogue, doubts beside what they doubt; ``note`` says why a session came back."""
    session = draft.session
    parts = [f'<div class="wt-note">Came back: {escape(note)}</div>'] if note else []
    doubts = open_doubts(draft)
    parts.append(
        f'<div class="wt-meta">{escape(session.category)} › {escape(session.subcategory)} · now {escape(session.now)}'
        f" · {escape(session.language)} · {len(doubts)} doubt{'' if len(doubts) == 1 else 's'}</div>"
    )
    parts += _doubts(verdict for verdict in doubts if verdict.task is None)
    for index, task in enumerate(session.tasks):
        parts.append(_task_html(index, task, [verdict for verdict in doubts if verdict.task == index]))
    return "".join(parts)


def _task_html(index: int, task: Task, doubts: Sequence[Verdict], differing: Sequence[str] = ()) -> str:
    """One task; ``differing`` names the fields that labels differ in, which marks its card."""
    kind = f"{task.type} · {task.topology}" if task.topology else str(task.type)
    marked = " wt-differs" if differing else ""
    told = f"<em>differs: {escape(', '.join(differing))}</em>" if differing else ""
    parts = [
        f'<div class="wt-card{marked}"><div class="wt-tag">Task {index + 1} <span>{escape(kind)}</span>{told}</div>'
    ]
    parts.append(_line("user", task.user))
    if task.hidden_intent is not None:
        intent = task.hidden_intent
        device = f", {intent.device}" if intent.device else ""
        parts.append(
            f'<div class="wt-intent">leans on task {intent.said_in + 1} by {escape(intent.kind)}{escape(device)}:'
            f" <code>{escape(intent.piece)}</code></div>"
        )
    parts += _doubts(verdict for verdict in doubts if verdict.action is None)
    labels = slot_labels(task.actions)
    for position, action in enumerate(task.actions):
        parts.append(_action_html(action, labels, position))
        parts += _doubts(verdict for verdict in doubts if verdict.action == position)
    for actions in task.alternatives:
        other = slot_labels(actions)
        parts.append('<div class="wt-intent">or these calls:</div>')
        parts += [_action_html(a, other, n) for n, a in enumerate(actions) if not isinstance(a, Answer)]
    return "".join(parts) + "</div>"


def _or_values(call: Call) -> str:
    """Other right values of a call's arguments, one line an argument."""
    return "".join(
        f'<div class="wt-intent">or <code>{escape(name)}</code>: '
        f"<code>{escape(', '.join(json.dumps(value, ensure_ascii=False) for value in values))}</code></div>"
        for name, values in call.argument_alternatives.items()
    )


def _action_html(action: Call | Ask | Answer, labels: Sequence[str], position: int) -> str:
    match action:
        case Call():
            after = ", ".join(labels[index] for index in action.depends_on)
            waits = f" <i>after {escape(after)}</i>" if after else ""
            return (
                f'<div class="wt-call"><b>{labels[position]}</b> {escape(action.name)}'
                f"(<code>{escape(json.dumps(action.arguments, ensure_ascii=False))}</code>){waits}"
                f'<div class="wt-result">→ {escape(shortened(action.observation))}</div>'
                f"{_or_values(action)}</div>"
            )
        case Ask():
            missing = escape(", ".join(action.slots))
            return (
                f'<div class="wt-call wt-question"><b>{labels[position]}</b> missing: <code>{missing}</code></div>'
                + _line("assistant", action.question)
                + _line("user", action.reply)
            )
        case Answer():
            return _line("assistant", action.text)
        case _:
            assert_never(action)


def shortened(value: Any) -> str:
    """An observation in one line, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_OBSERVATION else f"{text[:MAX_OBSERVATION]} … ({len(text):,} characters)"


def _line(who: str, text: str) -> str:
    return f'<div class="wt-say wt-{who}"><b>{who}</b><span>{escape(text)}</span></div>'


def _doubts(verdicts: Iterable[Verdict]) -> list[str]:
    return [f'<div class="wt-warn">{escape(doubt_text([verdict]))}</div>' for verdict in verdicts]


def tools_html(session: Session) -> str:
    """The tool list; each tool opens with a click."""
    parts = [f'<div class="wt-tools"><div class="wt-tag">Tools <span>{len(session.tools)}</span></div>']
    for tool in session.tools:
        function: JsonObject = tool.get("function", tool)
        parameters: JsonObject = function.get("parameters") or {}
        required = set(parameters.get("required") or ())
        rows = [
            f"<tr><td><code>{escape(name)}</code>{' *' if name in required else ''}</td>"
            f"<td>{escape(_type_of(schema))}</td><td>{escape(str(_described(schema)))}</td></tr>"
            for name, schema in (parameters.get("properties") or {}).items()
        ]
        name, about = escape(str(function.get("name", ""))), escape(str(function.get("description", "")))
        parts.append(f"<details><summary><b>{name}</b> {about}</summary><table>{''.join(rows)}</table></details>")
    return "".join(parts) + "</div>"


def _type_of(schema: Any) -> str:
    kind = schema.get("type", "any") if isinstance(schema, Mapping) else "any"
    return "/".join(map(str, kind)) if isinstance(kind, list) else str(kind)


def _described(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return ""
    extras = [
        f"one of {', '.join(map(str, schema['enum'][:12]))}" if schema.get("enum") else "",
        f"default {schema['default']}" if "default" in schema else "",
        f"format {schema['format']}" if "format" in schema else "",
    ]
    return " · ".join([str(schema.get("description", "")), *filter(None, extras)]).strip(" ·")


def labels_html(labels: Sequence[Label], differing: Sequence[str]) -> str:
    """People's labels side by side, for the adjudicator; ``differing`` names the fields that differ."""
    rows = [f'<div class="wt-note">They differ in: {escape(", ".join(differing) or "nothing")}</div>']
    columns = []
    for label in labels:
        parts = [
            f'<div class="wt-column"><div class="wt-tag">{escape(label.annotator)}'
            f" <span>{escape(label.decision)}</span></div>"
        ]
        if label.reject_reasons:
            parts.append(f'<div class="wt-warn">{escape(", ".join(label.reject_reasons))}</div>')
        if label.remark:
            parts.append(f'<div class="wt-meta">{escape(label.remark)}</div>')
        for index, task in enumerate(label.tasks):
            start = f"task {index + 1}: "
            here = [field.removeprefix(start) for field in differing if field.startswith(start)]
            parts.append(_task_html(index, task, (), here))
        columns.append("".join(parts) + "</div>")
    return "".join(rows) + f'<div class="wt-columns">{"".join(columns)}</div>'

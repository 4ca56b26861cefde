"""Write the release explorer: one static page to filter sessions, read them as chats with graphs, and see statistics.

The page holds its data (gzip, base64) and loads nothing; a content security policy forbids it to. Data reach the
document as text only.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from wildtool.grounding.chat import steps
from wildtool.grounding.evidence import task_words
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.errors import HomeError
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.warehouse.formats.card import banner
from wildtool.warehouse.release.release import Release, load_release


def explore_release(folder: Path, out: Path) -> Path:
    """Write the page of a release to the file ``out``; its path. The same release gives the same bytes.

    Raises ``InputError`` where the folder is not a release, ``HomeError`` where the file cannot be written.
    """
    release = load_release(folder)
    out = Path(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(page(release), encoding="utf-8", newline="\n")
    except OSError as error:
        raise HomeError(f"{out} cannot be written: {error.strerror or error}", "name another file") from error
    return out


def page(release: Release) -> str:
    """The page as HTML text."""
    parts = {name: (files("wildtool.warehouse.explorer") / name).read_text(encoding="utf-8") for name in PARTS}
    data = gzip.compress(canonical_json(page_data(release)).encode("utf-8"), compresslevel=9, mtime=0)
    script = parts["page.js"]
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    values = {
        "@TITLE@": html.escape(f"{release.manifest.name} {release.manifest.version}"),
        "@BANNER@": html.escape(banner(release.manifest)),
        "@SCRIPT_HASH@": digest,
        "@STYLE@": parts["page.css"],
        "@DATA@": base64.b64encode(data).decode("ascii"),
        "@SCRIPT@": script,
    }
    # One pass, so that nothing that was put in is itself taken for a place.
    return re.sub("|".join(values), lambda found: values[found[0]], parts["page.html"])


PARTS = ("page.html", "page.css", "page.js")


def page_data(release: Release) -> JsonObject:
    """What the page shows. Tools are listed once: sessions of one API share them."""
    tools: dict[str, int] = {}
    sessions = [_session(session, release.splits[session.id], tools) for session in release.sessions]
    return {
        "name": release.manifest.name,
        "version": release.manifest.version,
        "canary": release.manifest.canary,
        "tools": list(tools),
        "sessions": sessions,
    }


def _session(session: Session, split: str, tools: dict[str, int]) -> JsonObject:
    return {
        "id": session.id,
        "language": session.language.value,
        "split": split,
        "category": session.category,
        "subcategory": session.subcategory,
        "now": session.now,
        "tools": [tools.setdefault(canonical_json(tool), len(tools)) for tool in session.tools],
        "turns": sum(len(task_words(task)) for task in session.tasks),
        "tasks": [_task(task) for task in session.tasks],
    }


def _task(task: Task) -> JsonObject:
    hidden = task.hidden_intent
    return {
        "user": task.user,
        "type": task.type.value,
        "topology": task.topology.value if task.topology else None,
        "hidden": hidden.model_dump(mode="json", exclude_none=True) if hidden else None,
        "steps": steps(task.actions),
        "actions": [_action(action) for action in task.actions],
    }


def _action(action: Call | Ask | Answer) -> JsonObject:
    row: dict[str, Any] = {"kind": action.kind, "on": list(action.depends_on)}
    match action:
        case Call():
            row |= {"name": action.name, "arguments": action.arguments, "observation": action.observation}
        case Ask():
            row |= {"slots": list(action.slots), "question": action.question, "reply": action.reply}
        case Answer():
            row |= {"text": action.text}
    return row

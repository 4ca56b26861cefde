"""What must be true of a set of sessions as such: ids, sizes, licences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.session import Session
from wildtool.validation.rule import Finding, in_session, not_judged, release_rule

NO_LICENCE = re.compile(
    r"unknown|none|n/?a|null|tbd|unlicen[sc]ed|no licen[sc]e|undefined|-+|\?+|proprietary|all rights reserved|未知|无",
    re.IGNORECASE,
)
"""Words that stand where a licence should, and let nobody publish. (``Unlicense`` is a licence.)"""


@release_rule("ids", "every id is there once", reads_text=False)
def ids(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """No two sessions share an id."""
    seen: set[str] = set()
    for session in sessions:
        if session.id in seen:
            yield in_session(session, "another session has the same id")
        seen.add(session.id)


@release_rule("tasks", "no session has more tasks than the profile says", reads_text=False)
def tasks(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """Each session has at least one task and at most as many as the profile says."""
    for session in sessions:
        if not 1 <= len(session.tasks) <= context.tasks_per_session:
            yield in_session(session, f"has {len(session.tasks)} tasks, not 1 to {context.tasks_per_session}")


@release_rule("licences", "every tool list has a licence", reads_text=False)
def licences(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """The licence of each tool list lets it be published."""
    if context.licences is None:
        yield not_judged("the tool lists are not at hand")
        return
    for session in sessions:
        licence = context.licences.get(session.tool_list, "").strip()
        if not licence or NO_LICENCE.fullmatch(licence):
            yield in_session(session, f"tool list {session.tool_list} has no licence{licence and f' ({licence})'}")

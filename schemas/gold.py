"""The identity of a session's gold: equal hashes mean that a person would judge the same thing."""

from __future__ import annotations

from wildtool.schemas.base import canonical_json, sha256_hex
from wildtool.schemas.session import Answer, Session


def gold_hash(session: Session) -> str:
    """SHA-256 of everything a person judges in a session: words, tools, calls, results, graphs, labels.

    Leaves out the wording of answers, which is not gold, the category, and the provenance.
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

"""Count the composition of a set of sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise

from wildtool.schemas.session import Ask, Call, Session
from wildtool.schemas.vocabulary import HiddenIntentKind, TaskType, Topology


def composition(sessions: Iterable[Session]) -> dict[str, Counter[str]]:
    """Tasks by type, by topology, and later tasks by hidden intent (``none`` where nothing is hidden);
    sessions by category, by language and by transitions of type."""
    found: dict[str, Counter[str]] = {
        "type": Counter({kind.value: 0 for kind in TaskType}),
        "topology": Counter({kind.value: 0 for kind in Topology}),
        "hidden_intent": Counter({kind.value: 0 for kind in HiddenIntentKind}),
        "category": Counter(),
        "language": Counter(),
        "transitions": Counter(),
    }
    for session in sessions:
        found["category"][session.category] += 1
        found["language"][session.language.value] += 1
        types = [task.type for task in session.tasks]
        found["transitions"][str(sum(a is not b for a, b in pairwise(types)))] += 1
        for number, task in enumerate(session.tasks):
            found["type"][task.type.value] += 1
            if task.topology is not None:
                found["topology"][task.topology.value] += 1
            if number:
                found["hidden_intent"][task.hidden_intent.kind.value if task.hidden_intent else "none"] += 1
    return found


def counts_of(sessions: Iterable[Session], splits: Mapping[str, str]) -> dict[str, int]:
    """The manifest's counts: how much there is of everything, and sessions by language and split."""
    counts: Counter[str] = Counter(
        dict.fromkeys(("sessions", "tasks", "actions", "calls", "asks", "dependencies", "tools"), 0)
    )
    lists: set[str] = set()
    for session in sessions:
        counts["sessions"] += 1
        counts["tools"] += len(session.tools)
        counts["tasks"] += len(session.tasks)
        lists.add(session.tool_list)
        counts[f"sessions.{session.language.value}"] += 1
        counts[f"sessions.{session.language.value}.{splits[session.id]}"] += 1
        for task in session.tasks:
            counts["actions"] += len(task.actions)
            for action in task.actions:
                counts["calls"] += isinstance(action, Call)
                counts["asks"] += isinstance(action, Ask)
                counts["dependencies"] += len(action.depends_on)
    counts["tool_lists"] = len(lists)
    return dict(counts)

"""Turn the behaviour of a log's users into a profile that drafting can follow instead of the original's quotas."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from wildtool.grounding.hidden_intents import hidden_intent_kinds
from wildtool.language.lexicon import languages
from wildtool.schemas.conversation import BehaviourStats
from wildtool.schemas.errors import InputError
from wildtool.schemas.plan import Profile
from wildtool.schemas.vocabulary import Composition, HiddenIntentKind, Language, TaskType, Topology, TurnKind

NEEDS = (TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE, TurnKind.FOLLOW_UP)
"""Turns that a session's task stands for: a user turn that wants something done or known."""

TOPOLOGY_OF = {
    Composition.INDEPENDENT: Topology.PARALLEL,
    Composition.CHAINED: Topology.SEQUENTIAL,
    Composition.BOTH: Topology.MIXED,
}

ORIGINAL_TYPES = {TaskType.SINGLE: 0.25, TaskType.MULTI: 0.25, TaskType.CLARIFY: 0.25, TaskType.CHAT: 0.25}
ORIGINAL_TOPOLOGIES = {Topology.PARALLEL: 156.0, Topology.MIXED: 84.0, Topology.SEQUENTIAL: 16.0}
"""WildToolBench's counts, as in the default profile."""

PRIOR_CONVERSATIONS = 20
"""Conversations in the manner of the default profile that are added to the log's: a log of three says little, and without them
one odd turn would be a third of a benchmark. Of a thousand conversations they are a fiftieth."""

PRIOR_TASKS = 4
"""Tasks in each of them."""

SESSIONS = 64
"""Sessions of the profile, dealt out over the log's languages by their conversations."""

FEWEST_TASKS, MOST_TASKS = 4, 6
"""Tasks a session: as many as a conversation of the log has, but enough that one can refer to the first from more than two
turns later, and no more than planning can carry."""

FILLED = 0.9
"""Share of the places for tasks that refer far back that a profile asks for at most."""


def profile_of(stats: Mapping[str, BehaviourStats], name: str, *, sessions: int = SESSIONS) -> Profile:
    """The profile of a log's behaviour.

    A log shows turns, a session has tasks. A turn with a need is a task; it is ``clarify`` as often as the assistant
    asked back after such a turn, ``multi`` as often as openings held several needs (independent ones run in parallel,
    chained ones in sequence), ``chat`` where the user talks, else ``single``. Hidden intent is the share of later turns
    that depend on earlier ones. Faulty calls and sizes of tool lists cannot be seen in a log: the defaults stay. ``PRIOR_CONVERSATIONS`` in
    the manner of the default profile are counted with the log's.

    Args:
        stats: behaviour by language; only registered ones count.
        name: name of the profile.
        sessions: how many in all.

    Raises:
        InputError: no turn in a registered language has a need.
    """
    known = {Language(code): stats[code] for code in languages() if code in stats}
    counts: dict[str, float] = defaultdict(float)
    hidden: dict[HiddenIntentKind, float] = defaultdict(float)
    topologies: dict[Topology, float] = defaultdict(float)
    for one in known.values():
        needs = sum(one.kinds[kind] for kind in NEEDS) * one.turns
        pairs = one.turns - one.conversations
        asked = pairs * sum(
            share
            for pair, share in one.transitions.items()
            if pair.endswith(f">{TurnKind.CLARIFY_ANSWER}") and not pair.startswith(f"{TurnKind.CLARIFY_ANSWER}>")
        )
        clarify = min(asked, needs)
        multi = one.compositional * (needs - clarify)
        counts["needs"] += needs
        counts[TaskType.CLARIFY] += clarify
        counts[TaskType.MULTI] += multi
        counts[TaskType.SINGLE] += needs - clarify - multi
        counts[TaskType.CHAT] += one.kinds[TurnKind.CHAT] * one.turns
        for kind, share in one.hidden.items():
            hidden[kind] += share * pairs
        for composition, share in one.compositions.items():
            topologies[TOPOLOGY_OF[composition]] += share * multi
    conversations = sum(one.conversations for one in known.values())
    if counts["needs"] <= 0:
        raise InputError(
            "the log shows no need in a registered language, so it makes no profile",
            "mine a log of users who ask for things",
        )
    later = max(sum(one.turns - one.conversations for one in known.values()), sum(hidden.values()), 1)
    more = PRIOR_CONVERSATIONS * PRIOR_TASKS
    tasks = counts["needs"] + counts[TaskType.CHAT] + more
    _add(counts, ORIGINAL_TYPES, more)
    _add(topologies, ORIGINAL_TOPOLOGIES, more * ORIGINAL_TYPES[TaskType.MULTI])
    specs = hidden_intent_kinds()
    _add(hidden, {kind: spec.published for kind, spec in specs.items()}, more - PRIOR_CONVERSATIONS)
    later += more - PRIOR_CONVERSATIONS
    several = sum(topologies.values())
    length = min(MOST_TASKS, max(FEWEST_TASKS, round(tasks / (conversations + PRIOR_CONVERSATIONS))))
    _fit(hidden, length, later)
    return Profile(
        name=name,
        sessions={
            language: max(1, round(sessions * one.conversations / conversations)) for language, one in known.items()
        },
        tasks_per_session=length,
        types={kind: round(counts[kind] / tasks, 4) for kind in TaskType},
        topologies={kind: round(topologies[kind] / several, 4) for kind in Topology},
        hidden_intents={kind: round(hidden[kind] / later, 4) for kind in HiddenIntentKind},
    )


def _fit(hidden: dict[HiddenIntentKind, float], length: int, later: float) -> None:
    """Reduce kinds that reach far back to what the tasks of a session have room for; those that reach furthest first.

    A piece so many user turns back can be referred to from the task of that number on (from 0).
    """
    specs = hidden_intent_kinds()
    for least in sorted({spec.reach[0] for spec in specs.values() if spec.reach[0] > 1}, reverse=True):
        kinds = [kind for kind, spec in specs.items() if spec.reach[0] >= least]
        room = FILLED * max(0, length - least) / (length - 1) * later
        planned = sum(hidden[kind] for kind in kinds)
        for kind in kinds:
            hidden[kind] *= min(1.0, room / planned) if planned else 0.0


def _add(counts: dict[Any, float], shares: Mapping[Any, float], weight: float) -> None:
    """Add so much of a distribution to counts."""
    whole = sum(shares.values())
    for key, share in shares.items():
        counts[key] += weight * share / whole


def profile_text(profile: Profile, source: str) -> str:
    """The profile as TOML, for ``wildtool draft --profile FILE``."""
    tables: dict[str, Mapping[Any, float]] = {
        "sessions": profile.sessions,
        "types": profile.types,
        "topologies": profile.topologies,
        "hidden_intents": profile.hidden_intents,
    }
    lines = [
        f"# Behaviour of the users of {source}: what `wildtool mine` saw, as quotas to draft by.".replace("\n", " "),
        f'name = "{profile.name}"',
        f"tasks_per_session = {profile.tasks_per_session}",
        f'type_sequences = "{profile.type_sequences}"',
        f"tools = [{profile.tools[0]}, {profile.tools[1]}]",
        f"mean_tools = {profile.mean_tools}",
        f"fault_share = {profile.fault_share}",
    ]
    for name, values in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {value}" for key, value in values.items())]
    return "\n".join(lines) + "\n"

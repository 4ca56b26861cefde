"""Turn shares into exact counts, and deal them out to the tasks of sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Protocol, TypeVar

from wildtool.grounding.distance import distance, planned_turns
from wildtool.grounding.hidden_intents import hidden_intent, hidden_intent_kinds
from wildtool.schemas.errors import SettingsError
from wildtool.schemas.plan import Profile
from wildtool.schemas.session import HiddenIntent
from wildtool.schemas.vocabulary import HiddenIntentKind, Language, TaskType, Topology

Key = TypeVar("Key")


class PlannedTask(Protocol):
    """The fields of a task that quotas count; blueprints and finished tasks have them."""

    @property
    def type(self) -> TaskType:
        """Task type."""
        ...

    @property
    def topology(self) -> Topology | None:
        """Of a multi task."""
        ...

    @property
    def hidden_intent(self) -> HiddenIntent | None:
        """Its hidden intent, if it has one."""
        ...


class Counted(Protocol):
    """A session plan or a session."""

    @property
    def language(self) -> Language:
        """Language."""
        ...

    @property
    def tasks(self) -> Sequence[PlannedTask]:
        """Tasks."""
        ...


@dataclass(frozen=True)
class Cell:
    """Requirements on one task."""

    type: TaskType
    topology: Topology | None
    hidden: HiddenIntentKind | None


def apportion(weights: Mapping[Key, float], total: int) -> dict[Key, int]:
    """Counts that sum to ``total`` in proportion to the weights, by largest remainder; ties go to the earlier key."""
    whole = sum(weights.values())
    if whole <= 0:
        if total:
            raise SettingsError("a profile's shares sum to zero", "give at least one share above zero")
        return dict.fromkeys(weights, 0)
    exact = {key: total * weight / whole for key, weight in weights.items()}
    counts = {key: int(value) for key, value in exact.items()}
    by_rest = sorted(exact, key=lambda key: counts[key] - exact[key])
    for key in by_rest[: total - sum(counts.values())]:
        counts[key] += 1
    return counts


def can_reach(kind: HiddenIntentKind, types: Sequence[TaskType], task: int) -> bool:
    """Return whether a task comes late enough in its session for a piece as far back as the kind wants."""
    return task > 0 and distance(planned_turns(types), task, 0) >= hidden_intent(kind).reach[0]


def deal(profile: Profile, language: Language, existing: Iterable[Counted], rng: Random) -> list[list[Cell]]:
    """One list of cells for each session that is still missing, such that all quotas of the profile are met.

    What ``existing`` holds counts. Raises ``SettingsError`` where a quota cannot be met (more long-range tasks than
    come late enough in their session).
    """
    there = [session for session in existing if session.language is language]
    missing = profile.sessions.get(language, 0) - len(there)
    if missing <= 0:
        return []
    sequences = _sequences(profile, there, missing, rng)
    multi = [(s, t) for s, types in enumerate(sequences) for t, kind in enumerate(types) if kind is TaskType.MULTI]
    tasks = [task for session in there for task in session.tasks]
    total_multi = len(multi) + sum(task.type is TaskType.MULTI for task in tasks)
    topologies = _rest(
        apportion(profile.topologies, total_multi),
        Counter(task.topology for task in tasks if task.topology),
        len(multi),
    )
    rng.shuffle(multi)
    topology_of = dict(zip(multi, _spread(topologies), strict=True))
    hidden_of = _hidden(profile, sequences, there, rng)
    return [
        [Cell(kind, topology_of.get((s, t)), hidden_of.get((s, t))) for t, kind in enumerate(types)]
        for s, types in enumerate(sequences)
    ]


def _sequences(profile: Profile, there: Sequence[Counted], missing: int, rng: Random) -> list[tuple[TaskType, ...]]:
    length = profile.tasks_per_session
    if profile.type_sequences == "all":
        every = [tuple(each) for each in product([kind for kind in TaskType if profile.types.get(kind)], repeat=length)]
        rounds = -(-(len(there) + missing) // len(every))
        come = Counter(tuple(task.type for task in session.tasks) for session in there)
        left = [(number, each) for each in every for number in range(come[each], max(rounds, 1))]
        # Whole rounds first: a sequence comes twice only once all have come.
        rng.shuffle(left)
        left.sort(key=lambda one: one[0])
        return [each for _, each in left[:missing]]
    done = Counter(task.type for session in there for task in session.tasks)
    wanted = _rest(apportion(profile.types, length * (len(there) + missing)), done, length * missing)
    deck = list(_spread(wanted))
    rng.shuffle(deck)
    return [tuple(deck[start : start + length]) for start in range(0, len(deck), length)]


def _hidden(
    profile: Profile, sequences: Sequence[Sequence[TaskType]], there: Sequence[Counted], rng: Random
) -> dict[tuple[int, int], HiddenIntentKind]:
    later = [(s, t) for s, types in enumerate(sequences) for t in range(1, len(types))]
    old = [task for session in there for task in list(session.tasks)[1:]]
    shares: dict[HiddenIntentKind | None, float] = {kind: share for kind, share in profile.hidden_intents.items()}  # noqa: C416 (widens the key)
    if (whole := sum(shares.values())) < 1 - 1e-9:
        shares[None] = 1 - whole
    targets = apportion(shares, len(later) + len(old))
    wanted = _rest(
        targets, Counter(task.hidden_intent.kind if task.hidden_intent else None for task in old), len(later)
    )
    chosen: dict[tuple[int, int], HiddenIntentKind] = {}
    # Those that need most room choose first.
    for kind in sorted(filter(_wants_room, hidden_intent_kinds()), key=lambda kind: -hidden_intent(kind).reach[0]):
        if kind not in wanted:
            continue
        count = wanted.pop(kind)
        far = [cell for cell in later if cell not in chosen and can_reach(kind, sequences[cell[0]], cell[1])]
        if len(far) < count:
            raise SettingsError(
                f"the profile wants {count} {kind.replace('_', '-')} tasks, but only {len(far)} come late enough in their session",
                f"lower the share of {kind}, or plan more tasks a session",
            )
        chosen.update(dict.fromkeys(_one_a_session(far, rng)[:count], kind))
    rest = [cell for cell in later if cell not in chosen]
    rng.shuffle(rest)
    for cell, other in zip(rest, _spread(wanted), strict=True):
        if other is not None:
            chosen[cell] = other
    return chosen


def _wants_room(kind: HiddenIntentKind) -> bool:
    """Return whether only late tasks can have the kind: its piece lies more than one user turn back."""
    return hidden_intent(kind).reach[0] > 1


def _one_a_session(cells: list[tuple[int, int]], rng: Random) -> list[tuple[int, int]]:
    """Shuffle the cells so that a second cell of a session comes only after a first one of each.

    A second far reference in a session needs a second value that nobody has touched since the start.
    """
    rng.shuffle(cells)
    turn: Counter[int] = Counter()
    order: list[tuple[int, int, tuple[int, int]]] = []
    for cell in cells:
        order.append((turn[cell[0]], len(order), cell))
        turn[cell[0]] += 1
    return [cell for _, _, cell in sorted(order)]


def _rest(targets: Mapping[Key, int], done: Mapping[Key, int], total: int) -> dict[Key, int]:
    """Targets less what is done, made to sum to ``total`` where what is done went past a target."""
    left = {key: max(target - done.get(key, 0), 0) for key, target in targets.items()}
    return left if sum(left.values()) == total else apportion(left if any(left.values()) else targets, total)


def _spread(counts: Mapping[Key, int]) -> list[Key]:
    return [key for key, count in counts.items() for _ in range(count)]

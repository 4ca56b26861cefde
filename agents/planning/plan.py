"""Plan sessions: deal the quotas out over sessions, and find a blueprint for each task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Literal, TypeGuard

from wildtool.agents.planning.antecedents import nearer_rivals
from wildtool.agents.planning.drafters import ANY_DRAFTER, Drafter
from wildtool.agents.planning.quotas import Cell, Counted, deal
from wildtool.agents.planning.rehearsal import rehearse
from wildtool.agents.planning.reply_styles import like, with_manners
from wildtool.agents.planning.task_search import ATTEMPTS, Planner
from wildtool.agents.prompts import check_language, prompt_hashes
from wildtool.grounding.hidden_intents import require_complete
from wildtool.grounding.planned_arguments import Place
from wildtool.schemas.base import JsonObject, content_id
from wildtool.schemas.errors import StageError
from wildtool.schemas.plan import Blueprint, Profile, SessionPlan
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.session import Session
from wildtool.schemas.session_world import SessionWorld
from wildtool.schemas.tool import ToolList
from wildtool.schemas.vocabulary import Language, Persona

Choose = Callable[[SeedScenario, Language, Random], ToolList]

LIST_TRIES = 1_200
"""Tool lists to search for one session. Of those that a person can talk about, about half have the links that
sequential tasks need."""

REAL_TRIES = 24
"""Lists without phrasings (of real APIs) to search for one session before those with phrasings: they carry nearly any session."""

REAL_DRAWS = 60
"""Draws in which lists of the one sort are passed over for the other, where a catalogue has both."""

FIRST_ATTEMPTS = 3
"""Restarts on a list without phrasings that has not carried a session yet: one in fifteen or so does."""

LEAST_WORTH = 0.05
"""Chance to search a list that never carried a session: other cells may fit it."""

LIST_DRAWS = 10_000
"""Tool lists to draw for one session. Most lists of real APIs are not made for people (see ``askable``), which is seen
at once, in a few milliseconds."""

WRITER_DRAWS = 40
"""Tool lists to draw in search of one with a tool that writes, while too few tasks write."""

STRICT_TRIES = 60
"""Tool lists to try before a chat on a list with phrasings may be about any name that was said: better an odd topic than a quota
that is missed. Lists of real APIs take few names, so any will do."""

REPLAN = "replan"
"""Parameter of a plan in the place of a failed one: which attempt it is, from 1."""

_CLOCK_START = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
"""Session clocks spread over the year that starts here, on working hours."""


@dataclass
class Writes:
    """Keeps the share of tasks that write near the wanted one, session by session."""

    wanted: float
    tasks: int = 0
    writing: int = 0

    @property
    def chance(self) -> float:
        """Chance for the next session's tasks: high while too few write. Many lists have no tool that does."""
        if not self.wanted:
            return 0.0
        return 0.7 if self.lacking else 0.1

    @property
    def lacking(self) -> bool:
        """Whether too few tasks write so far."""
        return self.wanted > 0 and self.writing <= self.wanted * self.tasks

    def note(self, plan: SessionPlan) -> None:
        """Count a plan's tasks."""
        if plan.world is None:
            return
        tools = plan.world.spec.tools
        self.tasks += sum(bool(task.calls) for task in plan.tasks)
        self.writing += sum(any(tools[call.tool].op.writes for call in task.calls) for task in plan.tasks)


@dataclass
class Record:
    """Keeps which lists carried sessions, so that those which never do are searched less and less often."""

    searched: Counter[str] = field(default_factory=Counter)
    carried: Counter[str] = field(default_factory=Counter)

    def worth(self, slug: str, rng: Random) -> bool:
        """Draw whether to search a list: surely at first, then by the share of its searches that found something."""
        return rng.random() < max(LEAST_WORTH, (self.carried[slug] + 1) / (self.searched[slug] + 1))

    def note(self, slug: str, *, carried: bool) -> None:
        """Count a search."""
        self.searched[slug] += 1
        self.carried[slug] += carried


def plan_sessions(
    profile: Profile,
    seeds: Sequence[SeedScenario],
    choose: Choose,
    *,
    seed: int,
    existing: Iterable[Counted] = (),
    parameters: JsonObject | None = None,
    drafter: Drafter = ANY_DRAFTER,
) -> list[SessionPlan]:
    """Plan all sessions of a profile that are not planned yet. Quotas are met exactly.

    Args:
        profile: how many sessions, and what they are made of.
        seeds: seed scenarios. Those of the session's language are preferred, and all are used before any is used again.
        choose: ``choose(seed scenario, language, rng)`` gives the tool list of a session, as ``sample`` does. It is asked
            again where a list cannot carry what the session must be, and may then be given another scenario.
        seed: seed of all randomness.
        existing: plans or sessions that count as planned.
        parameters: further inputs that the plans' ids hash.
        drafter: who drafts. ``SIMULATOR`` cannot word every tool, so its plans leave such tools out.

    Returns:
        One plan for each missing session.

    Raises:
        SettingsError: quotas that cannot be met, or an incomplete registry.
        StageError: no list carries a session.

    Source: ``agents/planning/plan.py``.
    """
    require_complete()
    for language in profile.sessions:
        check_language(language)
    there = list(existing)
    plans: list[SessionPlan] = []
    for language in profile.sessions:
        # The rng does not see the language: twins get the same cells and, on like catalogues, the same choices.
        rng = Random(f"{seed}:{profile.name}:cells")
        cells = deal(profile, language, there, rng)
        start = _next_index(there, language)
        pool = _by_language(seeds, language)
        if cells and not pool:
            raise StageError("no seed scenario to plan on", "mine a log first: wildtool mine LOG")
        writes, record = Writes(profile.write_share), Record()
        for plan in there:
            if _is_plan(plan, language):
                writes.note(plan)
        new = []
        for offset, row in enumerate(cells):
            new.append(
                _plan(
                    profile,
                    language,
                    start + offset,
                    row,
                    pool,
                    choose,
                    str(seed),
                    parameters or {},
                    drafter,
                    writes,
                    record,
                )
            )
            writes.note(new[-1])
        faulty = [
            [c.fault != "none" for task in plan.tasks for c in task.calls] for plan in there if _is_plan(plan, language)
        ]
        new = with_manners(new, profile, Random(f"{seed}:{profile.name}:{start}:replies"))
        plans += _with_faults(new, profile.fault_share, faulty, Random(f"{seed}:{profile.name}:{start}:faults"))
    return plans


def plan_again(
    profile: Profile,
    failed: Sequence[SessionPlan],
    seeds: Sequence[SeedScenario],
    choose: Choose,
    *,
    seed: int,
    drafter: Drafter = ANY_DRAFTER,
) -> list[SessionPlan]:
    """Other plans for sessions that could not be drafted: the same cells of the quotas, on other scenarios and lists.

    Each has its predecessor's number, names it as ``parameters["instead_of"]`` and counts on (``replan_number``).
    Raises as ``plan_sessions`` does.
    """
    plans: list[SessionPlan] = []
    writes, record = Writes(profile.write_share), Record()
    for old in failed:
        cells = [Cell(t.type, t.topology, t.hidden_intent.kind if t.hidden_intent else None) for t in old.tasks]
        parameters = {k: v for k, v in old.parameters.items() if k not in ("instead_of", "prompts", REPLAN)}
        key = f"{seed}:instead of {old.id}"
        pool = _by_language(seeds, old.language)
        new = _plan(
            profile,
            old.language,
            old.index,
            cells,
            pool,
            choose,
            key,
            {**parameters, "instead_of": old.id, REPLAN: replan_number(old) + 1},
            drafter,
            writes,
            record,
        )
        writes.note(new)
        faults = sum(call.fault != "none" for task in old.tasks for call in task.calls)
        new = like(new, old)
        plans.append(_faulted(new, _without_need(new)[:faults], Random(f"{key}:faults")))
    return plans


def replan_number(plan: SessionPlan) -> int:
    """Return how often the session was planned before without a draft."""
    return int(plan.parameters.get(REPLAN, 0))


def predecessor(plan: SessionPlan) -> str | None:
    """Return the id of the plan that this one replaces."""
    return plan.parameters.get("instead_of")


def standing(plans: Sequence[SessionPlan]) -> list[SessionPlan]:
    """Return the plans that no other plan replaces, in their order: only these count."""
    replaced = {predecessor(plan) for plan in plans}
    return [plan for plan in plans if plan.id not in replaced]


def _is_plan(counted: Counted, language: Language) -> TypeGuard[SessionPlan]:
    return isinstance(counted, SessionPlan) and counted.language is language


Fault = Literal["error", "empty"]

EMPTY_SHARE = 0.5
"""Share of faults that find nothing, where the world can be furnished so."""


def _with_faults(
    plans: Sequence[SessionPlan], share: float, there: Sequence[Sequence[bool]], rng: Random
) -> list[SessionPlan]:
    """Let as many calls fail or return nothing as the share says; ``there`` holds the faults of earlier plans.

    Spread over the sessions: a second one in a session only once every session that can has one.
    """
    done = [each for plan in there for each in plan]
    total = len(done) + sum(len(task.calls) for plan in plans for task in plan.tasks)
    wanted = max(0, round(share * total) - sum(done))
    order: list[tuple[int, int, Place]] = []
    for number, plan in enumerate(plans):
        places = _without_need(plan)
        rng.shuffle(places)
        order += [(turn, number, place) for turn, place in enumerate(places)]
    rng.shuffle(order)
    chosen: dict[int, list[Place]] = {}
    for _, number, place in sorted(order, key=lambda each: each[0])[:wanted]:
        chosen.setdefault(number, []).append(place)
    return [_faulted(plan, chosen.get(number, []), rng) for number, plan in enumerate(plans)]


def _without_need(plan: SessionPlan) -> list[Place]:
    """Calls whose results nothing later in the session takes a value from."""
    needed = {
        (number if argument.task is None else argument.task, argument.action)
        for number, task in enumerate(plan.tasks)
        for call in task.calls
        for argument in call.arguments
        if argument.path is not None
    }
    every = [(number, index) for number, task in enumerate(plan.tasks) for index in range(len(task.calls))]
    return [place for place in every if place not in needed]


def _faulted(plan: SessionPlan, places: Sequence[Place], rng: Random) -> SessionPlan:
    """Let these calls of a plan be answered by an error or by nothing.

    Nothing is found where the world can be furnished so; else the call fails. A call that must work stays as it is.
    """
    for number, index in places:
        wanted: tuple[Fault, ...] = ("empty", "error") if rng.random() < EMPTY_SHARE else ("error", "empty")
        changed = (_with_fault(plan, number, index, fault) for fault in wanted)
        plan = next((each for each in changed if each is not None), plan)
    return plan


def _with_fault(plan: SessionPlan, number: int, index: int, fault: Fault) -> SessionPlan | None:
    """Return the plan with one call that goes wrong; None where its other calls would no longer execute."""
    tasks = list(plan.tasks)
    calls = list(tasks[number].calls)
    calls[index] = calls[index].model_copy(update={"fault": fault})
    tasks[number] = tasks[number].model_copy(update={"calls": tuple(calls)})
    world = plan.world
    if world is not None:
        found = rehearse(world.spec, plan.tool_list.tools, tasks, plan.now, world.seed)
        if found is None or nearer_rivals(tasks, plan.tool_list.tools, plan.language, found):
            return None
        world = found.world
    fields = {name: getattr(plan, name) for name in SessionPlan.model_fields if name != "id"}
    return SessionPlan.of(**{**fields, "tasks": tuple(tasks), "world": world})


def _plan(
    profile: Profile,
    language: Language,
    index: int,
    cells: list[Cell],
    pool: Sequence[SeedScenario],
    choose: Choose,
    key: str,
    parameters: JsonObject,
    drafter: Drafter,
    writes: Writes,
    record: Record,
) -> SessionPlan:
    tried = passed = 0
    for attempt in range(LIST_DRAWS):
        rng = Random(f"{key}:{profile.name}:{index}:{attempt}")
        scenario = pool[(index + attempt) % len(pool)]
        now = _clock(rng)
        tools = choose(scenario, language, rng)
        own = any(tool.phrasings for tool in tools.tools)
        if own and tried < REAL_TRIES and passed < REAL_DRAWS:
            passed += 1
            continue
        if not own and (tried >= REAL_TRIES or not record.worth(tools.slug, rng)):
            passed += 1
            if passed < 2 * REAL_DRAWS:
                continue
        lenient = tried >= STRICT_TRIES or not own
        planner = Planner(tools, cells, now, rng, drafter=drafter, lenient=lenient, write_chance=writes.chance)
        if not planner.hopeful or (writes.lacking and not planner.writers and attempt < WRITER_DRAWS):
            record.note(tools.slug, carried=False)
            continue
        found = planner.search(ATTEMPTS if own or record.carried[tools.slug] else FIRST_ATTEMPTS)
        record.note(tools.slug, carried=found is not None)
        if found is not None:
            return _finish(profile, language, index, scenario, planner.worded(tools), now, *found, rng, parameters)
        tried += 1
        if tried == LIST_TRIES:
            break
    wanted = ", ".join(f"{cell.type} {cell.topology or ''} {cell.hidden or ''}".strip() for cell in cells)
    raise StageError(
        f"none of {tried} tool lists carries session {index} ({wanted})",
        "add tool lists with links between their functions, or lower the share of sequential and mixed tasks",
    )


def _finish(
    profile: Profile,
    language: Language,
    index: int,
    scenario: SeedScenario,
    tools: ToolList,
    now: str,
    blueprints: tuple[Blueprint, ...],
    world: SessionWorld,
    rng: Random,
    parameters: JsonObject,
) -> SessionPlan:
    return SessionPlan.of(
        profile=profile.name,
        index=index,
        language=language,
        now=now,
        seed=scenario.id,
        scenario=scenario.description if scenario.language == language else tools.description,
        persona=scenario.persona if rng.random() < 0.7 else rng.choice(list(Persona)),
        tool_list=tools,
        tasks=blueprints,
        random_seed=rng.randrange(2**31),
        parameters={"prompts": content_id("prm", prompt_hashes(language)), **parameters},
        world=world,
    )


def _clock(rng: Random) -> str:
    moment = _CLOCK_START + timedelta(days=rng.randrange(365), hours=rng.randrange(12), minutes=15 * rng.randrange(4))
    return moment.isoformat()


def _by_language(seeds: Sequence[SeedScenario], language: Language) -> list[SeedScenario]:
    ordered = sorted(seeds, key=lambda each: each.id)
    return [each for each in ordered if each.language == language] or ordered


def _next_index(existing: Sequence[Counted], language: Language) -> int:
    """First free number: after the highest that plans carry, or after as many sessions as there are."""
    same = [each for each in existing if each.language is language]
    numbers = [each.index + 1 for each in same if isinstance(each, SessionPlan)]
    return max([*numbers, sum(isinstance(each, Session) for each in same)], default=0)

"""A failed task, told for a person: what was asked, what had to be done, what the candidate did, where it broke."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from wildtool.evaluation.referee import NO_RESULT, Referee
from wildtool.schemas.base import canonical_json
from wildtool.schemas.score import ArgumentVerdict, TaskScore
from wildtool.schemas.session import Action, Answer, Ask, Call, Session
from wildtool.schemas.trajectory import CandidateCall, TaskTrajectory
from wildtool.schemas.vocabulary import RuleSet

BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y = 168, 34, 44, 14
"""Pixels of a drawn action; 168 holds the 22 characters of a label at 7 pixels each, and a margin."""
LABEL = 22
"""Characters of a name that fit in a box."""
SHOWN = 600
"""Characters of a text or JSON value that a story shows; the trajectory holds the rest."""


@dataclass(frozen=True)
class Box:
    """A drawn action."""

    index: int
    x: int
    y: int
    label: str
    title: str
    state: str
    """``right``, ``wrong`` (done with wrong arguments) or ``open``."""


@dataclass(frozen=True)
class Drawing:
    """A graph, laid out from left to right by depth."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    edges: tuple[tuple[int, int, int, int, int], ...]
    """From x, y to x, y, and how far the line dips: one that passes a column goes below its box."""


@dataclass(frozen=True)
class ToldCall:
    """A call of a told step."""

    name: str
    arguments: str
    observation: str
    wrong: tuple[ArgumentVerdict, ...]


@dataclass(frozen=True)
class ToldStep:
    """A step of the candidate's."""

    number: int
    calls: tuple[ToldCall, ...]
    text: str
    reply: str
    broke: bool
    reason: str

    @property
    def explained(self) -> bool:
        """Do the verdicts on its arguments say all that the reason says?"""
        return any(call.wrong for call in self.calls)


@dataclass(frozen=True)
class Story:
    """One failed task."""

    score: TaskScore
    anchor: str
    earlier: tuple[str, ...]
    """The user's messages before, oldest first."""
    user: str
    expected: tuple[str, ...]
    """The gold actions, one line each."""
    drawing: Drawing
    steps: tuple[ToldStep, ...]

    @property
    def told(self) -> bool:
        """Does a step say why the task failed?"""
        return any(step.broke for step in self.steps)


def tell(session: Session, score: TaskScore, done: TaskTrajectory | None, rules: RuleSet, anchor: str) -> Story:
    """The story of one task. ``anchor`` is the id of its place in the page."""
    task = session.tasks[score.task]
    referee = Referee(task, session.tools, now=session.now, language=session.language, rules=rules)
    steps = []
    for number, step in enumerate(done.steps if done else ()):
        if referee.over:
            break
        outcome = referee.step(step)
        steps.append(
            ToldStep(
                number + 1,
                tuple(_told(call, outcome.observations.get(call.id), outcome.arguments) for call in step.calls),
                _short(step.text),
                _short(outcome.reply or ""),
                outcome.error is not None,
                outcome.reason,
            )
        )
    if done is None or done.error:
        steps.append(ToldStep(len(steps) + 1, (), "", "", True, score.reason))
    track = referee.best
    states = {}
    for taken in track.matcher.assignment():
        for index, right in taken:
            states[index] = "right" if right else "wrong"
    actions = next(a for a, t in zip((task.actions, *task.alternatives), referee.tracks, strict=True) if t is track)
    if referee.walk is not None:  # the original keeps no single assignment
        states = {}
    return Story(
        score,
        anchor,
        tuple(_short(earlier.user) for earlier in session.tasks[: score.task]),
        _short(task.user),
        tuple(_line(action) for action in actions),
        draw(actions, states, referee.answered),
        tuple(steps),
    )


def _told(call: CandidateCall, observation: object, verdicts: Sequence[ArgumentVerdict]) -> ToldCall:
    wrong = tuple(v for v in verdicts if v.path.startswith(f"{call.name}.") and _holds(call, v))
    arguments = call.raw_arguments if call.arguments is None else json.dumps(call.arguments, ensure_ascii=False)
    shown = (
        "" if observation is None else "(none: wrong arguments)" if observation == NO_RESULT else _value(observation)
    )
    return ToldCall(call.name, _short(arguments), shown, wrong)


def _holds(call: CandidateCall, verdict: ArgumentVerdict) -> bool:
    """Does the verdict speak of this call, and not of another of the same name?"""
    name = verdict.path[len(call.name) + 1 :]
    return bool((call.arguments or {}).get(name) == verdict.got)


def _line(action: Action) -> str:
    match action:
        case Call():
            return f"{action.name}({_short(canonical_json(action.arguments))})"
        case Ask():
            return f"ask for {', '.join(action.slots)}: {_short(action.question)}"
        case Answer():
            return f"answer: {_short(action.text)}"


def draw(actions: Sequence[Action], states: dict[int, str], answered: bool) -> Drawing:
    """Lay the actions out: column by longest chain before, row by order."""
    columns: dict[int, int] = {}
    while len(columns) < len(actions):
        for index, action in enumerate(actions):
            if index not in columns and all(on in columns for on in action.depends_on):
                columns[index] = 1 + max((columns[on] for on in action.depends_on), default=-1)
    last = max(columns.values(), default=0)
    for index, action in enumerate(actions):
        if isinstance(action, Answer) and len(actions) > 1:
            columns[index] = max(last, 1 + max(c for i, c in columns.items() if i != index))
    rows: dict[int, int] = {}
    boxes, places, number = [], {}, 0
    for index, action in enumerate(actions):
        row = rows.get(columns[index], 0)
        rows[columns[index]] = row + 1
        x, y = columns[index] * (BOX_WIDTH + GAP_X) + 2, row * (BOX_HEIGHT + GAP_Y) + 2
        places[index] = (x, y)
        state = states.get(number, "open")
        match action:
            case Call():
                label = action.name
                number += 1
            case Ask():
                label = f"ask: {', '.join(action.slots)}"
                number += 1
            case Answer():
                label, state = "answer", "right" if answered else "open"
        boxes.append(Box(index, x, y, label if len(label) <= LABEL else label[: LABEL - 1] + "…", _line(action), state))
    edges = tuple(
        (
            places[on][0] + BOX_WIDTH,
            places[on][1] + BOX_HEIGHT // 2,
            places[index][0],
            places[index][1] + BOX_HEIGHT // 2,
            BOX_HEIGHT if columns[index] - columns[on] > 1 else 0,
        )
        for index, action in enumerate(actions)
        for on in action.depends_on
    )
    return Drawing(
        (max(columns.values(), default=0) + 1) * (BOX_WIDTH + GAP_X) - GAP_X + 4,
        max(rows.values(), default=1) * (BOX_HEIGHT + GAP_Y) + 4,
        tuple(boxes),
        edges,
    )


def _value(value: object) -> str:
    return _short(value if isinstance(value, str) else canonical_json(value))


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"

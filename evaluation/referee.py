"""The referee: watches a candidate do one task, step by step, and plays the user and the tools for it.

A step is one message: calls made at once, or text. The referee answers whether the step matches, which observation
belongs to which call id, the user's reply to an ask, and whether the task is over. Actions that are text are performed
as plain text: a text matches an ask that may come next, or, when all else is done, the answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, assert_never

from wildtool.evaluation.arguments.compare import Context, arguments_right, compare_arguments, error_of
from wildtool.evaluation.asks.ask_and_answer import AskVerdict, is_question, judge_ask, written_call
from wildtool.evaluation.costs import cost_of
from wildtool.evaluation.matching.graph import Graph, critical_path, depth, graph_of
from wildtool.evaluation.matching.matcher import Matcher, Plan, plan_of
from wildtool.evaluation.wildtoolbench.matching import OriginalWalk
from wildtool.evaluation.words import check_languages
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.score import ArgumentVerdict
from wildtool.schemas.session import Action, Answer, Ask, Call, Task
from wildtool.schemas.trajectory import CandidateCall, CandidateStep
from wildtool.schemas.vocabulary import ErrorKind, Language, RuleSet

Observe = Callable[[str, JsonObject], Any]
"""``observe(tool, arguments)`` executes a call on the session's world and returns its result."""

ASK = "\0ask"
"""Name under which asks are matched; no tool can have it."""

NO_RESULT: JsonObject = {"error": "no result for these arguments"}
"""Observation of a call that matches by name but not by arguments, where no world answers it: the gold one would tell what
was never asked."""


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """What the referee says of one step."""

    matched: bool
    """Can the steps so far, this one included, be the start of a valid path?"""
    over: bool
    """The task is over: answered, or broken off at a step that does not match."""
    observations: dict[str, Any] = field(default_factory=dict)
    """Observation by tool call id, for each call of a matched step."""
    reply: str | None = None
    """The user's reply to an ask."""
    error: ErrorKind | None = None
    """Why it does not match, or what is wrong in it though it does."""
    reason: str = ""
    """One line for a person."""
    next_names: tuple[str, ...] = ()
    """Where the step does not match: functions that might have come; empty if only text might."""
    arguments: tuple[ArgumentVerdict, ...] = ()
    """Verdicts on wrong arguments; each path begins with the call's name."""


class _Track:
    """One right set of actions, and how far the candidate has come on it."""

    def __init__(self, actions: Sequence[Action], referee: Referee) -> None:
        work = [(index, action) for index, action in enumerate(actions) if not isinstance(action, Answer)]
        place = {index: number for number, (index, _) in enumerate(work)}
        self.actions: tuple[Call | Ask, ...] = tuple(action for _, action in work)
        # A dependency on the answer (which comes last) cannot hold anything back.
        self.graph: Graph = graph_of([[place[on] for on in action.depends_on if on in place] for _, action in work])
        self.names = tuple(action.name if isinstance(action, Call) else ASK for action in self.actions)
        self.asks = sum(1 << i for i, name in enumerate(self.names) if name == ASK)
        contents: list[Hashable] = [
            canonical_json(action.model_dump(mode="json", exclude={"observation", "trace", "depends_on"}))
            for action in self.actions
        ]
        self.plan: Plan = plan_of(self.graph, self.names, contents)
        self.matcher = Matcher(self.plan, lambda call, index: referee.right(call, self.actions[index]))
        self.given: list[list[tuple[int, bool]]] = []

    @property
    def depth(self) -> int:
        return depth(self.graph, self.asks)

    def least_cost(self, costs: Mapping[str, float]) -> float:
        """Cost of its dearest chain: no path costs less. Asks cost nothing."""
        return critical_path(self.graph, [0.0 if name == ASK else cost_of(costs, name) for name in self.names])

    def take(self, calls: Sequence[tuple[str, object]]) -> bool:
        if not self.matcher.step(calls):
            return False
        self.given.append(self.matcher.assignment()[-1])
        return True


class Referee:
    """Judges one attempt at one task. Deterministic: the same steps give the same outcomes, without any model."""

    def __init__(
        self,
        task: Task,
        tools: Sequence[JsonObject],
        *,
        now: str,
        language: Language,
        rules: RuleSet = RuleSet.EXACT,
        observe: Observe | None = None,
    ) -> None:
        check_languages()  # before the candidate is asked anything
        self.task = task
        self.language = language
        self.rules = RuleSet(rules)
        self.tools = tuple(tools)
        self._parameters = {
            tool["function"]["name"]: tool["function"].get("parameters") or {} for tool in tools if "function" in tool
        }
        self._observe = observe
        self._now = datetime.fromisoformat(now)
        self._known: dict[tuple[str, str, int], bool] = {}
        self.tracks = [_Track(actions, self) for actions in (task.actions, *task.alternatives)]
        self.alive = list(self.tracks)
        self.walk = OriginalWalk(task.actions, self.tools) if self.rules is RuleSet.ORIGINAL else None
        self.steps: list[CandidateStep] = []
        self.over = False
        self.answered = False
        self.answer = ""
        self.failed_step: int | None = None
        self.errors: list[ErrorKind] = []
        self.reason = ""
        self.arguments: list[ArgumentVerdict] = []
        self.ask_uncertain = False
        self._asked: dict[tuple[int, str], AskVerdict] = {}

    @property
    def best(self) -> _Track:
        """The set of actions that the candidate follows: the one with the most right, the gold one among equals."""
        return max(self.alive, key=lambda track: (track.matcher.complete and self.over, track.matcher.calls_right))

    def right(self, call: object, action: Call | Ask) -> bool:
        """Is this call or text right for this action?"""
        match action:
            case Call():
                assert isinstance(call, CandidateCall)
                if call.arguments is None:
                    return False
                key = (action.name, _key(call), id(action))
                known = self._known.get(key)
                if known is None:
                    known = self._known[key] = arguments_right(
                        action.arguments, call.arguments, self._parameters.get(action.name, {}), self._context(action)
                    )
                return known
            case Ask():
                return not self._ask(action, str(call)).missing
            case _:
                assert_never(action)

    def _ask(self, ask: Ask, text: str) -> AskVerdict:
        key = (id(ask), text)
        if key not in self._asked:
            self._asked[key] = judge_ask(ask, text, self.tools)
        return self._asked[key]

    def step(self, step: CandidateStep) -> StepOutcome:
        """Take the candidate's next message. Raises ``RuntimeError`` when the task is over."""
        if self.over:
            raise RuntimeError("the task is over: no step can follow")
        self.steps.append(step)
        match self.rules:
            case RuleSet.EXACT:
                outcome = self._calls(step) if step.calls else self._text(step.text, step.refusal)
                if outcome.matched and outcome.error is None and not self.errors:
                    outcome = self._earlier_wrong(outcome)
            case RuleSet.ORIGINAL:
                outcome = self._original(step)
            case _:
                assert_never(self.rules)
        self.over = outcome.over
        if outcome.error is not None and self.failed_step is None:
            self.failed_step = len(self.steps) - 1
            self.reason = outcome.reason
        if outcome.error is not None:
            self.errors.append(outcome.error)
        self.arguments += outcome.arguments
        return outcome

    def next_names(self) -> tuple[str, ...]:
        """Functions of which the next step may call at least one; empty if only a text may come."""
        if self.over:
            return ()
        return self._next() if self.walk is None else self.walk.next_names()

    def _context(self, action: Call) -> Context:
        return Context(self._now, action.argument_alternatives)

    def _next(self) -> tuple[str, ...]:
        return tuple(sorted({name for track in self.alive for name in track.matcher.next_names()} - {ASK}))

    def _may_ask(self) -> bool:
        return any(ASK in track.matcher.next_names() for track in self.alive)

    def _calls(self, step: CandidateStep) -> StepOutcome:
        broken = next((call for call in step.calls if call.name not in self._parameters), None)
        if broken is not None:
            return self._broken(ErrorKind.CALL_ERROR, f"{broken.name} is no offered tool")
        garbled = next((call for call in step.calls if call.arguments is None), None)
        if garbled is not None:
            return self._broken(ErrorKind.CALL_ERROR, f"the arguments of {garbled.name} are no JSON object")
        calls: list[tuple[str, object]] = [(call.name, call) for call in step.calls]
        still = [track for track in self.alive if track.take(calls)]
        if not still:
            return self._unmatched_calls(step, self._next(), self._may_ask())
        self.alive = still
        track = self.best
        observations: dict[str, Any] = {}
        wrong: list[tuple[CandidateCall, Call]] = []
        for call, (index, right) in zip(step.calls, track.given[-1], strict=True):
            action = track.actions[index]
            assert isinstance(action, Call)
            # Every call reaches the world, also the right one: it may write.
            true = NO_RESULT if self._observe is None else self._observe(call.name, call.arguments or {})
            observations[call.id] = action.observation if right else true
            if not right:
                wrong.append((call, action))
        return self._judged(StepOutcome(True, False, observations), wrong)

    def _judged(self, outcome: StepOutcome, wrong: Sequence[tuple[CandidateCall, Call]]) -> StepOutcome:
        """The outcome with what is wrong in these calls, beside the actions that they took."""
        verdicts: list[ArgumentVerdict] = []
        error = None
        for call, action in wrong:
            found = compare_arguments(
                action.arguments, call.arguments or {}, self._parameters.get(action.name, {}), self._context(action)
            )
            verdicts += [v.model_copy(update={"path": f"{call.name}.{v.path}"}) for v in found if not v.ok]
            error = error or error_of(found) or ErrorKind.VALUE_ERROR
        reason = "; ".join(f"{v.path}: {_short(v.got)}, not {_short(v.expected)} ({v.rule})" for v in verdicts)
        return replace(outcome, error=error, reason=reason, arguments=tuple(verdicts))

    def _earlier_wrong(self, outcome: StepOutcome) -> StepOutcome:
        """The outcome with what it shows to be wrong in earlier steps, if anything.

        A step may fit only if an earlier call took another action than it seemed to, one that it is wrong for.
        """
        track = self.best
        if track.matcher.calls_right == track.matcher.calls_matched:
            return outcome
        wrong = []
        for made, taken in zip(self.steps, track.matcher.assignment(), strict=False):  # the answer takes no action
            for call, (index, right) in zip(made.calls, taken, strict=False):  # nor does an ask make calls
                action = track.actions[index]
                if not right and isinstance(action, Call):
                    wrong.append((call, action))
        if not wrong:
            return replace(
                outcome, error=ErrorKind.WRONG_REFUSAL, reason="an earlier question asked for something else"
            )
        return self._judged(outcome, wrong)

    def _unmatched_calls(self, step: CandidateStep, due: tuple[str, ...], may_ask: bool) -> StepOutcome:
        named = ", ".join(dict.fromkeys(call.name for call in step.calls))
        expected = ", ".join(due)
        if not due and may_ask:
            return self._broken(ErrorKind.MISSING_INFORMATION, f"{named} was called where a value had to be asked for")
        if not due:
            why = "all calls were done" if any(track.actions for track in self.alive) else "the task needs no call"
            return self._broken(ErrorKind.REDUNDANT_CALL, f"{named} was called though {why}")
        left = [name for name in (call.name for call in step.calls) if name not in due]
        if left:
            again = all(self._exhausted(name) for name in left)
            kind = ErrorKind.REDUNDANT_CALL if again else ErrorKind.WRONG_NAME
            if kind is ErrorKind.WRONG_NAME and may_ask:
                kind = ErrorKind.MISSING_INFORMATION
            return self._broken(kind, f"{', '.join(dict.fromkeys(left))} may not come now; due: {expected}")
        return self._broken(ErrorKind.REDUNDANT_CALL, f"{named}: more calls at once than are due ({expected})")

    def _exhausted(self, name: str) -> bool:
        """Were as many calls of this name made as any right set of actions has (and at least one)?"""
        made = sum(call.name == name for step in self.steps[:-1] for call in step.calls)
        return 0 < made >= max(track.names.count(name) for track in self.alive)

    def _text(self, text: str, refusal: str) -> StepOutcome:
        if not text.strip():
            if refusal:
                return self._broken(ErrorKind.REFUSAL, f"the model refused: {refusal}")
            kind = ErrorKind.EARLY_TERMINATION if self.steps[:-1] else ErrorKind.REFUSAL
            return self._broken(kind, "neither a call nor a text")
        if self._may_ask():
            still = [track for track in self.alive if track.take([(ASK, text)])]
            if still:
                self.alive = still
                track = self.best
                index, right = track.given[-1][0]
                ask = track.actions[index]
                assert isinstance(ask, Ask)
                verdict = self._ask(ask, text)
                self.ask_uncertain |= verdict.uncertain
                if right:
                    return StepOutcome(True, False, reply=ask.reply)
                left = ", ".join(verdict.missing)
                if is_question(text):
                    kind, reason = ErrorKind.WRONG_REFUSAL, f"the question does not ask for {left}"
                else:
                    kind, reason = ErrorKind.REFUSAL, f"no question, though {', '.join(ask.slots)} had to be asked for"
                return StepOutcome(True, False, reply=ask.reply, error=kind, reason=reason)
        complete = [track for track in self.alive if track.matcher.complete]
        if complete:
            self.alive = complete
            self.answered, self.answer = True, text
            return StepOutcome(True, True)
        due = ", ".join(self._next())
        if written_call(text, self._parameters):
            return self._broken(ErrorKind.CALL_ERROR, f"a call written as text, which runs nothing; due: {due}")
        if is_question(text) and not self.steps[:-1]:
            return self._broken(ErrorKind.WRONG_REFUSAL, f"a question where nothing is missing; due: {due}")
        if not self.steps[:-1]:
            return self._broken(ErrorKind.REFUSAL, f"text where a call was due: {due}")
        return self._broken(ErrorKind.EARLY_TERMINATION, f"a final answer before all was done; due: {due}")

    def _broken(self, kind: ErrorKind, reason: str) -> StepOutcome:
        return StepOutcome(False, True, error=kind, reason=reason, next_names=self._next())

    def _original(self, step: CandidateStep) -> StepOutcome:
        assert self.walk is not None
        result = self.walk.step(step)
        if not result.matched:
            return StepOutcome(False, True, error=self._original_error(step), reason=result.reason)
        if result.answered:
            self.answered, self.answer = True, step.text
            return StepOutcome(True, True)
        error = _original_kind(result.wrong[0]) if result.wrong else None
        return StepOutcome(True, False, result.observations, result.reply, error, "; ".join(result.wrong))

    def _original_error(self, step: CandidateStep) -> ErrorKind:
        if not step.calls:
            return ErrorKind.EARLY_TERMINATION if self.steps[:-1] else ErrorKind.REFUSAL
        if any(call.name not in self._parameters for call in step.calls):
            return ErrorKind.CALL_ERROR
        return ErrorKind.WRONG_NAME


def _original_kind(verdict: str) -> ErrorKind:
    if "type inconsistent" in verdict:
        return ErrorKind.TYPE_ERROR
    if "missing" in verdict or "not defined" in verdict or "keys mismatch" in verdict:
        return ErrorKind.HALLUCINATION
    return ErrorKind.CALL_ERROR if "json" in verdict else ErrorKind.VALUE_ERROR


def _key(call: CandidateCall) -> str:
    """A key that is equal for calls of equal arguments."""
    return call.raw_arguments or repr(call.arguments)


def _short(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 80 else text[:77] + "…"

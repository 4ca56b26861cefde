"""Draft one session: the user opens a task, the assistant acts, the environment answers, checks judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from wildtool.agents.drafting.checks import DraftChecks, failures
from wildtool.agents.drafting.committee import review_task
from wildtool.agents.drafting.pass_counts import USABLE, Tally
from wildtool.agents.drafting.provenance import Made, Scene, align, dependencies, sinks
from wildtool.agents.drafting.roles import RoleCaller, Unusable
from wildtool.agents.drafting.user_brief import message_faults, opening_brief, reply_brief, said_intent
from wildtool.agents.drafting.utterances import Script, script_of
from wildtool.agents.gateway.gateway import Gateway
from wildtool.agents.prompts import prompt_hashes
from wildtool.grounding.chat import call_message, system_message, task_messages, tool_message
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.errors import ContextError, ModelError, StoppedError
from wildtool.schemas.json_schema import first_misfit
from wildtool.schemas.message import read_calls
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Answer, Ask, Call, HiddenIntent, Provenance, Session, Task, ValueSource
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import AgentRole, Stage
from wildtool.worlds.building import build_world
from wildtool.worlds.interpreter import World
from wildtool.worlds.words import failure

REPAIRS = 3
"""Further tries at a task that fails its checks. More seldom help: the faults that are left are the plan's."""

MOST_REASONS = 8
"""Reasons that a writer hears at once, the newest last."""

_STEPS = 12
"""Assistant messages in a task; the longest planned task takes five."""


@dataclass
class SessionDrafter:
    """Drafts a session; holds the tasks done so far and the results seen."""

    caller: RoleCaller
    script: Script
    """The resolved plan: all that the user has to say."""
    checks: DraftChecks
    committee: int
    done: list[Task] = field(default_factory=list)
    results: dict[tuple[int, int], Any] = field(default_factory=dict)
    """Observations by task and planned call."""
    lookups: list[JsonObject] = field(default_factory=list)
    """All observations, as sent to the environment."""
    verdicts: list[Verdict] = field(default_factory=list)
    repairs: int = 0
    world: World | None = None
    """What answers the calls, after all tasks done so far; None where the environment role does."""

    @property
    def plan(self) -> SessionPlan:
        """The plan."""
        return self.caller.plan

    async def task(self, number: int) -> None:
        """Draft one task, again with the reasons while it fails its checks; ``Unusable`` where it never passes."""
        again: list[str] = []
        heard = [""]
        reason = "no_try"
        for attempt in range(REPAIRS + 1):
            if attempt:
                self.repairs += 1
            lookups, results = list(self.lookups), dict(self.results)
            world = self.world
            self.world = None if world is None else world.fork()
            try:
                task = await self._attempt(number, attempt, again)
            except Unusable as fault:
                self.caller.tally.note(USABLE, False, first=attempt == 0)
                reason, heard = fault.reason, [fault.detail]
            else:
                verdicts = self._judge(number, task)
                failed = failures(verdicts, self.checks)
                self.caller.tally.note(USABLE, True, first=attempt == 0)
                self.caller.tally.judged((v.check for v in verdicts), first=attempt == 0)
                if not failed:
                    self.done.append(task)
                    reviewed = await review_task(self.caller, number, self.done, self.committee)
                    for verdict in reviewed:
                        if verdict.check == "review":
                            self.caller.tally.note("review", verdict.ok, first=attempt == 0)
                    self.verdicts.extend(reviewed)
                    return
                reason, heard = failed[0].check, [v.reason for v in failed]
            # Reasons add up, also equal ones: a prompt that did not change would get the same answer.
            again = [*again, *heard][-MOST_REASONS:]
            self.lookups, self.results, self.world = lookups, results, world
        raise Unusable(reason, f"task {number}, after {REPAIRS} repairs: {heard[0]}")

    def _judge(self, number: int, task: Task) -> Sequence[Verdict]:
        draft = self.draft([*self.done, task])
        return [v for v in self.checks(draft) if v.task == number and v.by == "rule"]

    async def _attempt(self, number: int, attempt: int, again: Sequence[str]) -> Task:
        blueprint = self.plan.tasks[number]
        brief = opening_brief(self.script, number, self.done, self.results, again)
        user = await self.caller.say(number, brief, prompt_name="user", attempt=attempt)
        if faults := message_faults(self.script, number, user, brief):
            raise Unusable("user_message", faults[0])
        messages: list[JsonObject] = [system_message(self.plan.language, self.plan.now)]
        for index, task in enumerate(self.done):
            messages.extend(task_messages(task, index))
        messages.append({"role": "user", "content": user})
        if again:
            # A changed prompt, so that a model that is asked again does not answer the same.
            messages[0] = {
                **messages[0],
                "content": messages[0]["content"] + "\n\n" + "\n".join(f"- {r}" for r in again),
            }
        made: list[Made] = []
        ask: Ask | None = None
        asked_at = 0
        for _ in range(_STEPS):
            message = await self.caller.act(number, messages, attempt=attempt)
            calls = read_calls(message, f"call_{number}_{len(messages)}")
            if not calls:
                text = str(message.get("content") or "").strip()
                if not text:
                    raise Unusable("no_answer", "the assistant said nothing")
                messages.append({"role": "assistant", "content": text})
                if blueprint.missing and ask is None and not made:
                    asked_at = len(made)
                    reply = await self.caller.say(
                        number, reply_brief(self.script, number, text, again), prompt_name="reply", attempt=attempt
                    )
                    ask = Ask(slots=blueprint.missing, tool=blueprint.calls[0].tool, question=text, reply=reply)
                    messages.append({"role": "user", "content": reply})
                    continue
                return self._finish(
                    number, user, made, ask, asked_at, text, hidden=said_intent(self.script.utterances[number], brief)
                )
            for call in calls:
                if call.arguments is None:
                    raise Unusable("bad_call", f"the arguments of {call.name} are not a JSON object")
                made.append(
                    Made(call.name, call.arguments, await self._observe(number, call.name, call.arguments, made))
                )
            messages.append(call_message([(c.id, c.name, c.arguments or {}) for c in calls]))
            messages.extend(tool_message(c.id, m.observation) for c, m in zip(calls, made[-len(calls) :], strict=True))
        raise Unusable("too_many_steps", f"no answer after {_STEPS} assistant messages")

    async def _observe(self, number: int, name: str, arguments: JsonObject, made: Sequence[Made]) -> Any:
        tool = next((each for each in self.plan.tool_list.tools if each.name == name), None)
        if tool is None:
            raise Unusable("unknown_tool", f"{name} is not one of the session's tools")
        if (misfit := first_misfit(arguments, tool.parameters)) is not None:
            raise Unusable("bad_call", f"{name}: {misfit}")
        planned = self.plan.tasks[number].calls
        taken = align(planned, made, self.results, number)
        index = next(
            (
                i
                for i, place in align(planned, [*made, Made(name, arguments, None)], self.results, number).items()
                if place == len(made)
            ),
            None,
        )
        fault = "none" if index is None or index in taken else planned[index].fault
        if self.world is not None and self.world.executes(name):
            result = failure(self.plan.language) if fault == "error" else self.world.call(name, arguments).result
        else:
            result = await self._made_up(number, tool, arguments, index, fault)
        self.lookups = [*self.lookups, {"tool": name, "arguments": arguments, "result": result}]
        if index is not None:
            self.results[number, index] = result
        return result

    async def _made_up(self, number: int, tool: Tool, arguments: JsonObject, index: int | None, fault: str) -> Any:
        """Ask the environment role for the result of a call that no world answers; the same call gets the same result."""
        for lookup in self.lookups:
            if lookup["tool"] == tool.name and canonical_json(lookup["arguments"]) == canonical_json(arguments):
                return lookup["result"]
        used = {str(value) for value in arguments.values()}
        asked: JsonObject = {
            "tool": {"name": tool.name, "description": tool.description},
            "arguments": arguments,
            "returns": tool.returns,
            "now": self.plan.now,
            "observed": self.lookups,
            "avoid": [each for each in self.script.values if each not in used],
            "least": 0 if index is None else self.script.least_items.get((number, index), 0),
            "fault": fault,
        }

        def check(result: Any) -> str | None:
            failed = isinstance(result, dict) and "error" in result
            return None if tool.returns is None or (fault != "none" and failed) else first_misfit(result, tool.returns)

        return await self.caller.look_up(number, asked, check)

    def _finish(
        self,
        number: int,
        user: str,
        made: list[Made],
        ask: Ask | None,
        asked_at: int,
        text: str,
        *,
        hidden: HiddenIntent | None,
    ) -> Task:
        """Build the gold task: calls in the plan's order where they are the planned ones, with traces and dependencies."""
        blueprint = self.plan.tasks[number]
        fitting = align(blueprint.calls, made, self.results, number)
        order = [fitting[i] for i in range(len(blueprint.calls)) if i in fitting]
        if len(order) != len(made) or len(order) != len(blueprint.calls):
            order = list(range(len(made)))
        planned_of = {place: blueprint.calls[index] for index, place in fitting.items()}
        actions: list[Call | Ask | Answer] = [ask] if ask is not None else []
        shift = len(actions)
        asks = {0: ask} if ask is not None else {}
        for place in order:
            call = made[place]
            scene = Scene(self.plan, number, self.done, user, tuple(actions))
            planned = {a.parameter: a for a in planned_of[place].arguments} if place in planned_of else {}
            trace: tuple[ValueSource, ...] = tuple(
                scene.source(name, value, call.name, planned.get(name), shift) for name, value in call.arguments.items()
            )
            actions.append(
                Call(
                    name=call.name,
                    arguments=call.arguments,
                    observation=call.observation,
                    depends_on=dependencies(trace, number, asks, call.name),
                    trace=trace,
                )
            )
        actions.append(Answer(text=text, depends_on=sinks(actions)))
        return Task(
            user=user,
            type=blueprint.type,
            topology=blueprint.topology,
            hidden_intent=hidden,
            actions=tuple(actions),
        )

    def draft(self, tasks: Sequence[Task], verdicts: Sequence[Verdict] = ()) -> Draft:
        """Build the draft of these tasks, with as many blueprints of the plan."""
        plan, gateway = self.plan, self.caller.gateway
        session = Session.for_plan(
            plan.id,
            language=plan.language,
            now=plan.now,
            tool_list=plan.tool_list.id,
            category=plan.tool_list.category,
            subcategory=plan.tool_list.subcategory,
            tools=tuple(tool.openai(returns=True) for tool in plan.tool_list.tools),
            tasks=tuple(tasks),
            provenance=Provenance(
                seed=plan.seed,
                plan=plan.id,
                models={role.value: gateway.endpoint(role).model for role in AgentRole},
                prompts=prompt_hashes(plan.language),
                offline=gateway.offline_mode,
            ),
        )
        return Draft(
            id="",
            plan=plan.model_copy(update={"tasks": plan.tasks[: len(tasks)]}),
            session=session,
            verdicts=tuple(verdicts),
            offline=gateway.offline_mode,
        )


async def draft_session(
    plan: SessionPlan, gateway: Gateway, *, checks: DraftChecks, committee: int = 1, tally: Tally | None = None
) -> Draft | Quarantined:
    """The draft of a plan, or the reason why there is none, with its trace.

    ``checks`` judge each task and the whole; ``committee`` is the number of model checkers that review a task;
    ``tally`` is filled. Raises ``StoppedError`` where the run must end: then the session is neither drafted nor in quarantine.
    """
    caller = RoleCaller(plan, gateway, tally=tally or Tally(checks.ids))
    drafter = SessionDrafter(caller, script_of(plan), checks, committee)
    if plan.world is not None:
        drafter.world = build_world(plan.world, plan.tool_list.tools, plan.now)
    try:
        for number in range(len(plan.tasks)):
            await drafter.task(number)
    except StoppedError:
        raise
    except ContextError as error:
        return _quarantined(drafter, "context_length", error.cause)
    except Unusable as fault:
        return _quarantined(drafter, fault.reason, fault.detail)
    except ModelError as error:
        return _quarantined(drafter, "model_error", error.cause)
    draft = drafter.draft(drafter.done)
    verdicts = [*(v for v in checks(draft) if not v.ok or v.by == "model"), *drafter.verdicts]
    if failed := [v for v in failures(verdicts, checks) if v.task is None]:
        drafter.caller.tally.note(failed[0].check, False, first=False)
        return _quarantined(drafter, failed[0].check, failed[0].reason)
    return Draft.of(
        plan=plan,
        session=draft.session,
        verdicts=tuple(verdicts),
        trace=tuple(drafter.caller.trace),
        offline=gateway.offline_mode,
        repairs=drafter.repairs,
    )


def _quarantined(drafter: SessionDrafter, reason: str, detail: str) -> Quarantined:
    plan = drafter.plan
    raw = {
        "plan": plan.id,
        "tasks": [task.model_dump(mode="json") for task in drafter.done],
        "trace": [call.model_dump(mode="json") for call in drafter.caller.trace],
    }
    return Quarantined.of(
        stage=Stage.DRAFT,
        step="draft",
        reason=reason,
        detail=detail,
        source=plan.id,
        line=plan.index + 1,
        raw=canonical_json(raw),
    )

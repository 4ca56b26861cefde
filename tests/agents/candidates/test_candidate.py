"""A candidate's loop, with the real referee, and with a real HTTP endpoint."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from wildtool.agents.candidates.candidate import (
    Attempt,
    EndpointPolicy,
    Turn,
    builtin,
    offered_tools,
    play,
    play_session,
)
from wildtool.agents.candidates.policies import BUILTINS, least_value
from wildtool.agents.gateway.gateway import Endpoint, Gateway, GatewaySettings
from wildtool.evaluation import Referee, score_session
from wildtool.evaluation.matching.graph import depth, graph_of
from wildtool.grounding.chat import steps
from wildtool.schemas.errors import BudgetError, InputError, ModelError
from wildtool.schemas.session import Action, Answer, Ask, Call, Session, Task
from wildtool.schemas.trajectory import CandidateStep, Trajectory
from wildtool.schemas.vocabulary import ErrorKind, Language, RuleSet, TaskType, Topology


def tool(name: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required}
    function = {"name": name, "description": f"{name}.", "parameters": parameters, "x-returns": {"type": "object"}}
    return {"type": "function", "function": function}


TOOLS = (
    tool("getAir", {"city": {"type": "string"}}, ["city"]),
    tool("searchShows", {"city": {"type": "string"}}, ["city"]),
    tool("getShow", {"id": {"type": "string"}}, ["id"]),
    tool("bookShow", {"id": {"type": "string", "description": "Identifier of the show"}}, ["id"]),
)
TASKS = (
    Task(
        user="How is the air in Lyon, and what is on? Tell me about the first.",
        type=TaskType.MULTI,
        topology=Topology.MIXED,
        actions=(
            Call(name="getAir", arguments={"city": "Lyon"}, observation={"aqi": 41}),
            Call(name="searchShows", arguments={"city": "Lyon"}, observation=[{"id": "s7"}]),
            Call(name="getShow", arguments={"id": "s7"}, observation={"title": "Tosca"}, depends_on=(1,)),
            Answer(text="AQI 41; Tosca.", depends_on=(0, 2)),
        ),
    ),
    Task(
        user="Book one of them.",
        type=TaskType.CLARIFY,
        actions=(
            Ask(slots=("id",), tool="bookShow", question="Which show should I book?", reply="The first."),
            Call(name="bookShow", arguments={"id": "s7"}, observation="booked", depends_on=(0,)),
            Answer(text="Booked.", depends_on=(1,)),
        ),
    ),
    Task(user="Thank you!", type=TaskType.CHAT, actions=(Answer(text="You are welcome."),)),
    Task(
        user="And the air in Nice and Rome?",
        type=TaskType.MULTI,
        topology=Topology.PARALLEL,
        actions=(
            Call(name="getAir", arguments={"city": "Nice"}, observation={"aqi": 18}),
            Call(name="getAir", arguments={"city": "Rome"}, observation={"aqi": 30}),
            Answer(text="18 and 30.", depends_on=(0, 1)),
        ),
    ),
)
RUN = {"release": "1.0.0", "release_digest": "0" * 64}


@pytest.fixture(params=list(Language), ids=str)
def session(request: pytest.FixtureRequest) -> Session:
    return make_session(request.param)


def make_session(language: Language = Language.EN, plan: str = "pln_0000000000000001") -> Session:
    return Session.for_plan(
        plan,
        language=language,
        now="2024-07-12T09:30:00+00:00",
        tool_list="tls_0000000000000001",
        category="Weather & Environment",
        subcategory="air quality",
        tools=TOOLS,
        tasks=TASKS,
    )


def referee_for(session: Session, task: int) -> Referee:
    return Referee(session.tasks[task], session.tools, now=session.now, language=session.language)


def run(session: Session, name: str, **how: Any) -> Trajectory:
    return play([session], builtin(name), referee_for, Attempt(candidate=name, **RUN, **how))[0]


@pytest.mark.parametrize("history", ["gold", "own"])
@pytest.mark.parametrize("rules", list(RuleSet))
def test_gold_is_right_and_optimal(session, history, rules):
    scores = score_session(session, run(session, "builtin:gold", history=history), rules)
    assert [(s.correct, s.optimal) for s in scores] == [(True, True)] * 4


def test_null_is_right_on_chat_alone(session):
    scores = score_session(session, run(session, "builtin:null"))
    assert [s.correct for s in scores] == [s.type is TaskType.CHAT for s in scores]


def test_sequential_gold_is_right_and_optimal_only_where_nothing_goes_together(session):
    scores = score_session(session, run(session, "builtin:sequential"))
    assert all(s.correct for s in scores)
    assert [s.optimal for s in scores] == [False, True, True, False]


def test_asking_and_greed_are_wrong_where_they_should_be(session):
    assert not any(s.correct for s in score_session(session, run(session, "builtin:ask")) if s.type is TaskType.MULTI)
    greedy = score_session(session, run(session, "builtin:greedy"))
    assert [s.correct for s in greedy] == [False] * 4
    assert greedy[1].errors == (ErrorKind.MISSING_INFORMATION,)


def test_observations_are_bound_to_their_calls(session):
    step = run(session, "builtin:gold").tasks[3].steps[0]
    assert [(call.arguments, call.observation) for call in step.calls] == [
        ({"city": "Nice"}, {"aqi": 18}),
        ({"city": "Rome"}, {"aqi": 30}),
    ]


def test_unknown_builtin_names_the_known_ones():
    with pytest.raises(InputError) as caught:
        builtin("builtin:magic")
    assert all(f"builtin:{name}" in caught.value.remedy for name in BUILTINS)
    with pytest.raises(InputError):
        builtin("gold")
    assert builtin("builtin:always-ask") is builtin("builtin:ask")


def test_tools_hide_results_and_nothing_else(session):
    for offered, whole in zip(offered_tools(session), session.tools, strict=True):
        function = {name: value for name, value in whole["function"].items() if name != "x-returns"}
        assert offered == {"type": "function", "function": function}
        assert "x-returns" in whole["function"]


def seen_by(policy: str, task: int, history: str) -> list[dict[str, Any]]:
    """Messages of the first step of a task."""
    turns: list[Turn] = []

    async def watch(turn: Turn) -> CandidateStep:
        turns.append(turn)
        return await builtin(policy)(turn)

    play([make_session()], watch, referee_for, Attempt(candidate="watched", history=history, **RUN))
    return list(next(turn for turn in turns if turn.task == task and turn.done == 0).messages)


def test_gold_history_goes_along_an_optimal_path_whatever_the_candidate_did():
    messages = seen_by("builtin:null", 2, "gold")
    assert "2024-07-12" in messages[0]["content"]
    assert [(m["role"], len(m.get("tool_calls") or ())) for m in messages[1:]] == [
        *[("user", 0), ("assistant", 2), ("tool", 0), ("tool", 0), ("assistant", 1), ("tool", 0), ("assistant", 0)],
        *[("user", 0), ("assistant", 0), ("user", 0), ("assistant", 1), ("tool", 0), ("assistant", 0)],
        ("user", 0),
    ]
    asked = [call["id"] for message in messages for call in message.get("tool_calls") or ()]
    answered = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert asked == answered and len(set(asked)) == len(asked)


def test_own_history_is_what_the_candidate_did_with_every_call_answered():
    messages = seen_by("builtin:greedy", 1, "own")
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert json.loads(messages[3]["content"]) == {"error": "no result for these arguments"}
    later = seen_by("builtin:greedy", 2, "own")
    assert json.loads(later[-2]["content"]) == {"error": "the call was not run"}


def test_a_failed_request_is_an_error_of_its_task_and_never_text(session):
    async def fails_second(turn: Turn) -> CandidateStep:
        if turn.task == 1 and turn.done == 1:
            raise ModelError("the endpoint is down", "wait")
        return await builtin("builtin:gold")(turn)

    done = asyncio.run(play_session(session, fails_second, referee_for, Attempt(candidate="m", **RUN)))
    assert [task.error for task in done.tasks] == [None, "the endpoint is down", None, None]
    assert len(done.tasks[1].steps) == 1
    scores = score_session(session, done)
    assert scores[1].errors[0] is ErrorKind.FAILED_REQUEST and scores[3].correct
    own = asyncio.run(play_session(session, fails_second, referee_for, Attempt(candidate="m", history="own", **RUN)))
    assert [task.error is None for task in own.tasks] == [True, False, False, False]


def test_max_steps_ends_a_task_without_an_answer(session):
    done = run(session, "builtin:sequential", max_steps=1)
    assert [len(task.steps) for task in done.tasks] == [1, 1, 1, 1]
    assert score_session(session, done)[0].errors == (ErrorKind.EARLY_TERMINATION,)
    with pytest.raises(InputError):
        run(session, "builtin:gold", max_steps=0)
    with pytest.raises(InputError):
        run(session, "builtin:gold", history="none")


def test_the_id_is_known_before_the_run(session):
    for how in ({}, {"history": "own"}, {"max_steps": 9}, {"settings": {"temperature": 0.0}, "trial": 2}):
        done = run(session, "builtin:gold", **how)
        assert done.id == Attempt(candidate="builtin:gold", **RUN, **how).trajectory_id(session.id)
        assert Trajectory.model_validate_json(done.to_json()) == done


def test_many_sessions_keep_their_order_and_call_back_once_each():
    sessions = [make_session(plan=f"pln_{index:016x}") for index in range(20)]
    heard: list[str] = []
    done = play(
        sessions,
        builtin("builtin:gold"),
        referee_for,
        Attempt(candidate="g", **RUN),
        concurrency=3,
        on_trajectory=lambda t: heard.append(t.session),
    )
    assert [t.session for t in done] == [s.id for s in sessions]
    assert sorted(heard) == sorted(s.id for s in sessions)


def test_an_empty_budget_stops_the_run_and_keeps_what_was_done():
    sessions = [make_session(plan=f"pln_{index:016x}") for index in range(6)]
    heard: list[str] = []

    async def poor(turn: Turn) -> CandidateStep:
        if turn.session.id == sessions[2].id and turn.task == 2:
            raise BudgetError("the budget is used up", "raise it")
        return await builtin("builtin:gold")(turn)

    with pytest.raises(BudgetError):
        play(
            sessions,
            poor,
            referee_for,
            Attempt(candidate="g", **RUN),
            concurrency=1,
            on_trajectory=lambda t: heard.append(t.session),
        )
    assert heard == [sessions[0].id, sessions[1].id]


def test_least_values_fit_their_schema():
    schema = {
        "type": "object",
        "properties": {
            "kind": {"enum": ["b", "a"]},
            "count": {"type": "integer", "minimum": 3},
            "ids": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "loud": {"type": ["null", "boolean"]},
            "extra": {"type": "string"},
        },
        "required": ["kind", "count", "ids", "loud"],
    }
    assert least_value(schema) == {"kind": "b", "count": 3, "ids": ["x"], "loud": False}


def path_length(actions: Sequence[Action]) -> tuple[int, int]:
    work = [action for action in actions if not isinstance(action, Answer)]
    alone = sum(1 << index for index, action in enumerate(work) if isinstance(action, Ask))
    return len(steps(actions)) - 1, depth(graph_of([action.depends_on for action in work]), alone)


def test_the_path_is_shortest_also_where_an_ask_stands_beside_calls():
    ask = Ask(slots=("id",), question="Which?", reply="The first.")
    chained = (
        Call(name="a", arguments={}),
        ask,
        Call(name="b", arguments={}, depends_on=(1,)),
        Call(name="c", arguments={}, depends_on=(0,)),
        ask.model_copy(update={"depends_on": (0,)}),
        Call(name="d", arguments={}, depends_on=(4, 2)),
        Answer(text="Done.", depends_on=(3,)),
    )
    for actions in (chained, (*chained[:4], Answer(text="Done.")), *(task.actions for task in TASKS)):
        ours, least = path_length(actions)
        assert ours == least


# A real endpoint


def answer(content: str | None = None, calls: Sequence[tuple[str, str, str]] = ()) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = [
            {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
            for call_id, name, arguments in calls
        ]
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def gateway(server: HTTPServer, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Gateway:
    monkeypatch.setenv("WILDTOOL_TEST_KEY", "any")
    endpoint = Endpoint(model="m", base_url=server.url_for("/v1"), key_variable="WILDTOOL_TEST_KEY")
    return Gateway(GatewaySettings(endpoint=endpoint, backoff_seconds=0.0, **settings))


def test_an_endpoint_plays_and_each_trial_is_asked_anew(httpserver: HTTPServer, monkeypatch):
    session = make_session()
    bodies: list[dict[str, Any]] = []

    def serve(request: Request) -> Response:
        body = request.get_json()
        bodies.append(body)
        last = body["messages"][-1]
        said = [m["content"] for m in body["messages"] if m["role"] == "user"][-1]
        if last["role"] == "tool":
            done = sum(m["role"] == "tool" for m in body["messages"])
            if said.startswith("How is") and done == 2:
                return reply(answer(None, [("c1", "getShow", '{"id": "s7"}')]))
            return reply(answer("All done."))
        if said.startswith("How is"):
            calls = [("c1", "searchShows", '{"city": "Lyon"}'), ("c2", "getAir", '{"city": "Lyon"}')]
            return reply(answer("One moment.", calls))
        if said == "Book one of them.":
            return reply(answer("Which show would you like?"))
        if said == "The first.":
            return reply(answer(None, [("c1", "bookShow", '{"id": ')]))
        if said == "Thank you!":
            return reply(answer("My pleasure."))
        return reply(answer(None, [("same", "getAir", '{"city": "Nice"}'), ("same", "getAir", '{"city": "Rome"}')]))

    def reply(body: dict[str, Any]) -> Response:
        return Response(json.dumps(body), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(serve)

    async def runs() -> Trajectory:
        async with gateway(httpserver, monkeypatch) as model:
            policy = EndpointPolicy(model)
            first = await play_session(session, policy, referee_for, Attempt(candidate="m", **RUN))
            asked = len(bodies)
            again = await play_session(session, policy, referee_for, Attempt(candidate="m", **RUN))
            assert len(bodies) == asked and again.tasks == first.tasks
            await play_session(session, policy, referee_for, Attempt(candidate="m", trial=1, **RUN))
            assert len(bodies) == 2 * asked
            return first

    first = asyncio.run(runs())
    scores = score_session(session, first)
    assert [s.correct for s in scores] == [True, False, True, True]
    assert scores[1].errors == (ErrorKind.CALL_ERROR,)
    cut = first.tasks[1].steps[1].calls[0]
    assert cut.arguments is None and cut.raw_arguments == '{"id": '
    step = first.tasks[0].steps[0]
    assert step.text == "One moment." and (step.prompt_tokens, step.completion_tokens) == (11, 7)
    assert step.latency_seconds > 0
    assert [call.observation for call in first.tasks[3].steps[0].calls] == [{"aqi": 18}, {"aqi": 30}]
    assert len({call.id for call in first.tasks[3].steps[0].calls}) == 2
    assert all("x-returns" not in json.dumps(body) for body in bodies)
    tool_turn = bodies[1]["messages"][-2:]
    assert [(m["tool_call_id"], json.loads(m["content"])) for m in tool_turn] == [
        ("c1", [{"id": "s7"}]),
        ("c2", {"aqi": 41}),
    ]


def test_an_endpoint_that_is_down_costs_its_tasks_and_never_makes_text(httpserver: HTTPServer, monkeypatch):
    httpserver.expect_request("/v1/chat/completions").respond_with_data("no", status=503)

    async def runs() -> Trajectory:
        async with gateway(httpserver, monkeypatch, attempts=2) as model:
            return await play_session(make_session(), EndpointPolicy(model), referee_for, Attempt(candidate="m", **RUN))

    done = asyncio.run(runs())
    assert all(task.error and "503" in task.error and not task.steps for task in done.tasks)

"""Built-in candidates score what they must on any release: here, on random ones."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from wildtool.agents.candidates.candidate import Attempt, builtin, play
from wildtool.evaluation import Referee, score_session
from wildtool.schemas.session import Action, Answer, Ask, Call, Session, Task
from wildtool.schemas.vocabulary import Language, TaskType, Topology

NAMES = ("find", "book", "pay")
TOOLS = tuple(
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"{name}.",
            "parameters": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "string"}}},
        },
    }
    for name in NAMES
)


@st.composite
def tasks(draw: Any) -> Task:
    """A chat, or up to six actions, asks among them, that depend on one another in any way."""
    size = draw(st.integers(0, 6))
    actions: list[Action] = []
    asks = 0
    for index in range(size):
        on = tuple(other for other in range(index) if draw(st.integers(0, 3)) == 0)
        if draw(st.integers(0, 4)) == 0:
            asks += 1
            actions.append(Ask(slots=("y",), tool="find", question="Which y should it be?", reply="a", depends_on=on))
        else:
            name = draw(st.sampled_from(NAMES))
            arguments = {"x": draw(st.integers(0, 2)), "y": draw(st.sampled_from(["a", "b c", "2024-07-13"]))}
            actions.append(Call(name=name, arguments=arguments, observation=index, depends_on=on))
    actions.append(Answer(text="Done.", depends_on=tuple(range(size))))
    if size == 0:
        return Task(user="Hello!", type=TaskType.CHAT, actions=tuple(actions))
    if asks:
        return Task(user="Do it.", type=TaskType.CLARIFY, actions=tuple(actions))
    if size == 1:
        return Task(user="Do it.", type=TaskType.SINGLE, actions=tuple(actions))
    return Task(user="Do it.", type=TaskType.MULTI, topology=Topology.MIXED, actions=tuple(actions))


@st.composite
def releases(draw: Any) -> list[Session]:
    return [
        Session.for_plan(
            f"pln_{number}",
            language=draw(st.sampled_from(list(Language))),
            now="2024-07-12T09:30:00+00:00",
            tool_list="tls_0",
            category="c",
            subcategory="s",
            tools=TOOLS,
            tasks=tuple(draw(st.lists(tasks(), min_size=1, max_size=4))),
        )
        for number in range(draw(st.integers(1, 2)))
    ]


def referee_for(session: Session, task: int) -> Referee:
    return Referee(session.tasks[task], session.tools, now=session.now, language=session.language)


@given(releases(), st.sampled_from(["gold", "own"]))
@settings(max_examples=examples(60), deadline=None)
def test_built_in_candidates_score_what_they_must(sessions: list[Session], history: Any) -> None:
    def scores(name: str) -> list[Any]:
        attempt = Attempt(release="1", release_digest="0", candidate=name, history=history)
        made = play(sessions, builtin(f"builtin:{name}"), referee_for, attempt)
        return [each for s, trajectory in zip(sessions, made, strict=True) for each in score_session(s, trajectory)]

    for score in scores("gold"):
        assert score.correct and score.optimal and score.actions_done == score.actions_total, score.reason
        assert score.path_cost == score.least_cost
    for score in scores("sequential"):
        assert score.correct and score.optimal == (score.depth == score.actions_total)
        assert score.path_cost >= score.least_cost
    for score in scores("null"):
        assert score.correct == (score.type is TaskType.CHAT)
    for name in ("ask", "greedy"):
        for score in scores(name):
            assert not (score.correct and score.type is TaskType.MULTI)

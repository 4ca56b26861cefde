"""Sessions as OpenAI messages along an optimal path: every step as early, and as wide, as it can be.

The one serialisation of a dialogue: drafting, candidates, releases and training exports all use it, so that a score
does not depend on where the messages came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, assert_never

from wildtool.language.lexicon import data_file
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.session import Action, Answer, Ask, Call, Session, Task


def steps(actions: Sequence[Action]) -> list[list[int]]:
    """The actions along a shortest path: every step as early, and as wide, as it can be.

    Asks stand alone, since text goes out without calls, and go first: what waits for a reply can then join the calls
    that wait for nothing. The answer comes last.
    """
    left = [index for index, action in enumerate(actions) if not isinstance(action, Answer)]
    answers = [index for index, action in enumerate(actions) if isinstance(action, Answer)]
    path: list[list[int]] = []
    done: set[int] = set(answers)
    while left:
        ready = [index for index in left if done.issuperset(actions[index].depends_on)]
        asks = [index for index in ready if isinstance(actions[index], Ask)]
        step = asks[:1] or ready
        path.append(step)
        done.update(step)
        left = [index for index in left if index not in step]
    return [*path, *([index] for index in answers)]


def observation_text(observation: Any) -> str:
    """An observation as the content of a tool message: text as it is, else JSON."""
    return observation if isinstance(observation, str) else canonical_json(observation)


def call_message(calls: Sequence[tuple[str, str, JsonObject]]) -> JsonObject:
    """An assistant message that makes calls, each (id, name, arguments)."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": call_id,
                "type": "function",
                "function": {"name": name, "arguments": canonical_json(arguments)},
            }
            for call_id, name, arguments in calls
        ],
    }


def tool_message(call_id: str, observation: Any) -> JsonObject:
    """The message that answers a call."""
    return {"role": "tool", "tool_call_id": call_id, "content": observation_text(observation)}


def task_messages(task: Task, number: int) -> list[JsonObject]:
    """A finished task as messages, from the user's opening to the final answer. ``number`` makes call ids unique."""
    found: list[JsonObject] = [{"role": "user", "content": task.user}]
    for step in steps(task.actions):
        calls: list[tuple[str, str, JsonObject]] = []
        results: list[JsonObject] = []
        for index in step:
            action = task.actions[index]
            match action:
                case Call():
                    call_id = f"call_{number}_{index}"
                    calls.append((call_id, action.name, action.arguments))
                    results.append(tool_message(call_id, action.observation))
                case Ask():
                    found.append({"role": "assistant", "content": action.question})
                    found.append({"role": "user", "content": action.reply})
                case Answer():
                    found.append({"role": "assistant", "content": action.text})
                case _:
                    assert_never(action)
        if calls:
            found.extend([call_message(calls), *results])
    return found


def session_messages(session: Session) -> tuple[list[JsonObject], list[int]]:
    """The whole dialogue with its system message, and for each task the index of its opening message."""
    chat = [system_message(session.language, session.now)]
    starts: list[int] = []
    for number, task in enumerate(session.tasks):
        starts.append(len(chat))
        chat.extend(task_messages(task, number))
    return chat, starts


@cache
def system_text(language: str) -> str:
    """The system prompt of every assistant, with the placeholder ``{now}``. Raises ``LanguageError`` where a language has none."""
    return data_file(language, "system_message.md", "grounding").read_text(encoding="utf-8").strip()


def system_message(language: str, now: str) -> JsonObject:
    """What every assistant is told: the date, and to use its tools. Nothing of any plan."""
    return {"role": "system", "content": system_text(language).replace("{now}", now)}

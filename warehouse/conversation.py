"""Sessions as chats: OpenAI messages along an optimal path of the gold graph."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from schemas.base import JsonObject, canonical_json
from schemas.session import Action, Answer, Ask, Call, Session
from schemas.vocabulary import Language

WEEKDAYS = {
    Language.EN: ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    Language.ZH: ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}
DATE_LINES = {Language.EN: "Current time: {time} {weekday}", Language.ZH: "当前环境时间：{time} {weekday}"}


def date_line(session: Session) -> str:
    """The line that tells a candidate the session's fixed clock."""
    moment = datetime.fromisoformat(session.now)
    weekday = WEEKDAYS[session.language][moment.weekday()]
    return DATE_LINES[session.language].format(time=moment.strftime("%Y-%m-%d %H:%M:%S"), weekday=weekday)


def layers(actions: tuple[Action, ...]) -> list[list[int]]:
    """Indexes by step, each action as early as its dependencies allow; asks and answers take a step alone.

    The order of the steps is a valid and, over calls, shortest path.
    """
    done: set[int] = set()
    steps: list[list[int]] = []
    while len(done) < len(actions):
        ready = [i for i in range(len(actions)) if i not in done and done.issuperset(actions[i].depends_on)]
        calls = [i for i in ready if isinstance(actions[i], Call)]
        asks = [i for i in ready if isinstance(actions[i], Ask)]
        # The user must reply before calls that wait; calls that are ready need not wait for the user.
        step = asks[:1] or calls or ready[:1]
        steps.append(step)
        done.update(step)
    return steps


def messages(session: Session) -> tuple[list[JsonObject], list[int]]:
    """The whole chat with a system line, and the message index where each task begins."""
    chat: list[JsonObject] = [{"role": "system", "content": date_line(session)}]
    starts: list[int] = []
    for number, task in enumerate(session.tasks):
        starts.append(len(chat))
        chat.append({"role": "user", "content": task.user})
        for step in layers(task.actions):
            chat += _step_messages(number, step, task.actions)
    return chat, starts


def _step_messages(task: int, step: list[int], actions: tuple[Action, ...]) -> list[JsonObject]:
    first = actions[step[0]]
    match first:
        case Ask():
            return [{"role": "assistant", "content": first.question}, {"role": "user", "content": first.reply}]
        case Answer():
            return [{"role": "assistant", "content": first.text}]
        case Call():
            calls, results = [], []
            for index in step:
                call = actions[index]
                assert isinstance(call, Call)
                id = f"call_{task}_{index}"
                function = {"name": call.name, "arguments": canonical_json(call.arguments)}
                calls.append({"id": id, "type": "function", "function": function})
                results.append({"role": "tool", "tool_call_id": id, "content": observation_text(call.observation)})
            return [{"role": "assistant", "content": None, "tool_calls": calls}, *results]


def observation_text(observation: Any) -> str:
    """Text stays text, anything else is JSON."""
    return observation if isinstance(observation, str) else json.dumps(observation, ensure_ascii=False, sort_keys=True)


def chat_line(session: Session, split: str, canary: str) -> str:
    """A line of ``sessions.jsonl``: messages and tools as OpenAI's API takes them, and what the tasks are."""
    chat, starts = messages(session)
    tools = [
        {**tool, "function": {key: value for key, value in tool["function"].items() if key != "x-returns"}}
        for tool in session.tools
    ]
    tasks = [
        {
            "message": start,
            "type": task.type.value,
            "topology": task.topology.value if task.topology else None,
            "hidden_intent": task.hidden_intent.kind.value if task.hidden_intent else None,
            "dependencies": [list(action.depends_on) for action in task.actions],
        }
        for start, task in zip(starts, session.tasks, strict=True)
    ]
    return canonical_json(
        {
            "id": session.id,
            "language": session.language.value,
            "split": split,
            "category": session.category,
            "subcategory": session.subcategory,
            "now": session.now,
            "messages": chat,
            "tools": tools,
            "tasks": tasks,
            "canary": canary,
        }
    )

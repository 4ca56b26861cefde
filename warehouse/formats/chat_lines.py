"""Lines of ``sessions.jsonl``: a session as OpenAI messages and tools, with its gold beside them."""

from __future__ import annotations

import json

from wildtool.grounding.chat import session_messages, steps
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.session import Action, Answer, Ask, Call, Session, Task


def chat_line(session: Session, split: str, canary: str) -> str:
    """A line of ``sessions.jsonl``: messages and tools as OpenAI's API takes them, and what the tasks are."""
    chat, starts = session_messages(session)
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
            "gold": _gold(task),
        }
        for start, task in zip(starts, session.tasks, strict=True)
    ]
    functions = [tool["function"] for tool in session.tools]
    return canonical_json(
        {
            "id": session.id,
            "language": session.language.value,
            "split": split,
            "category": session.category,
            "subcategory": session.subcategory,
            "now": session.now,
            "tool_list": session.tool_list,
            "messages": chat,
            "tools": tools,
            "returns": {one["name"]: one["x-returns"] for one in functions if "x-returns" in one},
            "tasks": tasks,
            "provenance": session.provenance.model_dump(mode="json"),
            "canary": canary,
        }
    )


def _gold(task: Task) -> JsonObject:
    """What the messages of a task do not say of its gold, so that a line holds the whole session."""
    dumped = task.model_dump(mode="json")
    said = {
        "call": ("name", "arguments", "observation", "depends_on"),
        "ask": ("question", "reply", "depends_on"),
        "answer": ("text", "depends_on"),
    }
    actions = []
    for action, row in zip(task.actions, dumped["actions"], strict=True):
        kept = {key: value for key, value in row.items() if key not in said[action.kind]}
        if isinstance(action, Call):
            kept["observed"] = "text" if isinstance(action.observation, str) else "json"
        actions.append(kept)
    return {"actions": actions, "alternatives": dumped["alternatives"], "hidden_intent": dumped["hidden_intent"]}


def session_of_chat(row: JsonObject) -> Session:
    """The session that a line of ``sessions.jsonl`` was made of. Raises ``ValueError`` or ``KeyError`` where it is none."""
    chat = row["messages"]
    results = {message["tool_call_id"]: message["content"] for message in chat if message["role"] == "tool"}
    called = {call["id"]: call["function"] for message in chat for call in message.get("tool_calls") or ()}
    tasks = []
    for number, (task, after) in enumerate(zip(row["tasks"], [*row["tasks"][1:], None], strict=True)):
        part = chat[task["message"] : after["message"] if after else len(chat)]
        tasks.append(_task_of_chat(number, task, part, called, results))
    tools = []
    for tool in row["tools"]:
        function = dict(tool["function"])
        if function["name"] in row["returns"]:
            function["x-returns"] = row["returns"][function["name"]]
        tools.append({**tool, "function": function})
    fields = ("id", "language", "now", "tool_list", "category", "subcategory", "provenance")
    return Session.model_validate({name: row[name] for name in fields} | {"tools": tools, "tasks": tasks})


def _task_of_chat(
    number: int, task: JsonObject, part: list[JsonObject], called: dict[str, JsonObject], results: dict[str, str]
) -> JsonObject:
    gold = task["gold"]
    # Questions and the answer stand in the order of the steps; calls are found by their ids.
    spoken = [at for at, message in enumerate(part) if message["role"] == "assistant" and not message.get("tool_calls")]
    path = steps(
        tuple(
            _STAND_INS[action["kind"]].model_copy(update={"depends_on": tuple(on)})
            for action, on in zip(gold["actions"], task["dependencies"], strict=True)
        )
    )
    places = dict(zip((i for step in path for i in step if gold["actions"][i]["kind"] != "call"), spoken, strict=True))
    actions = []
    for index, kept in enumerate(gold["actions"]):
        action = {key: value for key, value in kept.items() if key != "observed"} | {
            "depends_on": task["dependencies"][index]
        }
        match kept["kind"]:
            case "call":
                id = f"call_{number}_{index}"
                action |= {"name": called[id]["name"], "arguments": json.loads(called[id]["arguments"])}
                action["observation"] = results[id] if kept["observed"] == "text" else json.loads(results[id])
            case "ask":
                at = places[index]
                action |= {"question": part[at]["content"], "reply": part[at + 1]["content"]}
            case "answer":
                action |= {"text": part[places[index]]["content"]}
            case kind:
                raise ValueError(f"unknown kind of action {kind!r}")
        actions.append(action)
    return {
        "user": part[0]["content"],
        "type": task["type"],
        "topology": task["topology"],
        "hidden_intent": gold["hidden_intent"],
        "actions": actions,
        "alternatives": gold["alternatives"],
    }


_STAND_INS: dict[str, Action] = {
    "call": Call(name="", arguments={}),
    "ask": Ask(slots=(), question="", reply=""),
    "answer": Answer(text=""),
}
"""Actions of each kind, to order steps by."""

"""The reading side of the original benchmark, written anew from its described behaviour, to hold our export against.

It rebuilds histories along an optimal path, lets a candidate replay the gold, matches calls by name and arguments,
and stops (as the original does, by an assertion or a missing key) at whatever it does not expect.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

ASK, ANSWER = "ask_user_for_required_parameters", "prepare_to_answer"
TYPES = (
    "Single-Tool",
    "Multi-Tool",
    "Parallel Multi-Tool",
    "Sequential Multi-Tool",
    "Mixed Multi-Tool",
    "Clarify",
    "Chat",
)
SUBTYPES = ("First Turn", "Subsequent Turn", "Coreferential Reference", "Partial Information", "Long-Range Dependency")


def optimal_paths(rows: list[dict[str, Any]]) -> list[list[list[int]]]:
    """All shortest paths. A step is any set of ready calls, or one question or answer: taken together they would stop it."""
    shortest: list[list[list[int]]] = []
    least = len(rows) + 1

    def walk(path: list[list[int]], done: frozenset[int]) -> None:
        nonlocal shortest, least
        if len(done) == len(rows):
            if len(path) < least:
                shortest, least = [], len(path)
            if len(path) == least:
                shortest.append([*path])
            return
        if len(path) >= least:
            return
        ready = [i for i, row in enumerate(rows) if i not in done and done.issuperset(row["dependency_list"])]
        assert ready, "the dependencies form a cycle"
        for size in range(len(ready), 0, -1):
            for step in combinations(ready, size):
                walk([*path, list(step)], done | set(step))

    walk([], frozenset())
    return shortest


def history(env_info: str, tasks: list[str], answers: list[list[dict[str, Any]]], current: str) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": f"Current Date: {env_info}"}]
    waiting: list[str] = []
    for task, rows in zip(tasks, answers, strict=True):
        messages.append({"role": "user", "content": task})
        for step in optimal_paths(rows)[0]:
            calls = []
            for index in step:
                row = rows[index]
                assert row["idx"] == index
                if row["action"]["name"] == ASK:
                    assert len(step) == 1
                    assert row["observation"] and row["user_input"]
                    messages += [
                        {"role": "assistant", "content": row["observation"]},
                        {"role": "user", "content": row["user_input"]},
                    ]
                elif row["action"]["name"] == ANSWER:
                    assert len(step) == 1
                    messages.append({"role": "assistant", "content": row["observation"]})
                else:
                    assert isinstance(row["action"]["arguments"], dict)
                    calls.append(index)
            if calls:
                ids = [f"toolu_{len(messages)}_{index}" for index in calls]
                waiting += ids
                functions = [
                    {"name": rows[i]["action"]["name"], "arguments": json.dumps(rows[i]["action"]["arguments"])}
                    for i in calls
                ]
                messages.append({"role": "assistant", "content": "", "tool_calls": [
                    {"id": id, "type": "function", "function": one} for id, one in zip(ids, functions, strict=True)]})  # fmt: skip
                for index in calls:
                    messages.append(
                        {
                            "role": "tool",
                            "tool_call_id": waiting.pop(0),
                            "content": json.dumps(rows[index]["observation"]),
                        }
                    )
    return [*messages, {"role": "user", "content": current}]


def replay(rows: list[dict[str, Any]], offered: set[str]) -> tuple[bool, int]:
    """Whether a candidate that replays the gold along an optimal path is right, and its steps."""
    path = optimal_paths(rows)[0]
    for step in path:
        names = [rows[index]["action"]["name"] for index in step]
        if names[0] in (ASK, ANSWER):
            said = rows[step[0]]["observation"]
            if not isinstance(said, str) or not said:
                return False, len(path)  # empty content counts as an error
            continue
        if not offered.issuperset(names):
            return False, len(path)
        predicted = sorted((rows[i]["action"]["name"], json.dumps(rows[i]["action"]["arguments"])) for i in step)
        gold = sorted((rows[i]["action"]["name"], json.dumps(rows[i]["action"]["arguments"])) for i in step)
        if predicted != gold:
            return False, len(path)
    return True, len(path)


def evaluate(path: Path) -> dict[str, Counter[str]]:
    """Right and all tasks by type, subtype and layer, as the original tabulates them."""
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    tables: dict[str, dict[str, Counter[str]]] = {
        "type": {name: Counter() for name in TYPES},
        "subtype": {name: Counter() for name in SUBTYPES},
        "layer": {str(layer): Counter() for layer in range(4)},
        "total": {"task": Counter(), "session": Counter()},
    }
    for entry in entries:
        tested = entries[int(entry["id"].rsplit("_", 1)[1])]
        assert tested["id"] == entry["id"], "ids do not count in file order"
        tools = json.loads(json.dumps(tested["english_tools"]).replace('"type": "float"', '"type": "number"'))
        offered = {tool["function"]["name"] for tool in tools}
        assert not offered & {ASK, ANSWER}
        tasks, answers = tested["english_tasks"], tested["english_answer_list"]
        assert (
            len(tasks) == len(answers) == len(tested["english_task_types"]) == len(tested["english_turn_subtypes"]) + 1
        )
        all_right = True
        for number, (task, rows) in enumerate(zip(tasks, answers, strict=True)):
            messages = history(tested["english_env_info"], tasks[:number], answers[:number], task)
            assert messages[-1] == {"role": "user", "content": task}
            right, steps = replay(rows, offered)
            assert 0 < steps <= len(tested["answer_list"][number])
            kind = tested["english_task_types"][number]
            subtype = tested["english_turn_subtypes"][number - 1] if number else "First Turn"
            for table, key in (("type", kind), ("subtype", subtype), ("layer", str(number)), ("total", "task")):
                tables[table][key].update({"total": 1, "right": right})  # a key that it does not know stops it
            all_right &= right
        tables["total"]["session"].update({"total": 1, "right": all_right})
    return {f"{table}.{key}": counts for table, rows in tables.items() for key, counts in rows.items()}

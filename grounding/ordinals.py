"""Items by their place: "the second one", "第二个", "the last"."""

from __future__ import annotations

import re
from typing import Any

from wildtool.grounding.value_mentions import fold
from wildtool.grounding.value_sources import parsed, same_value
from wildtool.schemas.json_paths import leaves, resolve
from wildtool.schemas.session import Call, Task

_EN = {word: place for place, word in enumerate("first second third fourth fifth sixth seventh eighth ninth".split())}
_ZH = {char: place for place, char in enumerate("一二三四五六七八九")}


def ordinals_said(text: str) -> list[int]:
    """Places that a text names, from 0; -1 is the last, -2 the one before it."""
    folded = fold(text)
    found: list[int] = []
    for hit in re.finditer(r"\b(?:(second|third|next)[- ]to[- ])?last\b|倒数第([一二三四])|最后", folded):
        if hit[2]:
            found.append(-1 - _ZH[hit[2]])
        else:
            found.append({"second": -2, "next": -2, "third": -3}.get(hit[1] or "", -1))
    # "When you have a second", "the first time" and "lowest first" point at nothing.
    idle = r"\ba second\b|\b(?:at first|first time|first things first|first of all)\b|\b(?:[a-z]+est|best|worst|most [a-z]+) first\b"
    rest = re.sub(rf"倒数第.|(?:second|third|next)[- ]to[- ]last|{idle}", " ", folded)
    found += [_EN[word] for word in re.findall(r"[a-z]+", rest) if word in _EN]
    found += [int(number) - 1 for number in re.findall(r"(?:第|no\.? ?|number |#)(\d{1,2})(?!\d)", rest)]
    found += [int(number) - 1 for number in re.findall(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)\b", rest)]
    found += [_ZH[char] for char in re.findall(r"第([一二三四五六七八九])", rest)]
    return found


def places_of(value: Any, task: Task) -> list[tuple[int, int]]:
    """Places in lists that a task's observations hold a value at: (place from 0, length of the list)."""
    found: list[tuple[int, int]] = []
    for action in task.actions:
        if not isinstance(action, Call):
            continue
        result = parsed(action.observation)
        for path, held in leaves(result):
            if same_value(value, held):
                for hit in re.finditer(r"\[(\d+)\]", path):
                    items = resolve(result, path[: hit.start()]) if hit.start() else result
                    found.append((int(hit[1]), len(items)))
    return found

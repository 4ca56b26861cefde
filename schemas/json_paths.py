"""Paths into JSON values: names joined by dots, ``[i]`` for an item, ``[-1]`` for the last, ``[*]`` for any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_TOKEN = re.compile(r"[^.\[\]]+|\[(?:-?\d+|\*)\]")


def tokens(path: str) -> list[str | int]:
    """The steps of a path: names as text, items as numbers; ``[*]`` reads as the first item."""
    steps: list[str | int] = []
    for token in _TOKEN.findall(path):
        if token.startswith("["):
            steps.append(0 if token == "[*]" else int(token[1:-1]))
        else:
            steps.append(token)
    return steps


def resolve(value: Any, path: str) -> Any:
    """The value at a path; ``LookupError`` where the path leads nowhere."""
    for step in tokens(path):
        if isinstance(step, int):
            if not isinstance(value, list):
                raise LookupError(f"no list at {path}")
            value = value[step]
        else:
            if not isinstance(value, dict):
                raise LookupError(f"no object at {path}")
            value = value[step]
    return value


def parent(path: str) -> str:
    """The path of the object that holds the last name: ``tracks[1].id`` gives ``tracks[1]``."""
    return path.rpartition(".")[0]


def leaf(path: str) -> str:
    """The last name of a path, without item numbers."""
    return re.sub(r"\[[^\[\]]*\]", "", path.rpartition(".")[2])


def pin(path: str, index: int) -> str:
    """The path with its last ``[*]`` set to an item, and earlier ones to the first."""
    head, star, tail = path.rpartition("[*]")
    return head.replace("[*]", "[0]") + f"[{index}]" + tail if star else path


def loosen(path: str) -> str:
    """The path with every item number set to ``[*]``."""
    return re.sub(r"\[-?\d+\]", "[*]", path)


def pinned_index(path: str) -> int | None:
    """The last item number of a path; None for a path without one."""
    numbers = re.findall(r"\[(-?\d+)\]", path)
    return int(numbers[-1]) if numbers else None


def leaves(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """All scalars of a JSON value with their paths, in the order of writing."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, f"{prefix}.{name}" if prefix else str(name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{prefix}[{index}]")
    else:
        yield prefix, value


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All objects inside a JSON value, outer ones first."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner)

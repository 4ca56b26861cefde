"""Reads our short dialogues with behaviour labels, and scores what the miner says of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wildtool.mining.behaviour import observe_texts
from wildtool.schemas.conversation import TurnBehaviour
from wildtool.schemas.vocabulary import HiddenIntentKind

FILE = Path(__file__).parent / "data" / "small_dialogues.txt"
KINDS = {
    "open": "task_open", "update": "task_update", "answer": "clarify_answer", "follow": "follow_up", "chat": "chat", "close": "close",
}  # fmt: skip
LINE = re.compile(r"([a-z/]+)(?: \+([a-z/]+))?(?: <(part|coref)(?::([a-z_/]+))?(?:@(\d+))?)?( far)?: (.+)")


@dataclass(frozen=True)
class Label:
    """What is right for one user turn; several values where each is."""

    text: str
    kinds: frozenset[str]
    several: frozenset[str]
    """Empty: one need."""
    leans: str
    """``part``, ``coref``, or empty."""
    devices: frozenset[str]
    leans_on: int | None
    far: bool


@dataclass(frozen=True)
class Dialogue:
    """One of our dialogues."""

    language: str
    part: str
    messages: tuple[tuple[str, str], ...]
    labels: tuple[Label, ...]


def dialogues(path: Path = FILE) -> Iterator[Dialogue]:
    """All dialogues of the file."""
    for block in path.read_text(encoding="utf-8").split("\n\n")[1:]:
        head, *lines = block.strip().splitlines()
        _, language, part = head.split()
        messages: list[tuple[str, str]] = []
        labels: list[Label] = []
        for line in lines:
            if line.startswith("bot: "):
                messages.append(("assistant", line.removeprefix("bot: ")))
                continue
            found = LINE.fullmatch(line)
            assert found is not None, line
            kinds, several, leans, devices, on, far, text = found.groups()
            messages.append(("user", text))
            labels.append(
                Label(
                    text,
                    frozenset(KINDS[one] for one in kinds.split("/")),
                    frozenset(several.split("/")) if several else frozenset(),
                    leans or "",
                    frozenset(devices.split("/")) if devices else frozenset(),
                    int(on) if on else None,
                    bool(far),
                )
            )
        yield Dialogue(language, part, tuple(messages), tuple(labels))


def verdicts(label: Label, said: TurnBehaviour) -> dict[str, bool]:
    """What is right of what was said of a turn; only what the label speaks of."""
    near = [one for one in said.hidden if one.kind is not HiddenIntentKind.LONG_RANGE]
    found = {
        "kind": said.kind.value in label.kinds,
        "needs": (said.composition.value in label.several) if label.several else said.composition.value == "none",
        "leans": bool(near) == bool(label.leans),
    }
    if label.leans:
        wanted = "partial_information" if label.leans == "part" else "coreference"
        found["how"] = any(one.kind.value == wanted for one in near)
    if label.devices:
        found["device"] = any(one.device.value in label.devices for one in near)
    if label.leans_on is not None:
        found["on"] = any(one.leans_on == label.leans_on for one in near)
    if label.far:
        found["far"] = any((one.distance or 0) > 2 for one in said.hidden)
    return found


def score(part: str, language: str) -> tuple[dict[str, tuple[int, int]], list[str]]:
    """Right and all by question, and a line for each miss."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    misses: list[str] = []
    for one in dialogues():
        if (one.part, one.language) != (part, language):
            continue
        for label, said in zip(one.labels, observe_texts(list(one.messages), language), strict=True):
            for question, good in verdicts(label, said).items():
                total[question] += 1
                right[question] += good
                if not good:
                    hidden = [(h.kind.value, h.device.value, h.leans_on) for h in said.hidden]
                    misses.append(f"{question}: {label.text!r} -> {said.kind.value} {said.composition.value} {hidden}")
    return {question: (right[question], total[question]) for question in total}, misses

"""Weights of the behaviour models, fitted to annotated dialogues.

    python -m wildtool.mining.behaviour.train DIALOGUES.jsonl [--out DIR]

The file holds one conversation a line: ``source``, ``language``, ``messages``, ``labels``. What is written holds weights
of named features and no text. How good they are on dialogues that they were not fitted to,
``benchmarks/mining_quality.py`` says with ``--folds`` or ``--corpora``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wildtool.mining.behaviour.features import feature_names, features, user_turns
from wildtool.mining.behaviour.model import HEADS, WEIGHTS, Model
from wildtool.mining.behaviour.reading import measures
from wildtool.mining.words import text as text_of
from wildtool.schemas.errors import InputError
from wildtool.schemas.vocabulary import TurnKind

KINDS = {
    "task_open": TurnKind.TASK_OPEN,
    "task_update": TurnKind.TASK_UPDATE,
    "clarify_answer": TurnKind.CLARIFY_ANSWER,
    "followup_question": TurnKind.FOLLOW_UP,
    "chat": TurnKind.CHAT,
}
"""Annotated types that have a kind of ours."""

CLOSINGS = frozenset({"closing", "greeting_or_closing"})
"""Kinds of annotated talk that end a conversation (after its first turn)."""

ITERATIONS = 200
FEWEST_POSITIVE = 12
"""Positives below which a head or kind is not learned: its weights would be those of single conversations."""

MADE_UP_WEIGHT = 3.0
"""Weight of a turn of our own dialogues beside one of the corpora: they are few and stand for what people ask of assistants
beyond the corpora's services. 5 costs half a point in cross-validation, 1 what they teach."""

SMALLEST = 0.005
"""Weights nearer to 0 are not written."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Annotated turns of one language."""

    language: str
    matrix: NDArray[np.float32]
    """One row a turn."""
    kinds: list[TurnKind | None]
    """None: not annotated, or of no kind of ours."""
    heads: dict[str, list[bool | None]]
    """By head; None: not annotated."""
    groups: list[int]
    """Number of the conversation that each turn is of; those of the made-up ones are below 0."""

    @property
    def weight(self) -> NDArray[np.float32]:
        """Weight of each turn."""
        return np.where(np.array(self.groups) < 0, MADE_UP_WEIGHT, 1.0).astype(np.float32)


def examples(rows: Sequence[dict[str, Any]], language: str, most_turns: int = 200) -> Examples:
    """The turns of all conversations of a language, and of our made-up ones, with their labels."""
    blocks, kinds, groups = [], [], []
    heads: dict[str, list[bool | None]] = {head: [] for head in HEADS}
    chosen = [(number, row) for number, row in enumerate(rows) if row["language"] == language]
    chosen += [(-1 - number, row) for number, row in enumerate(made_up(language))]
    for number, row in chosen:
        texts = [(message["role"], message["content"]) for message in row["messages"]]
        turns = user_turns(texts, language, most_turns)
        blocks.append(features(turns, language))
        by_message = {label["m"]: label for label in row["labels"]["turns"]}
        for turn in turns:
            label = by_message[turn.message]
            kinds.append(_kind(label))
            for head, truth in _heads(row, label).items():
                heads[head].append(truth)
            groups.append(number)
    names = feature_names(language)
    matrix = np.vstack(blocks) if blocks else np.zeros((0, len(names)), dtype=np.float32)
    # What a turn is about says which corpus it is of, and so too much: only whether topics are old or new counts.
    matrix[:, [place for place, name in enumerate(names) if ":topic:" in name]] = 0.0
    return Examples(language, matrix, kinds, heads, groups)


_MADE_UP = re.compile(r"(open|update|answer|follow|chat|close) ?(\+?)(<{0,2}): (.+)")
_TYPES = {
    "open": "task_open", "update": "task_update", "answer": "clarify_answer", "follow": "followup_question", "chat": "chat",
    "close": "chat",
}  # fmt: skip


def made_up(language: str) -> list[dict[str, Any]]:
    """Our own dialogues in the form of the annotated ones."""
    text = text_of(language, "made_up_dialogues.txt")
    rows = []
    for block in text.split("\n\n")[1:]:
        messages: list[dict[str, str]] = []
        labels: list[dict[str, Any]] = []
        for line in block.strip().splitlines():
            if line.startswith("bot: "):
                messages.append({"role": "assistant", "content": line.removeprefix("bot: ")})
                continue
            found = _MADE_UP.fullmatch(line)
            if found is None:
                raise InputError(f"made_up_dialogues.txt of {language}: {line!r} has no kind", "see its first lines")
            kind, several, leans, words = found.groups()
            chat_kind = {"chat": "small_talk", "close": "closing"}.get(kind)
            labels.append(
                {
                    "u": len(labels), "m": len(messages), "type": _TYPES[kind], "chat_kind": chat_kind,
                    "multi_request": bool(several) if measures(language).annotates_several else None,
                    "coreference": bool(leans), "long_range": leans == "<<",
                }
            )  # fmt: skip
            messages.append({"role": "user", "content": words})
        labelled = {"conversation": {"has_hidden": True}, "turns": labels}
        rows.append({"source": "made up", "language": language, "messages": messages, "labels": labelled})
    return rows


def _kind(label: dict[str, Any]) -> TurnKind | None:
    kind = KINDS.get(label["type"])
    if kind is TurnKind.CHAT:
        if label.get("chat_kind") is None:
            return None
        if label["chat_kind"] in CLOSINGS and label["u"]:
            return TurnKind.CLOSE
    return kind


def _heads(row: dict[str, Any], label: dict[str, Any]) -> dict[str, bool | None]:
    """Several needs: only CrossWOZ annotates them. Leaning: SGD and STAR annotate it on turns that open a task."""
    source = row["source"]
    hidden = row["labels"]["conversation"].get("has_hidden") is not None and label["u"] > 0
    leans = hidden and (source not in ("SGD", "STAR") or label["type"] == "task_open")
    return {
        "several": bool(label["multi_request"]) if label.get("multi_request") is not None else None,
        "leans": bool(label.get("coreference")) if leans else None,
        "far": bool(label.get("long_range")) if hidden else None,
    }


def fit(data: Examples, chosen: Iterable[int] | None = None) -> Model:
    """The models of a language, from the chosen conversations (by number) or all. Deterministic."""
    from threadpoolctl import threadpool_limits

    wanted = None if chosen is None else set(chosen)
    rows = [place for place, group in enumerate(data.groups) if wanted is None or group in wanted or group < 0]
    with threadpool_limits(1):
        columns, bias, kinds = _fit_kinds(data, rows)
        heads: list[str] = []
        for head in HEADS:
            fitted = _fit_head(data, rows, head)
            if fitted is not None:
                heads.append(head)
                columns.append(fitted[0])
                bias.append(fitted[1])
    return Model(
        kinds=tuple(kinds),
        heads=tuple(heads),
        scope={head: _scope(data, rows, head) for head in heads},
        weights=np.array(columns, np.float32).T.copy(),
        bias=np.array(bias, np.float32),
    )


def _scope(data: Examples, rows: Sequence[int], head: str) -> frozenset[TurnKind]:
    """Kinds of turns on which the corpora annotate a head; our own dialogues are too few to decide on others."""
    counts = Counter(data.kinds[row] for row in rows if data.heads[head][row] is not None and data.groups[row] >= 0)
    return frozenset(kind for kind, count in counts.items() if kind is not None and count >= FEWEST_POSITIVE)


def _regression(language: str) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=measures(language).inverse_penalty, max_iter=ITERATIONS)


def _fit_kinds(data: Examples, rows: Sequence[int]) -> tuple[list[NDArray[Any]], list[float], list[TurnKind]]:
    counts = Counter(data.kinds[row] for row in rows)
    if sum(kind is not None and count >= FEWEST_POSITIVE for kind, count in counts.items()) < 2:
        raise InputError("the dialogues teach fewer than two kinds of turns", "give a file of several corpora")
    known = [row for row in rows if data.kinds[row] is not None and counts[data.kinds[row]] >= FEWEST_POSITIVE]
    regression = _regression(data.language).fit(
        data.matrix[known], [str(data.kinds[row]) for row in known], sample_weight=data.weight[known]
    )
    return list(regression.coef_), list(regression.intercept_), [TurnKind(kind) for kind in regression.classes_]


def _fit_head(data: Examples, rows: Sequence[int], head: str) -> tuple[NDArray[Any], float] | None:
    """Weights and bias less the threshold that gives the best F1 on turns that the fit has not seen."""
    from sklearn.model_selection import GroupKFold, cross_val_predict

    known = [row for row in rows if data.heads[head][row] is not None]
    truth = np.array([bool(data.heads[head][row]) for row in known])
    if truth.sum() < FEWEST_POSITIVE or (~truth).sum() < FEWEST_POSITIVE:
        return None
    groups = [data.groups[row] for row in known]
    weight = data.weight[known]
    scores = cross_val_predict(
        _regression(data.language), data.matrix[known], truth, groups=groups, cv=GroupKFold(3), method="decision_function",
        params={"sample_weight": weight},
    )  # fmt: skip
    regression = _regression(data.language).fit(data.matrix[known], truth, sample_weight=weight)
    return regression.coef_[0], float(regression.intercept_[0]) - _threshold(scores, truth)


def _threshold(scores: NDArray[Any], truth: NDArray[Any]) -> float:
    """The score above which calling yes has the best F1: half-way between two neighbouring scores."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(truth[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + truth.sum())
    best = int(np.argmax(f1))
    below = scores[order[best + 1]] if best + 1 < len(order) else scores[order[best]] - 1.0
    return float(scores[order[best]] + below) / 2


def fitted_elsewhere(rows: Sequence[dict[str, Any]], part_of: Callable[[dict[str, Any], int], Any]) -> dict[int, Model]:
    """For each conversation (by number) models fitted to the other parts of its language; absent where there are none.

    Args:
        rows: annotated conversations.
        part_of: the part that a conversation is in, from itself and its number among those of its corpus.
    """
    found: dict[int, Model] = {}
    for language in sorted({row["language"] for row in rows}):
        data = examples(rows, language)
        parts: dict[Any, set[int]] = {}
        seen: Counter[str] = Counter()
        for number in sorted({group for group in data.groups if group >= 0}, key=lambda number: rows[number]["id"]):
            source = rows[number]["source"]
            parts.setdefault(part_of(rows[number], seen[source]), set()).add(number)
            seen[source] += 1
        for held_out in parts.values():
            rest = {group for group in data.groups if group >= 0} - held_out
            if rest:
                with suppress(InputError):  # KdConv alone teaches nothing but talk
                    found.update(dict.fromkeys(held_out, fit(data, rest)))
    return found


def write(fitted: Model, language: str, folder: Path) -> Path:
    """Weights as JSON, small ones left out."""
    names = feature_names(language)

    def column(place: int) -> dict[str, float]:
        return {
            name: round(float(weight), 3)
            for name, weight in zip(names, fitted.weights[:, place], strict=True)
            if abs(weight) >= SMALLEST
        }

    count = len(fitted.kinds)
    target = folder / language / WEIGHTS
    content = {
        "kinds": list(fitted.kinds),
        "heads": list(fitted.heads),
        "scope": {head: sorted(kinds) for head, kinds in fitted.scope.items()},
        "bias": [round(float(one), 4) for one in fitted.bias],
        "kind_weights": {kind: column(place) for place, kind in enumerate(fitted.kinds)},
        "head_weights": {head: column(count + place) for place, head in enumerate(fitted.heads)},
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description="Fit the behaviour models to annotated dialogues.")
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parent.parent / "words", help="folder of the languages' folders"
    )
    arguments = parser.parse_args()
    try:
        rows = [json.loads(line) for line in arguments.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        sys.stderr.write(f"cannot read {arguments.file}: {error}\n")
        return 2
    for language in sorted({row["language"] for row in rows}):
        data = examples(rows, language)
        if data.groups:
            sys.stderr.write(f"{write(fit(data), language, arguments.out)}: {len(data.groups):,} turns\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

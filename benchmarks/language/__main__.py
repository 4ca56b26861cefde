"""Scores the readers of language on files of texts with their right readings: ``python -m benchmarks.language FILE...``.

What a file holds is told by the fields of its rows. A reading that decides a row is right or wrong, and sure or not; sure
readings must never be wrong, since only they may block or decide anything.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

KINDS: Mapping[str, frozenset[str]] = {
    "dates": frozenset({"id", "language", "now", "text", "expression", "expected"}),
    "quantities": frozenset({"id", "language", "text", "expected"}),
    "pointing": frozenset({"id", "language", "text", "lists", "expected"}),
}
"""Module that judges a row, and the fields that a row of its kind has; the kind with the most fields wins."""
AGREE, SURE_WRONG, SURE = 0.95, 0, 0.7
"""Goals: share of rows that agree in each language; rows that are sure and wrong; share of right rows that are sure."""
Judge = Callable[[dict[str, Any]], tuple[bool, bool]]


class BadInput(Exception):
    """A file cannot be scored; says the cause and the remedy."""


@dataclass
class Score:
    """What the rows of one file came to."""

    cases: int = 0
    agree: int = 0
    wrong: list[str] = field(default_factory=list)
    by_language: dict[str, list[int]] = field(default_factory=dict)
    sure: int = 0
    sure_wrong: int = 0

    def add(self, row: dict[str, Any], agree: bool, sure: bool) -> None:
        """Count one row."""
        self.cases += 1
        self.agree += agree
        language = self.by_language.setdefault(row["language"], [0, 0])
        language[0] += agree
        language[1] += 1
        self.sure += agree and sure
        self.sure_wrong += sure and not agree
        if not agree:
            self.wrong.append(row["id"])

    def record(self) -> dict[str, Any]:
        """As one JSON object."""
        return {
            "cases": self.cases,
            "agree": self.agree,
            "wrong": self.wrong,
            "by_language": dict(sorted(self.by_language.items())),
            "sure": self.sure,
            "sure_wrong": self.sure_wrong,
        }


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file. Raises ``BadInput``."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read ({error}); give a JSONL file of UTF-8 text") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{path}:{number}: no JSON ({error}); write one object a line") from error
        if not isinstance(row, dict):
            raise BadInput(f"{path}:{number}: not an object; write one object a line")
        rows.append(row)
    if not rows:
        raise BadInput(f"{path}: holds no rows; give a JSONL file of texts with their right readings")
    return rows


def kind_of(path: Path, rows: Sequence[dict[str, Any]]) -> str:
    """What the rows are, by the fields that all of them have. Raises ``BadInput``."""
    common = frozenset.intersection(*(frozenset(row) for row in rows))
    fitting = [kind for kind, fields in KINDS.items() if fields <= common]
    if not fitting:
        known = "; ".join(f"{kind}: {', '.join(sorted(fields))}" for kind, fields in KINDS.items())
        raise BadInput(f"{path}: rows of an unknown kind, with the fields {sorted(common)}; known are {known}")
    return max(fitting, key=lambda kind: len(KINDS[kind]))


def judge_of(kind: str) -> Judge:
    """The judge of a kind of rows. Raises ``BadInput`` where its module is missing."""
    try:
        judge: Judge = import_module(f"benchmarks.language.{kind}").judge
    except ImportError as error:
        raise BadInput(
            f"{kind}: no judge ({error}); install the package and run from the root of the repository"
        ) from error
    return judge


def score(path: Path) -> Score:
    """Judge all rows of a file. Raises ``BadInput``."""
    rows = read_rows(path)
    judge = judge_of(kind_of(path, rows))
    found = Score()
    for row in rows:
        try:
            found.add(row, *judge(row))
        except (KeyError, TypeError, ValueError, LookupError, AttributeError) as error:
            raise BadInput(f"{path}: row {row.get('id')!r} cannot be judged ({error!r}); mend or remove it") from error
    return found


def table(scores: Mapping[str, Score]) -> str:
    """The scores for people, with the goals beside them."""
    lines = [f"{'file':<40} {'language':<9} {'agree':>13}   goal {AGREE:.0%}"]
    for name, found in scores.items():
        for language, (agree, cases) in sorted(found.by_language.items()):
            lines.append(
                f"{name[-40:]:<40} {language:<9} {agree:>4}/{cases:<4} {agree / cases:6.1%}{_miss(agree / cases < AGREE)}"
            )
        share = found.sure / found.agree if found.agree else 0.0
        lines.append(f"{'':<40} right readings that are sure: {share:.1%} (goal {SURE:.0%}){_miss(share < SURE)}")
        lines.append(
            f"{'':<40} sure and wrong: {found.sure_wrong} (goal {SURE_WRONG}){_miss(found.sure_wrong > SURE_WRONG)}"
        )
        if found.wrong:
            lines.append(f"{'':<40} wrong: {' '.join(found.wrong)}")
    return "\n".join(lines)


def _miss(missed: bool) -> str:
    return "  MISSED" if missed else ""


def main(given: Sequence[str] | None = None) -> int:
    """Command line; the exit code is 2 for input that cannot be scored."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.language", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSONL of texts with their right readings")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(given)
    try:
        scores = {name: score(Path(name)) for name in options.files}
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({name: found.record() for name, found in scores.items()}, ensure_ascii=False))
    else:
        print(table(scores))
    return 0


if __name__ == "__main__":
    sys.exit(main())

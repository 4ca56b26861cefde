"""The table of mutants, and those known to change nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.mutants.operators import Mutant, mutants_of
from benchmarks.mutants.running import ROOT, Outcome, Result
from benchmarks.page import cell

PAGE = ROOT / "docs" / "results" / "mutants.md"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Equivalent:
    """Mutants that cannot change behaviour, as a person judged."""

    module: str
    function: str
    before: str
    """The statement as ``ast.unparse`` writes it."""
    reason: str
    after: tuple[str, ...] = ()
    """What it becomes; nothing stands for whatever it becomes."""

    def covers(self, mutant: Mutant) -> bool:
        """Whether a mutant is one of these."""
        return (self.module, self.function, self.before) == (mutant.module, mutant.function, mutant.before) and (
            not self.after or mutant.after in self.after
        )


@dataclass(frozen=True)
class Equivalents:
    """All of them, by module."""

    by_module: Mapping[str, Sequence[Equivalent]]

    def reason(self, mutant: Mutant) -> str:
        """Why a mutant changes nothing; empty where it is not listed."""
        listed = self.by_module.get(mutant.module, ())
        return next((one.reason for one in listed if one.covers(mutant)), "")


def equivalents(path: Path = EQUIVALENT) -> Equivalents:
    """The list kept by hand."""
    found: dict[str, list[Equivalent]] = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", ()):
        after = entry.get("after", ())
        one = Equivalent(**{**entry, "after": (after,) if isinstance(after, str) else tuple(after)})
        found.setdefault(one.module, []).append(one)
    return Equivalents(found)


def stale(known: Equivalents, modules: Collection[str], root: Path = ROOT) -> list[Equivalent]:
    """Entries that fit no mutant: the module has changed since."""
    found = []
    for module in sorted(modules & known.by_module.keys()):
        mutants = mutants_of((root / module).read_text(encoding="utf-8"), module)
        found += [one for one in known.by_module[module] if not any(map(one.covers, mutants))]
    return found


@dataclass(frozen=True)
class Row:
    """A module's mutants."""

    module: str
    mutants: int
    killed: int
    """By a failed test or by the time limit."""
    timed_out: int
    """Of the killed ones, those that ran into the time limit."""
    survived: int
    equivalent: int

    @property
    def share(self) -> float:
        """Killed, of those that change behaviour."""
        return self.killed / (self.killed + self.survived) if self.killed + self.survived else 1.0

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {**asdict(self), "share": round(self.share, 4)}


def rows(results: Iterable[Result], known: Equivalents) -> list[Row]:
    """A row for each module, in the order of their first results."""
    by_module: dict[str, list[Result]] = {}
    for result in results:
        by_module.setdefault(result.mutant.module, []).append(result)
    found = []
    for module, held in sorted(by_module.items()):
        judged = [result for result in held if not known.reason(result.mutant)]
        ends = [result.outcome for result in judged]
        found.append(
            Row(
                module,
                len(held),
                len(ends) - ends.count(Outcome.SURVIVED),
                ends.count(Outcome.TIMED_OUT),
                ends.count(Outcome.SURVIVED),
                len(held) - len(judged),
            )
        )
    return found


def share(found: Sequence[Row]) -> float:
    """Killed, of all that change behaviour."""
    return _sum(found).share


def _sum(found: Sequence[Row]) -> Row:
    names = ("mutants", "killed", "timed_out", "survived", "equivalent")
    return Row("all", *(sum(getattr(row, name) for row in found) for name in names))


def table(found: Sequence[Row]) -> str:
    """Markdown."""
    lines = ["| module | mutants | killed | timed out | survived | equivalent | share killed |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for row in [*found, _sum(found)]:
        name = row.module if row.module == "all" else f"`{row.module}`"
        counts = " | ".join(map(str, (row.mutants, row.killed, row.timed_out, row.survived, row.equivalent)))
        lines.append(f"| {name} | {counts} | {row.share:.0%} |")
    return "\n".join(lines)


def page(found: Sequence[Row], results: Sequence[Result], known: Equivalents, *, command: str, day: str) -> str:
    """The page in docs."""
    survivors = [r.mutant for r in results if r.outcome is Outcome.SURVIVED and not known.reason(r.mutant)]
    lines = [
        "# Mutation tests",
        "",
        f"Written by `{command}` on {day}.",
        "",
        "Each mutant changes one place of a module, and the tests of that module run against it. A mutant counts as",
        "killed if a test fails or if the tests take more than six times as long as usual (timed out). Mutants that",
        "cannot change behaviour are listed with the reason in `benchmarks/mutants/equivalent.toml`; the share leaves",
        "them out. `--most 0` runs every mutant, `--seed` chooses others.",
        "",
        table(found),
        "",
    ]
    if survivors:
        lines += ["## Survivors", "", "| where | before | after |", "| --- | --- | --- |"]
        lines += [
            f"| `{one.module}:{one.line}` | ``{cell(before)}`` | ``{cell(after)}`` |"
            for one in sorted(survivors, key=lambda one: (one.module, one.line))
            for before, after in [excerpts(one.before, one.after)]
        ]
        lines.append("")
    return "\n".join(lines)


AROUND = 40
"""Characters shown on either side of what differs."""


def excerpts(before: str, after: str) -> tuple[str, str]:
    """Two statements cut down to where they differ."""
    start = next(
        (place for place, (one, other) in enumerate(zip(before, after, strict=False)) if one != other),
        min(len(before), len(after)),
    )
    same = next(
        (
            place
            for place, (one, other) in enumerate(zip(before[start:][::-1], after[start:][::-1], strict=False))
            if one != other
        ),
        min(len(before), len(after)) - start,
    )
    head = max(0, start - AROUND)

    def cut(text: str) -> str:
        end = min(len(text), len(text) - same + AROUND)
        return ("…" if head else "") + text[head:end] + ("…" if end < len(text) else "")

    return cut(before), cut(after)

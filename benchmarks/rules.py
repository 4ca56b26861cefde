"""How often the rules of ``validation/`` are right on text that the simulator did not write.

    python -m benchmarks.rules FILE... [--json] [--write]
    python -m benchmarks.rules --write-docs

What a file holds is told by its fields:

- sessions with ``case`` and ``defect``: good ones (``defect`` is null) and ones with a planted defect. A finding on a
  good row is wrong; a finding on a defect row is right, unless the good row of its case has it too;
- texts with ``spans`` or ``must_go``, or neither: what the rule ``privacy`` finds is right inside of these;
- anything else is read as sessions in one of the formats of ``wildtool release import``; nobody judged them, so the
  findings are only listed.

With one FILE the report is one object, with several an object a file. ``--write`` keeps the precision of each rule
that reads text in ``validation/precision.toml`` and the table of rules in ``docs/reference/rules.md``.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from wildtool.schemas.release import Outcome
from wildtool.schemas.session import Session
from wildtool.validation.precision import ENOUGH, TABLE, measured
from wildtool.validation.rule import Finding, LooksAt, Rule, Subject

DOCS = Path(__file__).resolve().parent.parent / "docs" / "reference" / "rules.md"

MUST_GO = frozenset("PERSON STREET_ADDRESS CREDIT_CARD PHONE_NUMBER EMAIL_ADDRESS IBAN_CODE US_SSN IP_ADDRESS".split())
"""Kinds of spans that are personal data."""

ALONE = ("near_equal", "same_gold", "overlap", "judged", "licences", "agreement", "ids")
"""Rules that say nothing of a session by itself, or ask what a file of sessions does not hold."""


class Found(NamedTuple):
    """One finding of a rule, and whether it would refuse the session."""

    rule: str
    finding: Finding
    refuses: bool

    @property
    def what(self) -> tuple[Any, ...]:
        """What is said, and where."""
        return (self.rule, self.finding.task, self.finding.action, self.finding.reason)

    @property
    def place(self) -> tuple[Any, ...]:
        """Where it is said, and of what: other values at the same place are no other finding."""
        return (self.rule, self.finding.task, self.finding.action, self.finding.reason.partition(" ")[0])


@dataclass
class Judged:
    """Findings of each rule that were judged, and how many of them were right."""

    judged: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    source: dict[str, str] = field(default_factory=dict)

    def note(self, rule: str, right: bool) -> None:
        """One judged finding."""
        self.judged[rule] += 1
        self.right[rule] += right

    def add(self, other: Judged) -> None:
        """The findings of another file."""
        self.judged += other.judged
        self.right.update(other.right)
        for rule, source in other.source.items():
            self.source[rule] = f"{self.source[rule]}, {source}" if rule in self.source else source


def rules() -> tuple[Rule, ...]:
    """The rules that can judge a session by itself, the replay of gold included."""
    from wildtool.flows.rules import release_rules

    return tuple(rule for rule in release_rules().rules if rule.id not in ALONE)


def findings(session: Session, chosen: Sequence[Rule]) -> list[Found]:
    """Everything that rules find in a session by itself."""
    subject = Subject((session,))
    return [
        Found(rule.id, one, rule.outcome(one) is Outcome.FAIL)
        for rule in chosen
        for one in rule.run(subject)
        if one.judged
    ]


def planted(name: str, rows: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], Judged]:
    """Good sessions and planted defects: what was found, blocked and doubted."""
    chosen, judged = rules(), Judged()
    good: dict[str, list[Found]] = {}
    for row in rows:
        if row["defect"] is None:
            good[row["case"]] = findings(Session.model_validate(row["session"]), chosen)
    by_rule: dict[str, Counter[str]] = defaultdict(Counter)
    for each in good.values():
        for one in each:
            by_rule[one.rule]["on_good"] += 1
            judged.note(one.rule, False)
    by_kind: dict[str, list[int]] = {}
    for row in rows:
        if row["defect"] is None:
            continue
        twin = good.get(row["case"], [])
        said, places = {one.what for one in twin}, {one.place for one in twin}
        new = [one for one in findings(Session.model_validate(row["session"]), chosen) if one.what not in said]
        counts = by_kind.setdefault(row["defect"], [0, 0])
        counts[0] += bool(new)
        counts[1] += 1
        for one in new:
            if one.place not in places:
                by_rule[one.rule]["on_defects"] += 1
                judged.note(one.rule, True)
    for rule in judged.judged:
        judged.source[rule] = f"{len(rows)} sessions of {name}"
    report = {
        "good": len(good),
        "good_blocked": sum(any(one.refuses for one in each) for each in good.values()),
        "good_doubted": sum(any(not one.refuses for one in each) for each in good.values()),
        "defects": sum(of for _, of in by_kind.values()),
        "found": sum(number for number, _ in by_kind.values()),
        "by_kind": by_kind,
        "by_rule": {rule: dict(counts) for rule, counts in sorted(by_rule.items())},
        "on_good": {case: [_line(one) for one in each] for case, each in good.items() if each},
    }
    return report, judged


def texts(name: str, rows: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], Judged]:
    """Texts with personal data: what ``privacy`` finds in them."""
    from wildtool.validation.privacy import masked, personal_data

    judged, wrong = Judged(), []
    for row in rows:
        for what, words in personal_data(row["text"]):
            right = _is_personal(row, words)
            judged.note("privacy", right)
            if not right:
                wrong.append(f"{row['id']}: looks like {what}: {masked(words)}")
    judged.source["privacy"] = f"{len(rows)} texts of {name}"
    report = {"texts": len(rows), "found": judged.judged["privacy"], "right": judged.right["privacy"], "wrong": wrong}
    return report, judged


def _is_personal(row: dict[str, Any], words: str) -> bool:
    at = row["text"].index(words)
    spans = [(span["start"], span["end"]) for span in row.get("spans", ()) if span["kind"] in MUST_GO]
    starts = [(row["text"].find(part), len(part)) for part in row.get("must_go", ())]
    spans += [(start, start + size) for start, size in starts if start >= 0]
    return any(start < at + len(words) and at < end for start, end in spans)


def unjudged(path: Path) -> dict[str, Any]:
    """Sessions that nobody judged: the findings of each rule with the ids of the sessions."""
    from wildtool.schemas.quarantine import Quarantined
    from wildtool.warehouse import import_sessions

    bad: list[Quarantined] = []
    chosen = [rule for rule in rules() if rule.id != "tasks"]  # the number of tasks is the benchmark's own choice
    by_rule: dict[str, list[dict[str, Any]]] = defaultdict(list)
    count, blocked, doubted = 0, 0, 0
    for session in import_sessions(path, bad.append):
        found = findings(session, chosen)
        count += 1
        blocked += any(one.refuses for one in found)
        doubted += any(not one.refuses for one in found)
        for one in found:
            by_rule[one.rule].append({"session": session.id, "refuses": one.refuses, "finding": _line(one)})
    return {
        "sessions": count,
        "quarantined": len(bad),
        "blocked": blocked,
        "doubted": doubted,
        "by_rule": {
            rule: {
                "findings": len(each),
                "refusing": sum(one["refuses"] for one in each),
                "sessions": sorted({one["session"] for one in each}),
                "listed": each,
            }
            for rule, each in sorted(by_rule.items())
        },
    }


def _line(one: Found) -> str:
    where = "" if one.finding.task is None else f"task {one.finding.task}"
    where += "" if one.finding.action is None else f" action {one.finding.action}"
    return f"{one.rule}: {where and where + ': '}{one.finding.reason}"


def measure(path: Path) -> tuple[dict[str, Any], Judged]:
    """The report on one file, and the findings that it lets judge."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    first = rows[0] if rows else {}
    if {"case", "defect", "session"} <= first.keys():
        return planted(path.name, rows)
    if {"id", "text"} <= first.keys():
        return texts(path.name, rows)
    return unjudged(path), Judged()


def table(judged: Judged) -> str:
    """The text of ``precision.toml``: what was measured now, and for other rules what stood there."""
    reading = {rule.id for rule in rules() if rule.reads_text}
    rows = {rule: (each.judged, each.right, each.source) for rule, each in measured().items()}
    rows |= {rule: (judged.judged[rule], judged.right[rule], judged.source[rule]) for rule in judged.judged}
    lines = ["# Measured by python -m benchmarks.rules FILE... --write; do not edit by hand.\n"]
    for rule, (number, right, source) in sorted(rows.items()):
        if rule in reading:
            lines.append(f"\n[{rule}]\njudged = {number}\nright = {right}\nsource = {json.dumps(source)}\n")
    return "".join(lines)


def page() -> str:
    """The table of all rules, as ``docs/reference/rules.md`` holds it."""
    from wildtool.flows.rules import draft_rules, release_rules

    every = {rule.id: rule for rule in (*release_rules().rules, *draft_rules().rules)}
    rows = [_row(rule) for rule in sorted(every.values(), key=lambda rule: (rule.reads_text, rule.looks_at, rule.id))]
    head = "| rule | what must be true | looks at | reads text | may block | precision | earlier ids |"
    lines = [
        "# Rules",
        "",
        "Written by `python -m benchmarks.rules --write-docs`; a test keeps it in step.",
        "",
        "One registry (`validation/registry.py`) judges drafts and releases. A rule that computes may block: a draft goes",
        "back to its writer, a release is refused unless `--allow RULE` lets the rule pass. A rule that reads text may",
        f"block only if at least {ENOUGH} of its findings were judged on text that the simulator did not write, and 99 % of",
        "them were right; until then its findings are doubts that annotators and maintainers see. Some findings of rules",
        "that compute are uncertain as well, and are doubts too.",
        "",
        "Precision is right findings of those judged (`validation/precision.toml`). `--allow` and old manifests may name",
        "earlier ids; each stands for every rule that took over from it. In verdicts of version 0.1.0 ids of gates begin",
        "with `gate.`.",
        "",
        head,
        "|" + " --- |" * (head.count("|") - 1),
        *rows,
        "",
    ]
    return "\n".join(lines)


def _row(rule: Rule) -> str:
    precision = "computed" if not rule.reads_text else "not measured"
    if rule.precision.share is not None:
        precision = f"{rule.precision.share:.2f} ({rule.precision.right} of {rule.precision.judged})"
    cells = (
        f"`{rule.id}`",
        rule.title,
        LooksAt(rule.looks_at).value,
        "yes" if rule.reads_text else "no",
        "yes" if rule.may_block else "no",
        precision,
        ", ".join(f"`{alias}`" for alias in rule.aliases),
    )
    return "| " + " | ".join(cells) + " |"


def show(name: str, report: dict[str, Any]) -> Iterator[str]:
    """A report as lines."""
    yield name
    for key, value in report.items():
        if not isinstance(value, dict | list):
            yield f"  {key:<14} {value}"
    for key in ("by_kind", "by_rule"):
        for each, value in report.get(key, {}).items():
            counts = {k: v for k, v in value.items() if isinstance(v, int)} if isinstance(value, dict) else value
            yield f"  {each:<30} {counts}"
    for case, lines in report.get("on_good", {}).items():
        yield from (f"  on the good {case}: {line}" for line in lines)


def main(arguments: Iterable[str] | None = None) -> int:
    """Measure, show, and write where asked."""
    parser = argparse.ArgumentParser(description="Measure how often the rules are right.")
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="sessions or texts, one JSON object a line")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--write", action="store_true", help="keep the precisions, and the table of rules")
    parser.add_argument("--write-docs", action="store_true", help="write the table of rules")
    given = parser.parse_args(None if arguments is None else list(arguments))
    if not given.files and not given.write_docs:
        parser.error("name at least one FILE, or say --write-docs")
    reports: dict[str, dict[str, Any]] = {}
    judged = Judged()
    for path in given.files:
        reports[str(path)], own = measure(path)
        judged.add(own)
    if given.json:
        print(json.dumps(next(iter(reports.values())) if len(reports) == 1 else reports, ensure_ascii=False))
    else:
        for name, report in reports.items():
            print("\n".join(show(name, report)))
    if given.write:
        TABLE.write_text(table(judged), encoding="utf-8", newline="\n")
        measured.cache_clear()
    if given.write or given.write_docs:
        DOCS.parent.mkdir(parents=True, exist_ok=True)
        DOCS.write_text(page(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

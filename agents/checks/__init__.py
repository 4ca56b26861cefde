"""Rule checks: functions from a draft to verdicts, without any model.

A check yields failed verdicts alone. From ``SURE`` on, a draft goes back to its writer; below, the verdict is a remark
that annotators see. To add a check, write the function and list it in ``CHECKS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from agents.checks.arguments import grounding, schema
from agents.checks.duplicates import near_duplicates
from agents.checks.flow import dependencies, ending, parallel, shape
from agents.checks.injected import injected
from agents.checks.intent import clarify, hidden_intent, ordinal
from agents.checks.results import observation, redundant
from agents.checks.speech import answer, language, tool_names
from agents.checks.trace import Edge, Setting, propose_edges, trace_call, with_traces
from agents.checks.verdicts import SURE
from schemas.draft import Draft, Verdict


@dataclass(frozen=True)
class Check:
    """One check."""

    id: str
    """What its verdicts carry."""
    run: Callable[[Draft], Iterator[Verdict]]
    """Failed verdicts on a draft."""


CHECKS: tuple[Check, ...] = (
    Check("schema", schema),
    Check("grounding", grounding),
    Check("redundant", redundant),
    Check("observation", observation),
    Check("dependencies", dependencies),
    Check("parallel", parallel),
    Check("ending", ending),
    Check("shape", shape),
    Check("hidden_intent", hidden_intent),
    Check("ordinal", ordinal),
    Check("clarify", clarify),
    Check("answer", answer),
    Check("language", language),
    Check("tool_names", tool_names),
    Check("injected", injected),
)
"""All checks, in the order in which their verdicts are shown."""


def run_checks(draft: Draft) -> tuple[Verdict, ...]:
    """What all rule checks doubt in a draft, surest first within a check; empty for a flawless one."""
    return tuple(verdict for check in CHECKS for verdict in sorted(check.run(draft), key=lambda v: -v.confidence))


def failures(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """Those that send a draft back: failed, and sure."""
    return tuple(verdict for verdict in verdicts if not verdict.ok and verdict.confidence >= SURE)


__all__ = [
    "CHECKS",
    "SURE",
    "Check",
    "Edge",
    "Setting",
    "failures",
    "near_duplicates",
    "propose_edges",
    "run_checks",
    "trace_call",
    "with_traces",
]

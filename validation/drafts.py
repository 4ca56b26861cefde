"""Rule checks: functions from a draft to verdicts, without any model.

A check yields failed verdicts alone. From ``SURE`` on, a draft goes back to its writer; below, the verdict is a remark
that annotators see. To add a check, write the function and list it in ``CHECKS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from wildtool.grounding.value_sources import Edge, Setting, propose_edges, trace_call, with_traces
from wildtool.schemas.draft import Draft, Verdict
from wildtool.validation.argument_checks import grounding, schema
from wildtool.validation.duplicate_messages import near_duplicates
from wildtool.validation.graph_checks import dependencies, ending, parallel, shape
from wildtool.validation.injection_checks import injected
from wildtool.validation.intent_checks import clarify, hidden_intent, ordinal
from wildtool.validation.result_checks import observation, redundant
from wildtool.validation.speech_checks import answer, language, tool_names
from wildtool.validation.verdicts import SURE


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

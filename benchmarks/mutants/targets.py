"""Which modules are broken, and which tests must notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A module and the tests that must notice when it is broken."""

    module: str
    """Path in the repository."""
    tests: tuple[str, ...]
    """Test files of this module, quickest first."""
    skip: str = ""
    """Tests too slow to run for each mutant, as pytest's ``-k`` names them; others of the same files run."""

    def arguments(self) -> list[str]:
        """Of pytest."""
        return [*self.tests, *(["-k", f"not ({self.skip})"] if self.skip else [])]


TARGETS: Sequence[Target] = (
    Target("evaluation/matching/graph.py", ("tests/evaluation/matching/test_graph.py",)),
    Target("evaluation/matching/reachability.py", ("tests/evaluation/matching/test_reachability.py",)),
    Target("evaluation/matching/assignment.py", ("tests/evaluation/matching/test_assignment.py",)),
    Target("evaluation/matching/matcher.py", ("tests/evaluation/matching/test_matcher.py",)),
    Target(
        "evaluation/arguments/compare.py",
        (
            "tests/evaluation/arguments/test_compare.py",
            "tests/evaluation/arguments/test_compare_nested.py",
            "tests/evaluation/arguments/test_compare_table.py",
        ),
    ),
    Target("grounding/value_sources.py", ("tests/grounding/test_value_sources.py", "tests/grounding/test_edges.py")),
    Target("grounding/distance.py", ("tests/grounding/test_distance.py",)),
    Target("agents/drafting/provenance.py", ("tests/agents/drafting/test_provenance.py",)),
    Target("agents/planning/quotas.py", ("tests/agents/planning/test_quotas.py",)),
    Target("mining/deduplicate.py", ("tests/mining/test_deduplicate.py",)),
    Target("annotation/form/decode.py", ("tests/annotation/form/test_decode.py",)),
    Target(
        "annotation/form/decode_task.py",
        (
            "tests/annotation/form/test_decode_task.py",
            "tests/annotation/form/test_decode_intents.py",
            "tests/annotation/form/test_decode.py",
        ),
    ),
    Target(
        "warehouse/release/freezing.py",
        (
            "tests/warehouse/release/test_splits.py",
            "tests/warehouse/release/test_manifest.py",
            "tests/warehouse/release/test_freezing.py",
            "tests/warehouse/release/test_versions.py",
        ),
        # What needs other processes, corpora or large sets of sessions; errata and files have targets of their own.
        skip="killed or datasets or another_process or contamination or croissant or corpus or escaped or same_input or "
        "second_freeze or the_card_says or carries_the_canary or duckdb_and_jsonl or failed_gate or lies_beside",
    ),
    Target("warehouse/release/layout.py", ("tests/warehouse/release/test_layout.py",)),
    Target("warehouse/release/errata.py", ("tests/warehouse/release/test_errata.py",)),
)

"""What is kept: the DuckDB store; freezing, verifying, comparing and exporting releases."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warehouse.contamination import Contamination, file_ngrams, find_contamination, session_ngrams
    from warehouse.errata import Erratum
    from warehouse.explorer import explore_release
    from warehouse.freezing import freeze
    from warehouse.gates import GATES, Gate, GateContext, draft_verdicts, gold_hash, run_gates
    from warehouse.importing import import_sessions
    from warehouse.original import too_long_warning
    from warehouse.release import (
        Release,
        ReleaseDiff,
        VerifyResult,
        diff_releases,
        export_release,
        judged_in,
        load_manifest,
        load_release,
        release_texts,
        verify_release,
    )
    from warehouse.status import StoreStatus
    from warehouse.store import Store

_WHERE = {
    "Contamination": "warehouse.contamination",
    "file_ngrams": "warehouse.contamination",
    "find_contamination": "warehouse.contamination",
    "session_ngrams": "warehouse.contamination",
    "Erratum": "warehouse.errata",
    "explore_release": "warehouse.explorer",
    "freeze": "warehouse.freezing",
    "import_sessions": "warehouse.importing",
    "GATES": "warehouse.gates",
    "Gate": "warehouse.gates",
    "GateContext": "warehouse.gates",
    "draft_verdicts": "warehouse.gates",
    "gold_hash": "warehouse.gates",
    "run_gates": "warehouse.gates",
    "Release": "warehouse.release",
    "ReleaseDiff": "warehouse.release",
    "VerifyResult": "warehouse.release",
    "diff_releases": "warehouse.release",
    "export_release": "warehouse.release",
    "judged_in": "warehouse.release",
    "load_manifest": "warehouse.release",
    "load_release": "warehouse.release",
    "release_texts": "warehouse.release",
    "verify_release": "warehouse.release",
    "too_long_warning": "warehouse.original",
    "Store": "warehouse.store",
    "StoreStatus": "warehouse.status",
}

__all__ = [
    "GATES",
    "Contamination",
    "Erratum",
    "Gate",
    "GateContext",
    "Release",
    "ReleaseDiff",
    "Store",
    "StoreStatus",
    "VerifyResult",
    "diff_releases",
    "draft_verdicts",
    "explore_release",
    "export_release",
    "file_ngrams",
    "find_contamination",
    "freeze",
    "gold_hash",
    "import_sessions",
    "judged_in",
    "load_manifest",
    "load_release",
    "release_texts",
    "run_gates",
    "session_ngrams",
    "too_long_warning",
    "verify_release",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'warehouse' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)

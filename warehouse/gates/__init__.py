"""Release gates: what must be true of sessions before they are frozen."""

from warehouse.gates.consistency import CONSISTENCY_GATES
from warehouse.gates.gate import Gate, GateContext, draft_verdicts, require, run_gates
from warehouse.gates.judged import JUDGED_GATES, gold_hash, judged_golds
from warehouse.gates.meaning import MEANING_GATES
from warehouse.gates.privacy import PRIVACY_GATES
from warehouse.gates.structure import STRUCTURE_GATES
from warehouse.gates.whole import WHOLE_GATES
from warehouse.gates.wording import WORDING_GATES

GATES: tuple[Gate, ...] = (
    *STRUCTURE_GATES,
    *JUDGED_GATES,
    *MEANING_GATES,
    *WORDING_GATES,
    *CONSISTENCY_GATES,
    *PRIVACY_GATES,
    *WHOLE_GATES,
)
"""All gates that need nothing but the vocabulary; flows adds those that need other rooms."""

__all__ = ["GATES", "Gate", "GateContext", "draft_verdicts", "gold_hash", "judged_golds", "require", "run_gates"]

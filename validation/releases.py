"""Release gates: what must be true of sessions before they are frozen."""

from wildtool.validation.consistency_gates import CONSISTENCY_GATES
from wildtool.validation.dataset_gates import WHOLE_GATES
from wildtool.validation.gate import Gate, GateContext, draft_verdicts, require, run_gates
from wildtool.validation.grounding_gates import MEANING_GATES
from wildtool.validation.label_coverage import JUDGED_GATES, gold_hash, judged_golds
from wildtool.validation.privacy_gates import PRIVACY_GATES
from wildtool.validation.stated_value_gates import WORDING_GATES
from wildtool.validation.structure_gates import STRUCTURE_GATES

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

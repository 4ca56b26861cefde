"""Labels: every call is judged, and those who judge twice agree."""

from __future__ import annotations

from typing import Any

from tests.validation.findings import found, results
from tests.validation.small_cases import changed, set_argument
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.gold import gold_hash
from wildtool.schemas.label import AgreementReport, Figure
from wildtool.schemas.release import Outcome


def test_every_call_is_judged(make: Any, label: Any) -> None:
    session = make(1)
    judged = ReleaseContext(labels={session.id: [label(session)]})
    assert found([session], judged) == {}
    nobody = ReleaseContext(labels={session.id: [label(session, decision="skip", tasks=())]})
    assert found([session], nobody)["judged"] == ["nobody has judged it"]
    other = changed(session, set_argument(0, 0, "city", "Oslo"))
    assert found([session], ReleaseContext(labels={session.id: [label(other)]}))["judged"] == [
        "nobody has judged this call of getAirQuality"
    ]
    released = ReleaseContext(labels={}, judged={session.id: {gold_hash(session)}})
    assert found([session], released) == {}
    assert found([other], released)["judged"] == ["it was changed since it was judged"]
    assert found([session], ReleaseContext(labels={}))["judged"] == ["nobody has judged it"]
    unnamed = changed(session, lambda data: data["provenance"].update(labels=[]))
    assert found([unnamed])["judged"] == ["no label is named in its provenance"]


def test_agreement(make: Any) -> None:
    def report(edges: float | None, decision: float) -> AgreementReport:
        one = Figure(value=1.0, n=10)
        return AgreementReport(
            sessions=10, annotators=("a", "b"), simulated=True, call_f1=one, argument_exact=one,
            edge_f1=Figure(value=edges, n=10), alpha={"type": one, "decision": Figure(value=decision, n=10)},
        )  # fmt: skip

    assert found([make(1)], ReleaseContext(agreement=report(0.9, 0.0))) == {}
    assert found([make(1)], ReleaseContext(agreement=report(None, 1.0))) == {}
    assert found([make(1)], ReleaseContext(agreement=report(0.4, 1.0)))["agreement"] == [
        "F1 of edges is 0.400, below 0.61"
    ]


def test_what_is_not_at_hand_is_unknown(make: Any) -> None:
    judged = results([make(1)])
    assert judged["judged"].outcome is judged["agreement"].outcome is Outcome.UNKNOWN

from __future__ import annotations

from typing import Any

from wildtool.annotation import (
    ErrorRates,
    Form,
    agreement_page,
    measure_agreement,
)
from wildtool.schemas.draft import Draft

NO_ERRORS = ErrorRates(argument=0, edge=0, type=0, intent=0, deletion=0, decision=0)


def test_the_page_tells_and_escapes(draft: Draft, form: Form, say: Any) -> None:
    a, b = say(form), say({**form, "t1_type": ["chat"]}, annotator="<b>bob</b>")
    report = measure_agreement([a, b], categories={a.session: "Food & <Drink>"})
    page = agreement_page(report, links={a.session: "http://127.0.0.1:1/projects/1"})
    assert "<b>bob" not in page
    assert "&lt;b&gt;bob" in page
    assert "task 1: type" in page
    assert f'<a href="http://127.0.0.1:1/projects/1">{a.session}</a>' in page
    assert "simulated" not in page


def test_an_undefined_figure_says_why(draft: Draft, form: Form, say: Any) -> None:
    report = measure_agreement([say(form), say(form, annotator="ann_b")])
    decision = report.alpha["decision"]
    assert (decision.value, decision.n) == (None, 1)
    assert "everybody said “accept”" in (decision.undefined or "")
    page = agreement_page(report)
    assert "undefined: everybody said “accept”" in page
    nobody = measure_agreement([say(form)])
    assert nobody.alpha["type"].undefined == "no two people judged it in one session"
    assert nobody.edge_f1.undefined
    assert all(figure.undefined is None for figure in (report.alpha["type"], report.call_f1))

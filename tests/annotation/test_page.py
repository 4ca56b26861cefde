from __future__ import annotations

from typing import Any

from wildtool.annotation import Form, agreement_page, measure_agreement
from wildtool.annotation.agreement.page import COLUMNS, NAMES
from wildtool.schemas.draft import Draft


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


def test_categories_and_titles_are_escaped_and_only_web_links_are_links(draft: Draft, form: Form, say: Any) -> None:
    a, b = say(form), say({**form, "t1_type": ["chat"]}, annotator="ann_b")
    report = measure_agreement([a, b], categories={a.session: "Food & <Drink>"})
    page = agreement_page(report, title="<i>Round</i>", links={a.session: "javascript:alert(1)"})
    assert "Food &amp; &lt;Drink&gt;" in page
    assert page.count("&lt;i&gt;Round&lt;/i&gt;") == 2
    assert "<i>" not in page
    assert "javascript" not in page
    assert f"<td>{a.session}</td>" in page


def test_heat_maps_shade_doubt_and_mark_what_is_missing(draft: Draft, form: Form, say: Any) -> None:
    a, b = say(form), say({**form, "t1_type": ["chat"], "t1_c1_arguments": ['{"city": "Lille"}']}, annotator="ann_b")
    report = measure_agreement([a, b]).model_copy(
        update={"by_annotator": {"ann_a": {"pairs": 3.0, "type_equal": 0.75, "edge_f1": 0.2, "call_f1": 1.0}}}
    )
    page = agreement_page(report)
    row = page.partition("<th>ann_a</th>")[2].partition("</tr>")[0]
    assert row.startswith("<td>3</td>")
    assert '<td class="cell" style="--doubt:32%">0.75</td>' in row
    assert '<td class="cell" style="--doubt:65%">0.20</td>' in row
    assert '<td class="cell" style="--doubt:0%">1.00</td>' in row
    assert row.count("<td>–</td>") == len(COLUMNS) - 3
    assert all(f"<th>{NAMES[column]}</th>" in page for column in COLUMNS)
    assert "By pair of annotators" not in page


def test_figures_show_value_interval_and_units(draft: Draft, form: Form, say: Any) -> None:
    report = measure_agreement([say(form), say({**form, "made_by": ["a program"]}, annotator="ann_b")])
    page = agreement_page(report)
    assert "<th>task type</th><td>1.000</td><td>1.000 to 1.000</td>" in page
    assert 'cx="100.0"' in page
    assert "Programs made some of these labels (simulated)." in page
    assert "People: 2." in page
    assert "<p>None.</p>" in page

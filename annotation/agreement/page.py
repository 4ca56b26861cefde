"""The agreement page: one HTML file with tables, a heat map and the sessions that people disagree on."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib.resources import files

from wildtool.schemas.label import AgreementReport, Figure

NAMES = {
    "type": "task type",
    "topology": "topology",
    "hidden_intent": "hidden intent",
    "decision": "accept or reject",
    "call_f1": "calls (F1 of names)",
    "argument_exact": "arguments, exactly equal",
    "argument_normalised": "arguments, equal but for case, blanks, number type",
    "edge_f1": "dependencies (F1)",
    "type_equal": "type",
    "topology_equal": "topology",
    "hidden_intent_equal": "hidden intent",
    "decision_equal": "decision",
}
"""Words for figures."""

COLUMNS = (
    "type_equal",
    "topology_equal",
    "hidden_intent_equal",
    "decision_equal",
    "call_f1",
    "argument_exact",
    "argument_normalised",
    "edge_f1",
)
"""Columns of the heat maps."""


def agreement_page(report: AgreementReport, *, title: str = "Agreement", links: Mapping[str, str] | None = None) -> str:
    """A self-contained page; ``links`` gives an address by session id, such as its task in Label Studio."""
    links = links or {}
    style = files("wildtool.annotation.agreement").joinpath("page.css").read_text(encoding="utf-8")
    note = '<p class="note">Some of these labels were made by programs (simulated).</p>' if report.simulated else ""
    figures = {
        "call_f1": report.call_f1,
        "argument_exact": report.argument_exact,
        "argument_normalised": report.argument_normalised,
        "edge_f1": report.edge_f1,
    }
    people = {who: row for who, row in report.by_annotator.items() if "&" not in who}
    pairs = {who: row for who, row in report.by_annotator.items() if "&" in who}
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>Sessions labelled by at least two people: {report.sessions}. People: {len(report.annotators)}.</p>{note}",
        "<h2>Categories: Krippendorff's alpha</h2>",
        "<p>1 is perfect, 0 what chance gives, below 0 worse than chance.</p>",
        _figures({name: report.alpha.get(name) for name in ("type", "topology", "hidden_intent", "decision")}),
        "<h2>Calls, arguments, dependencies</h2>",
        _figures(figures),
        "<h2>By annotator</h2>",
        _heat(people, "pairs"),
    ]
    if len(pairs) > 1:
        parts += ["<h2>By pair of annotators</h2>", _heat(pairs, "pairs")]
    if report.by_category:
        parts += ["<h2>By category</h2>", _heat(report.by_category, "sessions")]
    parts += [f"<h2>Sessions people disagree on ({len(report.disagreements)})</h2>", _sessions(report, links)]
    body = "\n".join(parts)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style></head><body>{body}</body></html>\n'
    )


def _figures(figures: Mapping[str, Figure | None]) -> str:
    rows = []
    for name, figure in figures.items():
        if figure is None:
            continue
        if figure.value is None:
            told = f'<td colspan="3">undefined: {escape(figure.undefined or "")}</td>'
        else:
            interval = "" if figure.low is None or figure.high is None else f"{figure.low:.3f} to {figure.high:.3f}"
            told = f"<td>{figure.value:.3f}</td><td>{interval}</td><td>{_bar(figure)}</td>"
        rows.append(f"<tr><th>{escape(NAMES[name])}</th>{told}<td>{figure.n}</td></tr>")
    head = "<tr><th></th><th>value</th><th>95 % interval</th><th></th><th>units</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _bar(figure: Figure) -> str:
    """The interval as a line from 0 to 1, the value as a dot."""
    if figure.value is None or figure.low is None or figure.high is None:
        return ""
    low, high, value = (100 * min(1.0, max(0.0, each)) for each in (figure.low, figure.high, figure.value))
    return (
        f'<svg viewBox="0 0 100 10" width="160" height="16" role="img" aria-label="interval">'
        f'<line class="axis" x1="0" x2="100" y1="5" y2="5"/>'
        f'<line class="span" x1="{low:.1f}" x2="{high:.1f}" y1="5" y2="5"/>'
        f'<circle cx="{value:.1f}" cy="5" r="3"/></svg>'
    )


def _heat(rows: Mapping[str, Mapping[str, float]], count: str) -> str:
    head = "".join(f"<th>{escape(NAMES[column])}</th>" for column in COLUMNS)
    body = []
    for name, row in rows.items():
        cells = "".join(_cell(row.get(column)) for column in COLUMNS)
        body.append(f"<tr><th>{escape(name)}</th><td>{row.get(count, 0):.0f}</td>{cells}</tr>")
    return f'<table class="heat"><tr><th></th><th>{escape(count)}</th>{head}</tr>{"".join(body)}</table>'


MOST_SHADE = 65
"""Per cent of the shade's colour at most, so that figures are read on it in light and in dark."""


def _cell(value: float | None) -> str:
    """A share, shaded from 0.5 (what needs a look) to 1; the number is written too, colour alone says nothing."""
    if value is None:
        return "<td>–</td>"
    doubt = round(MOST_SHADE * min(1.0, max(0.0, (1 - value) / 0.5)))
    return f'<td class="cell" style="--doubt:{doubt}%">{value:.2f}</td>'


def _sessions(report: AgreementReport, links: Mapping[str, str]) -> str:
    if not report.disagreements:
        return "<p>None.</p>"
    rows = []
    for session, fields in sorted(report.disagreements.items(), key=lambda item: (-len(item[1]), item[0])):
        shown = escape(session)
        link = links.get(session, "")
        if link.startswith(("http://", "https://")):
            shown = f'<a href="{escape(link)}">{shown}</a>'
        rows.append(f"<tr><td>{shown}</td><td>{len(fields)}</td><td>{escape('; '.join(fields))}</td></tr>")
    return f"<table><tr><th>session</th><th>fields</th><th>which</th></tr>{''.join(rows)}</table>"

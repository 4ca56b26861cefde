"""Render the agreement page: one HTML file with tables, a heat map and the sessions that people disagree on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from wildtool.annotation.agreement.measures import ALPHA_FIELDS, RATIOS
from wildtool.schemas.label import AgreementReport

if TYPE_CHECKING:
    from jinja2 import Template

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

COLUMNS = (*(f"{field}_equal" for field in ALPHA_FIELDS), *RATIOS)
"""Columns of the heat maps."""

MOST_SHADE = 65
"""Per cent of the shade's colour at most, so that figures stay readable on it in light and in dark."""


def agreement_page(report: AgreementReport, *, title: str = "Agreement", links: Mapping[str, str] | None = None) -> str:
    """Render a self-contained page; ``links`` gives an address by session id, such as its task in the annotation tool."""
    links = links or {}
    disagreements = [
        (session, link if (link := links.get(session, "")).startswith(("http://", "https://")) else "", fields)
        for session, fields in sorted(report.disagreements.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return _template().render(
        title=title,
        style=files("wildtool.annotation.agreement").joinpath("page.css").read_text(encoding="utf-8"),
        report=report,
        names=NAMES,
        columns=COLUMNS,
        alpha={field: report.alpha.get(field) for field in ALPHA_FIELDS},
        ratios={name: getattr(report, name) for name in RATIOS},
        people={who: row for who, row in report.by_annotator.items() if "&" not in who},
        pairs={who: row for who, row in report.by_annotator.items() if "&" in who},
        disagreements=disagreements,
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("wildtool.annotation.agreement", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": _percent, "shade": _shade}
    return environment.get_template("page.html.jinja")


def _percent(share: float) -> str:
    """Place a figure on an axis from 0 to 100."""
    return f"{100 * min(1.0, max(0.0, share)):.1f}"


def _shade(share: float) -> int:
    """Shade a share from 0.5 (needs a look) to 1. The number is written too: colour alone says nothing."""
    return round(MOST_SHADE * min(1.0, max(0.0, (1 - share) / 0.5)))

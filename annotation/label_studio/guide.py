"""Render a project's instructions as Label Studio shows them: the guide on one screen, and the whole guide below it.

The whole guide is ``docs/guides/annotate.md`` without its pictures and the maintainer's part. It is kept as HTML beside this
module, for installs without the documentation: ``python -m wildtool.annotation.label_studio.guide`` renders it anew.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from wildtool.annotation.form.interface import intent_kinds
from wildtool.annotation.form.layout import ACCEPT_KEY, REJECT_KEY
from wildtool.grounding.hidden_intents import hidden_intent
from wildtool.schemas.vocabulary import HiddenIntentKind, TaskType, Topology

if TYPE_CHECKING:
    from jinja2 import Template

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "guides" / "annotate.md"
"""The guide as people read and write it."""

MAINTAINERS_PART = "## For the maintainer"
"""Heading where annotators can stop reading."""

MEANINGS = {
    TaskType.SINGLE: "one call",
    TaskType.MULTI: "two or more",
    TaskType.CLARIFY: "a required value is missing, so the assistant must ask first",
    TaskType.CHAT: "no call",
    Topology.SEQUENTIAL: "each call waits for the one before",
    Topology.PARALLEL: "none waits",
    Topology.MIXED: "some wait",
}
"""Short meanings of types and topologies; hidden-intent kinds bring their own."""

STYLES = {
    "h2": "font-size:1.15em;margin:18px 0 6px",
    "h3": "margin:14px 0 4px",
    "p": "margin:0 0 8px",
    "ul": "margin:0 0 8px 18px;list-style:disc",
    "ol": "margin:0 0 8px 18px;list-style:decimal",
    "pre": "margin:0 0 8px;white-space:pre-wrap",
    "hr": "margin:14px 0",
    "th": "text-align:left;padding:2px 12px 2px 0",
    "td": "padding:2px 12px 2px 0;vertical-align:top",
}
"""Label Studio strips margins and bullets from what it shows, and allows no style sheet there."""


def instructions(guide_url: str | None = None) -> str:
    """Render what *Instructions* shows: the short form, a link to the guide with pictures, the guide."""
    page = _template().render(
        types={str(kind): MEANINGS.get(kind, "") for kind in TaskType},
        topologies={str(shape): MEANINGS.get(shape, "") for shape in Topology},
        intents={kind: hidden_intent(HiddenIntentKind(kind)).meaning for kind in intent_kinds()},
        accept_key=ACCEPT_KEY.upper(),
        reject_key=REJECT_KEY.upper(),
        guide_url=guide_url,
        guide=files("wildtool.annotation.label_studio").joinpath("guide.html").read_text(encoding="utf-8"),
    )
    return spaced(page)


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("wildtool.annotation.label_studio", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("instructions.html.jinja")


def spaced(html: str) -> str:
    """Give HTML of ours the margins of a page of text."""
    return re.sub(rf"<({'|'.join(STYLES)})(/?)>", lambda tag: f'<{tag[1]} style="{STYLES[tag[1]]}"{tag[2]}>', html)


def rendered(document: str) -> str:
    """Render the annotators' part of the guide as HTML."""
    from markdown_it import MarkdownIt

    text = document.partition(MAINTAINERS_PART)[0].partition("\n")[2]
    text = re.sub(r"^!\[[^\[\]\n]*\]\([^()\n]*\)\n", "", text, flags=re.MULTILINE)
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


if __name__ == "__main__":
    page = Path(__file__).with_name("guide.html")
    page.write_text(rendered(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")

"""The project's instructions, as Label Studio shows them: the guide in one screen, and the whole guide below it.

The whole guide is ``docs/guides/annotate.md`` without its pictures and without what is for the maintainer. It is kept as HTML
beside this module, so that it is there where the documentation is not: ``python -m wildtool.annotation.form.guide`` makes it anew.
"""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "guides" / "annotate.md"
"""The guide as people read and write it."""

MAINTAINERS_PART = "## For the maintainer"
"""Where annotators can stop reading."""

SHORT = """
<h3>What you do</h3>
<p>You see one dialogue of a user with an assistant that can call functions. A program wrote it. Make the form at the
right say what a careful assistant <b>should</b> have done, then accept the session, or reject it with a reason.
Yellow lines show what automatic checks doubt: look there first.</p>
<ol>
<li><b>Type</b>: <i>single</i> one call; <i>multi</i> two or more; <i>clarify</i> a required value is missing, so the
assistant must ask first; <i>chat</i> no call.</li>
<li><b>Topology</b> of a multi task: <i>sequential</i> each call waits for the one before; <i>parallel</i> none waits;
<i>mixed</i> some wait.</li>
<li><b>Hidden intent</b>: <i>partial_information</i> a value is left out since an earlier turn said it;
<i>coreference</i> a value is pointed at ("it", "the second one"); <i>long_range</i> the missing piece is more than two
user turns back.</li>
<li><b>Calls</b>: keep, change, delete, or add one in the first unused slot. Arguments are JSON and must fit the
function. Only values that the user said, an earlier result shows, or the clock gives.</li>
<li><b>Must wait for</b>: B waits for A if B needs A's result, if B only makes sense when A succeeded, or if the user's
words put A first. Not merely because A is written first.</li>
<li><b>Other right values</b>: list them only where a second answer is as right as the first.</li>
</ol>
<p>To edit a text click its pencil, change it, click the tick. Shift and a letter choose (shown beside the choices):
each task has a row of the keyboard; Shift+O accepts, Shift+P rejects. They rest while a box or a text has the focus.</p>
"""


def instructions(guide_url: str | None = None) -> str:
    """What a project's *Instructions* button shows: the short form, a link to the guide with pictures, the guide."""
    link = (
        f' <a href="{escape(guide_url)}" target="_blank" rel="noopener">The guide with pictures</a>'
        if guide_url
        else ""
    )
    whole = files("wildtool.annotation.form").joinpath("guide.html").read_text(encoding="utf-8")
    return spaced(f"{SHORT}<p>The whole guide follows below.{link}</p><hr/>{whole}")


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
"""Label Studio takes all margins and bullets from what it shows, and allows no style sheet there."""


def spaced(html: str) -> str:
    """HTML of ours with the distances that a page of text has."""
    return re.sub(rf"<({'|'.join(STYLES)})(/?)>", lambda tag: f'<{tag[1]} style="{STYLES[tag[1]]}"{tag[2]}>', html)


def rendered(document: str) -> str:
    """The annotators' part of the guide as HTML."""
    from markdown_it import MarkdownIt

    text = document.partition(MAINTAINERS_PART)[0].partition("\n")[2]
    text = re.sub(r"^!\[[^\[\]\n]*\]\([^()\n]*\)\n", "", text, flags=re.MULTILINE)
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


if __name__ == "__main__":
    page = Path(__file__).with_name("guide.html")
    page.write_text(rendered(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")

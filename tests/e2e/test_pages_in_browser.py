"""Markup in logs, in sessions and in what candidates say is text on our pages: they are opened in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.conftest import CHAT, CLARIFY, MIXED, SINGLE, TOOLS, say, trajectory
from wildtool.annotation import agreement_page, measure_agreement
from wildtool.evaluation import score_session, summarise, write_report
from wildtool.mining import mine, render_report
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import RuleSet

pytestmark = pytest.mark.e2e

ATTACK = (
    "</title></style></textarea><script>window.owned = 1</script><img src=x onerror='window.owned = 2'>"
    "<svg onload='window.owned = 3'></svg><a href='javascript:window.owned = 4' id=lure>x</a>"
)


@pytest.fixture
def page(chromium: str) -> Iterator[Any]:
    """An empty page of a browser without a network."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser.new_context(offline=True).new_page()
        browser.close()


def shown(page: Any, path: Path) -> str:
    """Open the page and all that can be opened on it; the text that it shows."""
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.on(
        "request", lambda request: None if request.url.startswith(("file:", "data:")) else problems.append(request.url)
    )
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.wait_for_timeout(300)
    assert page.evaluate("window.owned") is None
    assert page.locator("#lure, img, a[href^='javascript'], [onerror], [onload]").count() == 0
    assert problems == []
    return str(page.evaluate("document.documentElement.textContent"))


def test_the_mining_report(page: Any, tmp_path: Path) -> None:
    rows = [
        {"user": f"u{n}", "id": f"{ATTACK}{n}",
         "messages": [{"role": "user", "content": f"what is the weather in town tomorrow {ATTACK} {n * 7919} {chr(97 + n) * 30}"}]}
        for n in range(12)
    ]  # fmt: skip
    log = tmp_path / "<svg onload=window.owned=5>.jsonl"
    log.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    made = tmp_path / "page.html"
    made.write_text(render_report(mine([str(log)]), [log.name, ATTACK], k=3), encoding="utf-8")
    assert "window.owned" in shown(page, made)


def test_the_score_report(page: Any, tmp_path: Path) -> None:
    session = Session.for_plan(
        "pln_0000000000000001", language="en", now="2024-07-12T09:30:00+00:00", tool_list="tls_0000000000000001",
        category=ATTACK, subcategory=ATTACK, tools=TOOLS,
        tasks=tuple(task.model_copy(update={"user": f"{task.user} {ATTACK}"}) for task in (MIXED, CLARIFY, CHAT, SINGLE)),
    )  # fmt: skip
    made = trajectory(session, *([(say(ATTACK),)] * 4))
    scores = score_session(session, made, RuleSet.EXACT)
    report = summarise(
        scores, release=ATTACK, release_digest="0" * 64, candidate=ATTACK, rules=RuleSet.EXACT, sessions_expected=1,
        code_version="0", trials=1, bootstrap=20,
    )  # fmt: skip
    path = tmp_path / "report.html"
    write_report(path, [report], [scores], [session], [[made]])
    assert "window.owned" in shown(page, path)


def test_the_agreement_page(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "agreement.html"
    path.write_text(agreement_page(measure_agreement([]), title=ATTACK), encoding="utf-8")
    assert "window.owned" in shown(page, path)

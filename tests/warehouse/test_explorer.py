"""The explorer: one page that loads nothing, runs nothing from data, and works in a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.session import Session
from schemas.vocabulary import Language
from warehouse import explore_release, freeze

VERSIONS: dict[str, Any] = {"code_version": "0.1.0", "rules_version": "1"}
ATTACK = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"


def attacked(session: Session) -> Session:
    """The session with markup in every text that the page shows."""
    chat = session.tasks[3].model_copy(
        update={
            "user": session.tasks[3].user + ATTACK,
            "actions": (session.tasks[3].actions[0].model_copy(update={"text": ATTACK}),),
        }
    )
    return session.model_copy(update={"tasks": (*session.tasks[:3], chat), "category": ATTACK})


@pytest.fixture
def frozen(make: Any, tmp_path: Path) -> Path:
    sessions = [make(number, language) for language in Language for number in range(60)]
    sessions[0] = attacked(sessions[0])
    freeze(sessions, "1.0.0", tmp_path / "r", **VERSIONS)
    return tmp_path / "r"


def test_the_page_is_one_file_that_names_no_other(frozen: Path, tmp_path: Path) -> None:
    text = explore_release(frozen, tmp_path / "deep" / "page.html").read_text(encoding="utf-8")
    assert "owned" not in text
    assert not re.search(r"(?:src|href)=[\"'](?!#|data:,)", text.split('id="data"')[0])
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|eval\(", text)
    assert "http" not in re.sub(r"http://www\.w3\.org/2000/svg|http-equiv", "", text)
    assert "<h1>wildtool 1.0.0</h1>" in text
    assert "OFFLINE MODEL · SIMULATED LABELS" in text
    again = explore_release(frozen, tmp_path / "again.html").read_text(encoding="utf-8")
    assert again == text


@pytest.fixture
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    with playwright.sync_playwright() as running:
        try:
            launched = running.chromium.launch(executable_path=found, args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no browser to test with: {error}")
        yield launched
        launched.close()


@pytest.mark.e2e
def test_in_a_browser(frozen: Path, tmp_path: Path, browser: Any) -> None:
    path = explore_release(frozen, tmp_path / "page.html")
    context = browser.new_context(offline=True, color_scheme="dark")
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    local = ("file:", "data:", "blob:")
    page.on("request", lambda request: None if request.url.startswith(local) else problems.append(request.url))
    page.goto(path.as_uri())
    page.locator("#count", has_text="120 of 120").wait_for()
    assert page.title() == "wildtool 1.0.0"

    page.select_option("select[name=language]", "zh")
    assert page.inner_text("#count") == "60 of 120 sessions, 240 tasks"
    page.select_option("select[name=topology]", "sequential")
    page.select_option("select[name=hidden]", "partial_information")
    assert page.inner_text("#count").startswith("60 of")
    page.select_option("select[name=hidden]", "long_range")
    assert page.inner_text("#count").startswith("0 of"), "no single task is both sequential and long range"
    page.click("button[type=reset]")
    page.locator("#count", has_text="120 of 120").wait_for()

    assert page.locator("#list li").count() == 100
    page.click("#more")
    assert page.locator("#list li").count() == 120
    first = page.inner_text("#session h2")
    page.keyboard.press("j")
    assert page.inner_text("#session h2") != first
    page.keyboard.press("k")
    assert page.inner_text("#session h2") == first
    assert page.locator("#session h3").count() == 4 and page.locator("#session svg").count() == 4
    assert page.locator("#session .turn.call").count() == 4
    label = page.locator("#session svg").nth(1).get_attribute("aria-label")
    assert label == "Dependencies: 2 after 1, 3 after 2"

    page.fill("input[name=words]", "owned")
    assert page.inner_text("#count").startswith("1 of 120")
    assert ATTACK in page.inner_text("#session") and page.title() == "wildtool 1.0.0"
    assert page.locator("#session img").count() == 0
    page.fill("input[name=words]", "")

    page.locator("h1").click()
    page.keyboard.press("s")
    assert page.locator("#plots figure").count() == 9
    types = page.locator("#plots figure", has_text="Task types").inner_text()
    assert types.count("120 · 25 %") == 4
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.emulate_media(color_scheme="light")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != background
    page.set_viewport_size({"width": 360, "height": 700})
    page.keyboard.press("s")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert problems == []

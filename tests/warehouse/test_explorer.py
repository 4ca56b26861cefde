"""The explorer: one page that loads nothing, runs nothing from data, and works in a real browser."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.frozen import freeze
from tests.warehouse.conftest import accepted
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse import explore_release, load_release
from wildtool.warehouse.explorer import page

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
    freeze(sessions, "1.0.0", tmp_path / "r", labels=accepted(sessions), **VERSIONS)
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
    shown = context.new_page()
    problems: list[str] = []
    shown.on("pageerror", lambda error: problems.append(str(error)))
    shown.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    local = ("file:", "data:", "blob:")
    shown.on("request", lambda request: None if request.url.startswith(local) else problems.append(request.url))
    shown.goto(path.as_uri())
    shown.locator("#count", has_text="120 of 120").wait_for()
    assert shown.title() == "wildtool 1.0.0"

    shown.select_option("select[name=language]", "zh")
    assert shown.inner_text("#count") == "60 of 120 sessions, 240 tasks"
    shown.select_option("select[name=topology]", "sequential")
    shown.select_option("select[name=hidden]", "partial_information")
    assert shown.inner_text("#count").startswith("60 of")
    shown.select_option("select[name=hidden]", "long_range")
    assert shown.inner_text("#count").startswith("0 of"), "no single task is both sequential and long range"
    shown.click("button[type=reset]")
    shown.locator("#count", has_text="120 of 120").wait_for()

    assert shown.locator("#list li").count() == 100
    shown.click("#more")
    assert shown.locator("#list li").count() == 120
    first = shown.inner_text("#session h2")
    shown.keyboard.press("j")
    assert shown.inner_text("#session h2") != first
    shown.keyboard.press("k")
    assert shown.inner_text("#session h2") == first
    assert shown.locator("#session h3").count() == 4 and shown.locator("#session svg").count() == 4
    assert shown.locator("#session .turn.call").count() == 4
    label = shown.locator("#session svg").nth(1).get_attribute("aria-label")
    assert label == "Dependencies: 2 after 1, 3 after 2"

    shown.fill("input[name=words]", "owned")
    assert shown.inner_text("#count").startswith("1 of 120")
    assert ATTACK in shown.inner_text("#session") and shown.title() == "wildtool 1.0.0"
    assert shown.locator("#session img").count() == 0
    shown.fill("input[name=words]", "")

    shown.locator("h1").click()
    shown.keyboard.press("s")
    assert shown.locator("#plots figure").count() == 9
    types = shown.locator("#plots figure", has_text="Task types").inner_text()
    assert types.count("120 · 25 %") == 4
    background = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    shown.emulate_media(color_scheme="light")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") != background
    shown.set_viewport_size({"width": 360, "height": 700})
    shown.keyboard.press("s")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 360
    assert problems == []


@pytest.mark.e2e
def test_2560_sessions_in_a_browser(frozen: Path, make: Any, tmp_path: Path, browser: Any) -> None:
    sessions = tuple(make(number, language) for language in Language for number in range(1280))
    release = replace(load_release(frozen), sessions=sessions, splits={session.id: "test" for session in sessions})
    (tmp_path / "big.html").write_text(page(release), encoding="utf-8")
    opened = browser.new_context(offline=True).new_page()
    start = time.monotonic()
    opened.goto((tmp_path / "big.html").as_uri())
    opened.locator("#count", has_text="2560 of 2560 sessions, 10240 tasks").wait_for()
    # 0.5 s alone on two cores, and 0.07 s for a filter; the bounds leave room for a busy machine.
    assert time.monotonic() - start < 10
    start = time.monotonic()
    opened.fill("input[name=words]", "kyoto")
    assert opened.inner_text("#count").startswith("160 of 2560")
    assert time.monotonic() - start < 2
    opened.click("#tab-statistics")
    assert opened.locator("#plots figure").count() == 9

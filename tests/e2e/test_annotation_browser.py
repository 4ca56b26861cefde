"""Annotators at work, in a real headless Chromium."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

from wildtool.annotation import Connection, LabelStudioBackend, RunningServer, pseudonym, push_drafts
from wildtool.annotation.form.encode import draft_form
from wildtool.annotation.form.interface import InterfaceSpec
from wildtool.annotation.label_studio.interface import AUTOMATIC_KEYS
from wildtool.annotation.label_studio.projects import find_project
from wildtool.annotation.label_studio.results import form_result
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.label import Label
from wildtool.schemas.session import Call
from wildtool.schemas.vocabulary import Decision, SlotStatus

pytestmark = pytest.mark.e2e

PROJECT = "round 1 in the browser"
SCRIPT = "<script>window.owned = 1</script><img src=x onerror='window.owned = 2'>"
EVIL = f"{SCRIPT} Is the air in Lyon fine?"
OTHER_CALLS = [
    [
        {"name": "getAirQuality", "arguments": {"city": "Lyon"}},
        {"name": "getShow", "arguments": {"id": "s7"}},
    ]
]
expect.set_options(timeout=30_000)  # a page takes some seconds where other work goes on
WIDE: ViewportSize = {"width": 1600, "height": 1100}
NARROW: ViewportSize = {"width": 820, "height": 1180}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


def _evil(draft: Draft) -> Draft:
    """The draft with a script in its user's message, a tool's description, an argument, an observation and a doubt."""
    session = draft.session
    task = session.tasks[0]
    call = task.actions[0]
    assert isinstance(call, Call)
    scripted = call.model_copy(
        update={"arguments": {"city": f"Lyon {SCRIPT}"}, "observation": {"aqi": 41, "note": SCRIPT}}
    )
    first = task.model_copy(update={"user": EVIL, "actions": (scripted, *task.actions[1:])})
    tools = tuple(json.loads(json.dumps(session.tools)))
    tools[0]["function"]["description"] += SCRIPT
    tools[0]["function"]["parameters"]["properties"]["city"]["description"] += SCRIPT
    changed = session.model_copy(update={"tasks": (first, *session.tasks[1:]), "tools": tools})
    doubt = Verdict(check="grounded", ok=False, reason=f"`city` is odd {SCRIPT}", task=0, action=0)
    return Draft.of(plan=draft.plan, session=changed, verdicts=(*draft.verdicts, doubt), offline=True)


@pytest.fixture(scope="module")
def drafts(annotation_drafts: ModuleType) -> list[Draft]:
    """The first one has doubts, so it is served first; its texts try to run a script."""
    doubts = (annotation_drafts.DOUBT, annotation_drafts.DOUBT.model_copy(update={"task": 1, "action": 0}))
    return [_evil(annotation_drafts.draft(0, verdicts=doubts)), annotation_drafts.draft(1, city="Paris")]


def _page(browser: Browser, *, dark: bool = False) -> Page:
    context = browser.new_context(viewport=WIDE, color_scheme="dark" if dark else "light")
    if dark:
        context.add_init_script("localStorage.setItem('preferred-color-scheme', 'Dark')")
    page = context.new_page()
    page.set_default_timeout(60_000)
    return page


def _log_in(page: Page, server: RunningServer) -> None:
    page.goto(f"{server.url}/user/login/")
    page.fill("input[name=email]", server.email)
    page.fill("input[name=password]", server.password)
    page.click("button[type=submit]")
    page.wait_for_url(re.compile(r"^(?!.*login)"))


def _sign_up(page: Page, server: RunningServer, connection: Connection, email: str) -> None:
    page.goto(server.url + connection.get("/api/invite")["invite_url"])
    page.fill("input[name=email]", email)
    page.fill("input[name=password]", secrets.token_urlsafe(9))
    page.click("button[type=submit]")
    page.wait_for_url(re.compile(r"^(?!.*signup)"))


def _label_stream(page: Page, server: RunningServer, project: int) -> None:
    """What "Label All Tasks" opens: the next task that this person has not labelled."""
    page.goto(f"{server.url}/projects/{project}/data")
    page.get_by_role("button", name=re.compile("Label All")).first.click()
    page.wait_for_selector(".wt-right")


def _task(page: Page, number: int) -> Locator:
    return page.locator(".wt-task").nth(number - 1)


def _slot(page: Page, task: int, title: str) -> Locator:
    heading = page.locator("h4").get_by_text(title, exact=True)
    return _task(page, task).locator(".wt-slot").filter(has=heading)


def _field(within: Locator, title: str) -> Locator:
    return within.locator(".wt-field").filter(has=within.page.locator("h4").get_by_text(title, exact=True))


def _edit(page: Page, control: str, text: str) -> None:
    """Edit a prefilled text: a click on its pencil, the new text, a click on the tick."""
    region = page.locator("[data-testid=textarea-region]").filter(has=page.locator(f'[name^="{control}:"]'))
    region.scroll_into_view_if_needed()
    region.hover()
    region.get_by_test_id("htx-textbox-edit-button").click()
    box = page.locator(f'textarea[name^="{control}:"]')
    box.fill(text)
    page.get_by_test_id("htx-textbox-save").click()
    expect(box).to_have_count(0)


def _submit(page: Page) -> None:
    page.get_by_test_id("bottombar-submit-button").click()


def test_a_first_and_a_second_annotator(
    browser: Browser,
    label_studio: RunningServer,
    connection: Connection,
    maintainer: Any,
    drafts: list[Draft],
    screenshots: Path,
) -> None:
    maintainer.store.put(drafts)
    maintainer.monkeypatch.setenv("WILDTOOL_DOUBLE_SHARE", "1")
    rounds = ("--project", PROJECT)
    assert maintainer("annotate", "push", *rounds)["new"] == 2
    project = _project(connection, PROJECT)
    page = _page(browser)
    _log_in(page, label_studio)
    _label_stream(page, label_studio, project)

    # The most doubtful draft comes first, prefilled, and nothing of it runs.
    expect(page.locator(".wt-left")).to_contain_text("Is the air in Lyon fine?")
    page.locator(".wt-tools summary").first.click()
    text = page.locator(".wt-left").inner_text()
    assert text.count(SCRIPT) >= 6  # message, argument, observation, doubt, description of a tool and of a parameter
    expect(_slot(page, 1, "Call c1").locator(".wt-doubt")).to_contain_text(f"`city` is odd {SCRIPT}")
    assert page.evaluate("window.owned") is None
    assert page.locator(".wt img, .wt script").count() == 0
    expect(_slot(page, 3, "Call c1").locator(".wt-doubt")).to_contain_text("`id` is found nowhere before this turn")
    expect(_slot(page, 1, "Call c1").locator("input[name=keep]")).to_be_checked()
    expect(_task(page, 2).locator("input[name=mixed]")).to_be_checked()
    expect(_slot(page, 2, "Call c4").locator("input[name=unused]")).to_be_checked()
    expect(_slot(page, 2, "Call c5")).to_be_hidden()
    page.screenshot(path=screenshots / "labelling.png")
    page.set_viewport_size(NARROW)
    page.wait_for_timeout(500)
    assert page.evaluate("document.querySelector('.wt').scrollWidth <= window.innerWidth")
    page.screenshot(path=screenshots / "labelling_narrow.png")
    page.set_viewport_size(WIDE)
    page.get_by_role("button", name="Instructions").click()
    expect(page.locator("h3").get_by_text("Must wait for")).to_be_visible()
    page.wait_for_timeout(500)  # it fades in
    page.screenshot(path=screenshots / "instructions.png")
    page.keyboard.press("Escape")

    # Without a decision nothing is submitted.
    _submit(page)
    expect(page.get_by_text(re.compile("Decide: accept the session")).first).to_be_visible()
    page.wait_for_timeout(500)  # it fades in
    page.screenshot(path=screenshots / "decision_required.png")
    page.get_by_role("button", name=re.compile("^OK", re.I)).first.click()
    assert _annotations(connection, project) == []

    # Change an argument, untick a dependency, delete a call, add one.
    _edit(page, "t1_c1_arguments", '{"city": "Villeurbanne"}')
    _field(_slot(page, 2, "Call c3"), "Must wait for").locator("input[name=c2]").uncheck()
    _slot(page, 2, "Call c1").locator("input[name=delete]").check()
    added = _slot(page, 2, "Call c4")
    added.locator("input[name=add]").check()
    _field(added, "Function").get_by_test_id("select-trigger").click()
    page.get_by_role("option", name="getShow").click()
    page.keyboard.press("Escape")
    page.locator('textarea[name="t2_c4_arguments"]').fill('{"id": "s9"}')
    page.locator('textarea[name="t2_c4_observation"]').fill('{"title": "Nuit"}')
    _field(added, "Must wait for").locator("input[name=c2]").check()
    added.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / "editing.png")
    search = _slot(page, 2, "Call c2")
    search.get_by_text("Other right argument values").click()
    page.locator('textarea[name="t2_c2_alternatives"]').fill('{"to": ["2024-07-15"]}')
    _task(page, 1).get_by_text("Other right sets of calls").click()
    page.locator('textarea[name="t1_alternatives"]').fill(json.dumps(OTHER_CALLS))

    # Every hotkey that there is has been named: Label Studio gives none away by itself.
    hints = page.locator(".wt .lsf-hint").all_text_contents()
    assert [hint for hint in hints if not hint.startswith("[shift+")] == [f"[{key}]" for key in AUTOMATIC_KEYS]

    # A named hotkey chooses, and a letter alone changes nothing.
    page.locator(".wt-title").first.click()
    page.keyboard.press("Shift+R")
    expect(_task(page, 2).locator("input[name=chat]")).to_be_checked()
    page.keyboard.press("Shift+W")
    expect(_task(page, 2).locator("input[name=multi]")).to_be_checked()
    page.keyboard.type("abcdefgkxyz")
    page.keyboard.press("Shift+O")
    expect(page.locator(".wt-decision input[name=accept]")).to_be_checked()
    page.screenshot(path=screenshots / "decided.png")
    with page.expect_response(
        lambda answer: "/annotations" in answer.url and answer.request.method == "POST"
    ) as posted:
        _submit(page)
    assert posted.value.status == 201, posted.value.text()
    expect(page.locator(".wt-left")).to_contain_text("Paris")  # the next one

    # A second person gets the same draft, prefilled by the draft and not by the first person's label.
    other = _page(browser, dark=True)
    email = "second@wildtool.invalid"
    _sign_up(other, label_studio, connection, email)
    _label_stream(other, label_studio, project)
    expect(other.locator(".wt-left")).to_contain_text("Is the air in Lyon fine?")
    assert "Villeurbanne" not in other.content()
    expect(_slot(other, 2, "Call c1").locator("input[name=keep]")).to_be_checked()
    other.screenshot(path=screenshots / "labelling_dark.png")
    other.locator(".wt-decision input[name=reject]").check()
    _submit(other)  # a rejection needs a reason
    expect(other.get_by_text(re.compile("Say why you reject")).first).to_be_visible()
    other.get_by_role("button", name=re.compile("^OK", re.I)).first.click()
    other.locator(".wt-decision input[name=duplicate]").check()
    other.locator('textarea[name="remark"]').fill("seen before")
    with other.expect_response(lambda answer: "/annotations" in answer.url and answer.request.method == "POST"):
        _submit(other)

    # The pull brings exactly that back.
    pulled = maintainer("annotate", "pull", *rounds)
    assert (pulled["labels"], pulled["skipped"], pulled["steps"][0]["quarantined"]) == (2, 0, 0)
    both = maintainer.store.read(Label)
    by_person = {label.annotator: label for label in both}
    first, second = by_person[pseudonym(label_studio.email)], by_person[pseudonym(email)]
    assert (first.draft, second.draft) == (drafts[0].id, drafts[0].id)
    assert not first.simulated
    before = drafts[0].session.tasks
    assert first.decision is Decision.ACCEPT
    changed, (found, show, new, answer) = first.tasks[0].actions[0], first.tasks[1].actions
    assert changed.arguments == {"city": "Villeurbanne"}
    assert found == before[1].actions[1].model_copy(update={"argument_alternatives": {"to": ("2024-07-15",)}})
    other_set = first.tasks[0].alternatives
    assert [[action.kind for action in actions] for actions in other_set] == [["call", "call", "answer"]]
    assert [action.depends_on for action in other_set[0]] == [(), (), (0, 1)]
    assert show.arguments == {"id": "s7"}
    assert show.depends_on == ()
    assert new == Call(name="getShow", arguments={"id": "s9"}, observation={"title": "Nuit"}, depends_on=(0,))
    assert answer.depends_on == (1, 2)
    assert first.tasks[0].user == EVIL
    assert first.tasks[2:] == before[2:]
    assert first.slots[1] == (SlotStatus.DELETE, SlotStatus.CHANGE, SlotStatus.CHANGE, SlotStatus.ADD)
    assert second.decision is Decision.REJECT
    assert (second.reject_reasons, second.remark, second.tasks) == (("duplicate",), "seen before", before)
    assert first.lead_seconds is not None

    # The adjudication page shows both, side by side.
    labels = sorted((first, second), key=lambda label: label.id)
    assert maintainer("annotate", "adjudicate", *rounds)["open"] == 1
    _label_stream(page, label_studio, _project(connection, f"{PROJECT} · adjudication"))
    columns = page.locator(".wt-column")
    expect(columns).to_have_count(2)
    for label, column in zip(labels, (columns.nth(0), columns.nth(1)), strict=True):
        expect(column).to_contain_text(label.annotator)
        expect(column).to_contain_text("Villeurbanne" if label is first else "duplicate")
        expect(column.locator(".wt-differs")).to_have_count(2)
    expect(page.locator(".wt-note")).to_contain_text("task 1: arguments")
    assert page.evaluate("window.owned") is None
    page.screenshot(path=screenshots / "adjudication.png")
    page.set_viewport_size(NARROW)
    page.screenshot(path=screenshots / "adjudication_narrow.png")
    page.set_viewport_size(WIDE)

    # A label that does not hold comes back, and the page says why.
    broken = draft_form(drafts[1], InterfaceSpec()) | {"decision": ["accept"], "t1_c1_arguments": ["{broken"]}
    task = next(each for each in connection.tasks(project) if each["data"]["uid"] == drafts[1].id)
    connection.post(f"/api/tasks/{task['id']}/annotations/", {"result": form_result(broken)})
    maintainer("annotate", "pull", *rounds)
    assert maintainer("annotate", "adjudicate", *rounds)["labelled_again"] == 1
    _label_stream(page, label_studio, _project(connection, f"{PROJECT} · again"))
    expect(page.locator(".wt-note")).to_contain_text("Came back: task 1 c1: arguments")
    page.screenshot(path=screenshots / "came_back.png")

    # The agreement page, as a file.
    html = Path(maintainer("annotate", "agreement")["page"])
    for dark in (False, True):
        viewer = _page(browser, dark=dark)
        viewer.goto(html.as_uri())
        expect(viewer.get_by_role("heading", name=re.compile("disagree"))).to_contain_text("(1)")
        expect(viewer.get_by_text("undefined: everybody said “mixed”")).to_be_visible()
        assert viewer.evaluate("window.owned") is None
        viewer.screenshot(path=screenshots / f"agreement{'_dark' if dark else ''}.png", full_page=True)
        viewer.set_viewport_size(NARROW)
        assert viewer.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def _project(connection: Connection, title: str) -> int:
    there = find_project(connection, title)
    assert there is not None, title
    return int(there["id"])


def _annotations(connection: Connection, project: int) -> list[object]:
    return [each for task in connection.tasks(project, fields="all") for each in task["annotations"]]


def test_everything_is_reached_by_the_keyboard(
    browser: Browser,
    label_studio: RunningServer,
    annotation_drafts: ModuleType,
    connection: Connection,
    screenshots: Path,
) -> None:
    draft = annotation_drafts.draft(7, verdicts=(annotation_drafts.DOUBT,))
    pushed = push_drafts([draft], LabelStudioBackend(connection), project="keyboard")
    page = _page(browser)
    _log_in(page, label_studio)
    _label_stream(page, label_studio, pushed.project_id)
    # The guide's pictures.
    page.screenshot(path=screenshots / "form.png")
    page.set_viewport_size({"width": 1400, "height": 3200})  # cards whole, without the bars over them
    page.wait_for_timeout(1000)
    _task(page, 2).screenshot(path=screenshots / "multi.png")
    _task(page, 3).screenshot(path=screenshots / "clarify.png")
    page.locator(".wt-decision").screenshot(path=screenshots / "decision.png")
    page.set_viewport_size({"width": 1600, "height": 1100})

    _task(page, 1).locator("input[name=single]").focus()
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.name"))
    assert reached[:8] == ["multi", "clarify", "chat", "keep", "change", "add", "delete", "unused"]
    page.keyboard.press("Space")
    expect(_slot(page, 1, "Call c1").locator("input").nth(reached[8:].index(reached[-1]))).to_be_checked()
    page.evaluate("document.activeElement.blur()")  # hotkeys rest while a box or text has the focus
    page.keyboard.press("Shift+P")
    expect(page.locator(".wt-decision input[name=reject]")).to_be_checked()

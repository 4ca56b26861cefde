"""The page on a run: counts are there, markup of a log never is."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

from wildtool.mining import mine, render_report


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += attrs


def test_the_page_says_what_was_counted(repository: Path) -> None:
    result = mine([str(repository / "examples" / "logs")])
    page = render_report(result, ["logs"], k=3)
    assert "332 rows in" in page
    for reason in ("exact_duplicate", "near_duplicate", "code_dump"):
        assert reason in page
    assert page.count("<details>") == len(result.seeds)
    assert {"en", "zh"} <= set(re.findall(r'<th scope="row">(\w\w)</th>', page))
    assert page.count('<rect class="cell"') == 2 * 36
    for planted in ("@example", "4111", "13800138000", "Morwenna"):
        assert planted not in page


def test_markup_of_a_log_is_text(tmp_path: Path) -> None:
    evil = "what is the weather <script>alert(1)</script> <img src=x onerror=alert(2)> in town tomorrow"
    rows = [
        {
            "user": f"u{n}",
            "id": f"<b>{n}",
            "messages": [{"role": "user", "content": f"{evil} {n * 7919} {chr(97 + n) * 30}"}],
        }
        for n in range(12)
    ]
    log = tmp_path / "<svg onload=alert(3)>.jsonl"
    log.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    page = Tags(render_report(mine([str(log)]), [log.name], k=3))
    assert not {"script", "img", "iframe", "object", "link"} & set(page.seen)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href")]


def test_a_log_of_which_nothing_was_kept_has_a_page_too(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"messages": [{"role": "assistant", "content": "hello?"}]}), encoding="utf-8")
    page = render_report(mine([str(log)]), ["log.jsonl"], k=3)
    assert "no_user_turn" in page
    assert "No situation" in page

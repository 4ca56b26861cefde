"""The page of ``wildtool status --watch`` on terminals of several widths."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from wildtool.flows.cli.views import DataConsole
from wildtool.flows.cli.watch import _log

LINES: list[dict[str, object]] = [
    {"time": "2026-01-05T08:00:00+00:00", "event": "command", "command": "wildtool draft " + "--model m " * 30},
    {"time": "2026-01-05T08:00:01+00:00", "event": "quarantined", "stage": "annotate", "shard": "shd_0123456789abcdef",
     "session": "ses_0123456789abcdef", "reason": "查询" * 60},
    {"time": "2026-01-05T08:00:02+00:00", "event": "e\x1b[31m" * 20, "stage": "draft", "cause": "no answer"},
]  # fmt: skip


@pytest.mark.parametrize("width", [60, 80, 100, 132, 200])
def test_the_log_is_readable_at_every_width(width: int) -> None:
    console = DataConsole(width)
    with console.capture() as taken:
        console.print(_log(LINES, console.width))
    page = taken.get()
    assert max(map(cell_len, page.splitlines())) <= width
    for wanted in ("08:00:00", "08:00:01", "command", "quarantined", "wildtool draft", "no answer"):
        assert wanted in page, page
    assert ("ses_0123456789abcdef" in page) is (width >= 132)
    assert ("annotate" in page) is (width >= 80)


def test_an_empty_log_is_a_table_too() -> None:
    console = DataConsole(80)
    with console.capture() as taken:
        console.print(_log([], console.width))
    assert "log" in taken.get()

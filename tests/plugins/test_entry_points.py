"""One installed package adds a log format, an importer and a scorer rule, and each does its work."""

from __future__ import annotations

import json

import pytest

from tests.plugin import run_with
from tests.plugins import acme

pytestmark = pytest.mark.e2e  # a process that starts worker processes

WORK = r"""
import json, sys
from datetime import UTC, datetime
from pathlib import Path

def main():
    from wildtool.api_catalog import import_paths
    from wildtool.api_catalog.importers import IMPORTERS
    from wildtool.evaluation.arguments.compare import Context, compare_arguments
    from wildtool.evaluation.rules import RULES_VERSION, SCORER_RULES, rules_version
    from wildtool.mining import mine, read_logs
    from wildtool.mining.readers import READERS

    folder = Path(sys.argv[1])
    bad = []
    chats = list(read_logs(folder / "log.jsonl", quarantine=bad.append))
    report = import_paths([folder / "api.json"])
    schema = {"properties": {"cell": {"type": "string", "format": "geohash"}}}
    (verdict,) = compare_arguments({"cell": "u05kq123"}, {"cell": "u05kq999"}, schema, Context(datetime(2024, 7, 12, tzinfo=UTC)))
    mined = mine([str(folder / "log.jsonl")], shard_rows=2)  # in worker processes
    print(json.dumps({
        "names": ["acme_chat" in READERS, "acme_api" in IMPORTERS, "acme.geohash" in SCORER_RULES],
        "origins": [READERS.origin("acme_chat"), IMPORTERS.origin("acme_api"), SCORER_RULES.origin("acme.geohash")],
        "chats": [[[message.role, message.content] for message in chat.messages] for chat in chats],
        "bad": sorted([row.reason, row.detail] for row in bad),
        "tools": [tool.name for one in report.lists for tool in one.tools],
        "rule": [verdict.ok, verdict.rule], "version": rules_version().startswith(RULES_VERSION + "."),
        "mined": len(mined.behaviours), "mined_bad": mined.reasons,
    }))

if __name__ == "__main__":
    main()
"""

ROWS = [
    {"acme": "chat", "lines": [["user", "Find me a hotel in Lyon."], ["bot", "The Alma is free."]], "by": "u1"},
    {
        "messages": [
            {"role": "user", "content": "And a train to Paris, please?"},
            {"role": "assistant", "content": "At nine."},
        ]
    },
    {"acme": "chat", "by": "u2"},
    {"acme": "chat", "lines": [["user", ""]]},
]
"""A row of the package's format, one of ours, one that it refuses, and one at which it fails."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict:
    folder = tmp_path_factory.mktemp("acme")
    (folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    document = {"acme": "api", "calls": {"get_mayor": "Tells who is the mayor of a city today.",
                                         "get_area": "Tells how large the area of a city is."}}  # fmt: skip
    (folder / "api.json").write_text(json.dumps(document), encoding="utf-8")
    (folder / "work.py").write_text(WORK, encoding="utf-8")
    code = f"import runpy, sys; sys.argv = ['work', {str(folder)!r}]; runpy.run_path({str(folder / 'work.py')!r}, run_name='__main__')"
    ran = run_with(acme(folder / "site"), code)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


def test_each_entry_is_found_with_the_name_of_its_distribution(told: dict) -> None:
    assert told["names"] == [True] * 3
    assert told["origins"] == ["acme_wildtool"] * 3


def test_its_log_format_is_read_beside_ours(told: dict) -> None:
    assert [chat[0][1] for chat in told["chats"]] == ["Find me a hotel in Lyon.", "And a train to Paris, please?"]
    assert told["chats"][0][1] == ["assistant", "The Alma is free."]


def test_rows_that_it_refuses_or_fails_at_are_quarantined_and_it_is_named(told: dict) -> None:
    assert told["bad"] == [
        ["acme_without_lines", "the row has no lines"],
        ["plugin_failed", "acme_chat of acme_wildtool: ZeroDivisionError: division by zero"],
    ]


def test_worker_processes_know_it_too(told: dict) -> None:
    assert told["mined"] == 2
    assert told["mined_bad"] == {"read/acme_without_lines": 1, "read/plugin_failed": 1}


def test_its_importer_makes_tools(told: dict) -> None:
    assert sorted(told["tools"]) == ["get_area", "get_mayor"]


def test_its_rule_decides_and_shows_in_the_version(told: dict) -> None:
    assert told["rule"] == [True, "acme.geohash"] and told["version"]

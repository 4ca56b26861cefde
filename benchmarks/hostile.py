"""Hostile data: every attack, where it enters, what happens, and the tests that try it:
``python -m benchmarks.hostile [--browser] [--patterns] [--json] [--write]``.

The tests named in each row are run; ``--browser`` runs those too that need Label Studio and a browser. One row is
measured here: every regular expression of ours on text made to be slow for it. Exits 1 where a test fails or is gone,
or a pattern's time grows faster than its text. ``--write`` puts the table into docs/results/reliability.md; ``--patterns``
measures that one row again, and leaves the others there.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.page import REPOSITORY, cell, fill, held
from benchmarks.patterns.__main__ import measure_all
from benchmarks.patterns.measuring import SIZE


@dataclass(frozen=True)
class Attack:
    """One row: what is tried, where it enters, what becomes of it, which tests try it."""

    attack: str
    enters: str
    happens: str
    tests: tuple[str, ...]
    """Node ids of pytest."""
    browser: tuple[str, ...] = ()
    """Those that need Label Studio and a browser."""


ATTACKS = (
    Attack(
        "orders to the model (prompt injection)", "logs, tool descriptions, observations",
        "stay data: instructions come first and hold none of it, a request holds one session's text and never the key; "
        "check `injected` refuses the draft",
        ("tests/agents/test_injection.py",),
    ),
    Attack(
        "orders to the model", "imported API descriptions", "the list is refused: quarantine `injected_text`",
        ("tests/api_catalog/test_hostile.py::test_refused_and_the_run_goes_on",),
    ),
    Attack(
        "markup and scripts", "Label Studio's form", "escaped where it enters the task; shown as text",
        ("tests/annotation/test_interface.py::test_texts_of_others_are_escaped_everywhere",),
        ("tests/e2e/test_annotation_browser.py",),
    ),
    Attack(
        "markup and scripts", "mining report", "escaped by the template",
        ("tests/mining/test_report.py::test_markup_of_a_log_is_text",),
        ("tests/e2e/test_pages_in_browser.py::test_the_mining_report",),
    ),
    Attack(
        "markup and scripts", "score report, agreement page", "escaped by the template",
        ("tests/evaluation/test_score_and_metrics.py::test_the_page_escapes_and_tells_each_failed_task",),
        ("tests/e2e/test_pages_in_browser.py::test_the_score_report",
         "tests/e2e/test_pages_in_browser.py::test_the_agreement_page"),
    ),
    Attack(
        "markup and scripts", "release explorer", "text nodes alone; the page names no other file or host",
        ("tests/warehouse/test_explorer.py::test_the_page_is_one_file_that_names_no_other",),
        ("tests/warehouse/test_explorer.py::test_in_a_browser",),
    ),
    Attack(
        "paths out of a folder, links", "archives and folders of API descriptions", "refused: `unsafe_path`",
        ("tests/api_catalog/test_hostile.py::test_bombs_and_stumps_of_archives",
         "tests/api_catalog/test_hostile.py::test_links_out_of_a_folder_are_not_followed"),
    ),
    Attack(
        "paths as names", "models, versions, manifests of releases made elsewhere",
        "a name becomes one file in its folder; versions and files that lead elsewhere are refused",
        ("tests/flows/test_file_names.py",),
    ),
    Attack(
        "formulas (`=1+1`)", "exports", "no export of ours is a table that a spreadsheet runs: JSON, Parquet, DuckDB",
        ("tests/flows/test_no_csv.py",),
    ),
    Attack(
        "bombs: zip, tar, gzip", "API descriptions", "bounded a file and an archive: `too_large`",
        ("tests/api_catalog/test_hostile.py::test_bombs_and_stumps_of_archives",
         "tests/api_catalog/test_hostile.py::test_a_bomb_of_gzip"),
    ),
    Attack(
        "bombs: gzip, zstd; a row without an end", "logs", "unpacked in bites, a row bounded: `row_too_long`",
        ("tests/mining/test_readers.py::test_a_bomb_costs_one_row_and_bounded_memory",),
    ),
    Attack(
        "bombs: YAML aliases, depth of JSON and YAML, tags that run code", "API descriptions",
        "`yaml_bomb`, `too_deep`, `unknown_format`; nothing is run",
        ("tests/api_catalog/test_hostile.py::test_refused_and_the_run_goes_on",
         "tests/api_catalog/test_hostile.py::test_read_for_all_that"),
    ),
    Attack(
        "SQL in values and names", "command line, every stored text",
        "values are bound; statements are made of our own names alone",
        ("tests/flows/test_sql.py",),
    ),
    Attack(
        "keys quoted back in errors", "endpoints and servers", "scrubbed before anything is written",
        ("tests/flows/test_secrets.py",),
    ),
    Attack(
        "any bytes at all", "logs, descriptions, labels, arguments", "an answer or a quarantined row, never a traceback",
        ("tests/fuzz/test_doors.py",),
    ),
)  # fmt: skip


@dataclass
class Row:
    """One line of the table."""

    attack: str
    enters: str
    happens: str
    tests: list[str]
    passed: int
    skipped: int
    problems: list[str]


def run_tests(ids: Sequence[str]) -> dict[str, Counter[str]]:
    """Outcomes by test file and function, of one run of pytest over all."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *ids]
        ran = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
        if not report.exists():
            raise SystemExit(f"error: pytest could not run\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
        cases = ElementTree.parse(report).getroot().iter("testcase")
        found: dict[str, Counter[str]] = {}
        for case in cases:
            file = case.get("classname", "").replace(".", "/") + ".py"
            outcome = next((tag for tag in ("failure", "error", "skipped") if case.find(tag) is not None), "passed")
            for name in (file, f"{file}::{case.get('name', '').partition('[')[0]}"):
                found.setdefault(name, Counter())[outcome] += 1
        return found


def measure(*, browser: bool) -> list[Row]:
    """All rows."""
    wanted = [(attack, (*attack.tests, *(attack.browser if browser else ()))) for attack in ATTACKS]
    outcomes = run_tests(sorted({each for _, tests in wanted for each in tests}))
    rows = []
    for attack, tests in wanted:
        counted = sum((outcomes.get(each, Counter()) for each in tests), Counter[str]())
        problems = [f"{each} did not run" for each in tests if each not in outcomes]
        if bad := counted["failure"] + counted["error"]:
            problems.append(f"{bad} tests fail")
        named = [*tests, *(f"{each} (needs --browser)" for each in attack.browser if not browser)]
        rows.append(
            Row(attack.attack, attack.enters, attack.happens, named, counted["passed"], counted["skipped"], problems)
        )
    return [*rows, patterns()]


SLOW = "text that is slow to match"


def patterns() -> Row:
    """The row that is measured: regular expressions."""
    found = measure_all()
    bad = [one for one in found if not one.linear]
    slowest = max(one.slowest_ms for one in found)
    happens = f"{len(found)} patterns, the slowest takes {slowest:.1f} ms for {SIZE:,} characters"
    problems = [f"{one.where}: {one.pattern[:60]!r} grows ×{one.growth:g}" for one in bad]
    return Row(
        SLOW, "every regular expression of ours", happens, ["python -m benchmarks.patterns"],
        len(found) - len(bad), 0, problems,
    )  # fmt: skip


def table(rows: Sequence[Row]) -> str:
    """Markdown."""
    lines = ["| attack | enters by | what happens | passed | tried by |", "| --- | --- | --- | ---: | --- |"]
    for row in rows:
        happens = row.happens + (f" — **no**: {'; '.join(row.problems)}" if row.problems else "")
        passed = f"{row.passed}" + (f" ({row.skipped} skipped)" if row.skipped else "")
        tried = ", ".join(f"`{each}`" for each in row.tests)
        lines.append("| " + " | ".join(map(cell, (row.attack, row.enters, happens, passed, tried))) + " |")
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browser", action="store_true", help="run tests too that need Label Studio and a browser")
    parser.add_argument("--patterns", action="store_true", help="only measure regular expressions")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="put the table into docs/results/reliability.md")
    given = parser.parse_args()
    rows = [patterns()] if given.patterns else measure(browser=given.browser)
    print(json.dumps([asdict(row) for row in rows], ensure_ascii=False) if given.json else table(rows))
    if given.write:
        others = [line for line in held("hostile").strip().splitlines() if not line.startswith(f"| {SLOW} |")]
        fill("hostile", "\n".join([*others, table(rows).splitlines()[-1]]) if given.patterns else table(rows))
    sys.exit(any(row.problems for row in rows))


if __name__ == "__main__":
    main()

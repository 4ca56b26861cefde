"""The benchmarks page is made from data, and one benchmark that fails takes no other with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import runall as page
from benchmarks.figures import Figure, at_least, at_most, packed, peer, unpacked
from benchmarks.measuring import measured
from benchmarks.suite import BENCHMARKS, Benchmark


def test_a_limit_is_met_up_to_itself_and_missed_beyond_it() -> None:
    assert [at_most("a", ours, "s", 2.0).verdict for ours in (1.9, 2.0, 2.1)] == ["met", "met", "missed"]
    assert [at_least("a", ours, "s", 2.0).verdict for ours in (1.9, 2.0, 2.1)] == ["missed", "met", "met"]
    assert at_most("nothing lost", 0, "count", 0).verdict == "met"
    assert at_most("nothing lost", 1, "count", 0).missed


def test_a_peer_is_ahead_level_or_behind_and_breaks_nothing() -> None:
    verdicts = [peer("a", ours, "s", "other", 100).verdict for ours in (90, 97, 104, 110)]
    assert verdicts == ["better", "level", "level", "worse"]
    assert [peer("a", ours, "1/s", "other", 100, better="more").verdict for ours in (90, 110)] == ["worse", "better"]
    assert not peer("a", 200, "s", "other", 100).missed


def test_a_peer_that_is_not_there_says_why() -> None:
    assert peer("a", 1, "s", "other", None, absent="not installed").verdict == "absent: not installed"
    with pytest.raises(ValueError, match="say why"):
        peer("a", 1, "s", "other", None)


def test_figures_survive_their_form() -> None:
    figures = [at_most("a", 1.5, "s", 2), peer("b", 3, "s", "other", None, absent="gone"), Figure("c", 4, "MB")]
    assert unpacked(json.loads(json.dumps(packed(figures)))) == figures


def test_a_benchmark_that_fails_or_lacks_its_input_is_an_entry_that_says_why() -> None:
    failed = page.run(Benchmark("gone", "", "", "", 1, module="no_such_module"), full=False)
    assert "no_such_module" in failed["failed"]
    skipped = page.run(Benchmark("gone", "", "", "", 1, needs="no/such/file"), full=False)
    assert skipped["skipped"] == "there is no no/such/file"


def test_the_page_has_each_figure_under_its_command(tmp_path: Path) -> None:
    first, second, third, *rest = BENCHMARKS
    machine = {
        "processor": "P",
        "cores": 2,
        "memory_gb": 4.0,
        "load": 0.1,
        "system": "L",
        "python": "3",
        "libraries": {},
    }
    base = {"command": "python -m benchmarks.x", "date": "2026-01-01", "machine": machine, "failed": "", "skipped": ""}
    figures = packed([at_most("a|b", 3.0, "s", 2.0), peer("c", 1, "s", "other", 4)])
    text = page.page(
        {
            first.name: base | {"figures": figures, "seconds": 4},
            second.name: base | {"figures": [], "failed": "it broke"},
            third.name: base | {"figures": [], "skipped": "there is no log"},
        }
    )
    assert "    python -m benchmarks.x" in text
    assert "| a\\|b | 3 s | at most | 2 | 1.5 | missed |" in text
    assert "| c | 1 s | other | 4 | 0.25 | better |" in text
    assert f"| [{first.name}](#{first.name}) | 2 |  | 1 | 1 |  |  |" in text
    assert "**Failed**: `it broke`" in text
    assert "**Skipped**: there is no log." in text
    assert text.count("Not measured yet") == len(rest)


def test_every_benchmark_of_the_suite_is_a_module_that_hands_over_figures() -> None:
    for benchmark in BENCHMARKS:
        source = page.REPOSITORY / "benchmarks" / f"{benchmark.module or benchmark.name}.py"
        text = source.read_text(encoding="utf-8")
        assert '"figures":' in text and "packed(" in text, source


def test_a_command_is_measured_with_its_children_and_its_failure_told() -> None:
    import sys

    inner = "x = bytearray(60_000_000); import time; x[::4096] = b'1' * len(x[::4096]); time.sleep(1.6); print('done')"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True)"
    took = measured([sys.executable, "-c", outer])
    assert took.output == "done\n"
    assert took.peak_mb > 55
    with pytest.raises(RuntimeError, match="broken"):
        measured([sys.executable, "-c", "raise SystemExit('broken')"])
    with pytest.raises(RuntimeError, match="not done after"):
        measured([sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.2)

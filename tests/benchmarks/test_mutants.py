"""Mutants: what is changed and what is left alone, which are run, and what is said of those that survive."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.mutants.operators import Mutant, mutants_of
from benchmarks.mutants.report import (
    EQUIVALENT,
    Equivalent,
    Equivalents,
    equivalents,
    excerpts,
    page,
    rows,
    share,
    stale,
    table,
)
from benchmarks.mutants.running import Outcome, Result
from benchmarks.mutants.sampling import chosen
from benchmarks.mutants.targets import TARGETS

SOURCE = '''
"""Module."""
import re
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import json
LIMIT = 5
Alias = tuple[int, ...]
PATTERN = re.compile("a1")

class Box:
    """A box."""
    __slots__ = ("a",)
    def __init__(self, a: int = 1) -> None:
        self.a = a

@cache(maxsize=7)
def check(x: int, y: int) -> "int | None":
    """Says 1."""
    assert x != 9
    if x < y and not y:
        raise ValueError(f"{x} is 3")
    for one in sorted(range(x), key=abs):
        if one:
            continue
        x += 1
        note(one, y)
    return max(x, y)
'''


def changes(source: str) -> list[tuple[str, str, str]]:
    return [(one.operator, one.before, one.after) for one in mutants_of(source, "m.py")]


def test_each_kind_of_change_is_made() -> None:
    found = changes(SOURCE)
    assert ("constant", "LIMIT = 5", "LIMIT = 6") in found and ("constant", "LIMIT = 5", "LIMIT = 4") in found
    assert ("comparison", "if x < y and (not y)", "if x <= y and (not y)") in found
    assert ("and or", "if x < y and (not y)", "if x < y or not y") in found
    assert ("drop operand", "if x < y and (not y)", "if not y") in found
    assert ("drop sign", "if x < y and (not y)", "if x < y and y") in found
    assert ("negate", "if x < y and (not y)", "if not (x < y and (not y))") in found
    assert ("negate", "if one", "if not one") in found
    assert ("break continue", "continue", "break") in found and ("drop statement", "continue", "pass") in found
    assert ("arithmetic", "x += 1", "x -= 1") in found and ("drop statement", "x += 1", "pass") in found
    assert ("drop statement", "self.a = a", "pass") in found and ("drop statement", "note(one, y)", "pass") in found
    assert ("swap arguments", "note(one, y)", "note(y, one)") in found
    assert ("other function", "return max(x, y)", "return min(x, y)") in found
    assert ("return None", "return max(x, y)", "return None") in found
    assert ("drop keyword", "for one in sorted(range(x), key=abs)", "for one in sorted(range(x))") in found
    assert ("drop call", "for one in sorted(range(x), key=abs)", "for one in list(range(x))") in found
    assert ("constant", "def __init__(self, a: int=1) -> None", "def __init__(self, a: int=2) -> None") in found
    more = changes(
        "def f(a):\n    return [x[1:] for x in a if x > 0.5 if x], (a, a.strip()), 'rule.id', 'two words', True"
    )
    kinds = Counter(kind for kind, _, _ in more)
    assert (
        kinds["drop filter"] == 2 and kinds["slice"] == 1 and kinds["member to None"] >= 4 and kinds["drop call"] == 1
    )
    assert any("'rule.idX'" in after for _, _, after in more) and not any("two wordsX" in after for _, _, after in more)
    assert any("x > 1.0" in after for _, _, after in more) and any(after.endswith("False)") for _, _, after in more)


def test_what_no_test_could_tell_is_left_alone() -> None:
    for _, before, _ in changes(SOURCE):
        for left in ("import", "Alias", "compile", "__slots__", "assert", "raise", "cache", "Module", "Says"):
            assert left not in before, before


def test_a_mutant_s_source_has_one_change_and_compiles() -> None:
    found = mutants_of(SOURCE, "m.py")
    whole = {one.source for one in found}
    assert len(whole) == len(found) > 25
    for source in whole:
        compile(source, "m.py", "exec")
    assert [one.source for one in mutants_of(SOURCE, "m.py")] == [one.source for one in found]
    assert {one.function for one in found} == {"", "Box.__init__", "check"}
    lines = SOURCE.splitlines()
    assert all(one.before.split()[0] in lines[one.line - 1] for one in found if one.before.startswith("return"))


def test_the_same_seed_chooses_the_same_mutants() -> None:
    everything = {"a.py": mutants_of(SOURCE, "a.py"), "b.py": mutants_of(SOURCE * 3, "b.py")}
    first = chosen(everything, seed=1, most=40)
    assert first == chosen(everything, seed=1, most=40) != chosen(everything, seed=2, most=40)
    assert len(first["a.py"]) >= 12 and len(first["b.py"]) > len(first["a.py"])
    assert sum(map(len, first.values())) <= 42
    assert chosen(everything, seed=1, most=0) == everything


def test_every_target_is_there_and_most_mutants_are_enough(repository: Path) -> None:
    whole = 0
    for target in TARGETS:
        whole += len(mutants_of((repository / target.module).read_text(encoding="utf-8"), target.module))
        assert all((repository / test).is_file() for test in target.tests), target
    assert whole > 2000


def test_equivalent_mutants_have_a_reason_and_a_target() -> None:
    known = equivalents()
    for module, entries in known.by_module.items():
        assert module in {target.module for target in TARGETS}, module
        assert all(len(entry.reason.split()) > 2 and entry.before for entry in entries), EQUIVALENT


def _mutant(after: str, module: str = "m.py") -> Mutant:
    return next(one for one in mutants_of(SOURCE, module) if one.after == after)


def test_the_table_leaves_equivalent_mutants_out(tmp_path: Path) -> None:
    listed = Equivalent("m.py", "", "LIMIT = 5", "only a size", ("LIMIT = 4",))
    known = Equivalents({"m.py": [listed, Equivalent("m.py", "gone", "x = 1", "was here")]})
    outcomes = {
        "LIMIT = 4": Outcome.SURVIVED,
        "LIMIT = 6": Outcome.SURVIVED,
        "x -= 1": Outcome.TIMED_OUT,
        "if not one": Outcome.KILLED,
    }
    results = [Result(_mutant(after), outcome, 1.0) for after, outcome in outcomes.items()]
    (row,) = found = rows(results, known)
    assert (row.mutants, row.killed, row.timed_out, row.survived, row.equivalent) == (4, 2, 1, 1, 1)
    assert share(found) == pytest.approx(2 / 3)
    assert "| `m.py` | 4 | 2 | 1 | 1 | 1 | 67% |" in table(found) and "| all | 4 | 2 | 1 | 1 | 1 | 67% |" in table(
        found
    )
    text = page(found, results, known, command="python -m x", day="2026-01-02")
    assert "`python -m x` on 2026-01-02" in text and "| `m.py:7` | ``LIMIT = 5`` | ``LIMIT = 6`` |" in text
    assert "LIMIT = 4" not in text
    (tmp_path / "m.py").write_text(SOURCE, encoding="utf-8")
    assert [entry.function for entry in stale(known, {"m.py"}, tmp_path)] == ["gone"]
    file = tmp_path / "list.toml"
    file.write_text(
        '[[equivalent]]\nmodule = "m.py"\nfunction = ""\nbefore = "LIMIT = 5"\nafter = "LIMIT = 4"\nreason = "r"\n',
        encoding="utf-8",
    )
    assert equivalents(file).by_module["m.py"][0].after == ("LIMIT = 4",)


def test_long_statements_are_cut_to_where_they_differ() -> None:
    assert excerpts("a == b", "a != b") == ("a == b", "a != b")
    assert excerpts("x" * 100 + "1" + "y" * 100, "x" * 100 + "22" + "y" * 100) == (
        f"…{'x' * 40}1{'y' * 40}…", f"…{'x' * 40}22{'y' * 40}…",
    )  # fmt: skip
    assert excerpts("f(a, b)", "f(a)") == ("f(a, b)", "f(a)") and excerpts("aa", "a") == ("aa", "a")


RUN = """
import sys, tempfile
from pathlib import Path
from benchmarks.mutants import running
from benchmarks.mutants.operators import mutants_of
from benchmarks.mutants.targets import Target
running.WARM, running.LEAST_SECONDS = ("pytest",), 3.0
root = Path(sys.argv[1])
real = running.copy_tree
running.copy_tree = lambda to: real(to, root)
source = (root / "room/part.py").read_text()
wanted = [m for m in mutants_of(source, "room/part.py") if m.after in sys.argv[3:]]
target = Target("room/part.py", ("tests/test_part.py",))
with tempfile.TemporaryDirectory() as folder:
    for result in running.run_all([(target, wanted)], Path(folder), 2):
        print(f"{result.outcome}: {result.mutant.after}")
"""


@pytest.mark.e2e  # copies the repository
@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants run in forks")
def test_mutants_run_in_a_copy_and_end_as_killed_timed_out_or_survived(repository: Path, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    (root / "room").mkdir(parents=True)
    (root / "src" / "wildtool").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "src" / "wildtool" / "__init__.py").write_text("", encoding="utf-8")
    (root / "src" / "wildtool" / "room").symlink_to("../../room")
    (root / "room" / "__init__.py").write_text("", encoding="utf-8")
    part = "def count(most):\n    n = 0\n    while n < most:\n        n += 1\n    return n\n\n\ndef unseen():\n    return 1\n"
    (root / "room" / "part.py").write_text(part, encoding="utf-8")
    (root / "tests" / "test_part.py").write_text(
        "from wildtool.room.part import count\n\n\ndef test_it():\n    assert count(3) == 3\n", encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(repository), os.environ.get("PYTHONPATH", "")])}
    ran = subprocess.run(
        [sys.executable, "-c", RUN, str(root), "--", "n = 1", "n = 4", "n += 2", "n -= 1", "return 2", "while n >= most"],
        capture_output=True, text=True, cwd=repository, env=environment, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert sorted(ran.stdout.splitlines()) == [
        "killed: n += 2", "killed: while n >= most", "survived: n = 1", "survived: return 2", "timed out: n -= 1",
    ]  # fmt: skip
    assert (root / "room" / "part.py").read_text(encoding="utf-8") == part

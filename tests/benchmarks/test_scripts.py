"""Every benchmark runs as a module and as a script, from any folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.suite import BENCHMARKS

NAMES = sorted({benchmark.module or benchmark.name for benchmark in BENCHMARKS} | {"runall", "fuzz", "hostile"})


@pytest.mark.e2e  # a process a script
@pytest.mark.parametrize("name", NAMES)
def test_it_runs_as_a_script(name: str, repository: Path, tmp_path: Path) -> None:
    script = repository / "benchmarks" / f"{name}.py"
    ran = subprocess.run([sys.executable, script, "--help"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert "usage" in ran.stdout

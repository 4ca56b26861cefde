"""Packages of other people, as pip would install them: a module and the entry points it registers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src"


def install(folder: Path, module: str, source: str, entry_points: str) -> Path:
    """Write a module and its metadata to a folder; with that folder on the path the package is installed."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(entry_points, encoding="utf-8")
    return folder


def run_with(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, in which the package is installed: enums are closed once they are imported."""
    path = os.pathsep.join([str(folder), str(SRC), str(SRC.parent)])
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )

"""Distributions and environments, made as people make them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

UV = Path(sys.executable).with_name("uv")
REPOSITORY = Path(__file__).resolve().parent.parent.parent


def build(repository: Path, folder: Path) -> Path:
    """Build a source distribution of the tracked files, and from it a wheel; return the folder that holds both."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=repository,
                            capture_output=True, check=True).stdout  # fmt: skip
    source = folder / "source"
    for name in filter(None, listed.decode("utf-8").split("\0")):
        if not (repository / name).exists() and not (repository / name).is_symlink():
            continue  # removed, and not yet committed
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(repository / name, source / name, follow_symlinks=False)
    command = [UV, "build", "--quiet", "--python", sys.executable] if UV.exists() else [sys.executable, "-m", "build"]
    _run([*command, "--out-dir" if UV.exists() else "--outdir", folder / "made", source])
    return folder / "made"


def environment(folder: Path, *packages: str | Path) -> Path:
    """Make a virtual environment that holds these packages, by the pinned versions; return its ``bin`` folder."""
    _run([sys.executable, "-m", "venv", folder / "venv"])
    binaries = folder / "venv" / "bin"
    install = ["pip", "install", "-c", REPOSITORY / "constraints.txt"]
    python = binaries / "python"
    command = [UV, *install, "--python", python] if UV.exists() else [python, "-m", *install]
    _run([*command, *packages])
    return binaries


def _run(command: list[str | Path]) -> None:
    ran = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-3000:]

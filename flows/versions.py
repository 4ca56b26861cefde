"""Version and digest of the code that runs."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata
from pathlib import Path

ROOMS = (
    "agents",
    "annotation",
    "api_catalog",
    "evaluation",
    "flows",
    "grounding",
    "language",
    "mining",
    "schemas",
    "validation",
    "warehouse",
    "worlds",
)
"""Subpackages of ``wildtool``."""


def code_version() -> str:
    """Version of the installed distribution; ``0+unknown`` where the rooms are imported from a bare checkout."""
    try:
        return metadata.version("wildtool")
    except metadata.PackageNotFoundError:
        return "0+unknown"


@cache
def code_digest() -> str:
    """A short digest of our modules and data files and of the plug-ins: equal digests do equal work."""
    root = Path(__file__).resolve().parent.parent
    digest, points = hashlib.sha256(), list[str]()
    for room in ROOMS:
        for file in sorted((root / room).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(root).as_posix()}\0".encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    for made_by in metadata.distributions():
        points += [
            f"{point.group} {point.name} {point.value} {made_by.version}"
            for point in made_by.entry_points
            if point.group.startswith("wildtool.")
        ]
    digest.update("\n".join(sorted(points)).encode())
    return digest.hexdigest()[:12]

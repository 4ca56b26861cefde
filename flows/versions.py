"""Which wildtool this is."""

from __future__ import annotations

from importlib import metadata


def code_version() -> str:
    """Version of the installed distribution; ``0+unknown`` where the rooms are imported from a bare checkout."""
    try:
        return metadata.version("wildtool")
    except metadata.PackageNotFoundError:
        return "0+unknown"

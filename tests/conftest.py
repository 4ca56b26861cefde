"""Fixtures that all rooms share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.examples import FAST

REPOSITORY = Path(__file__).resolve().parent.parent

settings.load_profile(FAST)  # before tests are collected; --hypothesis-profile comes later and wins


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root of the working tree."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real data that is not ours to ship; ``WILDTOOL_SHARED`` or ``../shared``, else the test skips."""
    folder = Path(os.environ.get("WILDTOOL_SHARED", REPOSITORY.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set WILDTOOL_SHARED to the folder that holds data/")
    return folder

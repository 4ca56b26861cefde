"""A small release, frozen once for all tests that only read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frozen import freeze
from tests.warehouse.conftest import make_label, make_session
from wildtool.schemas.label import Label
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language

VERSIONS = {"code_version": "0.1.0", "rules_version": "1"}


def _labels(sessions: list[Session]) -> list[Label]:
    return [make_label(one) for one in sessions] + [make_label(one, "ann-2") for one in sessions]


@pytest.fixture
def labels(sessions: list[Session]) -> list[Label]:
    """Two people's labels of each session; both accept."""
    return _labels(sessions)


@pytest.fixture(scope="session")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of ``sessions`` with ``labels``. Tests must not change it."""
    made = [make_session(number, language) for language in Language for number in range(12)]
    folder = tmp_path_factory.mktemp("releases") / "0.1.0"
    freeze(made, "0.1.0", folder, labels=_labels(made), **VERSIONS)
    return folder

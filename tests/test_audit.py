"""The audit of licences: what it lets pass and what not. That it holds for what is installed is a part of ``make check``."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def audit(repository: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", repository / ".ci" / "audit.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("licence", "fine"),
    [
        ("MIT", True),
        ("Apache Software License; BSD License", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("GPL-3.0-or-later", False),
        ("MIT AND GPL-2.0-only", False),
        ("GPL-2.0-only OR MIT", True),
        ("GNU Lesser General Public License v3 (LGPLv3)", False),
        ("Mitigated Source License", False),
        ("unknown", False),
    ],
)
def test_licences_that_go_with_ours(audit: ModuleType, licence: str, fine: bool) -> None:
    assert audit.goes_with_ours(licence) is fine


def test_a_plain_install_brings_no_orchestrator_and_the_pipeline_does(audit: ModuleType) -> None:
    plain = audit.closure("")
    assert {"openai", "duckdb", "numpy"} <= plain and not plain & {"prefect", "label-studio-sdk", "wildtool"}
    assert {"prefect", "label-studio-sdk"} < audit.closure("pipeline") > plain

from __future__ import annotations

from pathlib import Path

import pytest

from wildtool.annotation import LabelStudioServer
from wildtool.annotation.label_studio.install import VENV_VARIABLE, pinned_version, pins
from wildtool.schemas.errors import SettingsError


def test_a_named_environment_without_label_studio(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=VENV_VARIABLE):
        LabelStudioServer(tmp_path, environ={VENV_VARIABLE: str(tmp_path / "none")}).start()


def test_pins_are_names_and_versions_alone() -> None:
    lines = [line for line in pins().splitlines() if not line.startswith("#")]
    assert all(len(line.split("==")) == 2 and "/" not in line and " " not in line for line in lines)
    assert f"label-studio=={pinned_version()}" in lines

"""The command line in this process, as a user meets it: argument vector in; exit code, stdout and stderr out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from wildtool.flows.cli import main


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on stdout."""
        return json.loads(self.out)

    def refused(self, cause: str, code: int = 2) -> bool:
        """One line for the cause, one for the remedy, nothing else; and the exit code."""
        lines = [line for line in self.err.splitlines() if not line.startswith(("▸", "  "))]
        return (
            self.code == code
            and len(lines) == 2
            and lines[0].startswith("error: ")
            and cause in lines[0]
            and lines[1].startswith("remedy: ")
        )


Wildtool = Callable[..., Ran]


@pytest.fixture
def wildtool(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Wildtool:
    """``wildtool(*arguments)``; the environment has no key, no server and a working folder of its own."""
    for name in list(os.environ):
        if name.startswith(("WILDTOOL_", "OPENAI_", "LABEL_STUDIO_", "PREFECT_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr("sys.argv", ["wildtool", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        out, err = capfd.readouterr()
        code = stopped.value.code
        return Ran(code if isinstance(code, int) else int(code is not None), out, err)

    return run


@pytest.fixture(scope="session")
def example_logs(repository: Path) -> Path:
    """The logs that the project ships."""
    return repository / "examples" / "logs"

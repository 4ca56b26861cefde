"""The command line loads a command's module only when that command runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wildtool.flows.cli.app import COMMANDS, app, load_command

HEAVY = ("duckdb", "numpy", "openai", "prefect", "pyarrow", "pydantic", "pydantic_settings", "rich")

MODULES = """
import json, sys
sys.argv = ["wildtool", "--help"]
from wildtool.flows.cli import main
try:
    main()
finally:
    sys.stderr.write(json.dumps(sorted({name.split(".")[0] for name in sys.modules})))
"""


def test_help_loads_no_command_and_nothing_heavy() -> None:
    ran = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and "evaluate" in ran.stdout
    assert not set(HEAVY) & set(json.loads(ran.stderr))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_command_says(name: str) -> None:
    loaded = load_command(name)
    assert loaded.name == name
    assert loaded.get_short_help_str(1000) == COMMANDS[name][1]
    assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0


def test_every_module_of_commands_is_in_the_list(repository: Path) -> None:
    registered = {
        file.stem
        for file in (repository / "flows" / "cli").glob("*.py")
        if "\ndef register(" in (text := file.read_text(encoding="utf-8")) or "\ngroup = " in text
    }
    assert registered == {module for module, _ in COMMANDS.values()}


def test_a_mistyped_command_is_refused_with_a_suggestion() -> None:
    ran = CliRunner().invoke(app, ["evalute"])
    assert ran.exit_code == 2 and "evaluate" in ran.output

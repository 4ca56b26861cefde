"""Stages together, up to drafts, on the core catalogue: what was done is not done again, nothing vanishes."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.mock_endpoint import MockEndpoint
from tests.flows.conftest import Wildtool
from wildtool.flows.settings import load_settings


def test_from_logs_to_drafts_and_once_more(
    wildtool: Wildtool, example_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mined = wildtool("mine", example_logs, "--json").json
    assert mined["steps"][0]["rows_in"] == 332
    assert not mined["unchanged"]
    assert wildtool("mine", example_logs, "--json").json["unchanged"]

    built = wildtool("catalog", "build", "core", "--json").json
    assert built["lists"] >= 48
    assert built["tools"] >= 200
    assert wildtool("catalog", "build", "core", "--json").json["unchanged"]
    assert wildtool("catalog", "verify", "--json").json["ok"]

    foreseen = wildtool(
        "draft", "--profile", "demo", "--sessions", "2", "--model", "gpt-4o", "--dry-run", "--json"
    ).json
    assert foreseen["sessions"] == 4 and foreseen["calls"] > 20 and 0 < foreseen["cost_usd"] < 1
    assert "SessionPlan" not in {name for name, count in wildtool("status", "--json").json["counts"].items() if count}

    _never_answered(wildtool, tmp_path, monkeypatch)

    drafted = wildtool("draft", "--profile", "demo", "--sessions", "2", "--model", "offline", "--json").json
    step = drafted["steps"][0]
    assert step["rows_out"] == 4
    assert step["rows_in"] == step["rows_out"] + step["quarantined"]
    again = wildtool("draft", "--profile", "demo", "--sessions", "2", "--model", "offline", "--json").json
    assert again["unchanged"]
    assert again["steps"] == drafted["steps"]

    monkeypatch.setenv("OPENAI_API_KEY", "none")
    mixed = wildtool("draft", "--profile", "demo", "--sessions", "2", "--model", "some-model")
    assert mixed.refused("drafted by the offline simulator")

    held = wildtool("status", "--json").json
    assert held["counts"]["Draft"] == step["rows_out"]
    assert set(held["stages"]) == {"mine", "catalog", "draft"}
    assert held["counts"]["DraftTally"] == 4
    arguments = [each for each in held["pass_rates"] if each["check"] == "arguments"]
    assert {each["language"] for each in arguments} == {"en", "zh"} and all(each["rate"] == 1.0 for each in arguments)
    shown = wildtool("status").out
    assert "checks of drafts, by version of the prompts" in shown and arguments[0]["prompts"] in shown
    assert stat.S_IMODE((tmp_path / ".wildtool").stat().st_mode) == 0o700


def _never_answered(wildtool: Wildtool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that refuses everything: each session is planned anew as often as allowed, not again by a second run, and
    counted once."""
    home = folder / "refused"
    shutil.copytree(folder / ".wildtool", home)
    refusal = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
    endpoint = MockEndpoint(lambda _: refusal)
    with monkeypatch.context() as patch, endpoint.serve() as base_url:
        patch.setenv("OPENAI_API_KEY", "none")
        command = ["draft", "--profile", "demo", "--sessions", "1", "--model", "m", "--base-url", base_url]
        # Of each plan the first task is tried four times.
        for replans, plans in (("0", 2), (None, 4), ("2", 6)):
            how = ["--replans", replans] if replans else []
            found = wildtool(*command, *how, "--home", home, "--json").json
            step = found["steps"][0]
            assert (step["rows_in"], step["rows_out"], step["quarantined"]) == (2, 0, 2)
            assert found["notes"]["planned_anew"] == plans - 2
            assert sum(endpoint.requests.values()) == len(endpoint.served) == 4 * plans
        foreseen = wildtool(*command, "--home", home, "--dry-run", "--json").json
        assert foreseen["basis"] == "history" and foreseen["planned_anew"] == foreseen["sessions"]


def test_flags_beat_the_environment_which_beats_the_file(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wildtool.toml").write_text('seed = 1\nmodel = "from-file"\nproject = "from-file"', encoding="utf-8")
    monkeypatch.setenv("WILDTOOL_MODEL", "from-environment")
    monkeypatch.setenv("WILDTOOL_PROJECT", "from-environment")
    settings = load_settings(project="from-flag", home=None)
    assert (settings.seed, settings.model, settings.project) == (1, "from-environment", "from-flag")


def test_help_loads_no_heavy_library() -> None:
    script = (
        "import sys; sys.argv = ['wildtool', '--help']\n"
        "from wildtool.flows.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'prefect', 'openai', 'datasets', 'duckdb', 'sklearn', 'label_studio_sdk', 'pandas', 'numpy'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == "[]"
    assert "evaluate" in ran.stdout


def test_doctor_says_what_is_missing_and_changes_nothing(wildtool: Wildtool, tmp_path: Path) -> None:
    ran = wildtool("doctor", "--json")
    findings = {finding["check"]: finding for finding in ran.json["findings"]}
    assert findings["python"]["state"] == "ok"
    assert findings["model"]["state"] == "warn"
    assert "OPENAI_API_KEY" in findings["model"]["remedy"]
    assert not (tmp_path / ".wildtool").exists()


def test_doctor_names_a_clash_of_package_names(wildtool: Wildtool, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(
        "importlib.metadata.packages_distributions", lambda: {"wildtool": ["wildtool", "wildtool-fork"]}
    )
    findings = {finding["check"]: finding for finding in wildtool("doctor", "--json").json["findings"]}
    assert "wildtool-fork" in findings["package name"]["detail"]
    assert "environment of its own" in findings["package name"]["remedy"]

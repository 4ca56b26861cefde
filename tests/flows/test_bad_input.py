"""Bad input ends in one line for the cause and one for the remedy, with exit code 2, and loses nothing."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.flows.conftest import Wildtool

GOOD = {"messages": [{"role": "user", "content": "will it rain in Lyon tomorrow?"}]}


def test_no_log(wildtool: Wildtool) -> None:
    assert wildtool("mine", "missing.jsonl").refused("no such log")


def test_no_argument_at_all(wildtool: Wildtool) -> None:
    assert wildtool("mine").refused("LOG")


@pytest.mark.parametrize(
    ("content", "cause"),
    [(b"", "empty"), (b"\x7fELF\x00\x01", "binary"), (b"Dear diary\nnothing\n", "no format")],
)
def test_a_file_that_is_no_log(wildtool: Wildtool, tmp_path: Path, content: bytes, cause: str) -> None:
    (tmp_path / "log").write_bytes(content)
    assert wildtool("mine", "log").refused(cause)


def test_broken_lines_go_to_quarantine_and_good_ones_are_kept(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(
        "\n".join(
            [json.dumps(GOOD), '{"messages": [', json.dumps({"messages": [{"role": "assistant", "content": "hi"}]})]
        ),
        encoding="utf-8",
    )
    mined = wildtool("mine", "log.jsonl", "--json")
    assert mined.code == 0
    assert mined.json["steps"][0] == {"step": "read", "rows_in": 3, "rows_out": 2, "quarantined": 1}
    rows = wildtool("quarantine", "--json").json["rows"]
    assert {row["reason"] for row in rows} == {"broken_json", "no_user_turn"}
    assert {row["raw"] for row in rows} == {""}
    wildtool("mine", "log.jsonl", "--keep-raw", "--json")
    assert '{"messages": [' in {row["raw"] for row in wildtool("quarantine", "--json").json["rows"]}


def test_a_log_without_a_single_good_row_fails_and_keeps_the_rows(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(
        json.dumps({"messages": [{"role": "assistant", "content": "hi"}]}), encoding="utf-8"
    )
    assert wildtool("mine", "log.jsonl").refused("no usable conversation", code=1)
    assert len(wildtool("quarantine", "--json").json["rows"]) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_home(wildtool: Wildtool, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    assert wildtool("mine", "x.jsonl", "--home", locked / "home").refused("cannot be written")


def test_a_home_that_is_a_file(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert wildtool("mine", "x.jsonl", "--home", "file").refused("is a file, not a folder")


def test_a_full_disk(wildtool: Wildtool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 1024

    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage)
    assert wildtool("mine", "x.jsonl").refused("MB are free")


def test_a_warehouse_that_is_no_database(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / ".wildtool").mkdir()
    (tmp_path / ".wildtool" / "warehouse.duckdb").write_bytes(b"not a database" * 100)
    ran = wildtool("status")
    assert ran.code == 2
    assert ran.err.startswith("error: ")


def test_a_truncated_warehouse_is_mended_by_a_backup_not_by_being_sent_around(
    wildtool: Wildtool, tmp_path: Path
) -> None:
    (tmp_path / "log.jsonl").write_text(json.dumps(GOOD), encoding="utf-8")
    assert wildtool("mine", "log.jsonl").code == 0
    assert wildtool("backup", "saved.duckdb").code == 0
    warehouse = tmp_path / ".wildtool" / "warehouse.duckdb"
    whole = warehouse.read_bytes()
    for left in (len(whole) // 2, 5_000, 100, 0):
        warehouse.write_bytes(whole[:left])
        status = wildtool("status")
        if status.code == 0:
            continue  # DuckDB takes an empty file for a new one
        assert "doctor" not in status.err and "wildtool restore BACKUP" in status.err, status.err
        finding = next(one for one in wildtool("doctor", "--json").json["findings"] if one["check"] == "warehouse")
        assert finding["state"] == "fail" and "wildtool restore BACKUP" in finding["remedy"]
    assert wildtool("restore", "saved.duckdb").code == 0
    assert wildtool("status").code == 0


def test_an_unknown_profile(wildtool: Wildtool) -> None:
    assert wildtool("draft", "--profile", "nope", "--model", "offline").refused("nope")


def test_an_online_model_without_a_key(wildtool: Wildtool) -> None:
    ran = wildtool("draft", "--profile", "demo")
    assert ran.refused("OPENAI_API_KEY")
    assert "--model offline" in ran.err


def test_an_endpoint_that_is_no_address(wildtool: Wildtool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    assert wildtool("draft", "--profile", "demo", "--base-url", "notaurl").refused("openai_base_url")
    monkeypatch.setenv("OPENAI_BASE_URL", "file:///etc/passwd")
    assert wildtool("draft", "--profile", "demo").refused("http://")


def test_drafting_without_seeds(wildtool: Wildtool) -> None:
    assert wildtool("draft", "--profile", "demo", "--model", "offline").refused("no seed scenario")


def test_label_studio_that_does_not_answer(wildtool: Wildtool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABEL_STUDIO_URL", "http://127.0.0.1:9")
    assert wildtool("annotate", "push").refused("no token")
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "0" * 40)
    assert wildtool("annotate", "push").refused("127.0.0.1:9")


def test_an_unknown_release(wildtool: Wildtool) -> None:
    assert wildtool("evaluate", "run", "--release", "9.9.9", "--model", "builtin:gold").refused("9.9.9")
    assert wildtool("release", "verify", "nowhere").refused("nowhere")


def test_unknown_names(wildtool: Wildtool) -> None:
    assert wildtool("evaluate", "score", "--release", "1.0.0", "--model", "x", "--rules", "mine").refused("mine")
    assert wildtool("quarantine", "--stage", "nowhere").refused("nowhere")
    assert wildtool("nonsense").refused("nonsense")


def test_a_settings_file_with_a_secret(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "wildtool.toml").write_text('openai_api_key = "sk-planted-000"', encoding="utf-8")
    ran = wildtool("status")
    assert ran.refused("secrets come from the environment")
    assert "sk-planted" not in ran.err


def test_with_json_the_error_is_an_object_too(wildtool: Wildtool) -> None:
    assert set(wildtool("mine", "missing.jsonl", "--json").json) == {"error", "remedy"}


def test_markup_and_escape_codes_in_names_are_text(wildtool: Wildtool) -> None:
    assert wildtool("mine", "[bold]evil[/red]*").refused("[bold]evil[/red]")
    assert wildtool("evaluate", "run", "--release", "[/red]", "--model", "builtin:gold").refused("[/red]")
    assert "\x1b" not in wildtool("mine", "\x1b[31mred.jsonl").err


def test_every_command_refuses_a_home_that_can_be_none(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert wildtool("status", "--home", "file").refused("is a file, not a folder")
    assert wildtool("mine", "x.jsonl", "--home", ".").refused("working folder")


def test_somebody_elses_folder_keeps_its_mode(wildtool: Wildtool, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir(mode=0o755)
    (theirs / "thesis.tex").write_text("x", encoding="utf-8")
    wildtool("mine", "missing.jsonl", "--home", "theirs")
    assert theirs.stat().st_mode & 0o777 == 0o755


def test_a_name_that_is_markup_is_no_name() -> None:
    from tests.frozen import freeze
    from wildtool.schemas.errors import InputError

    with pytest.raises(InputError, match="cannot name a benchmark"):
        freeze([], "1.0.0", Path("x"), code_version="0", rules_version="1", name="../../x<script>")


@pytest.mark.parametrize("group", [(), ("catalog",), ("annotate",), ("release",), ("evaluate",)])
def test_a_group_alone_shows_its_help(wildtool: Wildtool, group: tuple[str, ...]) -> None:
    ran = wildtool(*group)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: {' '.join(('wildtool', *group))}")
    assert "Commands:" in ran.out


def test_a_table_of_the_environment_that_is_no_json(
    wildtool: Wildtool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WILDTOOL_GATEWAY", "{bad")
    assert wildtool("status", "--home", tmp_path / "home").refused("gateway")


def test_an_import_of_nothing_changes_nothing(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 8)
    assert wildtool("release", "import", tmp_path / "noise", "--home", tmp_path / "home").refused("no session")
    assert not (tmp_path / "home" / "warehouse.duckdb").exists()


def test_a_path_outside_the_home_is_named_itself(wildtool: Wildtool, tmp_path: Path) -> None:
    assert wildtool("catalog", "build", "core", "-q", "--home", tmp_path / "home").code == 0
    assert wildtool("catalog", "export", "--out", tmp_path, "--home", tmp_path / "home").refused(str(tmp_path))


def test_the_version(wildtool: Wildtool) -> None:
    ran = wildtool("--version")
    assert ran.code == 0
    assert ran.out.strip()[0].isdigit()


def test_a_server_of_prefect_that_does_not_start_is_said_in_one_line(
    wildtool: Wildtool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def too_late(**_: object) -> None:
        raise RuntimeError("Timed out while attempting to connect to ephemeral Prefect API server.")

    # Prefect itself stays out of this process: its logging would hold on to this test's streams.
    monkeypatch.setitem(sys.modules, "wildtool.flows.catalog", SimpleNamespace(catalog=too_late))  # type: ignore[arg-type]
    ran = wildtool("catalog", "build", "core", "--flow", "--home", tmp_path / "home")
    assert ran.refused("server did not start in time")


@pytest.mark.parametrize("target", ["nowhere/copy.duckdb", "."])
def test_a_backup_that_cannot_be_written_names_its_own_place(wildtool: Wildtool, target: str) -> None:
    wildtool("catalog", "build", "core", "-q")
    assert wildtool("backup", target).refused(target)


@pytest.mark.parametrize("source", ["note.txt", ".", "missing"])
def test_what_is_no_backup_is_not_restored(wildtool: Wildtool, tmp_path: Path, source: str) -> None:
    (tmp_path / "note.txt").write_text("not a database", encoding="utf-8")
    wildtool("catalog", "build", "core", "-q")
    before = wildtool("status", "--json").json
    assert wildtool("restore", source).refused("backup")
    assert wildtool("status", "--json").json == before


def test_descriptions_of_which_none_can_be_imported_are_a_failure(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("no API", encoding="utf-8")
    ran = wildtool("catalog", "import", "note.txt", "--json")
    assert ran.refused("none of 1 files could be imported")


@pytest.mark.parametrize("flag", ["--dev-share", "--private-share"])
def test_a_share_above_one(wildtool: Wildtool, flag: str) -> None:
    assert wildtool("release", "freeze", "1.0.0", flag, "5").refused(flag)


def test_costs_are_read_before_anything_is_played(wildtool: Wildtool) -> None:
    run = ("evaluate", "run", "--release", "9.9.9", "--model", "builtin:gold", "--costs", "missing.toml")
    assert wildtool(*run).refused("missing.toml")

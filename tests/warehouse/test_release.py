"""Loading, verifying, comparing and exporting frozen releases."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.frozen import freeze
from tests.warehouse.conftest import accepted
from wildtool.flows.library import verify_release
from wildtool.schemas.errors import InputError
from wildtool.schemas.session import Session
from wildtool.validation.registry import RULES
from wildtool.warehouse import NoRules, diff_releases, export_release, load_manifest, load_release
from wildtool.warehouse.release.layout import manifest_sum
from wildtool.warehouse.release.release import file_problems

VERSIONS: dict[str, Any] = {"code_version": "0.1.0", "rules_version": "1"}


@pytest.fixture
def frozen(sessions: list[Session], label: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "0.1.0"
    freeze(sessions, "0.1.0", folder, labels=[label(session) for session in sessions], **VERSIONS)
    return folder


def thawed(folder: Path, to: Path) -> Path:
    """A copy whose files can be damaged."""
    shutil.copytree(folder, to)
    for path in to.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return to


def test_what_is_loaded_is_what_was_frozen(sessions: list[Session], frozen: Path) -> None:
    release = load_release(frozen)
    assert list(release.sessions) == sorted(sessions, key=lambda session: session.id)
    assert set(release.splits.values()) == {"dev", "test"}
    assert len(release.of_split("dev")) + len(release.of_split("test")) == 24
    assert len(release.digest) == 64


def test_odd_values_survive(make: Callable[..., Session], tmp_path: Path) -> None:
    session = make(1)
    odd = {"a": {}, "b": [], "c": None, "d": [1, "x", {"e": 1.5}], "f": "\u0000\u2028日", "g": 10**17}
    tool = {
        "type": "function",
        "function": {"name": "odd", "parameters": {"type": "object", "properties": {}}, "strict": True},
    }
    call = (
        session.tasks[0].actions[0].model_copy(update={"observation": odd, "argument_alternatives": {"city": ("x",)}})
    )
    task = session.tasks[0].model_copy(
        update={"actions": (call, session.tasks[0].actions[1]), "alternatives": (session.tasks[0].actions,)}
    )
    changed = Session.model_validate(
        session.model_copy(update={"tasks": (task, *session.tasks[1:]), "tools": (*session.tools, tool)}).model_dump(
            mode="json"
        )
    )
    freeze([changed, make(2)], "1.0.0", tmp_path / "r", labels=accepted([changed, make(2)]), **VERSIONS)
    assert changed in load_release(tmp_path / "r").sessions


def test_a_sound_release_verifies(frozen: Path) -> None:
    result = verify_release(frozen)
    assert result.problems == () and result.ok
    assert result.sessions == 24 and result.files == len(list(frozen.rglob("*.*"))) - 2


@pytest.mark.e2e  # every file in turn; a bit of any file is flipped below
def test_one_flipped_byte_is_found_and_named(frozen: Path, tmp_path: Path) -> None:
    names = [path.relative_to(frozen).as_posix() for path in sorted(frozen.rglob("*")) if path.is_file()]
    names.remove("manifest.json")
    names.remove("manifest.json.sha256")  # of the two, which one was flipped cannot be told: both are named (below)
    for number, name in enumerate(names):
        copy = thawed(frozen, tmp_path / f"copy{number}")
        data = bytearray((copy / name).read_bytes())
        data[len(data) // 2] ^= 1
        (copy / name).write_bytes(data)
        result = verify_release(copy, rules=NoRules())
        assert not result.ok
        assert any(problem.startswith(f"{name} was changed") for problem in result.problems), (name, result.problems)


@given(st.data())
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_flipped_bit_is_found_and_named(frozen: Path, tmp_path: Path, data: st.DataObject) -> None:
    """Checksums alone: what reads the files further is tried above."""
    name = data.draw(
        st.sampled_from(sorted(path.relative_to(frozen).as_posix() for path in frozen.rglob("*") if path.is_file()))
    )
    path = frozen / name
    original = path.read_bytes()
    place, bit = data.draw(st.integers(0, len(original) - 1)), data.draw(st.integers(0, 7))
    path.chmod(0o644)
    path.write_bytes(original[:place] + bytes([original[place] ^ 1 << bit]) + original[place + 1 :])
    try:
        manifest, _ = load_manifest(frozen)
        problems = list(file_problems(frozen, manifest))
    except InputError as error:
        problems = [error.cause]
    finally:
        path.write_bytes(original)
    assert any(name in problem for problem in problems), (name, place, bit, problems)


def test_missing_added_and_cut_files_are_named(frozen: Path, tmp_path: Path) -> None:
    copy = thawed(frozen, tmp_path / "copy")
    (copy / "sessions.jsonl").unlink()
    (copy / "extra.txt").write_text("x", encoding="utf-8")
    (copy / "README.md").write_text("x", encoding="utf-8")
    problems = verify_release(copy).problems
    assert "sessions.jsonl is missing" in problems
    assert "extra.txt does not belong to the release" in problems
    assert any(problem.startswith("README.md has 1 bytes") for problem in problems)


def test_counts_that_do_not_fit_are_named(frozen: Path, tmp_path: Path) -> None:
    copy = thawed(frozen, tmp_path / "copy")
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    manifest["counts"]["sessions"] = 25
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert "the manifest counts 25 sessions, the data hold 24" in verify_release(copy).problems


def test_gates_that_were_let_pass_stay_passed(make: Callable[..., Session], tmp_path: Path) -> None:
    session = make(1)
    task = session.tasks[3].model_copy(update={"user": "Write to jane.roe@mailbox.org please"})
    freeze([session.model_copy(update={"tasks": (*session.tasks[:3], task)})], "1.0.0", tmp_path / "r",
           labels=accepted([session]), allow={"privacy"}, **VERSIONS)  # fmt: skip
    result = verify_release(tmp_path / "r")
    assert result.ok and sum(bool(gate.failures) for gate in result.gates) == 1


NEW = ("failed", "doubts", "doubted", "unknown")
"""Fields of a rule's result that version 0.1.0 did not write."""


def test_a_manifest_of_version_0_1_0_loads_and_verifies(make: Callable[..., Session], tmp_path: Path) -> None:
    """It lists fewer gates, by ids of which some stand for several rules now, and no doubts."""
    session = make(1)
    answer = session.tasks[0].actions[1].model_copy(update={"depends_on": ()})
    task = session.tasks[0].model_copy(update={"actions": (session.tasks[0].actions[0], answer)})
    loose = session.model_copy(update={"tasks": (task, *session.tasks[1:])})
    freeze([loose], "1.0.0", tmp_path / "r", labels=accepted([loose]), allow={"waits"}, **VERSIONS)
    copy = thawed(tmp_path / "r", tmp_path / "copy")
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    old = [gate for gate in manifest["gates"] if gate["gate"] in ("ids", "graph", "edges", "judged")]
    manifest["gates"] = [
        {key: value for key, value in gate.items() if key not in NEW} | {"allowed": gate["gate"] == "edges"}
        for gate in old
    ]
    text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    (copy / "manifest.json").write_text(text, encoding="utf-8")
    (copy / "manifest.json.sha256").write_text(manifest_sum(text.encode(), manifest["canary"]), encoding="utf-8")
    assert load_manifest(copy)[0].gates[0].doubts == ()
    result = verify_release(copy)
    assert result.ok, (result.problems, [gate for gate in result.gates if not gate.ok])
    assert [gate.gate for gate in result.gates if gate.failures] == ["waits"]  # in 0.1.0 a part of ``edges``


def test_no_release(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no release"):
        load_release(tmp_path)
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="not a manifest"):
        verify_release(tmp_path)


def test_diff_names_fields(make: Callable[..., Session], tmp_path: Path) -> None:
    one, two, three = make(1), make(2), make(3)
    call = two.tasks[1].actions[0].model_copy(update={"arguments": {"city": "Oslo", "date": "2024-07-14", "limit": 3}})
    task = two.tasks[1].model_copy(update={"actions": (call, *two.tasks[1].actions[1:])})
    changed = two.model_copy(update={"tasks": (two.tasks[0], task, *two.tasks[2:])})
    freeze([one, two], "1.0.0", tmp_path / "a", labels=accepted([one, two]), **VERSIONS)
    freeze([changed, three], "1.1.0", tmp_path / "b", labels=accepted([changed, three]),
           allow={gate for gate in ("limits", "dates") if _is_gate(gate)}, **VERSIONS)  # fmt: skip
    diff = diff_releases(tmp_path / "a", tmp_path / "b")
    assert diff.added == (three.id,) and diff.removed == (one.id,) and diff.unchanged == 0
    assert [(change.session, change.path, change.before, change.after) for change in diff.changes] == [
        (two.id, "tasks[1].actions[0].arguments.date", "2024-07-13", "2024-07-14")
    ]
    assert diff_releases(tmp_path / "a", tmp_path / "a").unchanged == 2


def _is_gate(name: str) -> bool:
    return any(rule.id == name for rule in RULES)


def test_exports_are_the_files_of_the_release(frozen: Path, tmp_path: Path) -> None:
    assert [path.name for path in export_release(frozen, "jsonl", tmp_path / "j")] == ["sessions.jsonl"]
    assert (tmp_path / "j" / "sessions.jsonl").read_bytes() == (frozen / "sessions.jsonl").read_bytes()
    for path in export_release(frozen, "original", tmp_path / "o"):
        assert path.read_bytes() == (frozen / "original" / path.name).read_bytes()
    for path in export_release(frozen, "parquet", tmp_path / "p"):
        assert path.read_bytes() == (frozen / "data" / path.relative_to(tmp_path / "p")).read_bytes()
    with pytest.raises(InputError, match="exists"):
        export_release(frozen, "jsonl", tmp_path / "j")
    with pytest.raises(InputError, match="no format"):
        export_release(frozen, "csv", tmp_path / "c")  # type: ignore[arg-type]


def test_the_original_format(frozen: Path) -> None:
    for language in ("en", "zh"):
        lines = (frozen / "original" / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        assert [row["id"] for row in rows] == [f"wild_tool_bench_{number}" for number in range(12)]
        for row in rows:
            assert len(row["english_tasks"]) == len(row["english_answer_list"]) == len(row["answer_list"]) == 4
            assert row["english_task_types"] == ["Single-Tool", "Sequential Multi-Tool", "Clarify", "Chat"]
            assert row["english_turn_subtypes"] == [
                "Partial Information", "Coreferential Reference", "Long-Range Dependency",
            ]  # fmt: skip
            assert row["english_env_info"].startswith("2024-07-12 09:30:00 ")
            ask, call, answer = row["english_answer_list"][2]
            assert ask["action"] == {
                "name": "ask_user_for_required_parameters",
                "arguments": {"tool_name": "searchShows", "missing_required_parameters": ["date"]},
            }
            assert ask["user_input"] == "2024-07-20" and ask["dependency_list"] == []
            assert call["dependency_list"] == [0] and call["action"]["arguments"]["date"] == "2024-07-20"
            assert answer["action"] == {"name": "prepare_to_answer", "arguments": {"answer_type": "tool"}}
            assert row["english_answer_list"][3][0]["action"]["arguments"] == {"answer_type": "chat"}
        assert ("tools" in rows[0]) == (language == "zh")

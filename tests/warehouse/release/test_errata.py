"""What changed between versions, and which version number that asks for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.frozen import freeze
from tests.warehouse.conftest import accepted
from wildtool.schemas.errors import InputError
from wildtool.schemas.release import ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.warehouse.release.errata import (
    Erratum,
    Parent,
    check_version,
    errata_since,
    field_changes,
    read_parent,
    session_changes,
)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [("a", 1, 2)]),
        ({"b": 1, "a": 1}, {"b": 2, "a": 2}, [("a", 1, 2), ("b", 1, 2)]),
        ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"c": 3}]}}, [("a.b[1].c", 2, 3)]),
        ({"a": 1}, {}, [("a", 1, None)]),
        ({}, {"a": 1}, [("a", None, 1)]),
        ({"x": {}}, {"x": {"y": 5}}, [("x.y", None, 5)]),
        ([1, 2], [1], [("[1]", 2, None)]),
        ([1], [1, 2, 3], [("[1]", None, 2), ("[2]", None, 3)]),
        ({"a": [1]}, {"a": {"b": 1}}, [("a", [1], {"b": 1})]),
        ({"a": 1}, {"a": True}, [("a", 1, True)]),
        ({"a": None}, {"a": None}, []),
        (1, 2, [("", 1, 2)]),
        ({"a": [{"b": 1}]}, {"a": []}, [("a[0]", {"b": 1}, None)]),
    ],
)
def test_changes_are_listed_at_their_innermost_place(before: Any, after: Any, changes: Any) -> None:
    assert list(field_changes(before, after)) == changes


def other_answer(session: Session, text: str = "Glad to help.") -> Session:
    answer = session.tasks[3].actions[0].model_copy(update={"text": text})
    task = session.tasks[3].model_copy(update={"actions": (answer,)})
    return session.model_copy(update={"tasks": (*session.tasks[:3], task)})


def test_a_session_s_labels_are_no_gold(make: Callable[..., Session]) -> None:
    session = make(1)
    relabelled = session.model_copy(update={"provenance": session.provenance.model_copy(update={"labels": ("x",)})})
    assert session_changes(session, relabelled) == []
    assert session_changes(session, other_answer(relabelled)) == [
        ("tasks[3].actions[0].text", "You are welcome.", "Glad to help.")
    ]


def parent_of(
    sessions: list[Session], version: str = "1.2.3", errata: tuple[Erratum, ...] = (), **changes: Any
) -> Parent:
    fields: Mapping[str, Any] = {
        "name": "w", "version": version, "schema_version": "5", "rules_version": "1", "code_version": "0.1", "offline": False,
        "simulated_labels": False, "counts": {}, "models": {}, "prompts": {}, "sources": {}, "gates": (), "canary": "c",
        "files": (),
    }  # fmt: skip
    manifest = ReleaseManifest(**{**fields, **changes})
    return Parent(manifest, "0" * 64, {one.id: one for one in sessions}, {one.id: "test" for one in sessions}, errata)


def test_errata_of_the_parent_come_first_and_each_field_is_one(make: Callable[..., Session]) -> None:
    sessions = [make(1), make(2), make(3)]
    old = Erratum(version="1.1.0", session="ses_x", path="a", before=1, after=2, reason="r")
    now = [other_answer(sessions[0]), sessions[1], other_answer(sessions[2], "Bye."), make(4)]
    found = errata_since(parent_of(sessions, errata=(old,)), now, "1.2.4", {sessions[2].id: "a reader said so"})
    assert found[0] == old
    assert [(one.version, one.session, one.path, one.before, one.after, one.reason) for one in found[1:]] == [
        ("1.2.4", sessions[0].id, "tasks[3].actions[0].text", "You are welcome.", "Glad to help.", "corrected by its labels"),
        ("1.2.4", sessions[2].id, "tasks[3].actions[0].text", "You are welcome.", "Bye.", "a reader said so"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("version", "change", "advice"),
    [
        ("1.2.4", "labels", None), ("1.2.10", "labels", None), ("1.3.0", "labels", None), ("2.0.0", "labels", None),
        ("1.2.3", "labels", "1.2.4"), ("1.2.2", "labels", "1.2.4"), ("0.9.9", "labels", "1.2.4"),
        ("1.3.0", "added", None), ("1.10.0", "added", None), ("2.0.0", "added", None), ("1.3.1-rc.1", "added", None),
        ("1.2.4", "added", "1.3.0"), ("1.2.99", "removed", "1.3.0"), ("1.3.0", "removed", None),
        ("1.2.4", "swapped", "1.3.0"),
        ("2.0.0", "rules", None), ("10.0.0", "rules", None), ("1.3.0", "rules", "2.0.0"), ("1.2.4", "schema", "2.0.0"),
        ("2.0.0", "schema", None), ("1.99.0", "schema", "2.0.0"),
    ],
)  # fmt: skip
def test_a_version_follows_as_what_changed_asks_for(
    make: Callable[..., Session], version: str, change: str, advice: str | None
) -> None:
    sessions = [make(1), make(2), make(3)]
    now = {"added": [*sessions, make(4)], "removed": sessions[:2], "swapped": [*sessions[:2], make(4)]}.get(
        change, sessions
    )
    versions = {
        "schema_version": "6" if change == "schema" else "5",
        "rules_version": "2" if change == "rules" else "1",
    }
    if advice is None:
        check_version(parent_of(sessions), version, sessions=now, **versions)
        return
    with pytest.raises(InputError, match=r"does not follow 1\.2\.3") as caught:
        check_version(parent_of(sessions), version, sessions=now, **versions)
    assert f"freeze it as {advice} or" in caught.value.remedy


def test_the_reason_counts_what_came_and_went(make: Callable[..., Session]) -> None:
    now = [make(1), make(4), make(5)]
    with pytest.raises(InputError, match="2 sessions were added, 1 removed"):
        check_version(parent_of([make(1), make(2)]), "1.2.4", sessions=now, schema_version="5", rules_version="1")


def test_a_parent_is_read_from_its_folder(make: Callable[..., Session], tmp_path: Path) -> None:
    sessions = [make(1), make(2), make(3)]
    folder = tmp_path / "1.0.0"
    freeze(sessions, "1.0.0", folder, labels=accepted(sessions), code_version="1", rules_version="1")
    later = tmp_path / "1.0.1"
    freeze(
        [other_answer(sessions[0]), *sessions[1:]], "1.0.1", later, parent=folder, code_version="1", rules_version="1"
    )
    parent = read_parent(later)
    assert parent.manifest.version == "1.0.1" and len(parent.digest) == 64
    assert (later / "manifest.json.sha256").read_text(encoding="utf-8").startswith(parent.digest)
    assert parent.sessions == {one.id: one for one in [other_answer(sessions[0]), *sessions[1:]]}
    assert set(parent.splits.values()) == {"dev", "test"} and parent.splits.keys() == parent.sessions.keys()
    assert [one.path for one in parent.errata] == ["tasks[3].actions[0].text"]
    assert parent.splits == read_parent(folder).splits


@pytest.mark.parametrize("broken", ["nothing", "manifest", "errata", "field", "data"])
def test_a_folder_that_is_no_release_is_refused(make: Callable[..., Session], tmp_path: Path, broken: str) -> None:
    folder = tmp_path / "r"
    if broken != "nothing":
        sessions = [make(1), make(2)]
        freeze(sessions, "1.0.0", folder, labels=accepted(sessions), code_version="1", rules_version="1")
        for path in folder.rglob("*"):
            path.chmod(0o755)
    match broken:
        case "manifest":
            (folder / "manifest.json").write_text("{}", encoding="utf-8")
        case "errata":
            (folder / "errata.json").write_text(json.dumps({"canary": "x"}), encoding="utf-8")
        case "field":
            (folder / "errata.json").write_text(json.dumps({"errata": [{"path": "x"}]}), encoding="utf-8")
        case "data":
            for path in (folder / "data").rglob("*.parquet"):
                path.write_bytes(b"PAR1")
    with pytest.raises(InputError, match=str(folder)):
        read_parent(folder)

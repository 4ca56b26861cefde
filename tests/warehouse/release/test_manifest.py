"""The manifest and the card: what a release is made of, and whom it does not name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

from tests.frozen import digest_of, freeze
from wildtool.schemas.base import SCHEMA_VERSION
from wildtool.schemas.label import AgreementReport, Figure
from wildtool.schemas.release import ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.validation.registry import RULES
from wildtool.validation.rule import LooksAt
from wildtool.warehouse.release.freezing import canary_of
from wildtool.warehouse.release.release import load_release

VERSIONS = {"code_version": "0.1.0", "rules_version": "1"}


def test_the_card_says_first_what_it_is(frozen: Path) -> None:
    body = (frozen / "README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    first = next(line for line in body.splitlines() if line.strip())
    assert "OFFLINE MODEL" in first and "SIMULATED LABELS" in first


def test_manifest_counts_and_checksums(frozen: Path) -> None:
    manifest = ReleaseManifest.model_validate_json((frozen / "manifest.json").read_text(encoding="utf-8"))
    counts = manifest.counts
    assert (counts["sessions"], counts["tasks"], counts["calls"], counts["asks"]) == (24, 96, 96, 24)
    assert counts["sessions.en"] == counts["sessions.zh"] == 12 and counts["annotators"] == 2
    assert counts["sessions.en.dev"] + counts["sessions.en.test"] == 12
    listed = {file.path: file.sha256 for file in manifest.files}
    assert listed == {
        path: digest for path, digest in digest_of(frozen).items() if not path.startswith("manifest.json")
    }


def test_every_file_carries_the_canary(frozen: Path) -> None:
    canary = json.loads((frozen / "manifest.json").read_text(encoding="utf-8"))["canary"].encode()
    for path in frozen.rglob("*"):
        if path.is_file():
            assert canary in path.read_bytes(), path


def test_duckdb_and_jsonl_read_the_same_counts(frozen: Path) -> None:
    with duckdb.connect(str(frozen / "benchmark.duckdb"), read_only=True) as connection:

        def one(query: str) -> Any:
            return connection.execute(query).fetchall()[0][0]

        assert one("SELECT count(*) FROM sessions") == 24
        assert one("SELECT count(*) FROM tasks") == 96
        assert one("SELECT count(*) FROM actions WHERE kind = 'call'") == 96
        assert one("SELECT sum(tasks) FROM composition") == 96
        assert one("SELECT sum(tasks) FROM hidden_intents") == 72
        assert one("SELECT max(transitions) FROM type_sequences") == 3
        assert one("SELECT count(*) FROM tool_use") == 3
        assert one("SELECT sum(calls) FROM task_shape") == 96
        assert one("SELECT count(*) FROM annotators WHERE simulated") == 2
        assert one("SELECT count(*) FROM provenance WHERE json_array_length(annotators) = 1") == 24
        assert one("SELECT json_extract_string(arguments, '$.city') FROM actions WHERE name = 'getAirQuality' LIMIT 1")
    lines = [json.loads(line) for line in (frozen / "sessions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 24 and sum(len(line["tasks"]) for line in lines) == 96
    for line in lines:
        assert line["messages"][0]["role"] == "system"
        assert [line["messages"][task["message"]]["role"] for task in line["tasks"]] == ["user"] * 4
        answered = {message["tool_call_id"] for message in line["messages"] if message["role"] == "tool"}
        called = {call["id"] for message in line["messages"] for call in message.get("tool_calls", ())}
        assert answered == called and len(called) == 4
        assert "x-returns" not in json.dumps(line["tools"])


def report(annotators: tuple[str, ...], sessions: list[Session]) -> AgreementReport:
    figure = Figure(value=0.9, n=4)
    return AgreementReport(
        sessions=len(sessions),
        annotators=annotators,
        simulated=True,
        alpha={"type": figure},
        call_f1=figure,
        argument_exact=figure,
        edge_f1=figure,
        by_annotator={annotators[0]: {"pairs": 1.0}, " & ".join(annotators): {"pairs": 1.0}},
        disagreements={session.id: ("type",) for session in sessions},
    )


def test_the_manifest_says_what_the_release_is_made_of(
    make: Callable[..., Session], label: Any, tmp_path: Path
) -> None:
    sessions = [make(1), make(2)]
    models = sessions[1].provenance.model_copy(update={"models": {"user": "big-2", "assistant": "big-2"}})
    sessions[1] = sessions[1].model_copy(update={"provenance": models})
    manifest = freeze(
        sessions, "1.0.0-rc.1", tmp_path / "r", name="Été 2.x-y", labels=[label(one) for one in sessions],
        sources={"logs": "of 2024"}, licence="CC0-1.0", code_version="0.9", rules_version="7",
    )  # fmt: skip
    assert (manifest.name, manifest.version) == ("Été 2.x-y", "1.0.0-rc.1")
    assert (manifest.code_version, manifest.rules_version, manifest.schema_version) == ("0.9", "7", SCHEMA_VERSION)
    assert manifest.offline and manifest.simulated_labels
    assert manifest.models == {"assistant": ("big-2",), "user": ("big-2", "offline-1")}
    assert list(manifest.models) == ["assistant", "user"]
    assert manifest.prompts == {"user": ("0" * 64,)}
    assert manifest.sources == {"logs": "of 2024", "licence": "CC0-1.0"}
    assert manifest.agreement is None and manifest.counts["annotators"] == 1
    assert manifest.canary.startswith("Été 2.x-y-canary-") and len(manifest.canary.rpartition("-")[2]) == 32
    text = (tmp_path / "r" / "manifest.json").read_text(encoding="utf-8")
    assert text.endswith("}\n") and "Été" in text and text.startswith('{\n  "agreement": null,')
    assert [*json.loads(text)] == sorted(json.loads(text))


def test_marks_come_from_sessions_and_from_labels(make: Callable[..., Session], label: Any, tmp_path: Path) -> None:
    def marked(name: str, *, offline: bool, simulated: bool, labelled: bool) -> tuple[bool, bool]:
        sessions = [make(1), make(2)]
        plain = sessions[1].provenance.model_copy(update={"offline": False, "simulated_labels": False})
        sessions[1] = sessions[1].model_copy(update={"provenance": plain})
        mine = plain.model_copy(update={"offline": offline, "simulated_labels": simulated})
        sessions[0] = sessions[0].model_copy(update={"provenance": mine})
        labels = [label(sessions[0], simulated=labelled), label(sessions[1], simulated=False)]
        manifest = freeze(sessions, "1.0.0", tmp_path / name, labels=labels, **VERSIONS)
        return manifest.offline, manifest.simulated_labels

    assert marked("none", offline=False, simulated=False, labelled=False) == (False, False)
    assert marked("offline", offline=True, simulated=False, labelled=False) == (True, False)
    assert marked("session", offline=False, simulated=True, labelled=False) == (False, True)
    assert marked("label", offline=False, simulated=False, labelled=True) == (False, True)


def test_canaries_tell_names_versions_and_sessions_apart(make: Callable[..., Session]) -> None:
    sessions = [make(1), make(2)]
    seen = {
        canary_of("a", "1.0.0", sessions),
        canary_of("b", "1.0.0", sessions),
        canary_of("a", "1.0.1", sessions),
        canary_of("a", "1.0.0", sessions[:1]),
        canary_of("a", "1.0.0", sessions[::-1]),
    }
    assert len(seen) == 5 and canary_of("a", "1.0.0", sessions) in seen


def test_annotators_go_by_names_of_this_release_only(make: Callable[..., Session], label: Any, tmp_path: Path) -> None:
    sessions = [make(1), make(2)]
    people = tuple(f"ann_secret{number}" for number in range(6))
    labels = [label(session, who) for session in sessions for who in people]
    orders = set()
    for version in ("1.0.0", "1.0.1", "1.0.2"):
        folder = tmp_path / version
        manifest = freeze(sessions, version, folder, labels=labels, agreement=report(people, sessions), **VERSIONS)
        for path in folder.rglob("*"):
            assert not path.is_file() or b"ann_secret" not in path.read_bytes(), path
        agreement = AgreementReport.model_validate(manifest.agreement)
        assert sorted(agreement.annotators) == [f"annotator_{number:02d}" for number in range(1, 7)]
        assert list(agreement.by_annotator) == [agreement.annotators[0], " & ".join(agreement.annotators)]
        orders.add(agreement.annotators)
    assert len(orders) > 1  # the same person has another number in another release


def test_agreement_is_that_of_the_parent_unless_a_new_one_is_given(
    make: Callable[..., Session], label: Any, tmp_path: Path
) -> None:
    sessions = [make(1), make(2)]
    labels = [label(one) for one in sessions]
    first = report(("ann-1", "ann-2"), sessions[:1])
    freeze(sessions, "1.0.0", tmp_path / "1.0.0", labels=labels, agreement=first, **VERSIONS)
    kept = freeze(sessions, "1.0.1", tmp_path / "1.0.1", labels=labels, parent=tmp_path / "1.0.0", **VERSIONS)
    assert kept.agreement is not None and kept.agreement["sessions"] == 1
    assert kept.sources["parent"].startswith("1.0.0 ") and len(kept.sources["parent"]) == 6 + 64
    new = report(("ann-1", "ann-2"), sessions)
    other = freeze(
        sessions, "1.0.2", tmp_path / "1.0.2", labels=labels, parent=tmp_path / "1.0.0", agreement=new, **VERSIONS
    )
    assert other.agreement is not None and other.agreement["sessions"] == 2


def test_the_public_part_names_no_private_session(make: Callable[..., Session], label: Any, tmp_path: Path) -> None:
    """Neither as failing, nor as what a public session resembles, nor as one that annotators disagreed on."""
    sessions = [make(number) for number in range(8)]
    sessions += [one.model_copy(update={"id": f"ses_twin{number}"}) for number, one in enumerate(sessions)]
    broken = [
        one.model_copy(
            update={
                "tasks": (
                    one.tasks[0].model_copy(
                        update={
                            "actions": (
                                one.tasks[0].actions[0].model_copy(update={"arguments": {"city": 7}}),
                                *one.tasks[0].actions[1:],
                            )
                        }
                    ),
                    *one.tasks[1:],
                )
            }
        )
        for one in sessions
    ]
    manifest = freeze(
        broken, "1.0.0", tmp_path / "1.0.0", labels=[label(one) for one in broken], private_share=0.5,
        agreement=report(("ann-1", "ann-2"), broken), allow=[rule.id for rule in RULES if rule.looks_at is not LooksAt.DRAFT], **VERSIONS,
    )  # fmt: skip
    hidden = ReleaseManifest.model_validate_json((tmp_path / "1.0.0-private" / "manifest.json").read_bytes())
    secret = set(split_ids(tmp_path / "1.0.0-private"))
    public = set(split_ids(tmp_path / "1.0.0"))
    assert secret and public and secret | public == {one.id for one in sessions}
    for path in (tmp_path / "1.0.0").rglob("*"):
        assert not path.is_file() or not any(id.encode() in path.read_bytes() for id in secret), path
    # What concerns the public part stays, and the private part has its own.
    failing = {one.session for result in manifest.gates for one in result.failures if one.session}
    assert failing == public
    assert {one.session for result in hidden.gates for one in result.failures if one.session} == secret
    assert manifest.agreement is not None and set(manifest.agreement["disagreements"]) == public
    assert hidden.agreement is not None and set(hidden.agreement["disagreements"]) == secret
    reasons = [one.reason for result in manifest.gates for one in result.failures]
    assert any("another session" in reason for reason in reasons)
    assert any(id in reason for reason in reasons for id in public)
    assert (manifest.name, hidden.name) == ("wildtool", "wildtool-private")
    assert manifest.counts["sessions"] == len(public) and hidden.counts["sessions"] == len(secret)


def split_ids(folder: Path) -> list[str]:
    return [session.id for session in load_release(folder).sessions]


def test_labels_of_other_sessions_count_for_nothing(make: Callable[..., Session], label: Any, tmp_path: Path) -> None:
    sessions = [make(1), make(2)]
    labels = [*(label(one, simulated=False) for one in sessions), label(make(3), "ann-9", simulated=True)]
    plain = [
        one.model_copy(
            update={"provenance": one.provenance.model_copy(update={"offline": False, "simulated_labels": False})}
        )
        for one in sessions
    ]
    manifest = freeze(plain, "1.0.0", tmp_path / "r", labels=labels, **VERSIONS)
    assert manifest.counts["annotators"] == 1 and not manifest.simulated_labels

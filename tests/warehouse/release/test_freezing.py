"""Freezing: whole or not at all, the same bytes, never again."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.frozen import freeze
from wildtool.flows.library import verify_release
from wildtool.schemas.base import SCHEMA_VERSION
from wildtool.schemas.errors import FrozenError, GateError, HomeError, InputError
from wildtool.schemas.label import AgreementReport, Figure, Label
from wildtool.schemas.release import ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language
from wildtool.validation.registry import RULES
from wildtool.validation.rule import LooksAt
from wildtool.warehouse.release.freezing import canary_of, split_sessions
from wildtool.warehouse.release.release import load_release

VERSIONS = {"code_version": "0.1.0", "rules_version": "1"}


def digest_of(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def labels(sessions: list[Session], label: Callable[..., Label]) -> list[Label]:
    return [label(session) for session in sessions] + [label(session, "ann-2") for session in sessions]


@pytest.fixture
def frozen(sessions: list[Session], labels: list[Label], tmp_path: Path) -> Path:
    folder = tmp_path / "releases" / "0.1.0"
    freeze(sessions, "0.1.0", folder, labels=labels, **VERSIONS)
    return folder


def test_the_same_input_gives_the_same_bytes(
    sessions: list[Session], labels: list[Label], frozen: Path, tmp_path: Path
) -> None:
    again = tmp_path / "elsewhere" / "0.1.0"
    freeze(list(reversed(sessions)), "0.1.0", again, labels=labels, **VERSIONS)
    assert digest_of(again) == digest_of(frozen)
    assert "benchmark.duckdb" in digest_of(again)


ELSEWHERE = """
import sys, time
from pathlib import Path
import pyarrow
sys.path.insert(0, sys.argv[1])
pyarrow.set_cpu_count(int(sys.argv[3]))
later = time.time() + 86_400 * 400
time.time = lambda: later
from wildtool.schemas.vocabulary import Language
from tests.warehouse.conftest import make_label, make_session
from tests.frozen import freeze
sessions = [make_session(number, language) for language in Language for number in range(12)]
labels = [make_label(session) for session in sessions] + [make_label(session, "ann-2") for session in sessions]
freeze(sessions, "0.1.0", Path(sys.argv[2]), labels=labels, code_version="0.1.0", rules_version="1")
"""


@pytest.mark.parametrize(
    ("seed", "threads", "zone"), [("1", "1", "Asia/Shanghai"), ("4242", "4", "America/Los_Angeles")]
)
def test_another_process_day_and_place_give_the_same_bytes(
    frozen: Path, tmp_path: Path, seed: str, threads: str, zone: str
) -> None:
    (tmp_path / "cwd").mkdir()
    environment = {
        "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads, "TZ": zone, "LANG": "C", "PATH": os.environ["PATH"],
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }  # fmt: skip
    folder = tmp_path / "another place" / "0.1.0"
    root = str(Path(__file__).parents[3])
    subprocess.run(
        [sys.executable, "-c", ELSEWHERE, root, str(folder), threads], check=True, env=environment, cwd=tmp_path / "cwd"
    )
    assert digest_of(folder) == digest_of(frozen)


def test_a_second_freeze_changes_nothing(sessions: list[Session], labels: list[Label], frozen: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in frozen.rglob("*")}
    manifest = freeze(sessions, "0.1.0", frozen, labels=labels, **VERSIONS)
    assert {path: path.stat().st_mtime_ns for path in frozen.rglob("*")} == before
    assert manifest == ReleaseManifest.model_validate_json((frozen / "manifest.json").read_text(encoding="utf-8"))
    assert [path.name for path in frozen.parent.iterdir()] == ["0.1.0"]


def test_a_frozen_version_is_never_written_again(sessions: list[Session], labels: list[Label], frozen: Path) -> None:
    before = digest_of(frozen)
    with pytest.raises(FrozenError, match="differs in"):
        freeze(sessions[:-1], "0.1.0", frozen, labels=labels, **VERSIONS)
    assert digest_of(frozen) == before
    assert [path.name for path in frozen.parent.iterdir()] == ["0.1.0"]


def test_a_failed_gate_writes_nothing(make: Callable[..., Session], label: Any, tmp_path: Path) -> None:
    good, bad = make(1), make(2)
    broken = bad.tasks[0].actions[0].model_copy(update={"arguments": {"city": 7}})
    task = bad.tasks[0].model_copy(update={"actions": (broken, *bad.tasks[0].actions[1:])})
    bad = bad.model_copy(update={"tasks": (task, *bad.tasks[1:])})
    folder = tmp_path / "1.0.0"
    with pytest.raises(GateError, match=r"arguments \(1\)") as caught:
        freeze([good, bad], "1.0.0", folder, labels=[label(good), label(bad)], **VERSIONS)
    assert any(f"{bad.id} task 0 action 0" in note for note in caught.value.__notes__)
    assert list(tmp_path.iterdir()) == []
    manifest = freeze(
        [good, bad],
        "1.0.0",
        folder,
        labels=[label(good), label(bad)],
        allow={"arguments", "grounding"},
        **VERSIONS,
    )
    assert [result.gate for result in manifest.gates if result.failures and result.allowed] == ["arguments"]
    # That the city was never said is read in text: a doubt that refuses nothing.
    assert "grounding" in [result.gate for result in manifest.gates if result.doubts]
    assert "let pass" in (folder / "README.md").read_text(encoding="utf-8")


def test_bad_usage(sessions: list[Session], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a semantic version"):
        freeze(sessions, "one", tmp_path / "r", **VERSIONS)
    with pytest.raises(InputError, match="no labelled session"):
        freeze([], "1.0.0", tmp_path / "r", **VERSIONS)
    with pytest.raises(InputError, match="no gate named nonsense"):
        freeze(sessions, "1.0.0", tmp_path / "r", allow={"nonsense"}, **VERSIONS)


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


def test_datasets_loads_it_offline(frozen: Path, tmp_path: Path) -> None:
    code = f"""
import datasets, json
for name, language in (("en", "en"), ("zh", "zh"), (None, "en")):
    loaded = datasets.load_dataset({str(frozen)!r}, name)
    assert set(loaded) == {{"dev", "test"}}, loaded
    rows = [row for split in loaded.values() for row in split]
    assert len(rows) == 12
    for row in rows:
        assert row["language"] == language and len(row["tasks"]) == 4
        for tool in row["tools"]:
            assert json.loads(tool["parameters"])["type"] == "object"
        for task in row["tasks"]:
            for action in task["actions"]:
                assert isinstance(json.loads(action["arguments"]), dict)
    observation = json.loads(rows[0]["tasks"][1]["actions"][1]["observation"])
    assert observation["seats"] == []
print("loaded")
"""
    environment = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0 and "loaded" in done.stdout, done.stderr[-2000:]


def test_datasets_tells_two_releases_of_one_version_apart(
    sessions: list[Session], labels: list[Label], frozen: Path, tmp_path: Path
) -> None:
    """Its cache goes by folder name and configuration: the second folder must not be answered with the first's rows."""
    other = tmp_path / "elsewhere" / "0.1.0"
    freeze(sessions[::2], "0.1.0", other, labels=labels, **VERSIONS)
    code = f"""
import datasets
for folder in ({str(frozen)!r}, {str(other)!r}):
    print(sum(split.num_rows for name in ("en", "zh") for split in datasets.load_dataset(folder, name).values()))
"""
    environment = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["24", "12"], done.stderr[-2000:]


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


def test_splits_stay_when_sessions_are_added(make: Callable[..., Session]) -> None:
    few = [make(number) for number in range(30)]
    many = [make(number) for number in range(120)]
    before = split_sessions(few, seed=1, dev_share=0.2)
    after = split_sessions(many, seed=1, dev_share=0.2)
    assert all(after[id] == split for id, split in before.items())
    assert 10 <= sum(split == "dev" for split in after.values()) <= 40
    kept = split_sessions(many, seed=2, dev_share=0.2, earlier=before)
    assert all(kept[id] == split for id, split in before.items())


def test_small_sets_have_both_splits(make: Callable[..., Session]) -> None:
    for seed in range(20):
        assert set(split_sessions([make(1), make(2)], seed=seed, dev_share=0.2).values()) == {"dev", "test"}
    assert set(split_sessions([make(1), make(2)], seed=0, dev_share=0).values()) == {"test"}


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[3])
from conftest import make_label, make_session
from wildtool.warehouse.release import freezing, layout
step, last = 0, int(sys.argv[2])
def dying(function):
    def called(*args, **kwargs):
        global step
        step += 1
        if step == last:
            os.kill(os.getpid(), 9)
        return function(*args, **kwargs)
    return called
for name in ("write_parquet", "write_lines", "write_benchmark", "describe"):
    setattr(layout, name, dying(getattr(layout, name)))
freezing.seal = dying(freezing.seal)
freezing.sync_folder = dying(freezing.sync_folder)
sessions = [make_session(number) for number in range(4)]
from tests.frozen import freeze
freeze(sessions, "1.0.0", __import__("pathlib").Path(sys.argv[1]),
       labels=[make_label(session) for session in sessions], code_version="1", rules_version="1")
"""


@pytest.mark.parametrize("step", [3, 25, 58])
def test_a_killed_freeze_leaves_all_or_nothing(
    make: Callable[..., Session], label: Any, tmp_path: Path, step: int
) -> None:
    folder = tmp_path / "1.0.0"
    command = [sys.executable, "-c", KILLED, str(folder), str(step), str(Path(__file__).parents[1])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (-9, 0), done.stderr
    if folder.exists():
        assert verify_release(folder).ok
    sessions = [make(number) for number in range(4)]
    labels = [label(session) for session in sessions]
    manifest = freeze(sessions, "1.0.0", folder, labels=labels, code_version="1", rules_version="1")
    assert verify_release(folder).ok and manifest.counts["sessions"] == 4
    assert [path.name for path in tmp_path.iterdir()] == ["1.0.0"]


# Versions, names, splits


@pytest.mark.parametrize("version", ["1.0", "1.0.0.0", "v1.0.0", "1.0.0-", "1.0.0 ", "", "1.0.0\n", "1.0.0+x"])
def test_versions_are_semantic(sessions: list[Session], tmp_path: Path, version: str) -> None:
    with pytest.raises(InputError, match="semantic version"):
        freeze(sessions, version, tmp_path / "r", **VERSIONS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "1x", "_x", "a/b", "a" * 81, "x\n", "../x"])
def test_names_are_plain(sessions: list[Session], tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="name"):
        freeze(sessions, "1.0.0", tmp_path / "r", name=name, **VERSIONS)


@pytest.mark.parametrize(("dev", "private"), [(1, 0), (1.0, 0.5), (-0.1, 0), (0.2, 1), (0.2, 1.5), (0.2, -0.1), (2, 2)])
def test_shares_out_of_range_are_refused(make: Callable[..., Session], dev: float, private: float) -> None:
    with pytest.raises(InputError, match="shares"):
        split_sessions([make(1), make(2)], seed=0, dev_share=dev, private_share=private)


def test_shares_are_met_about(make: Callable[..., Session]) -> None:
    many = [make(number) for number in range(300)]
    found = split_sessions(many, seed=3, dev_share=0.25, private_share=0.4)
    private = sum(split == "private" for split in found.values())
    dev = sum(split == "dev" for split in found.values())
    assert abs(private / 300 - 0.4) < 0.1 and abs(dev / (300 - private) - 0.25) < 0.1
    assert found != split_sessions(many, seed=4, dev_share=0.25, private_share=0.4)
    # Private or not, a session is drawn apart from dev or test.
    public = split_sessions(many, seed=3, dev_share=0.25)
    moved = {(found[id], split) for id, split in public.items()}
    assert moved == {("private", "dev"), ("private", "test"), ("dev", "dev"), ("test", "test")}
    assert set(split_sessions(many, seed=3, dev_share=0.25, private_share=0).values()) == {"dev", "test"}


def test_each_language_has_both_public_splits(make: Callable[..., Session]) -> None:
    for seed in range(30):
        few = [make(1), make(2), make(1, Language.ZH), make(2, Language.ZH)]
        found = split_sessions(few, seed=seed, dev_share=0.01)
        for pair in (few[:2], few[2:]):
            assert {found[one.id] for one in pair} == {"dev", "test"}
        found = split_sessions(few, seed=seed, dev_share=0.99)
        for pair in (few[:2], few[2:]):
            assert {found[one.id] for one in pair} == {"dev", "test"}
    alone = split_sessions([make(1)], seed=0, dev_share=0.01)
    assert set(alone.values()) == {"test"}


def test_the_forced_one_is_the_nearest(make: Callable[..., Session]) -> None:
    """With a share too small, dev gets the session that the next larger share would give it; test likewise."""
    few = [make(number) for number in range(6)]
    for seed in range(10):
        first = [id for id, split in split_sessions(few, seed=seed, dev_share=1e-9).items() if split == "dev"]
        assert len(first) == 1
        last = [id for id, split in split_sessions(few, seed=seed, dev_share=1 - 1e-9).items() if split == "test"]
        assert len(last) == 1 and first != last
        for share in (0.3, 0.5, 0.7):
            found = split_sessions(few, seed=seed, dev_share=share)
            assert found[first[0]] == "dev" and found[last[0]] == "test"


def test_what_an_earlier_release_decided_stands(make: Callable[..., Session]) -> None:
    few = [make(number) for number in range(4)]
    tests = {session.id: "test" for session in few}
    assert split_sessions(few, seed=0, dev_share=0.9, private_share=0.9, earlier=tests) == tests
    new = [*few, make(4)]
    found = split_sessions(new, seed=0, dev_share=0.01, earlier=tests)
    assert found[new[-1].id] == "dev"  # the only free one, so that there is one in dev
    secret = {few[0].id: "private", few[1].id: "dev"}
    found = split_sessions(few, seed=0, dev_share=0.2, earlier=secret)
    assert found[few[0].id] == "private" and found[few[1].id] == "dev"
    assert "private" not in {found[few[2].id], found[few[3].id]}
    # Where nothing was private, a later share makes none of the old ones so, and nobody is forced.
    found = split_sessions(few, seed=0, dev_share=0.2, private_share=1e-9, earlier={few[0].id: "dev"})
    assert "private" not in found.values()


def test_who_asks_for_a_private_part_gets_the_nearest_one_and_never_everything(make: Callable[..., Session]) -> None:
    few = [make(number) for number in range(5)]
    for seed in range(10):
        found = split_sessions(few, seed=seed, dev_share=0.2, private_share=1e-9)
        (secret,) = [id for id, split in found.items() if split == "private"]
        more = split_sessions(few, seed=seed, dev_share=0.2, private_share=0.5)
        assert "private" not in more.values() or more[secret] == "private"
    assert split_sessions(few[:1], seed=0, dev_share=0.2, private_share=1e-9) == {few[0].id: "test"}
    with pytest.raises(InputError, match="every session would be private"):
        split_sessions(few, seed=0, dev_share=0.2, private_share=1 - 1e-12)
    assert split_sessions([], seed=0, dev_share=0.2, private_share=0.5) == {}


# What a manifest says


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


# Folders


def test_nothing_is_left_beside_the_release(make: Callable[..., Session], label: Any, tmp_path: Path) -> None:
    sessions = [make(1), make(2)]
    leftover = tmp_path / "deep" / ".1.0.0.freezing"
    leftover.mkdir(parents=True)
    (leftover / "junk").write_text("of a killed freeze", encoding="utf-8")
    folder = tmp_path / "deep" / "1.0.0"
    freeze(sessions, "1.0.0", folder, labels=[label(one) for one in sessions], **VERSIONS)
    assert [path.name for path in folder.parent.iterdir()] == ["1.0.0"] and not (folder / "junk").exists()
    assert all(path.stat().st_mode & 0o222 == 0 for path in folder.rglob("*") if path.is_file())
    assert verify_release(folder).ok


def test_a_frozen_folder_that_differs_names_the_first_files(
    make: Callable[..., Session], label: Any, tmp_path: Path
) -> None:
    sessions = [make(1), make(2)]
    labels = [label(one) for one in sessions]
    folder = tmp_path / "1.0.0"
    freeze(sessions, "1.0.0", folder, labels=labels, **VERSIONS)
    (folder / "README.md").chmod(0o644)
    (folder / "README.md").write_text("changed", encoding="utf-8")
    with pytest.raises(FrozenError, match=r"differs in README\.md \("):
        freeze(sessions, "1.0.0", folder, labels=labels, **VERSIONS)
    (folder / "a.txt").write_text("added", encoding="utf-8")
    (folder / "sessions.jsonl").unlink()
    with pytest.raises(FrozenError, match=r"differs in README\.md, a\.txt, sessions\.jsonl \("):
        freeze(sessions, "1.0.0", folder, labels=labels, **VERSIONS)
    (folder / "b.txt").write_text("added", encoding="utf-8")
    with pytest.raises(FrozenError, match=r"differs in README\.md, a\.txt, b\.txt and 1 more files"):
        freeze(sessions, "1.0.0", folder, labels=labels, **VERSIONS)


def test_a_folder_that_cannot_be_written_is_the_disk_s_fault(
    make: Callable[..., Session], label: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(HomeError, match="cannot be written"):
        freeze([make(1)], "1.0.0", tmp_path / "file" / "r", labels=[label(make(1))], **VERSIONS)

"""Versions that follow each other: errata, splits that stay, private parts, contamination."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.frozen import freeze
from tests.warehouse.conftest import accepted, make_session
from wildtool.flows.library import verify_release
from wildtool.grounding.ngrams import session_ngrams
from wildtool.schemas.errors import InputError
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse import find_contamination, load_release
from wildtool.warehouse.release.contamination import file_ngrams

VERSIONS: dict[str, Any] = {"code_version": "0.1.0", "rules_version": "1"}


def corrected(session: Session) -> Session:
    """The same session with another final answer."""
    answer = session.tasks[3].actions[0].model_copy(update={"text": "Glad to help | always."})
    task = session.tasks[3].model_copy(update={"actions": (answer,)})
    return session.model_copy(update={"tasks": (*session.tasks[:3], task)})


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A first version. Tests must not change it."""
    folder = tmp_path_factory.mktemp("first") / "1.0.0"
    sessions = [make_session(number) for number in range(10)]
    freeze(sessions, "1.0.0", folder, labels=accepted(sessions), **VERSIONS)
    return folder


def test_a_patch_lists_what_was_corrected(make: Any, first: Path, tmp_path: Path) -> None:
    sessions = [corrected(make(0)), *(make(number) for number in range(1, 10))]
    reasons = {sessions[0].id: "reported by a | reader"}
    freeze(sessions, "1.0.1", tmp_path / "1.0.1", parent=first, reasons=reasons, **VERSIONS)
    release = load_release(tmp_path / "1.0.1")
    assert release.splits == load_release(first).splits
    (erratum,) = json.loads((tmp_path / "1.0.1" / "errata.json").read_text(encoding="utf-8"))["errata"]
    assert erratum == {
        "version": "1.0.1", "session": sessions[0].id, "path": "tasks[3].actions[0].text",
        "before": "You are welcome.", "after": "Glad to help | always.", "reason": "reported by a | reader",
    }  # fmt: skip
    card = (tmp_path / "1.0.1" / "README.md").read_text(encoding="utf-8")
    assert "## Errata" in card and "reported by a \\| reader" in card
    # The next version carries them on.
    freeze(
        [*sessions, make(10)],
        "1.1.0",
        tmp_path / "1.1.0",
        labels=accepted([make(10)]),
        parent=tmp_path / "1.0.1",
        **VERSIONS,
    )
    assert len(json.loads((tmp_path / "1.1.0" / "errata.json").read_text(encoding="utf-8"))["errata"]) == 1
    assert release.splits.items() <= load_release(tmp_path / "1.1.0").splits.items()
    assert verify_release(tmp_path / "1.1.0").ok


@pytest.mark.parametrize(
    ("version", "extra", "rules", "advice"),
    [
        ("1.0.1", 1, "1", "1.1.0"),
        ("1.1.0", 1, "2", "2.0.0"),
        ("1.0.0", 0, "1", "1.0.1"),
        ("0.9.0", 0, "1", "1.0.1"),
    ],
)
def test_a_version_too_small_is_refused(
    make: Any, first: Path, tmp_path: Path, version: str, extra: int, rules: str, advice: str
) -> None:
    sessions = [make(number) for number in range(10 + extra)]
    with pytest.raises(InputError, match="does not follow") as caught:
        freeze(
            sessions,
            version,
            tmp_path / "x",
            labels=accepted(sessions),
            parent=first,
            code_version="0.1.0",
            rules_version=rules,
        )
    assert advice in caught.value.remedy and not (tmp_path / "x").exists()


def test_a_private_part_lies_beside_the_public_one(make: Any, tmp_path: Path) -> None:
    sessions = [make(number) for number in range(40)]
    manifest = freeze(sessions, "1.0.0", tmp_path / "1.0.0", labels=accepted(sessions), private_share=0.3, **VERSIONS)
    public, private = load_release(tmp_path / "1.0.0"), load_release(tmp_path / "1.0.0-private")
    assert set(private.splits.values()) == {"private"} and set(public.splits.values()) == {"dev", "test"}
    assert len(public.sessions) + len(private.sessions) == 40 and 5 <= len(private.sessions) <= 20
    assert manifest == public.manifest and private.manifest.name == "wildtool-private"
    secret = {session.id for session in private.sessions}
    for path in (tmp_path / "1.0.0").rglob("*"):
        if path.is_file():
            assert not any(id.encode() in path.read_bytes() for id in secret), path
    assert verify_release(tmp_path / "1.0.0").ok and verify_release(tmp_path / "1.0.0-private").ok


def test_what_was_private_stays_private(make: Any, tmp_path: Path) -> None:
    sessions = [make(number) for number in range(30)]
    freeze(sessions, "1.0.0", tmp_path / "1.0.0", labels=accepted(sessions), private_share=0.2, **VERSIONS)
    secret = {session.id for session in load_release(tmp_path / "1.0.0-private").sessions}
    mended = [corrected(session) if session.id in secret else session for session in sessions]
    freeze(
        [*mended, make(30)],
        "1.1.0",
        tmp_path / "1.1.0",
        labels=accepted([make(30)]),
        parent=tmp_path / "1.0.0",
        **VERSIONS,
    )
    again = load_release(tmp_path / "1.1.0-private")
    assert {session.id for session in again.sessions} == secret
    assert not secret & {session.id for session in load_release(tmp_path / "1.1.0").sessions}
    assert json.loads((tmp_path / "1.1.0" / "errata.json").read_text(encoding="utf-8"))["errata"] == []
    listed = json.loads((tmp_path / "1.1.0-private" / "errata.json").read_text(encoding="utf-8"))["errata"]
    assert {erratum["session"] for erratum in listed} == secret


def test_a_private_part_is_never_empty(make: Any, tmp_path: Path) -> None:
    sessions = [make(number) for number in range(4)]
    freeze(sessions, "1.0.0", tmp_path / "1.0.0", labels=accepted(sessions), private_share=0.01, **VERSIONS)
    assert len(load_release(tmp_path / "1.0.0-private").sessions) == 1


def test_contamination_is_found(make: Any, first: Path, tmp_path: Path) -> None:
    release = load_release(first)
    stolen = release.sessions[2]
    clean = tmp_path / "clean.txt"
    clean.write_text("nothing of interest\n" * 50, encoding="utf-8")
    copied = tmp_path / "copied.jsonl"
    copied.write_text("x\n" + json.dumps({"text": f"so: {stolen.tasks[0].user} yes"}) + "\n", encoding="utf-8")
    marked = tmp_path / "marked.txt.gz"
    with gzip.open(marked, "wt", encoding="utf-8") as file:
        file.write(f"a\nb {release.manifest.canary} c\n")
    results = find_contamination(release.sessions, release.manifest.canary, [clean, copied, marked])
    assert [result.found for result in results] == [False, True, True]
    assert list(results[1].sessions) == [stolen.id] and results[1].places == (2,) and results[1].lines == 2
    assert results[2].canaries == (2,) and results[2].sessions == {}
    with pytest.raises(InputError, match="cannot be read"):
        find_contamination(release.sessions, release.manifest.canary, [tmp_path / "gone"])
    # The same n-grams, given to freeze, keep such sessions out.
    wanted = {one for session in release.sessions for one in session_ngrams(session)}
    assert file_ngrams([copied], wanted) and not file_ngrams([clean], wanted)


def test_a_corpus_in_one_line_is_read_in_pieces(first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wildtool.warehouse.release.contamination.PIECE", 5000)
    release = load_release(first)
    stolen = release.sessions[3].tasks[0].user
    canary = release.manifest.canary
    for shift in range(0, 600, 37):  # wherever the borders fall
        path = tmp_path / f"{shift}.txt"
        path.write_text("w " * (2200 + shift) + f"{stolen} " + "w " * 2000 + canary + " w" * 3000, encoding="utf-8")
        (result,) = find_contamination(release.sessions, canary, [path])
        assert list(result.sessions) == [release.sessions[3].id], shift
        assert result.lines == 1 and result.canaries == (1,) and result.places == (1,)
    broken = tmp_path / "cut.gz"
    broken.write_bytes(gzip.compress(b"text" * 1000)[:-20])
    with pytest.raises(InputError, match="cannot be read"):
        find_contamination(release.sessions, canary, [broken])


def test_escaped_chinese_is_found(make: Any, tmp_path: Path) -> None:
    session = make(1, Language.ZH)
    hidden = tmp_path / "train.jsonl"
    hidden.write_text(json.dumps({"text": session.tasks[0].user}, ensure_ascii=True) + "\n", encoding="utf-8")
    (result,) = find_contamination([session], "no-canary", [hidden])
    assert list(result.sessions) == [session.id]


def test_croissant_is_valid(first: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="the extra croissant is not installed")
    dataset = mlcroissant.Dataset(str(first / "croissant.json"))
    names = [record_set.id for record_set in dataset.metadata.record_sets]
    assert names == ["en_dev", "en_test"]
    rows = [row for name in names for row in dataset.records(record_set=name)]
    assert len(rows) == 10


def test_croissant_repeats_the_marks(first: Path, make: Any, tmp_path: Path) -> None:
    metadata = json.loads((first / "croissant.json").read_text(encoding="utf-8"))
    assert metadata["description"].startswith("OFFLINE MODEL · SIMULATED LABELS: not a benchmark")
    assert "(OFFLINE MODEL · SIMULATED LABELS)" in metadata["citeAs"] and "simulated labels" in metadata["keywords"]
    people = [
        session.model_copy(
            update={"provenance": session.provenance.model_copy(update={"offline": False, "simulated_labels": False})}
        )
        for session in (make(1), make(2))
    ]
    freeze(people, "1.0.0", tmp_path / "people", labels=accepted(people, simulated=False), **VERSIONS)
    metadata = json.loads((tmp_path / "people" / "croissant.json").read_text(encoding="utf-8"))
    assert metadata["description"].startswith("Multi-turn") and len(metadata["keywords"]) == 3


def test_croissant_names_every_parquet_file(first: Path) -> None:
    metadata = json.loads((first / "croissant.json").read_text(encoding="utf-8"))
    manifest = load_release(first).manifest
    listed = {file.path: file.sha256 for file in manifest.files if file.path.endswith(".parquet")}
    assert {file["contentUrl"]: file["sha256"] for file in metadata["distribution"]} == listed

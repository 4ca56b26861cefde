"""A maintainer extends and corrects an existing benchmark by commands alone."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.frozen import freeze
from tests.warehouse.conftest import accepted, make_session
from tests.warehouse.rich import rich_sessions

LET_PASS = ("--allow", "judged", "--allow", "licences")
"""These sessions were written by hand: nobody labelled them, and their tool lists name no licence."""


def test_import_freeze_correct_and_freeze_again(wildtool: Any, tmp_path: Path) -> None:
    sessions = list(rich_sessions().values())
    for number, part in enumerate((sessions[:4], sessions[4:8], sessions[8:])):
        path = tmp_path / f"part{number}.jsonl"
        path.write_text("".join(f"{session.to_json()}\n" for session in part), encoding="utf-8")
    assert wildtool("release", "freeze", "1.0.0").refused("no labelled session")
    found = wildtool("release", "import", "part[01].jsonl", "--json", "-q").json
    assert (found["new"], len(found["files"]), found["quarantined"]) == (8, 2, 0)
    assert wildtool("release", "import", "nothing*.jsonl").refused("there is nothing at nothing*.jsonl")
    refused = wildtool("release", "freeze", "1.0.0", "-q")
    assert refused.code == 1 and "licences" in refused.err and not (tmp_path / ".wildtool/releases/1.0.0").exists()
    frozen = wildtool("release", "freeze", "1.0.0", "--json", *LET_PASS)
    counts = frozen.json["gate_counts"]
    assert (counts["failed"], counts["allowed"]) == (0, 2) and counts["doubts"] > 0 and counts["passed"] > 25
    kinds = Counter(one["result"] for one in frozen.json["findings"])
    assert kinds == {"allowed": 16, "doubt": counts["doubts"]}
    said = f"{counts['passed']} gates passed, 2 allowed, {counts['doubts']} doubts"
    assert said in frozen.err
    verified = wildtool("release", "verify", "1.0.0")
    assert (
        verified.code == 0
        and "1 allowed" in verified.out
        and "1 not judged" in verified.out
        and "findings of the gates" in verified.out
    )
    # One is corrected, in a file that a person edits; the same file again changes nothing.
    assert wildtool("release", "export", "1.0.0", "--format", "records", "--out", "edit", "-q").code == 0
    records = tmp_path / "edit" / "records.jsonl"
    records.write_text(records.read_text(encoding="utf-8").replace("Enjoy the wedding.", "Enjoy it."), encoding="utf-8")
    found = wildtool("release", "import", records, "--json", "-q").json
    assert (found["new"], found["changed"], found["unchanged"]) == (0, 1, 7)
    frozen = wildtool(
        "release", "freeze", "1.0.1", "--parent", "1.0.0", "--reason", "a reader found it", *LET_PASS, "-q"
    )
    assert frozen.code == 0, frozen.err
    (erratum,) = json.loads((tmp_path / ".wildtool/releases/1.0.1/errata.json").read_text(encoding="utf-8"))["errata"]
    assert (erratum["before"], erratum["after"], erratum["reason"]) == (
        "Enjoy the wedding.",
        "Enjoy it.",
        "a reader found it",
    )
    # More sessions: a patch is too little. What came out of one release must not come into another's by itself.
    wildtool("release", "import", "part2.jsonl", "-q")
    assert wildtool("release", "freeze", "1.0.2", "--parent", "1.0.1", *LET_PASS, "-q").refused("does not follow 1.0.1")
    assert (
        wildtool("release", "freeze", "1.1.0", "--parent", "1.0.1", *LET_PASS, "-q", "--private-share", "0.2").code == 0
    )
    found = wildtool("release", "diff", "1.0.1", "1.1.0", "--json", "-q").json
    assert found["removed"] == [] and found["changes"] == [] and found["unchanged"] == 8
    assert wildtool("release", "verify", "1.1.0", "-q").code == 0


def test_what_an_earlier_release_judged_needs_no_label_until_it_is_edited(wildtool: Any, tmp_path: Path) -> None:
    sessions = [make_session(number) for number in range(4)]
    folder = tmp_path / "theirs" / "1.0.0"
    freeze(sessions, "1.0.0", folder, labels=accepted(sessions), code_version="0", rules_version="1")
    # From files of its own nobody knows that these are the judged ones, whatever labels they name.
    loose = tmp_path / "loose.jsonl"
    loose.write_text("".join(f"{session.to_json()}\n" for session in sessions), encoding="utf-8")
    assert wildtool("release", "import", loose, "--json", "-q").json["judged"] == 0
    refused = wildtool("release", "freeze", "1.1.0", "--allow", "licences", "-q")
    assert refused.code == 1 and "judged (4)" in refused.err and "nobody has judged it" in refused.err
    # The release itself, unharmed, says so; an edited call does not count, until it is as it was.
    found = wildtool("release", "import", folder, "--json", "-q").json
    assert (found["unchanged"], found["judged"]) == (4, 4)
    edited = tmp_path / "edited.jsonl"
    edited.write_text(sessions[0].to_json().replace("Porto", "Braga").replace("Lyon", "Braga"), encoding="utf-8")
    assert wildtool("release", "import", edited, "--json", "-q").json["judged"] == 0
    refused = wildtool("release", "freeze", "1.1.0", "--allow", "licences", "-q")
    assert refused.code == 1 and "judged (1)" in refused.err and "changed since it was judged" in refused.err
    wildtool("release", "import", loose, "-q")
    assert wildtool("release", "freeze", "1.1.0", "--allow", "licences", "-q").code == 0
    # One that was changed on the way proves nothing, neither when read nor as a parent.
    database = folder / "benchmark.duckdb"
    database.chmod(0o644)
    database.write_bytes(database.read_bytes() + b" ")
    other = ("--home", tmp_path / "other")
    assert wildtool("release", "import", folder, "--json", "-q", *other).json["judged"] == 0
    assert wildtool("release", "freeze", "2.0.0", "--parent", folder, "--allow", "licences", "-q").refused(
        "not as it was frozen: benchmark.duckdb"
    )


def test_more_tasks_than_the_original_takes_are_said(wildtool: Any, tmp_path: Path) -> None:
    session = make_session(1)
    thanks = session.tasks[3].model_copy(
        update={"user": "Thanks again, you were of great help to all of us here!", "hidden_intent": None}
    )
    longer = session.model_copy(update={"tasks": (*session.tasks, thanks)})
    (tmp_path / "five.jsonl").write_text(f"{longer.to_json()}\n{make_session(2).to_json()}\n", encoding="utf-8")
    wildtool("release", "import", "five.jsonl", "-q")
    frozen = wildtool("release", "freeze", "1.0.0", *LET_PASS)
    assert frozen.code == 0 and "1 session has more than 4 tasks" in frozen.err
    out = wildtool("release", "export", "1.0.0", "--format", "original", "--out", "o")
    assert "1 session has more than 4 tasks: the original's evaluator stops" in out.out
    assert wildtool("release", "export", "1.0.0", "--out", "p", "--json").json["warning"] is None


def test_files_that_no_session_may_repeat(wildtool: Any, tmp_path: Path) -> None:
    session = rich_sessions()["hotels"]
    (tmp_path / "one.jsonl").write_text(f"{session.to_json()}\n", encoding="utf-8")
    (tmp_path / "public.txt").write_text(f"training text: {session.tasks[0].user}\n", encoding="utf-8")
    wildtool("release", "import", "one.jsonl", "-q")
    refused = wildtool("release", "freeze", "1.0.0", *LET_PASS, "--against", "public.txt", "-q")
    assert refused.code == 1 and "overlap (1)" in refused.err and "n-grams with the files given" in refused.err
    assert (
        wildtool("release", "freeze", "1.0.0", *LET_PASS, "--against", "public.txt", "--allow", "overlap", "-q").code
        == 0
    )

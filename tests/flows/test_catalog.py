"""``wildtool catalog`` as a user meets it: import, build, verify, look, export."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tests.api_catalog.conftest import spec
from tests.flows.conftest import Wildtool


def test_import_tells_what_came_of_each_file_and_changes_nothing(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "pets.json").write_text(json.dumps(spec("Pet Shop", "pet")), encoding="utf-8")
    (tmp_path / "specs" / "broken.json").write_text("{", encoding="utf-8")
    ran = wildtool("catalog", "import", "specs", "--json")
    assert ran.code == 0
    assert list(ran.json) == [
        "files",
        "imported",
        "refused",
        "lists",
        "tools",
        "flagged",
        "quarantined",
        "seconds",
        "peak_mb",
    ]
    assert (ran.json["files"], ran.json["imported"], ran.json["lists"], ran.json["tools"]) == (2, 1, 1, 3)
    assert [set(each) for each in ran.json["refused"]] == [{"file", "reason"}]
    assert ran.json["refused"][0]["reason"] == "broken_json" and ran.json["quarantined"] == {"broken_json": 1}
    assert 10 < ran.json["peak_mb"] < 4_000
    assert wildtool("catalog", "import", "nowhere").refused("nowhere is no file")
    assert wildtool("catalog", "list").refused("no API catalogue")


def test_a_file_that_holds_no_description_is_bad_input(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Dear diary,\nnothing today.\n", encoding="utf-8")
    ran = wildtool("catalog", "build", "notes.txt")
    assert ran.refused("notes.txt") and "catalog import" in ran.err
    assert wildtool("catalog", "list").refused("no API catalogue"), "nothing was kept"


def test_verify_fails_on_a_kept_tool_that_is_invalid(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "pets.json").write_text(json.dumps(spec("Pet Shop", "pet")), encoding="utf-8")
    assert wildtool("catalog", "build", "pets.json").code == 0
    good = wildtool("catalog", "verify", "--json")
    assert good.code == 0 and good.json["ok"] and good.json["tools"] == 3 and good.json["invalid"] == {}
    kept = next(tmp_path.rglob("lists.jsonl"))
    spoilt = json.loads(kept.read_text(encoding="utf-8"))
    first, second, third = (tool["parameters"] for tool in spoilt["tools"])
    first["required"] = ["ghost"]
    first["properties"]["city"]["type"] = "text"
    second["required"] = ["ghost"]
    third["properties"]["id"] = {"type": "array", "description": "Keys."}
    text = json.dumps(spoilt) + "\n"
    kept.write_text(text, encoding="utf-8")
    meta = kept.with_name("catalogue.json")
    told = json.loads(meta.read_text(encoding="utf-8")) | {"sha256": hashlib.sha256(text.encode()).hexdigest()}
    meta.write_text(json.dumps(told), encoding="utf-8")
    bad = wildtool("catalog", "verify", "--json")
    assert bad.code == 1 and not bad.json["ok"]
    assert {reason: bad.json["invalid"][reason] for reason in ("invalid_schema", "required_undefined", "array_without_items")} == {
        "invalid_schema": 1, "required_undefined": 1, "array_without_items": 1}  # fmt: skip
    assert wildtool("catalog", "verify").refused("invalid tools", code=1)


def test_looking(wildtool: Wildtool, tmp_path: Path) -> None:
    (tmp_path / "pets.json").write_text(json.dumps(spec("Pet Shop", "pet")), encoding="utf-8")
    wildtool("catalog", "build", "pets.json")
    (listed,) = wildtool("catalog", "list", "--json").json["lists"]
    assert (listed["title"], len(listed["tools"])) == ("Pet Shop", 3)
    shown = wildtool("catalog", "show", listed["id"])
    assert all(name in shown.out for name in listed["tools"]) and "City of the pet." in shown.out
    stats = wildtool("catalog", "stats", "--json").json
    assert stats["functions"] == 3 and "<svg" in Path(stats["page"]).read_text(encoding="utf-8")
    assert wildtool("catalog", "stats", "--out", "plots/page.html").code == 0
    assert (tmp_path / "plots" / "page.html").is_file()
    assert wildtool("catalog", "export", "--out", "tools.jsonl", "--json").json["tools"] == 3
    assert wildtool("catalog", "export", "--out", "strict.jsonl", "--strict", "--json").json["tools"] == 3
    exported = [json.loads(line) for line in (tmp_path / "strict.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all(tool["function"]["strict"] in (True, False) for line in exported for tool in line["tools"])

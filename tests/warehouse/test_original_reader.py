"""What we export in the original's format runs through a reader written after the original, gold at 100 %."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.frozen import freeze
from tests.warehouse.original_reader import evaluate
from tests.warehouse.rich import rich_sessions
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse import export_release, import_sessions
from wildtool.warehouse.formats.wildtoolbench import original_row

VERSIONS: dict[str, Any] = {"code_version": "0.1.0", "rules_version": "1"}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("original")
    freeze(list(rich_sessions().values()), "1.0.0", folder / "1.0.0", allow={"judged", "licences"}, **VERSIONS)
    return export_release(folder / "1.0.0", "original", folder / "out")


def test_gold_replayed_is_right_everywhere(exported: list[Path]) -> None:
    assert sorted(path.name for path in exported) == ["en.jsonl", "zh.jsonl"]
    for path in exported:
        tables = evaluate(path)
        assert tables["total.session"]["total"] == len(path.read_text(encoding="utf-8").splitlines()) > 0
        for name, counts in tables.items():
            assert counts["right"] == counts["total"], name
        assert tables["total.task"]["total"] == 4 * tables["total.session"]["total"]


def test_rows_have_the_keys_and_no_more_than_are_documented(exported: list[Path]) -> None:
    english = {
        "english_" + name for name in ("env_info", "tools", "tasks", "answer_list", "task_types", "turn_subtypes")
    }
    for path in exported:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            row = json.loads(line)
            assert row["id"] == f"wild_tool_bench_{number}"
            twin = {name.removeprefix("english_") for name in english} if path.name == "zh.jsonl" else {"answer_list"}
            assert row.keys() == english | twin | {"id", "session", "canary"}
            assert row["answer_list"] == row["english_answer_list"]
            assert all("x-returns" not in tool["function"] for tool in row["english_tools"])
            for action in (one for rows in row["english_answer_list"] for one in rows):
                assert action.keys() - {"user_input"} == {"idx", "action", "observation", "dependency_list"}
                assert ("user_input" in action) == (action["action"]["name"] == "ask_user_for_required_parameters")
                assert action["action"].keys() == {"name", "arguments"}


@pytest.mark.parametrize("language", list(Language))
def test_graphs_whose_questions_and_answers_could_stand_beside_calls(
    make: Any, tmp_path: Path, language: Language
) -> None:
    session: Session = make(1, language)
    ask, call, _ = session.tasks[2].actions
    assert isinstance(ask, Ask) and isinstance(call, Call)
    beside = call.model_copy(update={"depends_on": (), "arguments": {"city": "Oslo", "date": "2024-07-13"}})
    second = ask.model_copy(update={"slots": ("city",), "depends_on": ()})
    actions = (
        beside,
        ask,
        call.model_copy(update={"depends_on": (1, 3)}),
        second,
        Answer(text="Done.", depends_on=(0,)),
    )
    task = Task.model_validate(session.tasks[2].model_dump() | {"actions": actions})
    changed = session.model_copy(update={"tasks": (*session.tasks[:2], task, session.tasks[3])})
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(original_row(changed, 0)) + "\n", encoding="utf-8")
    tables = evaluate(path)
    assert tables["total.session"] == {"total": 1, "right": 1}
    # What is exported is read back as such a graph, and exported again unchanged.
    (back,) = import_sessions(path, lambda row: pytest.fail(row.detail))
    assert original_row(back, 0) == original_row(changed, 0)

"""Every format of a release holds its sessions whole; the original's gives back what was read, however odd."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.frozen import freeze
from tests.warehouse.rich import rich_sessions
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Answer, Ask, Call, HiddenIntent, Provenance, Session, Task
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse import export_release, import_sessions
from wildtool.warehouse.formats.benchmark import read_benchmark, write_benchmark
from wildtool.warehouse.formats.chat_lines import chat_line, session_of_chat
from wildtool.warehouse.formats.importing import session_of_original
from wildtool.warehouse.formats.tabular import flat_rows, read_parquet, write_parquet
from wildtool.warehouse.formats.wildtoolbench import original_row

VERSIONS: dict[str, Any] = {"code_version": "0.1.0", "rules_version": "1"}
ALL = {"judged", "licences"}

text = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
value = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
arguments = st.dictionaries(text, value, max_size=3)


@st.composite
def tasks(draw: Any, number: int) -> Task:
    actions: list[Any] = []
    for index in range(draw(st.integers(0, 4))):
        before = tuple(draw(st.lists(st.sampled_from(range(index)), unique=True)) if index else ())
        if draw(st.booleans()) or not index:
            actions.append(Call(name=draw(st.sampled_from(["a", "b_c"])), arguments=draw(arguments), observation=draw(value), depends_on=before,
                                argument_alternatives=draw(st.dictionaries(text, st.tuples(value), max_size=1))))  # fmt: skip
        else:
            actions.append(Ask(tool=draw(st.none() | st.just("a")), slots=tuple(draw(st.lists(text, max_size=2))), question=draw(text), reply=draw(text), depends_on=before))  # fmt: skip
    actions.append(Answer(text=draw(text), depends_on=tuple(range(len(actions)))))
    kind = draw(st.sampled_from(["single", "clarify", "chat", "multi"]))
    hidden = (
        HiddenIntent(kind="coreference", device="pronoun", piece=draw(text), said_in=0, distance=1)
        if number and draw(st.booleans())
        else None
    )
    return Task(user=draw(text), type=kind, topology="mixed" if kind == "multi" else None, hidden_intent=hidden, actions=tuple(actions),
                alternatives=(tuple(actions),) if draw(st.booleans()) else ())  # fmt: skip


@st.composite
def odd_sessions(draw: Any) -> Session:
    tools = tuple(
        {"type": "function", "function": {"name": name, "description": draw(text), "parameters": draw(arguments),
                                          **draw(st.sampled_from([{}, {"strict": True}, {"x-returns": {"type": "object"}}]))}}
        for name in ("a", "b_c")
    )  # fmt: skip
    made = Session.for_plan(
        draw(text), language=draw(st.sampled_from(list(Language))), now=draw(st.sampled_from(["2024-07-12T09:30:00+00:00", "2024-02-29T23:59:59.5+05:30"])),
        tool_list="tls_1", category=draw(text), subcategory="", tools=tools, tasks=tuple(draw(tasks(number)) for number in range(draw(st.integers(1, 3)))),
    )  # fmt: skip
    origin = Provenance(
        seed=draw(st.none() | text),
        models=draw(st.dictionaries(text, text, max_size=1)),
        imported=draw(st.none() | st.just({"format": "wildtool"})),
    )
    return made.model_copy(update={"provenance": origin})


ODD = settings(
    max_examples=examples(30),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@ODD
@given(odd_sessions())
def test_a_line_of_sessions_jsonl_holds_the_session(session: Session) -> None:
    assert session_of_chat(json.loads(chat_line(session, "test", "canary"))) == session


@ODD
@given(odd_sessions())
def test_parquet_and_duckdb_hold_the_session(tmp_path: Path, session: Session) -> None:
    parquet, database = tmp_path / "one.parquet", tmp_path / "one.duckdb"
    database.unlink(missing_ok=True)
    write_parquet([session], parquet, "canary")
    assert list(read_parquet(parquet)) == [session]
    write_benchmark(database, [flat_rows(session, "test", [])])
    assert list(read_benchmark(database)) == [session]


TYPES = ("Single-Tool", "Parallel Multi-Tool", "Sequential Multi-Tool", "Mixed Multi-Tool", "Clarify", "Chat")


@st.composite
def original_lines(draw: Any) -> dict[str, Any]:
    """A line as the original writes it: observations text or JSON, arguments of any shape, keys of its own."""
    answers = []
    count = draw(st.integers(1, 4))
    for _ in range(count):
        rows: list[dict[str, Any]] = []
        for index in range(draw(st.integers(0, 3))):
            on = draw(st.lists(st.sampled_from(range(index)), unique=True)) if index else []
            if draw(st.integers(0, 3)):
                rows.append(
                    {
                        "idx": index,
                        "action": {"name": draw(text), "arguments": draw(arguments)},
                        "observation": draw(value),
                        "dependency_list": on,
                    }
                )
            else:
                asked = {"tool_name": "a", "missing_required_parameters": draw(st.lists(text, max_size=2))}
                rows.append({"idx": index, "action": {"name": "ask_user_for_required_parameters", "arguments": asked}, "observation": draw(text),
                             "user_input": draw(text), "dependency_list": on})  # fmt: skip
        called = any(row["action"]["name"] != "ask_user_for_required_parameters" for row in rows)
        rows.append({"idx": len(rows), "action": {"name": "prepare_to_answer", "arguments": {"answer_type": "tool" if called else "chat"}},
                     "observation": draw(text), "dependency_list": list(range(len(rows)))})  # fmt: skip
        answers.append(rows)
    prefix = draw(st.sampled_from(["english_", ""]))
    fields = {
        "env_info": draw(
            st.sampled_from(
                [
                    "2024-03-05 Tuesday",
                    "Tuesday, 2024-03-05 18:00",
                    "当前环境时间：2024-03-05 18:00:00 星期二",
                    "2024年3月5日",
                ]
            )
        ),
        "tools": [
            {"type": "function", "function": {"name": "a", "description": draw(text), "parameters": draw(arguments)}}
        ],
        "tasks": [draw(text) for _ in range(count)],
        "answer_list": answers,
        "task_types": [draw(st.sampled_from(TYPES)) for _ in range(count)],
        "turn_subtypes": [
            draw(st.sampled_from(["Coreferential Reference", "Partial Information", "Long-Range Dependency"]))
            for _ in range(count - 1)
        ],
    }
    row = {"id": f"wild_tool_bench_{draw(st.integers(0, 300))}", **{prefix + name: one for name, one in fields.items()}}
    if draw(st.booleans()):
        row["answer_list"] = answers
    if draw(st.booleans()):
        row["remark"] = draw(value)
    return row


@ODD
@given(original_lines())
def test_the_original_comes_back_as_it_was(row: dict[str, Any]) -> None:
    session = session_of_original(row)
    back = original_row(session, int(row["id"].rpartition("_")[2]))
    assert {key: back[key] for key in row} == row
    assert session_of_original(back).tasks == session.tasks


def test_every_format_of_a_release_reads_back_the_same(tmp_path: Path, make: Any) -> None:
    sessions = sorted(
        [*rich_sessions().values(), *(make(n, language) for language in Language for n in range(3))],
        key=lambda one: one.id,
    )
    freeze(sessions, "1.0.0", tmp_path / "r", allow=ALL, **VERSIONS)
    bad: list[Quarantined] = []
    for path in (tmp_path / "r", tmp_path / "r" / "benchmark.duckdb", tmp_path / "r" / "sessions.jsonl"):
        assert list(import_sessions(path, bad.append)) == sessions, path
    (records,) = export_release(tmp_path / "r", "records", tmp_path / "out")
    assert list(import_sessions(records, bad.append)) == sessions
    originals = [
        one for path in sorted((tmp_path / "r" / "original").iterdir()) for one in import_sessions(path, bad.append)
    ]
    assert bad == [] and {one.id for one in originals} == {one.id for one in sessions}
    assert {one.id: [task.user for task in one.tasks] for one in originals} == {
        one.id: [task.user for task in one.tasks] for one in sessions
    }

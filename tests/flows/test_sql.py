"""SQL is ours alone: values are bound, names come from our tables, and what users give changes no statement."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.flows.conftest import Wildtool
from wildtool.flows.versions import ROOMS
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import Stage
from wildtool.warehouse import Store

OURS = {
    "agents/gateway/cache.py": {"sql", "table"},
    "mining/deduplicate.py": {"MOST_TRIED", "column", "pairs", "table", "band", "HEADS", "_list(files)"},
    "warehouse/formats/benchmark.py": {"name", "table", "key", "order", "(files('wildtool.warehouse.formats') / 'benchmark.sql').read_text(encoding='utf-8')"},
    "warehouse/store/database.py": {"sql"},
    "warehouse/release/release.py": {"query"},
    "warehouse/store/rows.py": {"table.name", "quoted", "taken", "current(table)", "same", "again"},
    "warehouse/store/store.py": {"_quoted(self.path)", "_quoted(unfinished)", "table.name", "current(table)", "clause", "column", "READ_BATCH"},
}  # fmt: skip
"""What statements are put together from, by module: names of our tables and columns, numbers of ours, quoted paths.
Before you add to it: a value belongs into a parameter."""

NASTY = (
    "x'; DROP TABLE drafts; --",
    "' OR '1'='1",
    '"; DROP TABLE quarantine; --',
    "x\\' OR 1=1 --",
    "%' UNION SELECT body FROM drafts --",
)


def _parts(node: ast.expr) -> set[str]:
    """What of a statement is no literal."""
    match node:
        case ast.Constant():
            return set()
        case ast.JoinedStr():
            return {ast.unparse(part.value) for part in node.values if isinstance(part, ast.FormattedValue)}
        case ast.Call(func=ast.Attribute(attr="replace", value=inner)):
            return _parts(inner) | {ast.unparse(each) for each in node.args if not isinstance(each, ast.Constant)}
        case _:
            return {ast.unparse(node)}


def test_no_statement_is_made_of_data(repository: Path) -> None:
    found: dict[str, set[str]] = {}
    for room in ROOMS:
        for file in (repository / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args
                if is_call and node.func.attr in ("execute", "executemany", "sql") and (parts := _parts(node.args[0])):
                    found.setdefault(file.relative_to(repository).as_posix(), set()).update(parts)
    assert found == OURS


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a row in quarantine; its own name asks for quoting."""
    home = tmp_path / 'it\'s "a" home; --'
    row = Quarantined.of(stage=Stage.MINE, step="read", reason="kept", detail="", source="log", line=1, raw="x")
    Store(home / "warehouse.duckdb").quarantine([row])
    return home


def test_what_a_user_gives_is_a_value(wildtool: Wildtool, home: Path) -> None:
    nasty = NASTY[0]
    for command in (
        ("quarantine", "--reason", nasty, "--json"),
        ("quarantine", "--stage", nasty),
        ("draft", "--profile", nasty, "--model", "offline"),
        ("draft", "show", nasty),
        ("release", "freeze", nasty),
        ("release", "freeze", "1.0.0", "--parent", nasty),
        ("release", "check", nasty),
        ("evaluate", "run", "--release", nasty, "--model", "offline"),
        ("evaluate", "report", nasty),
        ("catalog", "show", nasty),
        ("mine", nasty),
    ):
        ran = wildtool(*command, "--home", home)
        assert ran.code in (0, 1, 2) and "Traceback" not in ran.err, ran.err
        assert "Parser Error" not in ran.err and "Catalog Error" not in ran.err, ran.err
        if command[:2] == ("quarantine", "--reason"):
            assert ran.json == {"rows": []}
    assert [row.reason for row in Store(home / "warehouse.duckdb").read(Quarantined)] == ["kept"]


@pytest.mark.parametrize("nasty", NASTY)
def test_values_and_paths_of_the_store(nasty: str, home: Path, tmp_path: Path) -> None:
    store = Store(home / "warehouse.duckdb")
    copy = tmp_path / f"{nasty.replace('/', '').replace(chr(92), '')}.duckdb"  # DuckDB takes a backslash for a slash
    assert store.backup(copy) > 0
    store.restore(copy)
    assert [row.reason for row in store.read(Quarantined)] == ["kept"]
    assert store.read(Quarantined, reason=nasty) == []
    with pytest.raises(ValueError, match="has no column"):
        store.read(Quarantined, **{nasty: 1})
    row = Quarantined.of(stage=Stage.MINE, step=nasty, reason=nasty, detail=nasty, source=nasty, line=1, raw=nasty)
    store.quarantine([row])
    assert store.read(Quarantined, reason=nasty) == [row]

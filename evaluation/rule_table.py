"""All that decides a verdict, and its hash: ids of rules, code without comments and layout, words.

``python -m wildtool.evaluation.rule_table`` prints the hash. Record it as ``RULES_HASH`` in ``evaluation/rules.py``, and
raise ``RULES_NUMBER`` if the change can change a verdict.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import re
import sys
import tokenize
import tomllib
from pathlib import Path
from typing import Any

from wildtool.evaluation.rules import RULES
from wildtool.schemas.base import canonical_json, sha256_hex

ROOTS = ("wildtool.evaluation.score", "wildtool.evaluation.referee")
"""Modules that judge; what they import decides with them."""

DECIDING = ("wildtool.evaluation.", "wildtool.language.")
"""Rooms whose modules decide. Records and errors of ``schemas`` hold verdicts and decide nothing."""

NOT_DECIDING = ("wildtool.evaluation.rules", "wildtool.language.lexicon")
"""Modules that say what rules there are and where words lie."""


def rule_table() -> dict[str, Any]:
    """Ids of the rules, a hash of each deciding module, and the words that these modules read."""
    code = {name: _path(name).read_text(encoding="utf-8") for name in deciding_modules()}
    return {
        "rules": sorted(rule.name for rule in RULES),
        "code": {name: sha256_hex(normalised(source)) for name, source in code.items()},
        "words": _words(code),
    }


def table_hash() -> str:
    """First 8 hex digits of the SHA-256 of the table. The same on every version of Python."""
    return sha256_hex(canonical_json(rule_table()))[:8]


def deciding_modules() -> list[str]:
    """Modules of ``DECIDING`` that the roots import, directly or not, sorted."""
    found: set[str] = set()
    waiting = list(ROOTS)
    while waiting:
        name = waiting.pop()
        if name in found or name in NOT_DECIDING or not name.startswith(DECIDING):
            continue
        found.add(name)
        for node in ast.walk(ast.parse(_path(name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                waiting += [
                    node.module,
                    *(f"{node.module}.{one.name}" for one in node.names if _is_module(node.module, one.name)),
                ]
            elif isinstance(node, ast.Import):
                waiting += [one.name for one in node.names]
    return sorted(found)


def normalised(source: str) -> str:
    """Code without comments, docstrings, blanks, and commas before a closing bracket: what a formatter or an editor of
    texts may change and what decides nothing."""
    lines = source.encode("utf-8").split(b"\n")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            _cut(lines, node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
    text = b"\n".join(lines).decode("utf-8")
    rows = text.split("\n")
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(text).readline))):
        if token.type == tokenize.COMMENT:
            (row, column) = token.start
            rows[row - 1] = rows[row - 1][:column]
    return re.sub(r",(?=[)\]}])", "", "".join("".join(rows).split()))


def _cut(lines: list[bytes], row: int, column: int, end_row: int, end_column: int) -> None:
    """Overwrite a span by blanks, so that other positions stay."""
    for number in range(row, end_row + 1):
        line = lines[number - 1]
        start, end = column if number == row else 0, end_column if number == end_row else len(line)
        lines[number - 1] = line[:start] + b" " * (end - start) + line[end:]


def _words(code: dict[str, str]) -> dict[str, Any]:
    """The built-in words that deciding modules read, by path: topics are named in calls of ``words`` and ``_read``."""
    found: dict[str, Any] = {}
    for name, source in code.items():
        room = name.split(".")[1]
        folder = _path(f"wildtool.{room}").parent / "words"
        for topic in re.findall(r"\b(?:words|_read)\([^\"()]*\"([a-z_]+)\"", source):
            for path in sorted(folder.glob(f"*/{topic}.toml")):
                found[f"{room}/{path.parent.name}/{path.name}"] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found


def _is_module(package: str, name: str) -> bool:
    if not package.startswith("wildtool"):
        return False
    folder = _path(package).parent
    return _path(package).name == "__init__.py" and ((folder / f"{name}.py").is_file() or (folder / name).is_dir())


def _path(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name} has no source here")
    return Path(spec.origin)


if __name__ == "__main__":
    sys.stdout.write(f"{table_hash()}\n")

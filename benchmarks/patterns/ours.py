"""Every regular expression of ours: what modules compile when they are imported, and what their functions write down."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from wildtool.flows.versions import ROOMS

REPOSITORY = Path(__file__).resolve().parent.parent.parent
SEARCHED = "finditer"
HELD = "fullmatch"
WAYS = frozenset({SEARCHED, HELD})
"""How a pattern is used: searched for all through a text, or held against one from its beginning."""
_METHODS = {
    "sub": SEARCHED, "subn": SEARCHED, "search": SEARCHED, "findall": SEARCHED, "finditer": SEARCHED, "split": SEARCHED,
    "match": HELD, "fullmatch": HELD,
}  # fmt: skip
_STANDS_IN = "a"
"""For a part of a pattern that is only known when the function runs: an escaped value, mostly."""


@dataclass(frozen=True)
class Ours:
    """One pattern."""

    where: str
    """Module."""
    pattern: str
    flags: int
    ways: frozenset[str] = WAYS
    """What is done with it; all, where it is compiled in one place and used in another."""


def collect() -> list[Ours]:
    """All patterns of all rooms, each once."""
    found = {(one.pattern, one.flags): one for one in _compiled()}
    modules = dict(_modules())
    for place, module in modules.items():
        for pattern, flags, ways in _written(REPOSITORY / place, module):
            one = Ours(place, pattern, int(re.compile(pattern, flags).flags), ways)
            known = found.get((pattern, one.flags))
            found[pattern, one.flags] = (
                one if known is None else Ours(known.where, pattern, one.flags, known.ways | ways)
            )
    return list(found.values())


def _modules() -> Iterator[tuple[str, ModuleType]]:
    for room in ROOMS:
        package = importlib.import_module(room)
        for found in pkgutil.walk_packages(package.__path__, f"{room}."):
            if found.name.rpartition(".")[2] != "__main__":
                module = importlib.import_module(found.name)
                yield str(Path(str(module.__file__)).relative_to(REPOSITORY)), module
        yield str(Path(str(package.__file__)).relative_to(REPOSITORY)), package


def _compiled() -> list[Ours]:
    """Import all modules, and note what they compile on the way."""
    found: dict[tuple[str, int], str] = {}
    original = re._compile  # type: ignore[attr-defined]

    def noting(pattern: Any, flags: Any) -> Any:
        compiled = original(pattern, flags)
        if isinstance(compiled.pattern, str):
            frame = sys._getframe(1)
            while frame is not None and "/re/" in Path(frame.f_code.co_filename).as_posix():
                frame = frame.f_back  # type: ignore[assignment]
            file = Path(frame.f_code.co_filename) if frame is not None else Path()
            if file.is_relative_to(REPOSITORY) and (place := file.relative_to(REPOSITORY)).parts[0] in ROOMS:
                found.setdefault((compiled.pattern, int(compiled.flags)), str(place))
        return compiled

    re._compile = noting  # type: ignore[attr-defined]
    try:
        for _ in _modules():
            pass
    finally:
        re._compile = original  # type: ignore[attr-defined]
    return [Ours(place, pattern, flags) for (pattern, flags), place in found.items()]


def _written(file: Path, module: ModuleType) -> Iterator[tuple[str, int, frozenset[str]]]:
    """``re.sub("…", …)`` and its kin: the pattern, its flags, what is done with it."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in _uses(tree):
        flags = 0
        for given in (*node.args[1:], *(word.value for word in node.keywords)):
            for part in ast.walk(given):
                if isinstance(part, ast.Attribute) and isinstance(getattr(re, part.attr, None), re.RegexFlag):
                    flags |= getattr(re, part.attr)
        ways = WAYS if _name(node) == "compile" else frozenset({_METHODS[_name(node)]})
        pattern = _text(node.args[0], module)
        # Where a function takes its pattern from a table, every text of the module that repeats something may be one.
        for one in _repeating(tree, module) if pattern is None else (pattern,):
            try:
                re.compile(one, flags)
            except re.error:  # no pattern, or what stands in for a part makes no sense there
                continue
            yield one, flags, ways


def _uses(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in {*_METHODS, "compile"}
            and node.args
        ):
            yield node


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _repeating(tree: ast.Module, module: ModuleType) -> Iterator[str]:
    left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # documentation
    left_out |= {id(node.args[0]) for node in _uses(tree)}  # seen where they are used
    inner = {part.id for node in ast.walk(tree) if isinstance(node, ast.FormattedValue)
             for part in ast.walk(node) if isinstance(part, ast.Name)}  # fmt: skip
    left_out |= {
        id(part)
        for node in tree.body  # parts of patterns, seen within these
        if isinstance(node, ast.Assign)
        and any(isinstance(name, ast.Name) and name.id in inner for name in node.targets)
        for part in ast.walk(node)
    }
    left_out |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in left_out:
            text = _text(node, module)
            if text is not None and any(sign in text for sign in "*+{"):
                yield text


def _text(node: ast.expr, module: ModuleType) -> str | None:
    """The pattern that an expression makes: parts that the module names are put in, for others something stands in."""
    match node:
        case ast.Constant(value=value):
            return value if isinstance(value, str) else None
        case ast.JoinedStr(values=parts):
            texts = [_text(part.value if isinstance(part, ast.FormattedValue) else part, module) for part in parts]
            return "".join(_STANDS_IN if text is None else text for text in texts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            texts = [_text(left, module), _text(right, module)]
            return None if texts == [None, None] else "".join(text or _STANDS_IN for text in texts)
        case _:
            try:
                value = eval(compile(ast.Expression(node), "", "eval"), dict(vars(module)))  # noqa: S307 - our own source
            except Exception:  # it names what only the function knows
                return None
            return value if isinstance(value, str) else None

"""Small changes of a module's source: flipped comparisons, dropped statements, constants off by one, and the like.

Left alone, since no test of behaviour could or should tell: docstrings, annotations, imports, decorators, assertions,
messages (what is raised, and texts with blanks), and patterns given to ``re.compile``, which have tables of their own.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
WRAPPERS = frozenset({"sorted", "reversed"})
"""Functions whose first argument can stand for the call."""
CLEANERS = frozenset({"strip", "lstrip", "rstrip", "lower", "casefold"})
"""Methods of texts that can be left out."""
ORDERING = frozenset({"key", "reverse", "default"})
"""Keywords of ``sorted``, ``min`` and ``max`` that can be left out."""
LONGEST_WORD = 40
"""Characters up to which a text without blanks is a word that programs read (a rule id, a key)."""

Place = tuple[ast.AST, str, int | None]
"""Parent, field, and index where the field is a list."""


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    module: str
    """Path in the repository."""
    line: int
    function: str
    """Qualified name; empty at the top of the module."""
    operator: str
    before: str
    """The statement that changes, of a compound one its head."""
    after: str
    tree: ast.Module = field(repr=False, compare=False)
    place: Place = field(repr=False, compare=False)
    node: ast.AST = field(repr=False, compare=False)

    @property
    def source(self) -> str:
        """The whole module with the change."""
        old = _get(self.place)
        _set(self.place, self.node)
        try:
            return ast.unparse(ast.fix_missing_locations(self.tree)) + "\n"
        finally:
            _set(self.place, old)

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function} [{self.operator}]\n    - {self.before}\n    + {self.after}"


def mutants_of(source: str, module: str) -> list[Mutant]:
    """All mutants of a module's source, in order; two that read the same are both there."""
    tree = ast.parse(source)
    found = []
    for place, function, statement in _places(tree):
        old = _get(place)
        before = _head(statement)
        for operator, node in _variants(old, place):
            _set(place, node)
            after = "pass" if old is statement and isinstance(node, ast.Pass) else _head(_moved(statement, old, node))
            _set(place, old)
            if after != before:
                line = getattr(old, "lineno", statement.lineno)
                found.append(Mutant(module, line, function, operator, before, after, tree, place, node))
    return found


def _moved(statement: ast.stmt, old: ast.AST, node: ast.AST) -> ast.AST:
    return node if old is statement else statement


def _get(place: Place) -> Any:
    parent, name, index = place
    held = getattr(parent, name)
    return held if index is None else held[index]


def _set(place: Place, node: ast.AST) -> None:
    parent, name, index = place
    if index is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[index] = node


def _head(statement: ast.AST) -> str:
    """A statement on one line, of a compound one what stands before its body."""
    if hasattr(statement, "body") and isinstance(statement, ast.stmt):
        shell = copy.copy(statement)
        shell.body = [ast.Pass()]  # type: ignore[attr-defined]
        for name in ("orelse", "finalbody", "handlers", "decorator_list"):
            if hasattr(shell, name):
                setattr(shell, name, [])
        if isinstance(shell, ast.Try):
            return "try"
        text = ast.unparse(ast.fix_missing_locations(shell)).strip().removesuffix("pass").rstrip().removesuffix(":")
    elif isinstance(statement, ast.Match):
        text = f"match {ast.unparse(statement.subject)}"
    else:
        text = ast.unparse(ast.fix_missing_locations(statement))
    return " ".join(text.split())


def _places(tree: ast.Module) -> Iterator[tuple[Place, str, ast.stmt]]:
    """Each place that may change, with its function and the statement it stands in."""

    def walk(node: ast.AST, function: str, statement: ast.stmt | None) -> Iterator[tuple[Place, str, ast.stmt]]:
        for name, held in ast.iter_fields(node):
            if name in _LEFT_ALONE.get(type(node), ()) or name in ("ctx", "annotation", "returns", "decorator_list"):
                continue
            for index, child in enumerate(held) if isinstance(held, list) else [(None, held)]:
                if not isinstance(child, ast.AST) or _left_alone(child):
                    continue
                inner = child if isinstance(child, ast.stmt) else statement
                where = function
                if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    where = f"{function}.{child.name}" if function else child.name
                if inner is not None:
                    yield (node, name, index), where, inner
                yield from walk(child, where, inner)

    return walk(tree, "", None)


_LEFT_ALONE: dict[type[ast.AST], tuple[str, ...]] = {
    ast.ClassDef: ("bases", "keywords"),
    ast.AnnAssign: ("target",),
    ast.Assign: ("targets",),
    ast.For: ("target",),
    ast.comprehension: ("target",),
    ast.match_case: ("pattern", "guard"),
    ast.ExceptHandler: ("type",),
}


def _left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.JoinedStr() | ast.arg():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__slots__")]):
            return True
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.BinOp()) if name[:1].isupper():
            return not name.isupper()  # an alias of a type
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr="compile")):
            return True
        case ast.Call(func=ast.Name(id="TypeVar" | "cast" | "isinstance" | "getLogger")):
            return True
        case ast.ClassDef(bases=[ast.Name(id="Protocol")]):
            return True
    return False


def _variants(node: ast.AST, place: Place) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                for other in COMPARISONS[type(operator)]:
                    changed = copy.copy(node)
                    changed.ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
                    yield "comparison", changed
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and or", ast.BoolOp(other, node.values)
            for index in range(len(node.values)):
                rest = [*node.values[:index], *node.values[index + 1 :]]
                yield "drop operand", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.BinOp():
            yield "arithmetic", ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
        case ast.UnaryOp():
            yield "drop sign", node.operand
        case ast.Constant():
            for value in _other_values(node.value):
                yield "constant", ast.Constant(value)
        case ast.IfExp():
            yield "negate", ast.IfExp(_negated(node.test), node.body, node.orelse)
        case ast.Slice():
            for name in ("lower", "upper", "step"):
                if getattr(node, name) is not None:
                    changed = copy.copy(node)
                    setattr(changed, name, None)
                    yield "slice", changed
        case ast.Tuple(ctx=ast.Load()) if len(node.elts) > 1 and not isinstance(place[0], ast.Subscript):
            for index, element in enumerate(node.elts):
                if not isinstance(element, ast.Constant | ast.Starred):
                    elements = [*node.elts[:index], ast.Constant(None), *node.elts[index + 1 :]]
                    yield "member to None", ast.Tuple(elements, ast.Load())
        case ast.comprehension():
            for index, test in enumerate(node.ifs):
                changed = copy.copy(node)
                changed.ifs = [*node.ifs[:index], *node.ifs[index + 1 :]]
                yield "drop filter", changed
                if not isinstance(test, ast.Compare | ast.UnaryOp):
                    changed = copy.copy(node)
                    changed.ifs = [*node.ifs[:index], _negated(test), *node.ifs[index + 1 :]]
                    yield "negate", changed
        case ast.Call():
            yield from _calls(node)
        case ast.If() | ast.While():
            if not isinstance(node.test, ast.UnaryOp) and not (
                isinstance(node.test, ast.Compare) and len(node.test.ops) == 1
            ):
                changed = copy.copy(node)
                changed.test = _negated(node.test)
                yield "negate", changed
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "return None", ast.Return(ast.Constant(None))
        case ast.AugAssign():
            if type(node.op) in ARITHMETIC:
                yield "arithmetic", ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
            yield "drop statement", ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.Expr() | ast.Delete():
            yield "drop statement", ast.Pass()
        case ast.Continue():
            yield "break continue", ast.Break()
            yield "drop statement", ast.Pass()
        case ast.Break():
            yield "break continue", ast.Continue()
            yield "drop statement", ast.Pass()


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    first, name = node.args[:2], node.func.id if isinstance(node.func, ast.Name) else ""
    if len(first) == 2 and not any(isinstance(one, ast.Starred) for one in first):
        yield "swap arguments", ast.Call(node.func, [first[1], first[0], *node.args[2:]], node.keywords)
    if name in TWINS:
        yield "other function", ast.Call(ast.Name(TWINS[name], ast.Load()), node.args, node.keywords)
    if name in WRAPPERS and node.args:
        yield "drop call", ast.Call(ast.Name("list", ast.Load()), node.args[:1], [])
    if isinstance(node.func, ast.Attribute) and node.func.attr in CLEANERS:
        yield "drop call", node.func.value
    ordering = name in ("sorted", "min", "max") or (isinstance(node.func, ast.Attribute) and node.func.attr == "sort")
    for index, keyword in enumerate(node.keywords):
        if (ordering and keyword.arg in ORDERING) or (name[:1].isupper() and keyword.arg is not None):
            rest = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield "drop keyword", ast.Call(node.func, node.args, rest)


def _negated(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) else ast.UnaryOp(ast.Not(), test)


def _other_values(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
            if value > 0:
                yield value - 1
        case float():
            yield value * 2 if value else 1.0
            if value:
                yield value / 2
        case str() if len(value) <= LONGEST_WORD and not any(sign.isspace() for sign in value):
            yield value + "X"

"""How the world behind a tool list looks to a person."""

from __future__ import annotations

from collections.abc import Iterator

from wildtool.schemas.base import JsonObject
from wildtool.schemas.tool import ToolList
from wildtool.schemas.world import Operation, ParameterUse, WorldSpec, WorldTable
from wildtool.worlds.coverage import certainty, unsupported


def world_lines(listed: ToolList, spec: WorldSpec) -> Iterator[str]:
    """Show tables, operations with the roles of parameters, and what is not supported, a line each."""
    executable = sum(operation.executable for operation in spec.tools.values())
    yield f"world: {executable} of {len(listed.tools)} tools executable, made by {spec.made_by}, certainty from {certainty(spec):.2f}"
    for name, table in spec.tables.items():
        yield from _table(name, table)
    for name, operation in spec.tools.items():
        if operation.executable:
            yield from _operation(name, operation)
    missing = unsupported(spec)
    if missing:
        yield "  not supported"
        yield from (f"    {place}: {reason}" for place, reason in missing.items())


def _table(name: str, table: WorldTable) -> Iterator[str]:
    opens = f", opens by {', '.join(table.open)}" if table.open else ""
    order = f", ordered by {', '.join(table.order)}" if table.order else ""
    rows = "1 row" if not table.key else f"{table.rows[0]} to {table.rows[1]} rows"
    yield f"  table {name} ({rows}{order}{opens})"
    for field, held in table.fields.items():
        mark = "*" if field in table.key else " "
        more = f" → {held.ref}" if held.ref else f" {held.pattern}" if held.pattern else ""
        states = f" {', '.join(f'{a} → {b}' for a, follow in held.transitions.items() for b in follow)}"
        yield f"   {mark} {field}: {held.role}{more}{states if held.transitions else ''}"


def _operation(name: str, operation: Operation) -> Iterator[str]:
    about = f" {operation.table}" if operation.table else f" {operation.function}" if operation.function else ""
    yield f"  {name}: {operation.op}{about} {_sure(operation.certainty, operation.reason)}"
    for parameter, use in operation.parameters.items():
        yield f"     {parameter}: {_use(use)}"
    for guard in operation.require:
        judged = ".".join(filter(None, (guard.ref, guard.field))) or "the row"
        yield f"     refuses with {guard.otherwise} unless {judged} {guard.op if guard.value else 'is there'}"
    for effect in operation.effects:
        yield f"     changes {effect.ref}.{effect.field}: {effect.op}"


def _use(use: ParameterUse) -> str:
    return f"{use.role} {_sure(use.certainty, use.reason)}"


def _sure(certain: float, reason: str) -> str:
    return f"({certain:.2f}{': ' if reason else ''}{reason})"


def world_row(listed: ToolList, spec: WorldSpec) -> JsonObject:
    """Say of one list what can be executed and what cannot, for ``--json``."""
    return {
        "id": listed.id,
        "slug": listed.slug,
        "language": str(listed.language),
        "source": listed.source,
        "tools": len(listed.tools),
        "executable": sum(operation.executable for operation in spec.tools.values()),
        "certainty": certainty(spec),
        "operations": {name: str(operation.op) for name, operation in spec.tools.items()},
        "unsupported": unsupported(spec),
    }

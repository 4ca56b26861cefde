"""Build the result of an operation from rows, arguments and clock, with the origin of every leaf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, assert_never

from wildtool.schemas.base import JsonObject, sha256_hex
from wildtool.schemas.world import WorldSpec
from wildtool.schemas.world_results import (
    Aggregate,
    ComputedNode,
    Constant,
    Count,
    FromField,
    FromParameter,
    JoinNode,
    NewId,
    Now,
    ObjectNode,
    PagePart,
    ResultNode,
    RowsNode,
)
from wildtool.worlds.lineage import Lineage, Origin
from wildtool.worlds.rows import Row, Rows
from wildtool.worlds.selection import Found, Slice, ordered
from wildtool.worlds.values import dig, equal, form, number

FEW = 4
"""Rows of an inner list."""

ABSENT: Any = object()
"""What a node gives where there is nothing; the place is left out."""


@dataclass
class Scene:
    """Everything a result can be made of."""

    spec: WorldSpec
    rows: Rows
    table: str
    arguments: JsonObject
    now: str
    page: Slice
    matching: Sequence[Found]
    """All rows that fit, of which ``page`` shows some."""
    computed: Any = None
    lineage: Lineage = field(default_factory=dict)

    def build(self, node: ResultNode, found: Found | None, table: str, path: str) -> Any:
        """Build the value of a node; ``found`` is the row at hand."""
        match node:
            case FromField():
                if found is None or (value := dig(found[1], node.field)) is None:
                    return ABSENT
                return self._noted(path, value, Origin("field", table, (found[0],), node.field))
            case FromParameter():
                value = dig(self.arguments, node.parameter)
                if value is None:
                    return ABSENT if node.otherwise is None else self._noted(path, node.otherwise, Origin("constant"))
                return self._noted(path, value, Origin("argument", field=node.parameter))
            case Constant():
                return self._noted(path, node.value, Origin("constant"))
            case Now():
                return self._noted(path, clock(self.now, node.form), Origin("clock"))
            case NewId():
                return ABSENT
            case Count():
                return self._noted(path, self._count(node.of), self._all(table))
            case PagePart():
                return self._paging(node, path)
            case Aggregate():
                return self._aggregate(node, table, path)
            case ObjectNode():
                made = {}
                for name, inner in node.fields.items():
                    value = self.build(inner, found, table, f"{path}.{name}" if path else name)
                    if value is not ABSENT:
                        made[name] = value
                return made
            case RowsNode():
                inner_table, items = self._items(node, found, table)
                listed: list[Any] = []
                for each in items:
                    value = self.build(node.item, each, inner_table, f"{path}[{len(listed)}]")
                    if value is not ABSENT:
                        listed.append(value)
                return listed
            case JoinNode():
                if found is None or (value := dig(found[1], node.field)) is None:
                    return ABSENT
                other = self.rows.refers(table, node.field, value)
                return ABSENT if other is None else self.build(node.item, other[1:], other[0], path)
            case ComputedNode():
                value = self.computed if node.part is None else dig(self.computed, node.part)
                return ABSENT if value is None else self._noted(path, value, Origin("function"))
            case unknown:
                assert_never(unknown)

    def _noted(self, path: str, value: Any, origin: Origin) -> Any:
        self.lineage[path] = origin
        return value

    def _all(self, table: str, name: str = "") -> Origin:
        return Origin("rows", table, tuple(key for key, _ in self.matching), name)

    def _count(self, of: Literal["all", "page", "pages", "more"]) -> int | bool:
        match of:
            case "all":
                return self.page.total
            case "page":
                return len(self.page.rows)
            case "pages":
                return self.page.pages
            case "more":
                return self.page.next is not None
            case unknown:
                assert_never(unknown)

    def _paging(self, node: PagePart, path: str) -> Any:
        value: Any
        match node.part:
            case "limit":
                value = self.page.limit
            case "offset":
                value = self.page.offset
            case "page":
                value = self.page.number
            case "next":
                value = ABSENT if self.page.next is None else self.page.next
            case unknown:
                assert_never(unknown)
        return value if value is ABSENT else self._noted(path, value, Origin("constant"))

    def _aggregate(self, node: Aggregate, table: str, path: str) -> Any:
        rows = [row for _, row in self.matching]
        if node.field is not None and node.equals is not None:
            rows = [row for row in rows if equal(dig(row, node.field), node.equals)]
        figures = [f for row in rows if node.field is not None and (f := number(dig(row, node.field))) is not None]
        value: Any
        match node.function:
            case "count":
                value = len(rows)
            case "sum":
                value = sum(figures)
            case "mean":
                value = round(sum(figures) / len(figures), 2) if figures else ABSENT
            case "min":
                value = min(figures) if figures else ABSENT
            case "max":
                value = max(figures) if figures else ABSENT
            case unknown:
                assert_never(unknown)
        if isinstance(value, float):
            value = int(value) if value.is_integer() else round(value, 2)
        return value if value is ABSENT else self._noted(path, value, self._all(table, node.field or ""))

    def _items(self, node: RowsNode, found: Found | None, table: str) -> tuple[str, Sequence[Found]]:
        if node.table is None:
            items: Sequence[Found] = self.page.rows
            inner = table
        else:
            inner = node.table
            if node.by is None:
                return inner, self._few(node.table, found, node.limit or FEW)
            items = [] if found is None else self._children(node.table, node.by, found[1])
        return inner, items[: node.limit] if node.limit is not None else items

    def _few(self, table: str, found: Found | None, most: int) -> list[Found]:
        """Return some rows of a table, chosen by the row at hand; they stand in the table's own order."""
        whose = "" if found is None else "\x1f".join(found[0])
        rows = list(self.rows.visible(table))
        chosen = sorted(rows, key=lambda each: sha256_hex(f"{whose}\x1f{each[0]}"))[: max(2, most - len(whose) % 2)]
        return ordered(chosen, self.spec.tables[table].order, None, None, {})

    def _children(self, table: str, by: str, parent: Row) -> list[Found]:
        """Return the rows of a child table that name the parent by its ref field."""
        ref = self.spec.tables[table].fields[by].ref or ""
        value = dig(parent, ref.partition(".")[2])
        if value is None:
            return []
        part = self.rows.open(table, {by: value})
        wanted = form(value)
        found = [(key, row) for key, row in self.rows.visible(table, (part,)) if form(dig(row, by)) == wanted]
        return sorted(found, key=lambda each: each[0])


def clock(now: str, form_of: Literal["date", "date-time", "seconds", "milliseconds"]) -> Any:
    """Write the session's clock in one of the forms that APIs use; moments in UTC."""
    moment = datetime.fromisoformat(now)
    match form_of:
        case "date":
            return moment.date().isoformat()
        case "date-time":
            return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        case "seconds":
            return int(moment.timestamp())
        case "milliseconds":
            return int(moment.timestamp() * 1000)
        case unknown:
            assert_never(unknown)

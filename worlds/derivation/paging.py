"""Tell which parameters choose page and order, and what these are."""

from __future__ import annotations

from wildtool.language.prose_defaults import defaults
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole, OperationKind, Page, ParameterRole, Sort
from wildtool.worlds.derivation.bounds import time_field
from wildtool.worlds.derivation.context import Context, Roles
from wildtool.worlds.derivation.lexicon import joined, name_words, phrases, spaced
from wildtool.worlds.derivation.shapes import leaf_at
from wildtool.worlds.derivation.tables import TableDraft, match
from wildtool.worlds.derivation.views import View
from wildtool.worlds.values import number

DEFAULT_ITEMS = 10
"""Items of a list where neither its description nor its result schema says how many."""


_DOWN = frozenset(
    "desc descending newest latest top popular popularity highest best longest relevance recent most largest".split()
)
_UP = frozenset("asc ascending oldest lowest earliest least smallest shortest soonest upcoming".split())
_BEST_FIRST = frozenset(
    "date created updated modified published posted added rating ratings score stars votes views likes downloads".split()
)
"""Words of an order that people mean from the newest or the best down, where nothing says otherwise."""

_DIRECTIONS = frozenset("asc ascending desc descending by highest lowest most least largest smallest".split())
_TIMELY = frozenset("newest latest recent oldest earliest soonest upcoming date time".split())
_COUNTED = frozenset("rank position ranking id number page".split())


def _joined(texts: frozenset[str]) -> frozenset[str]:
    return frozenset(text.replace(" ", "") for text in texts)


def paging(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
    if plain_type(schema) not in ("integer", "number", "string", "any") or (
        "enum" in schema and plain_type(schema) == "string"
    ):
        return False
    over_rows = context.view.kind in (OperationKind.LIST, OperationKind.SERIES, OperationKind.AGGREGATE)
    if not over_rows and (context.view.shape.rows is None or match(name, context.table) is not None):
        return False
    held, whole = spaced(name), plain_type(schema) in ("integer", "number", "any")
    for part in ("limit", "page", "offset", "cursor"):
        if held not in phrases("page", part) and joined(name) not in _joined(phrases("page", part)):
            continue
        if part != "cursor" and not whole and "page" not in held and "limit" not in held and "offset" not in held:
            continue
        if part in roles.page or (part == "offset" and "page" in roles.page):
            break
        if context.view.kind is OperationKind.SERIES and part == "limit":
            roles.window["count"] = name
            roles.use(name, ParameterRole.PAGE, 0.9, "named like a number of points")
            return True
        roles.page[part] = name
        if part == "limit":
            if isinstance(schema.get("maximum"), int):
                roles.page["maximum"] = schema["maximum"]
            told = [schema["default"]] if "default" in schema else defaults(schema)
            if len(told) == 1 and (most := number(told[0])) is not None and most > 0:
                roles.page["default"] = int(most)
        if part == "page" and (schema.get("minimum") == 0 or schema.get("default") == 0):
            roles.page["first_page"] = 0
        roles.use(name, ParameterRole.PAGE, 0.95, f"named like a {part}")
        return True
    return False


def _directs(schema: JsonObject) -> bool:
    values = {str(each).casefold() for each in schema.get("enum") or ()}
    told = str(schema.get("description", "")).casefold()
    return bool(values & {"asc", "desc", "ascending", "descending"}) or "ascending" in told or "descending" in told


def sorting(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
    """Decide on parameters that name an order or its direction."""
    held = spaced(name)
    by = held in phrases("sort", "by") or joined(name) in _joined(phrases("sort", "by"))
    if by and _sortable(name, schema, context, roles):
        return True
    options = {str(each).casefold() for each in schema.get("enum") or ()}
    if held in phrases("sort", "direction") and options and options <= _DOWN | _UP and measure(context.table):
        roles.sort["by"] = name
        roles.use(name, ParameterRole.SORT, 0.85, "named like an order of figures")
        return True
    if held in phrases("sort", "direction") and (roles.sort or _directs(schema)):
        roles.sort["direction"] = name
        roles.use(name, ParameterRole.SORT, 0.85, "named like a direction")
        return True
    return False


def _sortable(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
    if _directs(schema) and not any(match(str(each), context.table) for each in schema.get("enum") or ()):
        return False
    if plain_type(schema) not in ("string", "array", "any"):
        return False
    roles.sort["by"] = name
    roles.use(name, ParameterRole.SORT, 0.9, "named like an order")
    return True


def measure(table: TableDraft) -> str | None:
    """Return the first figure that a table's rows show; None where they show none."""
    return next(
        (
            name
            for name, role in table.roles.items()
            if role is FieldRole.FACT
            and name not in table.parts
            and plain_type(table.fields[name]) in ("integer", "number")
            and not set(name_words(name)) & _COUNTED
        ),
        None,
    )


def page_of(roles: Roles, view: View) -> Page | None:
    """Return the paging of a list."""
    if view.kind not in (OperationKind.LIST, OperationKind.SERIES, OperationKind.AGGREGATE):
        return None
    parts = dict(roles.page)
    most = leaf_at(view.shape.schema, view.shape.rows or ()).get("maxItems")
    if isinstance(most, int) and most > 0:
        parts["maximum"] = min(most, parts.get("maximum", most))
    if not any(name in parts for name in ("limit", "offset", "page", "cursor")) and "maximum" not in parts:
        return None
    parts["default"] = min(parts.get("default", DEFAULT_ITEMS), parts.get("maximum", DEFAULT_ITEMS))
    return Page(**parts)


def sort_of(roles: Roles, context: Context) -> Sort | None:
    """Return the order that the arguments choose; None where none does."""
    by, direction = roles.sort.get("by"), roles.sort.get("direction")
    if by is None and direction is None:
        return None
    table = context.table
    if by is None:
        first = next(
            (name for name, role in table.roles.items() if role is FieldRole.TIME and name not in table.parts), None
        )
        first = first or table.label or table.key
        return Sort(direction=direction, orders={"": first}) if first else None
    schema = context.view.parameters[by]
    orders: dict[str, str] = {}
    for value in schema.get("enum") or [name for name in table.fields if name not in table.parts]:
        words = set(name_words(str(value)))
        stem = "_".join(word for word in name_words(str(value)) if word not in _DIRECTIONS)
        down = str(value).startswith("-") or bool(words & _DOWN) or (bool(words & _BEST_FIRST) and not words & _UP)
        field_name = match(stem, table) if stem else None
        if field_name is None and words & _TIMELY:
            field_name = time_field(table, ())
        if field_name is None and not stem:
            field_name = measure(table)
        if field_name is None:
            field_name = table.hide(f"by_{stem or value}", {"type": "integer", "minimum": 0, "maximum": 10000})
            down = True
        orders[str(value)] = ("-" if down else "") + field_name
    default = schema.get("default")
    return Sort(
        parameter=by,
        direction=direction,
        orders=orders,
        default=str(default) if default is not None and str(default) in orders else None,
    )

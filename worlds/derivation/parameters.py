"""Tell what each parameter of a tool is for, and write it into the operation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wildtool.language.prose_defaults import defaults
from wildtool.language.result_filters import _RANKS as RANKS
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_paths import leaf
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.tool import ToolList
from wildtool.schemas.world import (
    FieldRole,
    OperationKind,
    Page,
    ParameterRole,
    ParameterUse,
    Predicate,
    PredicateKind,
    Sort,
)
from wildtool.worlds.derivation.lexicon import identifies, joined, name_words, phrases, singular, spaced, word_set
from wildtool.worlds.derivation.shapes import leaf_at, properties_of
from wildtool.worlds.derivation.tables import TableDraft, match
from wildtool.worlds.derivation.views import View
from wildtool.worlds.values import number

DEFAULT_ITEMS = 10
"""Items of a list where neither its description nor its result schema says how many."""

TOPICS = "topics"
"""Field of the words by which a search finds a row."""


@dataclass
class Roles:
    """What was decided about a tool's parameters."""

    uses: dict[str, ParameterUse] = field(default_factory=dict)
    key: dict[str, str] = field(default_factory=dict)
    where: list[Predicate] = field(default_factory=list)
    page: dict[str, Any] = field(default_factory=dict)
    sort: dict[str, str] = field(default_factory=dict)
    set: dict[str, str] = field(default_factory=dict)
    """Parameter by written field."""
    window: dict[str, str] = field(default_factory=dict)

    def use(self, name: str, role: ParameterRole, certainty: float, reason: str) -> None:
        """Note a decision."""
        self.uses[name] = ParameterUse(role=role, certainty=certainty, reason=reason)


@dataclass(frozen=True)
class Context:
    """What the rules for one tool see."""

    view: View
    table: TableDraft
    tables: list[TableDraft]
    tools: ToolList

    def linked(self, parameter: str) -> tuple[TableDraft, str] | None:
        """Return table and field that a link says the parameter takes its values from."""
        for link in self.tools.links:
            if link.consumer != self.view.tool.name or link.parameter != parameter:
                continue
            for table in self.tables:
                name = leaf(link.path)
                shown = link.producer in {view.tool.name for view in table.views} and name in table.fields
                # Names and days that a result shows may be said as well; only identifiers name a row.
                if shown and name == table.key:
                    return table, name
        return None

    def bound(self, parameter: str) -> bool:
        """Return whether only a result gives the parameter's values."""
        return any(
            link.required and link.consumer == self.view.tool.name and link.parameter == parameter
            for link in self.tools.links
        )


def roles_of(context: Context) -> Roles:
    """Decide on all parameters of a tool."""
    roles = Roles()
    view = context.view
    for name, schema in view.parameters.items():
        _decide(name, schema, context, roles)
    _open_together(context, roles)
    if view.kind in (OperationKind.UPDATE, OperationKind.DELETE) and not roles.key and not context.table.singleton:
        _name_by_what_is_there(context, roles)
    return roles


def _open_together(context: Context, roles: Roles) -> None:
    """Let all conditions that always hold open as soon as one does, so that what is asked for is there."""
    table, view = context.table, context.view
    always = {
        name for name, schema in view.parameters.items() if name in view.needed or schema.get("default") is not None
    }
    asked = [each for each in roles.where if each.parameter in always and each.op in _OPENING]
    if not any(field in table.open for each in asked for field in each.fields):
        return
    for each in asked:
        if each.op is not PredicateKind.CONTAINS_ANY and each.parent is None and each.fields[0] != table.key:
            table.opens(each.fields[0])


_OPENING = (PredicateKind.EQ, PredicateKind.ON_DAY, PredicateKind.CONTAINS_ANY, PredicateKind.IN)
"""Conditions whose values may bring rows into being."""


def _decide(name: str, schema: JsonObject, context: Context, roles: Roles) -> None:
    view, held, words = context.view, spaced(name), set(name_words(name))
    writes = view.kind.writes
    needed = name in view.needed
    if not writes and _paging(name, schema, context, roles):
        return
    by = held in phrases("sort", "by") or joined(name) in _joined(phrases("sort", "by"))
    if not writes and by and _sortable(name, schema, context, roles):
        return
    if not writes and (held in phrases("sort", "direction")) and (roles.sort or _directs(schema)):
        roles.sort["direction"] = name
        roles.use(name, ParameterRole.SORT, 0.85, "named like a direction")
        return
    if _near(name, schema, context, roles):
        return
    if _identifies(name, schema, context, roles):
        return
    found = match(name, context.table)
    if not writes and words & word_set("near", "radius") and plain_type(schema) in ("integer", "number"):
        far = next((each for each in context.table.fields if "distance" in name_words(each)), None)
        if far is not None and far not in context.table.parts:
            roles.where.append(Predicate(parameter=name, op=PredicateKind.LE, fields=(far,)))
            roles.use(name, ParameterRole.NEAR, 0.85, f"bounds {far}")
            return
    if not writes and _looks(name, schema, found):
        roles.use(name, ParameterRole.FORMAT, 0.8, "changes the looks of the answer")
        return
    if writes:
        _written(name, schema, context, roles)
        return
    if view.kind is OperationKind.SERIES and _windowed(name, schema, context, roles):
        return
    if (
        words & word_set("text", "names")
        and plain_type(schema) in ("string", "any", "array")
        and "enum" not in schema
        and found is None
    ):
        _searched(name, needed, context, roles, "named like a search")
        return
    if _ranged(name, schema, found, context, roles):
        return
    _equal(name, schema, found, context, roles)


def _joined(texts: frozenset[str]) -> frozenset[str]:
    return frozenset(text.replace(" ", "") for text in texts)


def _paging(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
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


def _sortable(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
    if _directs(schema) and not any(match(str(each), context.table) for each in schema.get("enum") or ()):
        return False
    if plain_type(schema) not in ("string", "array", "any"):
        return False
    roles.sort["by"] = name
    roles.use(name, ParameterRole.SORT, 0.9, "named like an order")
    return True


def _near(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
    words = set(name_words(name))
    parameters = context.view.parameters
    latitude = next((p for p in parameters if set(name_words(p)) & word_set("near", "latitude")), None)
    longitude = next((p for p in parameters if set(name_words(p)) & word_set("near", "longitude")), None)
    if latitude is None or longitude is None or context.view.kind.writes:
        return False
    if name in (latitude, longitude):
        roles.use(name, ParameterRole.NEAR, 0.95, "a place in degrees")
        if name == latitude:
            _place(latitude, longitude, context, roles)
        return True
    if words & word_set("near", "radius") and plain_type(schema) in ("integer", "number"):
        roles.use(name, ParameterRole.NEAR, 0.9, "a distance from the place")
        return True
    return False


def _place(latitude: str, longitude: str, context: Context, roles: Roles) -> None:
    table, view = context.table, context.view
    fields = []
    for name in (latitude, longitude):
        found = match(name, table)
        if found is None or plain_type(table.fields[found]) not in ("number", "integer"):
            found = table.hide(name, {"type": "number"})
        fields.append(found)
    if view.kind in (OperationKind.GET, OperationKind.SERIES):
        roles.key.update({fields[0]: latitude, fields[1]: longitude})
        table.opens(fields[0])
        table.opens(fields[1])
        return
    radius = next(
        (
            p
            for p, s in view.parameters.items()
            if set(name_words(p)) & word_set("near", "radius") and plain_type(s) in ("integer", "number")
        ),
        None,
    )
    also: dict[Any, str] = {"longitude": longitude}
    if radius is not None:
        also["radius"] = radius
    roles.where.append(Predicate(parameter=latitude, op=PredicateKind.NEAR, fields=tuple(fields), also=also))
    if latitude in view.needed:
        table.opens(fields[0])


def _identifies(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
    """Decide on parameters that name one row: of the tool's own table, or of another to which its rows belong."""
    view, table = context.view, context.table
    placed = name in view.places
    last = placed and view.places[-1] == name and view.ends_in_place
    linked = context.linked(name)
    kind = plain_type(schema)
    if kind in ("array", "object", "boolean"):
        return False
    if not (placed or identifies(name) or linked is not None):
        return False
    if (
        placed
        and linked is None
        and not identifies(name)
        and not (last and view.kind in _ONE)
        and _means_rows(name, schema, context)
    ):
        return False
    if _looks(name, schema, None) and not placed and linked is None:
        return False
    found = match(name, table)
    if view.facet == name:
        _side_of(name, schema, context, roles)
        return True
    own = found is not None and (found == table.key or (linked is not None and linked[0] is table))
    keyed = view.kind in (OperationKind.GET, OperationKind.UPDATE, OperationKind.DELETE, OperationKind.SERIES)
    if keyed and not roles.key and (last or own or _first_key(name, view)):
        target = (
            found
            if own
            else (table.key if (last or identifies(name)) and table.key and _fits_key(name, table) else found)
        )
        if target is None or (target == table.key and target in table.parts and not own):
            target = found or table.hide(name, schema, FieldRole.ID if not table.key else None)
        roles.key[target] = name
        if not context.bound(name) and not last:
            table.opens(target)
        elif not context.bound(name) and not any(v.kind is OperationKind.LIST for v in table.views):
            table.opens(target)  # nothing shows its values, so people bring their own
        roles.use(name, ParameterRole.KEY, 0.95 if last or own else 0.8, "names the row")
        return True
    if view.kind is OperationKind.CREATE and not placed and linked is None and (own or _fits_key(name, table)):
        return False
    if view.kind is OperationKind.LIST and found is not None and found == table.key and name in view.needed:
        # Of the same kind, but not the one that is named: what goes with an article are other articles.
        roles.where.append(Predicate(parameter=name, op=PredicateKind.NE, fields=(found,), parent=table.name))
        roles.use(name, ParameterRole.PARENT, 0.6, "rows that go with this one")
        return True
    if view.kind is OperationKind.LIST and found is not None and found == table.key and not placed:
        roles.where.append(Predicate(parameter=name, op=PredicateKind.EQ, fields=(found,)))
        roles.use(name, ParameterRole.EQUAL, 0.8, "the rows' own identifier")
        return True
    _parent(name, schema, context, roles, linked, found)
    return True


_ONE = (OperationKind.GET, OperationKind.UPDATE, OperationKind.DELETE)


def _means_rows(name: str, schema: JsonObject, context: Context) -> bool:
    """Return whether a part of the URL narrows the rows like any other argument: a period, a year, a query."""
    words = set(name_words(name))
    return bool("enum" in schema or words & word_set("text", "names") or words & word_set("range", "times"))


def _side_of(name: str, schema: JsonObject, context: Context, roles: Roles) -> None:
    """Let the thing's identifier be part of the key of its sides."""
    table = context.table
    field_name = match(name, table) or table.hide(name, schema)
    other = context.linked(name) or _table_of(name, context)
    if other is not None and other[0] is not table and other[1] == other[0].key:
        table.refs[field_name] = f"{other[0].name}.{other[1]}"
        table.fields[field_name] = other[0].fields[other[1]]
    roles.key[field_name] = name
    table.opens(field_name)
    roles.use(name, ParameterRole.KEY, 0.9, "names the thing whose side is read")


def _first_key(name: str, view: View) -> bool:
    ids = [each for each in view.needed if identifies(each) or each in view.places]
    return ids[-1:] == [name] if view.places else ids[:1] == [name]


def _fits_key(name: str, table: TableDraft) -> bool:
    stem = {singular(word) for word in name_words(name)} - word_set("names", "generic")
    return not stem or bool(stem & {singular(word) for word in table.noun.split()})


def _parent(
    name: str,
    schema: JsonObject,
    context: Context,
    roles: Roles,
    linked: tuple[TableDraft, str] | None,
    found: str | None,
) -> None:
    """Let the rows belong to a row of another table, where there is one; else to a thing that only has this name."""
    view, table = context.view, context.table
    other = linked if linked is not None and linked[0] is not table else _table_of(name, context)
    field_name = found if found is not None and found != table.key else name
    if found is None or found == table.key:
        table.hide(field_name, schema)
    refers = other is not None and other[1] == other[0].key and other[0] is not table
    if other is not None and refers and field_name not in table.refs and field_name != table.key:
        table.refs[field_name] = f"{other[0].name}.{other[1]}"
        table.fields[field_name] = other[0].fields[other[1]]
    role = ParameterRole.PARENT
    if view.kind.writes or view.kind is OperationKind.CREATE:
        if view.kind is OperationKind.CREATE:
            roles.set[field_name] = name
        roles.use(name, role, 0.8, "names what the row belongs to")
        if view.kind is not OperationKind.CREATE:
            roles.where.append(Predicate(parameter=name, op=PredicateKind.EQ, fields=(field_name,)))
        return
    if view.kind in (OperationKind.GET, OperationKind.SERIES) and not roles.key and not table.singleton:
        roles.key[field_name] = name
        if not context.bound(name) and field_name not in table.refs:
            table.opens(field_name)
    else:
        parent = table.refs[field_name].partition(".")[0] if field_name in table.refs else None
        roles.where.append(Predicate(parameter=name, op=PredicateKind.EQ, fields=(field_name,), parent=parent))
        if parent is None and name in view.needed:
            table.opens(field_name)
    roles.use(name, role, 0.9 if refers else 0.7, "names what the rows belong to")


def _table_of(name: str, context: Context) -> tuple[TableDraft, str] | None:
    """Return the other table that a parameter's name names: ``owner_id`` the owners."""
    stem = [singular(word) for word in name_words(name) if word not in word_set("names", "generic")]
    for table in context.tables:
        if table is context.table or not table.key or table.key in table.parts:
            continue
        if stem and stem == [singular(word) for word in table.noun.split()]:
            return table, table.key
        if joined(table.key) == joined(name) and joined(name) != "id":
            return table, table.key
    return None


def _looks(name: str, schema: JsonObject, found: str | None) -> bool:
    if found is not None:
        return False
    words = name_words(name)
    if spaced(name) in phrases("format", "whole"):
        return True
    marked = set(words) & word_set("format", "words")
    return bool(marked) and (len(words) <= 2 or words[0] in marked or words[-1] in marked)


def _windowed(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
    words = name_words(name)
    low = set(words) & word_set("range", "low")
    high = set(words) & word_set("range", "high")
    whole = plain_type(schema) in ("integer", "number")
    if low and "start" not in roles.window:
        roles.window["start"] = name
    elif high and "end" not in roles.window:
        roles.window["end"] = name
    elif whole and words[-1] in ("days", "hours", "weeks", "months", "years", "points", "cnt", "count"):
        roles.window["count"] = name
    elif words[-1] in ("date", "day") and "at" not in roles.window and plain_type(schema) == "string":
        roles.window["at"] = name
    else:
        return False
    roles.use(name, ParameterRole.RANGE, 0.85, "bounds the window")
    return True


def _searched(name: str, needed: bool, context: Context, roles: Roles, reason: str) -> None:
    table, view = context.table, context.view
    texts = [each for each, role in table.roles.items() if role is FieldRole.LABEL]
    texts += [
        each
        for each in table.fields
        if joined(each) in ("description", "summary", "tags", "keywords", "genre", "category") and each not in texts
    ]
    topics = table.hide(TOPICS, {"type": "array", "items": {"type": "string"}}, FieldRole.TOPIC)
    if view.kind in (OperationKind.GET, OperationKind.SERIES) and not roles.key and not view.places:
        found = match(name, table) or (texts[0] if texts else table.hide(name, {"type": "string"}))
        roles.key[found] = name
        table.opens(found)
        roles.use(name, ParameterRole.KEY, 0.6, "the one row is found by these words")
        return
    roles.where.append(Predicate(parameter=name, op=PredicateKind.CONTAINS_ANY, fields=(topics, *texts)))
    if needed:
        table.opens(topics)
    roles.use(name, ParameterRole.TEXT, 0.85, reason)


def _ranged(name: str, schema: JsonObject, found: str | None, context: Context, roles: Roles) -> bool:
    """Decide on bounds of numbers and times, and on days and years."""
    words = name_words(name)
    low, high = set(words) & word_set("range", "low"), set(words) & word_set("range", "high")
    times = set(words) & word_set("range", "times")
    kind = plain_type(schema)
    table, view = context.table, context.view
    dated = schema.get("format") in ("date", "date-time") or bool(times) or joined(name) in ("since", "until")
    number = kind in ("integer", "number")
    if (low or high) and (number or dated or (kind == "string" and not _place_pair(name, view))):
        ends = low or high
        stem = [word for word in words if word not in ends]
        target = _bounded(stem, dated, number, table, view)
        if schema.get("enum") and not number:
            if not all(str(each).casefold() in RANKS for each in schema["enum"]):
                return False
            target = match("_".join(stem), table) or table.hide("_".join(stem) or name, schema)
            ranks = tuple(sorted(schema["enum"], key=lambda each: RANKS[str(each).casefold()]))
            roles.where.append(
                Predicate(parameter=name, op=PredicateKind.RANK, fields=(target,), least=bool(low), ranks=ranks)
            )
            roles.use(name, ParameterRole.RANGE, 0.85, "bounds a level")
            return True
        if target is None:
            if not (dated or number):
                return False
            field_schema: JsonObject = {"type": kind if number else "string"}
            if dated and not number:
                field_schema["format"] = "date-time" if schema.get("format") == "date-time" else "date"
            target = table.hide("_".join(stem) or ("date" if dated else name), field_schema)
        op = PredicateKind.GE if low else PredicateKind.LE
        if set(words) & {"after", "above", "gt", "newer", "over"} and number and not times:
            op = PredicateKind.GT
        if set(words) & {"before", "below", "lt", "under"} and number and not times:
            op = PredicateKind.LT
        roles.where.append(Predicate(parameter=name, op=op, fields=(target,)))
        roles.use(name, ParameterRole.RANGE, 0.9, f"bounds {target}")
        return True
    if words and words[-1] in word_set("range", "day") and (kind in ("string", "integer") and "enum" not in schema):
        target = found or _time_field(table, words)
        if view.kind is OperationKind.GET and (name in view.needed or (found is not None and not table.singleton)):
            target = found if found is not None else table.hide(name, schema)
            roles.key[target] = name
            table.opens(target)
            roles.use(name, ParameterRole.RANGE, 0.6, "the day of the row")
            return True
        if target is None:
            target = table.hide(name, schema, FieldRole.TIME)
        exact = target == found and words[-1] in ("year", "month", "week") and table.roles[target] is not FieldRole.TIME
        roles.where.append(
            Predicate(parameter=name, op=PredicateKind.EQ if exact else PredicateKind.ON_DAY, fields=(target,))
        )
        if name in view.needed:
            table.opens(target)
        roles.use(name, ParameterRole.RANGE, 0.8, f"the day, month or year of {target}")
        return True
    return False


def _place_pair(name: str, view: View) -> bool:
    """Return whether from and to are places of a way, not ends of a span."""
    words = name_words(name)
    return (
        bool(set(words) & {"from", "to", "start", "end"})
        and not set(words) & word_set("range", "times")
        and (joined(name) in ("from", "to", "start", "end") or bool(set(words) & word_set("names", "people_say")))
        and not str(view.parameters[name].get("format", "")).startswith("date")
        and not _says_time(view.parameters[name])
    )


def _says_time(schema: JsonObject) -> bool:
    told = str(schema.get("description", "")).casefold()
    return any(word in told for word in ("date", "time", "yyyy", "iso 8601", "unix", "epoch"))


def _bounded(stem: list[str], dated: bool, number: bool, table: TableDraft, view: View) -> str | None:
    """Return the field that a bound is on: by the rest of the name, else the one time of the table."""
    rest = [word for word in stem if word not in word_set("range", "times")] if dated else stem
    measures = word_set("names", "measures")
    if stem and (found := match("_".join(stem), table)) is not None:
        return found
    wanted = {singular(word) for word in rest} - measures
    best = None
    own = properties_of(view.row)
    for name, schema in sorted(table.fields.items(), key=lambda each: (each[0] not in own, each[0] in table.parts)):
        if best is not None and name not in own and best in own:
            break
        theirs = {singular(word) for word in name_words(name)} - measures
        fits = plain_type(schema) in ("integer", "number") if number and not dated else True
        if wanted and wanted <= theirs and fits and (best is None or len(theirs) < len(name_words(best))):
            best = name
    if best is not None or not dated:
        return best
    return _time_field(table, tuple(rest))


def _time_field(table: TableDraft, words: tuple[str, ...]) -> str | None:
    times = [name for name, role in table.roles.items() if role is FieldRole.TIME]
    stems = {word[:5] for word in words} - {word[:5] for word in word_set("range", "times")}
    named = [name for name in times if stems & {word[:5] for word in name_words(name)}]
    years = [name for name in times if "year" in name_words(name)] if words[-1:] == ("year",) else []
    chosen = named or years or times
    shown = [name for name in chosen if name not in table.parts]
    return next(iter(shown or chosen), None)


def _equal(name: str, schema: JsonObject, found: str | None, context: Context, roles: Roles) -> None:
    """Keep rows whose field has the value; a field of its own where results show none."""
    table, view = context.table, context.view
    kind, needed = plain_type(schema), name in view.needed
    if (
        found is not None
        and kind != "object"
        and (plain_type(table.fields[found]) == "object" or "properties" in table.fields[found])
    ):
        found = table.hide(
            f"{name}_name", schema
        )  # the result holds an object of this name, the argument a word for it
    flags = word_set("names", "flags")
    words = name_words(name)
    if kind == "boolean":
        if found is None and (words[:1] in (("include",), ("includes",), ("with",), ("show",), ("return",))):
            roles.use(name, ParameterRole.FORMAT, 0.7, "adds to the answer")
            return
        if found is not None and plain_type(table.fields[found]) != "boolean":
            found = None
            if words[:1] == ("with",):
                roles.use(name, ParameterRole.FORMAT, 0.7, "adds to the answer")
                return
        target = found or table.hide("_".join(w for w in words if w not in flags) or name, {"type": "boolean"})
        only = bool(set(words) & {"only", "has", "with"}) or words[:1] == ("is",)
        roles.where.append(
            Predicate(parameter=name, op=PredicateKind.TRUE if only else PredicateKind.EQ, fields=(target,))
        )
        roles.use(name, ParameterRole.EQUAL, 0.8, f"a flag on {target}")
        return
    if kind == "object":
        roles.use(name, ParameterRole.UNSUPPORTED, 0.7, "an object with a meaning of its own")
        return
    if kind == "array":
        found_items = schema.get("items")
        item: JsonObject = found_items if isinstance(found_items, dict) else {}
        called = next((each for each, role in table.roles.items() if role is FieldRole.LABEL), None)
        if found is None and needed and called is not None and plain_type(item) == "string" and "enum" not in item:
            found = called  # what is compared or looked up by name is what the rows are called
        target = found or table.hide(singular(name), item or {"type": "string"})
        listed = plain_type(table.fields[target]) == "array"
        excluded = words[:1] in (("exclude",), ("excluding",), ("without",), ("not",))
        if excluded:
            roles.use(name, ParameterRole.UNSUPPORTED, 0.7, "leaves rows out by a list")
            return
        roles.where.append(
            Predicate(parameter=name, op=PredicateKind.HAS if listed else PredicateKind.IN, fields=(target,))
        )
        if needed and not listed:
            table.opens(target)
        roles.use(name, ParameterRole.EQUAL, 0.75, f"one of these, as {target}")
        return
    if view.kind in (OperationKind.GET, OperationKind.SERIES) and (needed or found is not None) and not table.singleton:
        if len(roles.key) and not needed and found is None:
            roles.use(name, ParameterRole.UNSUPPORTED, 0.6, "does not say which row")
            return
        target = found or table.hide(name, schema)
        if table.key in roles.key and not needed and target not in roles.key and not view.facet:
            roles.where.append(Predicate(parameter=name, op=PredicateKind.EQ, fields=(target,)))
            roles.uses[name] = ParameterUse(
                role=ParameterRole.UNSUPPORTED, certainty=0.6, reason="would choose among facts of one row"
            )
            roles.where.pop()
            return
        had = bool(roles.key)
        roles.key[target] = name
        if not context.bound(name):
            table.opens(target)
        role = ParameterRole.EQUAL if had or "enum" in schema else ParameterRole.KEY
        roles.use(name, role, 0.8, f"names the row by {target}")
        return
    if view.kind is OperationKind.GET:
        roles.use(name, ParameterRole.UNSUPPORTED, 0.6, "does not say which row")
        return
    sayable = bool({singular(word) for word in words} & word_set("names", "people_say"))
    if (
        needed
        and kind in ("string", "any")
        and "enum" not in schema
        and found is None
        and not sayable
        and view.kind is OperationKind.LIST
    ):
        _searched(name, needed, context, roles, "a text that results do not show")
        return
    label = found is not None and table.roles[found] is FieldRole.LABEL
    if (label or (words[-1:] in (("name",), ("title",)) and found is None)) and view.kind is OperationKind.LIST:
        _searched(name, needed, context, roles, "words of a name")
        return
    if words[-1:] == ("prefix",):
        target = match("_".join(words[:-1]), table) or table.hide("_".join(words[:-1]), {"type": "string"})
        roles.where.append(Predicate(parameter=name, op=PredicateKind.PREFIX, fields=(target,)))
        roles.use(name, ParameterRole.TEXT, 0.9, f"begins {target}")
        return
    target = found or table.hide(name, schema)
    listed = plain_type(table.fields[target]) == "array"
    roles.where.append(
        Predicate(parameter=name, op=PredicateKind.HAS if listed else PredicateKind.EQ, fields=(target,))
    )
    if needed and "enum" not in schema and not listed:
        table.opens(target)
    roles.use(name, ParameterRole.EQUAL, 0.85 if found is not None else 0.7, f"equals {target}")


def _written(name: str, schema: JsonObject, context: Context, roles: Roles) -> None:
    table, view = context.table, context.view
    if view.kind is OperationKind.DELETE:
        roles.use(name, ParameterRole.UNSUPPORTED, 0.6, "a removal writes nothing")
        return
    words = name_words(name)
    if set(words) & {"callback", "idempotency", "fields", "pretty", "expand", "include", "dry"}:
        roles.use(name, ParameterRole.FORMAT, 0.7, "changes the looks of the answer")
        return
    target = match(name, table)
    if target is None or (target == table.key and view.kind is OperationKind.UPDATE):
        target = table.hide(name if name != table.key else f"new_{name}", schema)
    if target in roles.set:
        target = table.hide(name, schema)
    roles.set[target] = name
    roles.use(name, ParameterRole.SET, 0.85, f"writes {target}")


_NAMING = frozenset("name code key slug number username email handle symbol title ref reference token".split())
"""Words of parameters that can name a row."""


def _name_by_what_is_there(context: Context, roles: Roles) -> None:
    """Let the first required parameter name the row that a write changes."""
    for name in context.view.needed:
        use = roles.uses.get(name)
        if use is None or use.role not in (ParameterRole.SET, ParameterRole.EQUAL, ParameterRole.UNSUPPORTED):
            continue
        if not (identifies(name) or set(name_words(name)) & _NAMING):
            continue
        target = match(name, context.table) or context.table.hide(name, context.view.parameters[name])
        roles.set = {key: value for key, value in roles.set.items() if value != name}
        roles.key[target] = name
        context.table.opens(target)
        roles.use(name, ParameterRole.KEY, 0.6, "names the row")
        return


def page_of(roles: Roles, view: View) -> Page | None:
    """Return the paging of a list."""
    if view.kind not in (OperationKind.LIST, OperationKind.SERIES, OperationKind.AGGREGATE):
        return None
    parts = {
        name: value
        for name, value in roles.page.items()
        if name in ("limit", "offset", "page", "cursor", "maximum", "default", "first_page")
    }
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
        first = first or next((name for name, role in table.roles.items() if role is FieldRole.LABEL), table.key)
        return Sort(direction=direction, orders={"": first}) if first else None
    schema = context.view.parameters[by]
    orders: dict[str, str] = {}
    for value in schema.get("enum") or [name for name in table.fields if name not in table.parts]:
        words = name_words(str(value))
        down = str(value).startswith("-") or bool(
            set(words)
            & {
                "desc",
                "descending",
                "newest",
                "latest",
                "top",
                "popular",
                "popularity",
                "highest",
                "best",
                "longest",
                "relevance",
                "recent",
            }
        )
        stem = "_".join(
            word for word in words if word not in ("asc", "desc", "ascending", "descending", "by", "highest", "lowest")
        )
        field_name = match(stem, table) if stem else None
        if field_name is None and set(words) & {"newest", "latest", "recent", "oldest", "date", "time"}:
            field_name = _time_field(table, ())
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

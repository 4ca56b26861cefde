"""Tell which parameters bound rows: numbers and times, windows of a series, places."""

from __future__ import annotations

from typing import Any

from wildtool.language.result_filters import RANKS
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole, OperationKind, ParameterRole, Predicate, PredicateKind
from wildtool.worlds.derivation.context import Context, Roles
from wildtool.worlds.derivation.lexicon import joined, name_words, singular, word_set
from wildtool.worlds.derivation.shapes import properties_of
from wildtool.worlds.derivation.tables import TableDraft, match
from wildtool.worlds.derivation.views import View


def near(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
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


def windowed(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
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


def ranged(name: str, schema: JsonObject, found: str | None, context: Context, roles: Roles) -> bool:
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
        target = found or time_field(table, words)
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


_HAPPENED = frozenset(("built", "born", "made", "written", "sold", "year"))
"""What things were at a time, beside the regular forms."""


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
    if best is not None:
        return best
    if dated:
        return time_field(table, tuple(rest))
    # "releasedAfter: 2000" bounds the year that the rows show.
    happened = number and bool(stem) and all(word.endswith("ed") or word in _HAPPENED for word in stem)
    years = [
        name
        for name, role in table.roles.items()
        if role is FieldRole.TIME and name not in table.parts and plain_type(table.fields[name]) == "integer"
    ]
    return next(iter(years), None) if happened else None


def time_field(table: TableDraft, words: tuple[str, ...]) -> str | None:
    times = [name for name, role in table.roles.items() if role is FieldRole.TIME]
    stems = {word[:5] for word in words} - {word[:5] for word in word_set("range", "times")}
    named = [name for name in times if stems & {word[:5] for word in name_words(name)}]
    years = [name for name in times if "year" in name_words(name)] if words[-1:] == ("year",) else []
    chosen = named or years or times
    shown = [name for name in chosen if name not in table.parts]
    return next(iter(shown or chosen), None)

"""Tell which parameters keep rows by a value or by words."""

from __future__ import annotations

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole, OperationKind, ParameterRole, Predicate, PredicateKind
from wildtool.worlds.derivation.context import Context, Roles
from wildtool.worlds.derivation.lexicon import joined, name_words, singular, word_set
from wildtool.worlds.derivation.tables import match

TOPICS = "topics"
"""Field of the words by which a search finds a row."""


def equal(name: str, schema: JsonObject, found: str | None, context: Context, roles: Roles) -> None:
    """Keep rows whose field has the value; a field of its own where results show none."""
    table, view = context.table, context.view
    kind, needed = plain_type(schema), name in view.needed
    if (
        found is not None
        and kind != "object"
        and (plain_type(table.fields[found]) == "object" or "properties" in table.fields[found])
    ):
        # The result holds an object of this name, the argument a word for it.
        found = table.hide(f"{name}_name", schema)
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
        called = table.label
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
            roles.use(name, ParameterRole.UNSUPPORTED, 0.6, "would choose among facts of one row")
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
        searched(name, needed, context, roles, "a text that results do not show")
        return
    label = found is not None and table.roles[found] is FieldRole.LABEL
    if (label or (words[-1:] in (("name",), ("title",)) and found is None)) and view.kind is OperationKind.LIST:
        searched(name, needed, context, roles, "words of a name")
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


def searched(name: str, needed: bool, context: Context, roles: Roles, reason: str) -> None:
    table, view = context.table, context.view
    texts = [] if table.label is None else [table.label]
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

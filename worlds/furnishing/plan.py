"""Plan how the rows of a table are made: in which order, by what, and what they take from the rows they refer to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole, WorldSpec, WorldTable
from wildtool.worlds.furnishing.checks import Check, check_of
from wildtool.worlds.furnishing.data import joined, name_words
from wildtool.worlds.furnishing.facts import Rule
from wildtool.worlds.furnishing.identifiers import Make, is_coded, make_of
from wildtool.worlds.furnishing.kinds import kind_of, named_after, scope_of, thing_of
from wildtool.worlds.furnishing.labels import Label, label_of
from wildtool.worlds.furnishing.makers import PLACES, TEXTS
from wildtool.worlds.furnishing.relations import agreeing
from wildtool.worlds.furnishing.shapes import Draw, draw_of


@dataclass(frozen=True)
class FieldPlan:
    """How one field is made."""

    name: str
    role: FieldRole
    kind: str | None
    scope: str
    check: Check
    schema: JsonObject
    draw: Draw
    make: Make | None = None
    """Of a coded id."""
    label: Label | None = None
    ref: tuple[str, str] | None = None
    """Table and field that it names."""
    transitions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of a state: which states may follow which."""
    unique: bool = False
    """Whether no two rows share its value."""
    names_row: bool = False
    """Whether the row's name holds its value, as a job's title holds the role."""

    @property
    def listed(self) -> bool:
        """Whether it holds a list."""
        return plain_type(self.schema) == "array"


@dataclass(frozen=True)
class TablePlan:
    """How the rows of one table are made."""

    name: str
    spec: WorldTable
    fields: tuple[FieldPlan, ...]
    """In the order in which they are made."""
    agree: Rule
    parent: str | None
    """Ref field whose rows bring this table's rows with them."""
    copies: Mapping[str, tuple[str, str]]
    """Fields that say what a row referred to says: its ref field, and that row's field."""
    by_name: bool = False
    """Whether rows are searched by their name alone, not by a topic."""

    def field(self, name: str) -> FieldPlan | None:
        """Return a field's plan."""
        return next((each for each in self.fields if each.name == name), None)


def plans_of(spec: WorldSpec) -> Mapping[str, TablePlan]:
    """Return the plans of all tables of a spec."""
    return _plans(spec.id, _Held(spec))


class _Held:
    """A spec beside its id: only the id tells two of them apart."""

    def __init__(self, spec: WorldSpec) -> None:
        self.spec = spec

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=1024)
def _plans(_: str, held: _Held) -> Mapping[str, TablePlan]:
    needed = _needed(held.spec)
    return {name: _plan(held.spec, name, needed.get(name, {})) for name, table in held.spec.tables.items()}


def _needed(spec: WorldSpec) -> dict[str, dict[str, list[str]]]:
    """Return paths inside fields that operations read, by table and field."""
    found: dict[str, dict[str, list[str]]] = {}
    for operation in spec.tools.values():
        paths = [*operation.key, *operation.set, *(each for one in operation.where for each in one.fields)]
        if operation.sort is not None:
            paths += [each.removeprefix("-") for each in operation.sort.orders.values()]
        for path in paths:
            head, _, rest = path.partition(".")
            if rest and operation.table is not None:
                found.setdefault(operation.table, {}).setdefault(head, []).append(rest)
    return found


def _plan(spec: WorldSpec, name: str, needed: Mapping[str, list[str]]) -> TablePlan:
    table, language = spec.tables[name], str(spec.language)
    noun = table.noun or " ".join(name_words(name))
    own = _own_noun(table, noun)
    named = next((kind_of(each, own) for each, held in table.fields.items() if held.role is FieldRole.LABEL), None)
    fields = [
        _field(each, table, noun, own, language, sorted(needed.get(each, ())), named_after(named, each))
        for each in table.fields
    ]
    order = {each: at for at, each in enumerate(table.fields)}
    fields.sort(key=lambda each: (_turn(each), order[each.name]))
    parent = next((each.name for each in fields if each.ref is not None and each.ref[0] != name), None)
    schemas = {each: held.value for each, held in table.fields.items()}
    plain_facts = [each for each, held in table.fields.items() if held.role is FieldRole.FACT]
    agree = agreeing(tuple(table.fields), schemas, plain_facts)
    return TablePlan(
        name, table, tuple(fields), agree, parent if table.key else None, _copies(spec, fields), _by_name(spec, name)
    )


def _by_name(spec: WorldSpec, table: str) -> bool:
    """Return whether all searches of a table take a name: a payee, a contact."""
    words = [
        name_words(each.parameter)[-1:]
        for operation in spec.tools.values()
        if operation.table == table
        for each in operation.where
        if any(spec.tables[table].fields[one.partition(".")[0]].role is FieldRole.TOPIC for one in each.fields)
    ]
    return bool(words) and all(each in (("name",), ("contact",), ("person",)) for each in words)


def _copies(spec: WorldSpec, fields: Sequence[FieldPlan]) -> dict[str, tuple[str, str]]:
    """Return fields that repeat what a row referred to says: the town of a screening's cinema, the title of its film."""
    found: dict[str, tuple[str, str]] = {}
    for ref in fields:
        if ref.ref is None:
            continue
        other = spec.tables[ref.ref[0]]
        theirs = {joined(name): name for name in other.fields}
        labels = [name for name, held in other.fields.items() if held.role is FieldRole.LABEL]
        noun = joined(other.noun or ref.ref[0])
        named = {f"{noun}_{joined(label)}": label for label in labels}
        named |= {joined(label): label for label in labels if len(name_words(label)) > 1}
        for each in fields:
            if each.ref is not None or each.unique or each.role in (FieldRole.TOPIC, FieldRole.STATE):
                continue
            own = joined(each.name)
            same = named.get(own) or (theirs.get(own) if each.kind in PLACES else None)
            if same is not None:
                found.setdefault(each.name, (ref.name, same))
    return found


def _own_noun(table: WorldTable, noun: str) -> str:
    """Return what the rows are called after their key where it says so: rows with a drinkId are drinks, whatever the list."""
    stem = " ".join(name_words(table.key[0])[:-1]) if table.key else ""
    return stem if stem and thing_of(stem) is not None else noun


def _field(
    name: str, table: WorldTable, noun: str, own: str, language: str, needed: list[str], names_row: bool
) -> FieldPlan:
    held = table.fields[name]
    noun = own if held.role is FieldRole.LABEL else noun
    kind = kind_of(name, noun)
    # A TIME field of words ("month", "day") is drawn as any other; its name says enough.
    draw = draw_of(name, held.value, noun, language, timed=held.role is FieldRole.TIME, needed=needed)
    make = make_of(name, held, noun)[0] if held.role is FieldRole.ID and (is_coded(name) or held.pattern) else None
    label = label_of(name, held.value, noun, language) if held.role is FieldRole.LABEL else None
    if held.role is FieldRole.ID and make is None and plain_type(held.value) == "string" and kind in _NAMED_KEYS:
        label = label_of(name, held.value, noun, language)
    ref = None
    if held.ref is not None:
        other, _, theirs = held.ref.partition(".")
        ref = (other, theirs)
    unique = table.key == (name,) or held.role is FieldRole.LABEL or (held.role is FieldRole.ID and len(table.key) < 2)
    return FieldPlan(
        name,
        held.role,
        kind,
        scope_of(name),
        check_of(held.value),
        held.value,
        draw,
        make,
        label,
        ref,
        held.transitions,
        unique,
        names_row and held.role is FieldRole.FACT and plain_type(held.value) == "string" and "enum" not in held.value,
    )


_NAMED_KEYS = frozenset(
    ("label", "word", "city", "country", "person", "job_title", "currency_name", "language", "company")
)
"""Kinds of keys that are names: a table of cities has the city's name for its key."""


def _turn(field: FieldPlan) -> int:
    """Return when a field is made: what others follow from comes first."""
    match field.role:
        case FieldRole.REF:
            return 0
        case FieldRole.ID:
            return 1 if field.make is not None else 3
        case FieldRole.TOPIC:
            return 2
        case FieldRole.LABEL:
            return 4
        case _:
            pass
    if field.kind == "city":
        return 5
    if field.kind in PLACES or field.kind in ("first_name", "last_name", "person", "company"):
        return 6
    return (
        8
        if field.kind in TEXTS or field.kind in ("email", "url", "domain", "slug", "username", "initials", "file_name")
        else 7
    )

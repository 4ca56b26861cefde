"""Gather tools into tables: the things that they are about, with their fields and keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_paths import leaf
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.tool import ToolList
from wildtool.schemas.world import FieldRole, OperationKind, WorldField, WorldTable
from wildtool.worlds.derivation.lexicon import identifies, joined, name_words, phrases, singular, spaced, word_set
from wildtool.worlds.derivation.shapes import plain, properties_of
from wildtool.worlds.derivation.views import View

LABELS = ("name", "title", "label", "headline", "displayname", "fullname", "subject", "caption", "summary", "question")
"""Fields by which people name a thing, best first."""

OVERLAP = 0.5
"""Least share of the poorer row's fields that two rows of one thing have in common."""

ROW_ID = "row_id"
"""Key of a table whose rows have no identifier of their own; results do not show it."""

_KEYED = (OperationKind.GET, OperationKind.UPDATE, OperationKind.DELETE, OperationKind.SERIES)


@dataclass
class TableDraft:
    """A table while it is derived."""

    name: str
    noun: str
    views: list[View]
    fields: dict[str, JsonObject] = field(default_factory=dict)
    """Schemas by field."""
    roles: dict[str, FieldRole] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    key: str = ""
    open: list[str] = field(default_factory=list)
    parts: set[str] = field(default_factory=set)
    """Fields that results do not show."""
    singleton: bool = False
    order: tuple[str, ...] = ()

    def add(self, name: str, schema: JsonObject, role: FieldRole | None = None) -> str:
        """Add a field unless it is there; the richer schema stays. Dots, which part paths, become underscores."""
        name = name.replace(".", "_")
        known = self.fields.get(name)
        if known is not None and not _alike(known, schema):  # another result gives the field another type
            name = f"{name}_{plain_type(schema)}"
            known = self.fields.get(name)
        shared = [each for each in (known or {}).get("enum") or () if each in (schema.get("enum") or ())]
        if known is not None and shared:  # a value that all results allow
            self.fields[name] = {**known, "enum": shared}
        elif known is None or (
            ("enum" in schema or "examples" in schema) and not ("enum" in known or "examples" in known)
        ):
            self.fields[name] = value_schema(schema)
        if known is None:
            self.roles[name] = role or role_of(name, schema)
        return name

    def hide(self, name: str, schema: JsonObject, role: FieldRole | None = None) -> str:
        """Add a field that results do not show."""
        name = name.replace(".", "_")
        if name not in self.fields:
            self.parts.add(name)
        return self.add(name, schema, role)

    @property
    def label(self) -> str | None:
        """Field by which people name a row; None where there is none."""
        return next((name for name, role in self.roles.items() if role is FieldRole.LABEL), None)

    def refer(self, name: str, other: TableDraft) -> None:
        """Let a field name rows of another table by their key."""
        self.refs[name] = f"{other.name}.{other.key}"
        self.fields[name] = other.fields[other.key]

    def opens(self, name: str) -> None:
        """Let unseen values of a field bring rows into being."""
        if name not in self.open:
            self.open.append(name)

    def label_rows(self) -> None:
        """Find the field by which people name a row."""
        label = next((name for word in LABELS for name in self.fields if joined(name) == word), None)
        if label is None:
            nouns = set(self.noun.split())
            named = (("name",), ("title",))
            label = next(
                (n for n in self.fields if name_words(n)[-1:] in named and set(name_words(n)[:-1]) <= nouns), None
            )
        if label is None or label == self.key:
            return
        if plain_type(self.fields[label]) == "string" and "enum" not in self.fields[label]:
            self.roles[label] = FieldRole.LABEL

    def record(self) -> WorldTable:
        """Return the table as a record."""
        fields = {
            name: WorldField(
                role=FieldRole.REF if name in self.refs else self.roles[name], value=schema, ref=self.refs.get(name)
            )
            for name, schema in self.fields.items()
        }
        key = () if self.singleton else (self.key,)
        whole = any(view.kind is OperationKind.LIST and not _paged(view) for view in self.views)
        return WorldTable(
            key=key,
            fields=fields,
            order=self.order,
            open=tuple(self.open),
            noun=self.noun,
            rows=(1, 1) if self.singleton else (6, 10) if whole else (12, 24),
        )


def _paged(view: View) -> bool:
    """Return whether the arguments say how many rows are shown, so that a list may be long."""
    return any(spaced(name) in phrases("page", "limit") for name in view.parameters)


def _alike(known: JsonObject, schema: JsonObject) -> bool:
    """Return whether one column can hold values of both schemas."""
    one, other = plain_type(known), plain_type(schema)
    return one == other or "any" in (one, other) or {one, other} == {"integer", "number"}


def value_schema(schema: JsonObject) -> JsonObject:
    """Return what of a schema says which values there are; prose is left out."""
    kept = {
        name: value
        for name, value in schema.items()
        if name not in ("description", "title", "default", "deprecated", "example", "x-enum-words")
    }
    if isinstance(kept.get("examples"), list):
        told = [each for each in kept["examples"] if not isinstance(each, str) or any(char.isalnum() for char in each)]
        kept = {**kept, "examples": told} if told else {k: v for k, v in kept.items() if k != "examples"}
    if "example" in schema and "examples" not in kept and not isinstance(schema["example"], dict | list):
        kept["examples"] = [schema["example"]]
    return kept


def role_of(name: str, schema: JsonObject) -> FieldRole:
    """Tell what a field is for, by its name and schema."""
    words = name_words(name)
    last = words[-1] if words else ""
    kind = plain_type(schema)
    if kind in ("string", "integer") and (identifies(name) or last in ("id", "uuid", "guid")):
        return FieldRole.FACT
    if schema.get("format") in ("date", "date-time", "time"):
        return FieldRole.TIME
    if kind in ("string", "integer") and (
        last in ("date", "datetime", "timestamp", "at", "on", "time", "day", "month", "year")
        or set(words) & {"date", "timestamp"}
    ):
        return FieldRole.TIME
    if last in ("status", "state") and (schema.get("enum") or kind == "string"):
        return FieldRole.STATE if schema.get("enum") else FieldRole.FACT
    if kind in ("integer", "number") and joined(name) in word_set("stock", "fields"):
        return FieldRole.STOCK
    return FieldRole.FACT


def tables_of(views: Sequence[View], tools: ToolList) -> list[TableDraft]:
    """Gather views of the same thing, and find each table's key and label."""
    about = [view for view in views if view.kind not in (OperationKind.OPAQUE, OperationKind.COMPUTE)]
    group = {view.tool.name: number for number, view in enumerate(about)}
    links = [(link.producer, leaf(link.path), link.consumer, link.parameter) for link in tools.links]

    def join(one: View, other: View) -> None:
        old, new = group[other.tool.name], group[one.tool.name]
        if old != new:
            for name, number in group.items():
                if number == old:
                    group[name] = new

    for at, one in enumerate(about):
        for other in about[at + 1 :]:
            if group[one.tool.name] != group[other.tool.name] and _same_thing(one, other, links):
                join(one, other)
    drafts: dict[int, TableDraft] = {}
    names: Counter[str] = Counter()
    for view in about:
        number = group[view.tool.name]
        if number not in drafts:
            same = [each for each in about if group[each.tool.name] == number]
            noun = Counter(each.noun for each in same).most_common(1)[0][0]
            drafts[number] = _named(noun, same, names)
    for draft in drafts.values():
        _fill(draft, links)
    found = list(drafts.values())
    for view in about:
        for name, schema in properties_of(view.row).items():
            _inner(name, schema, found, names)
    return found


def _named(noun: str, views: list[View], names: Counter[str]) -> TableDraft:
    """Make a table named after its noun, with a number where another has the name."""
    base = noun.replace(" ", "_")
    names[base] += 1
    return TableDraft(base if names[base] == 1 else f"{base}_{names[base]}", noun, views)


def _inner(name: str, schema: JsonObject, tables: list[TableDraft], names: Counter[str]) -> None:
    """Make a table of things that only stand inside others and have identifiers of their own: the stops of a trip."""
    fields = _inner_fields(schema)
    if not fields or inner_table(name, schema, tables) is not None:
        return
    own = next((each for each in fields if identifies(each)), None)
    if own is None:
        return
    noun = " ".join((*name_words(name)[:-1], singular(name_words(name)[-1])))
    draft = _named(noun, [], names)
    for each, inner in fields.items():
        draft.add(each, inner)
    draft.key = own
    draft.roles[own] = FieldRole.ID
    draft.label_rows()
    tables.append(draft)


def _inner_fields(schema: JsonObject) -> dict[str, JsonObject]:
    """Return the fields of the objects in a list; none for any other schema."""
    return properties_of(plain(schema.get("items"), 1)) if plain_type(schema) == "array" else {}


def inner_table(name: str, schema: JsonObject, tables: Sequence[TableDraft]) -> TableDraft | None:
    """Return the table of the things in an inner list: the one whose key their identifier is."""
    fields = _inner_fields(schema)
    noun = singular(name_words(name)[-1]) if name_words(name) else ""
    for each in fields:
        if not identifies(each):
            continue
        for table in tables:
            same = joined(table.key) == joined(each) and table.key not in table.parts
            if same and (joined(each) not in ("id", "uuid") or table.noun.split()[-1] == noun):
                return table
    return None


def _same_thing(one: View, other: View, links: Sequence[tuple[str, str, str, str]]) -> bool:
    mine, theirs = properties_of(one.row), properties_of(other.row)
    if one.facet or other.facet:
        return False
    if one.noun == other.noun:
        return True
    common = mine.keys() & theirs.keys()
    ids = {
        n for n in common if identifies(n) and joined(n) not in ("id", "_id") and _names(n, one) and _names(n, other)
    }
    if ids and len(common) >= 3 and len(common) >= OVERLAP * min(len(mine), len(theirs)):
        return True
    for producer, field_name, consumer, parameter in links:
        for giver, taker in ((one, other), (other, one)):
            if (giver.tool.name, taker.tool.name) != (producer, consumer) or taker.kind not in _KEYED:
                continue
            # What is read by an id that it shows itself is the thing that the list shows.
            keyed = [name for name in taker.needed if name == parameter]
            if (
                keyed
                and joined(parameter) == joined(field_name)
                and taker.needed[:1] == (parameter,)
                and giver.kind is OperationKind.LIST
            ):
                shown = properties_of(giver.shape.item)
                own = {joined(each) for each in properties_of(taker.row)}
                if (
                    joined(field_name) in {joined(each) for each in shown}
                    and joined(field_name) in own
                    and _names(field_name, giver)
                ):
                    return True
    return False


def _names(field_name: str, view: View) -> bool:
    """Return whether a field is the identifier of a view's rows, not of something that they belong to."""
    ids = [name for name in properties_of(view.shape.item) if identifies(name)]
    stem = set(name_words(field_name)) - word_set("names", "generic")
    return not stem or stem <= set(view.noun.split()) or ids in ([field_name], [])


def _fill(draft: TableDraft, links: Sequence[tuple[str, str, str, str]]) -> None:
    for view in draft.views:
        if view.kind is not OperationKind.AGGREGATE:
            for name, schema in properties_of(view.row).items():
                draft.add(name, schema)
    scores: Counter[str] = Counter()
    names = {view.tool.name for view in draft.views}
    for producer, field_name, _, _ in links:
        shown = producer in names and field_name in draft.fields and identifies_thing(field_name)
        if shown and _own(field_name, draft):
            scores[field_name] += 3
    for view in draft.views:
        alone = len([name for name in view.needed if "default" not in view.parameters[name]]) <= 1
        if view.kind in _KEYED and not view.facet and (view.places or alone or identifies("".join(view.needed[:1]))):
            for parameter in (*reversed(view.places[-1:]), *view.needed[:1]):
                found = match(parameter, draft)
                if found is not None and _scalar(draft.fields[found]):
                    scores[found] += 2 + identifies(parameter)
    for name, schema in draft.fields.items():
        if (
            _scalar(schema)
            and identifies_thing(name)
            and _own(name, draft)
            and not (draft.views and draft.views[0].facet)
        ):
            scores[name] += 2 if joined(name) in ("id", "_id", draft.noun.replace(" ", "") + "id") else 1
    best = max(scores, key=lambda name: (scores[name], -list(draft.fields).index(name)), default=None)
    reads_alone = all(
        view.kind in (OperationKind.GET, OperationKind.UPDATE) and not view.needed for view in draft.views
    )
    draft.singleton = best is None and reads_alone
    if best is None and not draft.singleton:
        best = draft.hide(ROW_ID, {"type": "string"}, FieldRole.ID)
    if best is not None:
        draft.key = best
        draft.roles[best] = FieldRole.ID
    draft.label_rows()


def identifies_thing(name: str) -> bool:
    """Return whether a field may be the identifier of its row: an id, or a code or number that ends the name."""
    words = name_words(name)
    return identifies(name) or (len(words) > 1 and words[-1] in ("code", "symbol", "reference", "sku", "slug")) or joined(name) in (
        "code", "symbol", "slug", "sku", "isbn", "ticker", "iatacode",
    )  # fmt: skip


def _scalar(schema: JsonObject) -> bool:
    return (
        plain_type(schema) in ("string", "integer", "number", "any")
        and not schema.get("properties")
        and not schema.get("items")
    )


def _own(name: str, draft: TableDraft) -> bool:
    """Return whether an identifier's name fits the table's noun: ``authorId`` of a book is another's, and what a call that
    makes a thing takes names another thing."""
    if any(view.kind is OperationKind.CREATE and name in view.parameters for view in draft.views):
        return False
    stem = [each for each in name_words(name) if each not in word_set("names", "generic")]
    if not stem:
        return True
    nouns = {singular(word) for view in draft.views for word in view.noun.split()} | {
        singular(w) for w in draft.noun.split()
    }
    if {singular(word) for word in stem} <= nouns:
        return True
    others = [each for each in draft.fields if each != name and identifies_thing(each)]
    return not others or (
        len(stem) == 1 and joined(name).endswith("code") and not any(identifies(each) for each in others)
    )


def match(parameter: str, draft: TableDraft) -> str | None:
    """Return the field that a parameter means: of the same name, or the same but for the table's noun, number or a measure."""
    return next(_matches(parameter, draft), None)


def _matches(parameter: str, draft: TableDraft) -> Iterator[str]:
    held = joined(parameter)
    yield from (name for name in draft.fields if joined(name) == held)
    noun = {singular(word) for word in draft.noun.split()}
    words = {singular(word) for word in name_words(parameter.rpartition(".")[2])}
    bare = words - noun
    measures = word_set("names", "measures")
    for name in draft.fields:
        theirs = {singular(word) for word in name_words(name)}
        if bare and theirs and (theirs - noun == bare or theirs == words):
            yield name
    for name in draft.fields:
        theirs = {singular(word) for word in name_words(name)} - noun - measures
        if bare and theirs == bare - measures and bare - measures:
            yield name
    flags = word_set("names", "flags")
    for name in draft.fields:
        theirs = {singular(word) for word in name_words(name)} - flags
        if words - flags and theirs == words - flags:
            yield name

"""World specs: a tool list as tables and operations, so that results are computed and gold is executed.

A spec is data for a small interpreter (``worlds/interpreter.py``); nothing in it is ever run as code. Unknown fields and
unknown words are refused. The same spec with the same seed gives the same rows and the same results, byte for byte.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from wildtool.schemas.base import Identified, JsonObject, Record
from wildtool.schemas.vocabulary import Language
from wildtool.schemas.world_results import ResultNode, ValueNode


class OperationKind(StrEnum):
    """What a tool does to the rows of a world."""

    GET = "get"
    """Returns one row, named by its key."""
    LIST = "list"
    """Returns the rows that fit the arguments."""
    AGGREGATE = "aggregate"
    """Counts or sums up the rows that fit the arguments."""
    CREATE = "create"
    """Adds a row."""
    UPDATE = "update"
    """Changes fields of one row."""
    DELETE = "delete"
    """Removes one row."""
    SERIES = "series"
    """Returns the values of an entity at points in time."""
    COMPUTE = "compute"
    """Applies a function of the shipped library to the arguments."""
    OPAQUE = "opaque"
    """Cannot be answered from rows: judgement of text, files, secrets."""

    @property
    def writes(self) -> bool:
        """Whether it changes the state."""
        return self in (OperationKind.CREATE, OperationKind.UPDATE, OperationKind.DELETE)


class FieldRole(StrEnum):
    """What a field of a row is for."""

    ID = "id"
    """Names the row to machines; unique in its table."""
    LABEL = "label"
    """Names the row to people; unique in its table."""
    FACT = "fact"
    """Any other fact."""
    STATE = "state"
    """One of a few values, of which some may follow others."""
    STOCK = "stock"
    """A number that writes use up."""
    TIME = "time"
    """A day or a moment."""
    REF = "ref"
    """Key of a row of another table."""
    TOPIC = "topic"
    """Words by which a search finds the row; results do not show it."""


class ParameterRole(StrEnum):
    """What a parameter of a tool is for."""

    KEY = "key"
    """Says which row, of the operation's own table."""
    PARENT = "parent"
    """Says to which row of another table the rows belong."""
    EQUAL = "equal"
    """Keeps rows whose field has this value, or one of these."""
    TEXT = "text"
    """Keeps rows that these words fit."""
    RANGE = "range"
    """Bounds a number, a day or a window of time."""
    NEAR = "near"
    """Keeps rows near a place."""
    PAGE = "page"
    """Says how many rows, and which of them."""
    SORT = "sort"
    """Says in which order."""
    FORMAT = "format"
    """Changes the looks of the answer only: language, fields, version."""
    SET = "set"
    """A value that is written."""
    INPUT = "input"
    """Input of a computation."""
    UNSUPPORTED = "unsupported"
    """Not known; a call that gives it is answered with ``invalid_argument``."""


class ErrorKind(StrEnum):
    """Why an operation was refused."""

    INVALID_ARGUMENT = "invalid_argument"
    NOT_FOUND = "not_found"
    MISSING_REFERENCE = "missing_reference"
    CONFLICT = "conflict"
    DUPLICATE = "duplicate"
    NOT_SIMULATED = "not_simulated"
    """The tool is opaque and nothing was recorded for these arguments."""


class WorldField(Record):
    """One field of a table."""

    role: FieldRole
    """What it is for."""
    value: JsonObject = {}
    """JSON Schema of its values: type, enum, format, examples, bounds. Nested objects and arrays are kept whole."""
    pattern: str | None = None
    """Of an id: text with one ``{4d}`` (digits) or ``{8x}`` (hex) place, as in ``flm_{4d}``; None draws by the schema."""
    ref: str | None = None
    """Of a ref: ``table.field`` that it names."""
    transitions: dict[str, tuple[str, ...]] = {}
    """Of a state: values that may follow each value; empty allows all."""

    @model_validator(mode="after")
    def _ref_only_where_it_is_one(self) -> Self:
        if (self.ref is not None) != (self.role is FieldRole.REF):
            raise ValueError("ref: a field of role ref names a field, and no other field does")
        return self


class WorldTable(Record):
    """One kind of thing."""

    key: tuple[str, ...] = ()
    """Fields that name a row; none for a table of exactly one row, such as the caller's account."""
    fields: dict[str, WorldField]
    """Fields by name."""
    order: tuple[str, ...] = ()
    """Fields of the default order, ``-`` first for descending; the key always comes last."""
    open: tuple[str, ...] = ()
    """Fields whose unseen values bring rows into being when they are asked for: cities, words, people of the world. Empty
    for a table whose rows are all there at the start."""
    noun: str = ""
    """What people call one of them."""
    rows: tuple[int, int] = (12, 24)
    """Fewest and most rows of a session, or of one unseen value."""


class PredicateKind(StrEnum):
    """How an argument is compared with a field."""

    EQ = "eq"
    NE = "ne"
    IN = "in"
    """The argument is a list, or text with commas; the field is one of them."""
    HAS = "has"
    """The field is a list that holds the argument, or all of its items."""
    CONTAINS_ANY = "contains_any"
    """One of the fields contains the argument's words."""
    PREFIX = "prefix"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"
    BETWEEN = "between"
    """The argument is ``[low, high]`` or ``low..high``, both included."""
    ON_DAY = "on_day"
    """The field's moment lies on this day, in this month or in this year."""
    CLOCK = "clock"
    """The field's time of day is not before the argument (``least``) or not after it."""
    RANK = "rank"
    """The field's value stands at or above the argument in ``ranks`` (``least``), or at or below it."""
    NEAR = "near"
    """``fields`` are latitude and longitude; see ``also``."""
    TRUE = "true"
    """A flag that is set keeps only rows whose field is true; one that is not set keeps all."""


class Predicate(Record):
    """A condition that one argument puts on the rows; it holds for all rows where the argument is absent."""

    parameter: str
    """Path of the argument: ``city``, ``filter.city``."""
    op: PredicateKind
    """How it is compared."""
    fields: tuple[str, ...]
    """Paths inside the row: ``title``, ``price.amount``. One must satisfy it; ``near`` takes latitude and longitude."""
    least: bool = True
    """Of ``clock`` and ``rank``: whether the argument is the lower end."""
    ranks: tuple[Any, ...] = ()
    """Of ``rank``: values from low to high."""
    also: dict[Literal["longitude", "radius"], str] = {}
    """Of ``near``: the other parameters. Without a radius nothing is left out, and rows come nearest first."""
    radius: float = 50.0
    """Of ``near``: kilometres, where no argument says them."""
    parent: str | None = None
    """Table in which a row with this value must be there, else ``missing_reference``."""


class Sort(Record):
    """How arguments order the rows."""

    parameter: str | None = None
    """Argument that names the order."""
    direction: str | None = None
    """Argument that says up or down: its value begins with ``d`` (or is ``-1``, true for ``descending``) for down."""
    orders: dict[str, str] = {}
    """Order by value of ``parameter``: a field, ``-`` first for descending."""
    default: str | None = None
    """Value of ``parameter`` where it is absent; None leaves the table's order."""


class Page(Record):
    """Which of the rows are returned."""

    limit: str | None = None
    """Argument that says how many."""
    default: int = 10
    """How many where none says so."""
    maximum: int | None = None
    """The most that are ever returned."""
    offset: str | None = None
    """Argument that says how many rows to skip."""
    page: str | None = None
    """Argument that says which page."""
    first_page: Literal[0, 1] = 1
    """Number of the first page."""
    cursor: str | None = None
    """Argument that holds the ``next`` of the page before."""


class Guard(Record):
    """A condition of a write on the row at hand, or on a row that it refers to."""

    ref: str | None = None
    """Field of the new or changed row that names a row of another table; that row is judged. None judges the row itself."""
    field: str | None = None
    """Field that is judged; None asks only that the row is there."""
    op: Literal["eq", "ne", "in", "ge", "le"] = "eq"
    """How the field is compared."""
    value: ValueNode | None = None
    """With what; a constant list for ``in``."""
    otherwise: ErrorKind = ErrorKind.CONFLICT
    """Error where it does not hold."""


class Effect(Record):
    """A change that a write makes to a row that it refers to."""

    ref: str
    """Field of the written row that names the other row."""
    field: str
    """Field of the other row."""
    op: Literal["add", "subtract", "set"]
    """How it changes."""
    value: ValueNode
    """By what; ``field`` is read from the written row."""
    undone_by: tuple[str, ...] = ()
    """Tools (deletes, cancels) that take the change back when they remove the written row."""


class Window(Record):
    """Points in time of a series."""

    point: str
    """Field that holds the point."""
    step: Literal["minute", "hour", "day", "week", "month", "quarter", "year"] = "day"
    """Distance of two points."""
    start: str | None = None
    """Argument of the first point."""
    end: str | None = None
    """Argument of the last point."""
    at: str | None = None
    """Argument of the only point."""
    count: str | None = None
    """Argument that says how many points."""
    default: int = 7
    """How many points where no argument says so."""
    ahead: bool = True
    """Whether points without a start run from the clock onwards (a forecast) or up to it (a history)."""
    form: Literal["date", "date-time", "seconds", "milliseconds", "year", "month", "clock"] = "date"
    """How a point is written."""


class ParameterUse(Record):
    """What was decided about one parameter."""

    role: ParameterRole
    """What it is for."""
    certainty: float = Field(default=1.0, ge=0, le=1)
    """How sure the derivation was; 1 for specs by hand."""
    reason: str = ""
    """Which rule decided, or why it is unsupported."""


class Operation(Record):
    """One tool as an operation on the tables."""

    op: OperationKind
    """What it does."""
    table: str | None = None
    """Its table; None for ``compute`` and ``opaque``."""
    key: dict[str, str] = {}
    """Path of the argument by key field, for get, update, delete and series. A row that is not there is ``not_found``."""
    where: tuple[Predicate, ...] = ()
    """Conditions on the rows."""
    sort: Sort | None = None
    """Order; None for the table's."""
    page: Page | None = None
    """Paging; None returns all rows."""
    window: Window | None = None
    """Of a series."""
    set: dict[str, ValueNode] = {}
    """Of a create or update: values by field; absent ones keep what is there (update) or are drawn (create)."""
    require: tuple[Guard, ...] = ()
    """Conditions of a write, judged in this order before anything changes."""
    effects: tuple[Effect, ...] = ()
    """Changes to other rows."""
    function: str | None = None
    """Of ``compute``: name in the shipped library."""
    inputs: dict[str, str] = {}
    """Of ``compute``: path of the argument by input of the function."""
    result: ResultNode | None = None
    """What is returned; None returns an empty object."""
    parameters: dict[str, ParameterUse] = {}
    """What was decided about each parameter."""
    certainty: float = Field(default=1.0, ge=0, le=1)
    """How sure the derivation was of the operation."""
    reason: str = ""
    """Which rule decided; of ``opaque``: why it cannot be executed."""

    @property
    def executable(self) -> bool:
        """Whether the interpreter can answer a call."""
        return self.op is not OperationKind.OPAQUE

    @model_validator(mode="after")
    def _complete(self) -> Self:
        match self.op:
            case OperationKind.COMPUTE:
                if self.function is None:
                    raise ValueError("function: compute needs one")
            case OperationKind.OPAQUE:
                pass
            case _ if self.table is None:
                raise ValueError(f"table: {self.op} needs one")
            case OperationKind.SERIES if self.window is None:
                raise ValueError("window: a series needs one")
            case _:
                pass
        return self


class WorldSpec(Identified):
    """The world behind one tool list."""

    PREFIX: ClassVar[str] = "wld"

    tool_list: str
    """Id of the tool list."""
    language: Language
    """Language of labels, texts and error messages."""
    tables: dict[str, WorldTable]
    """Tables by name."""
    tools: dict[str, Operation]
    """Operations by tool name."""
    made_by: str = "rules"
    """``rules``, ``hand``, or the model that decided what rules left open."""

    @model_validator(mode="after")
    def _refers_to_what_is_there(self) -> Self:
        for name, table in self.tables.items():
            for field in (*table.key, *(each.removeprefix("-") for each in table.order), *table.open):
                if field.split(".")[0] not in table.fields:
                    raise ValueError(f"tables.{name}: no field {field}")
            for field, held in table.fields.items():
                if held.ref is not None:
                    other, _, theirs = held.ref.partition(".")
                    if other not in self.tables or theirs not in self.tables[other].fields:
                        raise ValueError(f"tables.{name}.fields.{field}: no field {held.ref}")
        for name, operation in self.tools.items():
            if operation.table is not None and operation.table not in self.tables:
                raise ValueError(f"tools.{name}: no table {operation.table}")
            if operation.table is None:
                continue
            fields = self.tables[operation.table].fields
            named = [
                *operation.key,
                *operation.set,
                *(each for one in operation.where for each in one.fields),
                *((operation.window.point,) if operation.window else ()),
                *((o.removeprefix("-") for o in operation.sort.orders.values()) if operation.sort else ()),
            ]
            for field in named:
                if field.split(".")[0] not in fields:
                    raise ValueError(f"tools.{name}: table {operation.table} has no field {field}")
        return self

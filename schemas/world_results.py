"""Nodes of which the results of a world's operations are built: fields of rows, arguments, figures, lists."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from wildtool.schemas.base import Record


class FromParameter(Record):
    """The argument at a path; absent where it was not given and has no default."""

    node: Literal["parameter"] = "parameter"
    parameter: str
    """Path of the argument."""
    otherwise: Any = None
    """What stands there where the argument is absent; None leaves the place out."""


class FromField(Record):
    """A field of the row."""

    node: Literal["field"] = "field"
    field: str
    """Path inside the row."""


class Constant(Record):
    """A fixed value."""

    node: Literal["constant"] = "constant"
    value: Any = None
    """The value."""


class Now(Record):
    """The session's clock, written as the schema at hand asks: a day, a moment or Unix seconds."""

    node: Literal["now"] = "now"
    form: Literal["date", "date-time", "seconds", "milliseconds"] = "date-time"
    """How it is written."""


class NewId(Record):
    """The next id of the field's pattern; only in ``set``."""

    node: Literal["new_id"] = "new_id"


class Count(Record):
    """How many rows fit (``all``), are returned (``page``), or how many pages there are (``pages``)."""

    node: Literal["count"] = "count"
    of: Literal["all", "page", "pages", "more"] = "all"
    """``more`` is whether rows follow."""


class PagePart(Record):
    """A part of the paging as it was applied."""

    node: Literal["paging"] = "paging"
    part: Literal["limit", "offset", "page", "next"]
    """``next`` is the cursor of the next page, absent on the last."""


class Aggregate(Record):
    """A figure over the rows that fit."""

    node: Literal["aggregate"] = "aggregate"
    function: Literal["sum", "mean", "min", "max", "count"]
    """Which figure; of no rows it is 0 for sum and count, absent for the others."""
    field: str | None = None
    """Path of the field; None for ``count``."""
    equals: Any = None
    """Of ``count``: only rows whose field has this value."""


class ObjectNode(Record):
    """An object of named nodes; absent ones are left out."""

    node: Literal["object"] = "object"
    fields: dict[str, ResultNode]
    """Nodes by name."""


class RowsNode(Record):
    """A list with one item a row."""

    node: Literal["rows"] = "rows"
    item: ResultNode
    """What each row gives."""
    table: str | None = None
    """Child table whose rows belong to the row at hand; None for the rows that the operation found."""
    by: str | None = None
    """Of a child table: its field that names the row at hand (``key[0]`` of it). None shows a few rows of the table, for one
    row always the same."""
    limit: int | None = None
    """The most items."""


class JoinNode(Record):
    """A row of another table that the row at hand names."""

    node: Literal["join"] = "join"
    field: str
    """Ref field of the row at hand."""
    item: ResultNode
    """What the other row gives."""


class ComputedNode(Record):
    """The output of the operation's function, or a part of it."""

    node: Literal["computed"] = "computed"
    part: str | None = None
    """Name of the part; None for the whole output."""


ResultNode = Annotated[
    FromParameter
    | FromField
    | Constant
    | Now
    | NewId
    | Count
    | PagePart
    | Aggregate
    | ObjectNode
    | RowsNode
    | JoinNode
    | ComputedNode,
    Field(discriminator="node"),
]
"""What a place of a result is made of."""

ValueNode = Annotated[FromParameter | FromField | Constant | Now | NewId, Field(discriminator="node")]
"""What a written field is made of."""


for _each in (ObjectNode, RowsNode, JoinNode):
    _each.model_rebuild()

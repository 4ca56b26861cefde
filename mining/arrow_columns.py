"""Arrow columns from Python values without pandas, which ``pyarrow.array`` imports where it is installed: a second of a
worker's start and 50 MB, for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


def column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """A column of whole numbers, texts, bytes (of one length or of any) or lists of texts; None is null."""
    import pyarrow as pa

    if pa.types.is_string(kind):
        return _texts(values)
    if pa.types.is_list(kind):
        listed = [value or () for value in values]
        whole = _texts([text for value in listed for text in value])
        return pa.Array.from_buffers(kind, len(values), [_valid(values), _offsets(listed)], children=[whole])
    if pa.types.is_fixed_size_binary(kind):
        blank = bytes(kind.byte_width)
        return pa.Array.from_buffers(kind, len(values), [_valid(values), _joined(value or blank for value in values)])
    if pa.types.is_binary(kind):
        pieces = [value or b"" for value in values]
        return pa.Array.from_buffers(kind, len(values), [_valid(values), _offsets(pieces), _joined(pieces)])
    numbers = np.array([value or 0 for value in values], dtype=kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(values), [_valid(values), pa.py_buffer(numbers)])


def _texts(values: Sequence[str | None]) -> pa.Array:
    from pyarrow.lib import StringBuilder

    builder = StringBuilder()
    builder.append_values(values)
    return builder.finish()


def _valid(values: Sequence[Any]) -> pa.Buffer | None:
    """One bit a value, set where it is not null; None where none is."""
    import pyarrow as pa

    if None not in values:
        return None
    here = np.fromiter((value is not None for value in values), dtype=bool, count=len(values))
    return pa.py_buffer(np.packbits(here, bitorder="little"))


def _offsets(pieces: Sequence[Sequence[Any]]) -> pa.Buffer:
    import pyarrow as pa

    ends: NDArray[np.int32] = np.zeros(len(pieces) + 1, dtype=np.int32)
    np.cumsum([len(piece) for piece in pieces], out=ends[1:])
    return pa.py_buffer(ends)


def _joined(pieces: Any) -> pa.Buffer:
    import pyarrow as pa

    return pa.py_buffer(b"".join(pieces))

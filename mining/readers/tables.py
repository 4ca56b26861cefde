"""Tables: CSV with role and content columns, Parquet of any chat format."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from mining.readers.content import RowError, iso_time, role_of, text_of
from mining.readers.files import UnreadableFileError
from mining.readers.traces import Turn

ROLE_COLUMNS = ("role", "speaker", "author", "from", "sender", "角色", "发言人")
CONTENT_COLUMNS = ("content", "text", "message", "value", "utterance", "body", "内容", "消息")
GROUP_COLUMNS = (
    "conversation_id", "conversation", "conv_id", "chat_id", "session_id", "session", "thread_id", "dialogue_id",
    "conversation_hash", "id", "会话", "对话",
)  # fmt: skip
USER_COLUMNS = ("user_id", "user", "userid", "customer_id", "hashed_ip", "用户")
TIME_COLUMNS = ("timestamp", "created_at", "time", "date", "时间")

PARQUET_BATCH = 256
"""Rows decoded at once: at WildChat's mean of 4 kB a row about 1 MB."""


def csv_delimiter(header: str) -> str | None:
    """The delimiter if this line is the header of a table of messages, else None."""
    for delimiter in (",", "\t", ";", "|"):
        names = [name.strip().strip('"').casefold() for name in header.split(delimiter)]
        if any(name in ROLE_COLUMNS for name in names) and any(name in CONTENT_COLUMNS for name in names):
            return delimiter
    return None


def read_csv(chunks: Iterable[bytes], delimiter: str) -> Iterator[tuple[int, Turn | RowError, list[str]]]:
    """Line (where the row ends), turn of one message or why there is none, and the raw cells.

    Rows of one conversation share the value of its id column; without such a column the file is one conversation.
    Bytes that are no UTF-8 make their row an error, and no other.
    """
    rows = csv.reader(_text_lines(chunks), delimiter=delimiter)
    csv.field_size_limit(1 << 28)  # 10 MB messages exist; the default refuses 128 KB
    header = [name.strip().casefold() for name in next(rows)]
    role, content = _column(header, ROLE_COLUMNS), _column(header, CONTENT_COLUMNS)
    group, user, time = (_column(header, names) for names in (GROUP_COLUMNS, USER_COLUMNS, TIME_COLUMNS))
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield rows.line_num, RowError("broken_csv", str(error)), []
            continue
        if not any(cells):
            continue
        yield rows.line_num, _csv_turn(cells, role, content, group, user, time), cells


def _csv_turn(
    cells: list[str], role: int | None, content: int | None, group: int | None, user: int | None, time: int | None
) -> Turn | RowError:
    def cell(column: int | None) -> str:
        return cells[column] if column is not None and column < len(cells) else ""

    if content is None or role is None or max(content, role) >= len(cells):
        return RowError("broken_csv", f"the row has {len(cells)} cells, too few for its role and content")
    if any("\udc80" <= sign <= "\udcff" for sign in cell(content)):
        return RowError("invalid_utf8", "the row's bytes are no UTF-8")
    try:
        pair = (role_of(cell(role)), text_of(cell(content)))
    except RowError as error:
        return error
    return Turn(cell(group) or "table", cell(user), iso_time(cell(time)) or "", [pair])


def _column(header: list[str], names: tuple[str, ...]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _text_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="surrogateescape")
    pending = ""
    for chunk in chunks:
        pending += decoder.decode(chunk)
        *whole, pending = pending.split("\n")
        for line in whole:
            yield line + "\n"
    if pending:
        yield pending


def read_parquet(stream: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number (from 1) and columns of each row, with nested lists and structs as Python objects.

    Raises:
        UnreadableFileError: it is no whole Parquet file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        with pq.ParquetFile(stream) as table:
            for batch in table.iter_batches(batch_size=PARQUET_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except (pa.ArrowException, OSError) as error:
        raise UnreadableFileError(
            "broken_parquet", f"the Parquet file breaks after row {number}: {error}", "write or download it again"
        ) from error

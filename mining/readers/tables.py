"""Tables: CSV with role and content columns, Parquet of any chat format."""

from __future__ import annotations

import codecs
import csv
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from wildtool.mining.readers.content import ROLES, Role, RowError, iso_time, role_of, text_of
from wildtool.mining.readers.files import UnreadableFileError
from wildtool.mining.readers.shapes import ANSWERS, QUESTIONS
from wildtool.mining.readers.speakers import GROUP_KEYS, ROLE_KEYS, TEXT_KEYS, TIME_KEYS, USER_KEYS, key
from wildtool.mining.readers.traces import Turn

PARQUET_BATCH = 256
"""Rows decoded at once: at WildChat's mean of 4 kB a row about 1 MB."""


def csv_delimiter(header: str) -> str | None:
    """The delimiter if this line is the header of a table of messages or of conversations, else None."""
    for delimiter in (",", "\t", ";", "|"):
        names = _names(header.split(delimiter))
        if (_role(names) is not None and _column(names, TEXT_KEYS) is not None) or _whole(names):
            return delimiter
    return None


def whole_rows(header: str, delimiter: str) -> bool:
    """Is each row of the table a conversation: a question with its answer, or a list of messages as JSON text?"""
    names = _names(header.split(delimiter))
    return _role(names) is None or _column(names, TEXT_KEYS) is None or "messages" in names


def _names(header: Sequence[str]) -> list[str]:
    return [key(name.strip().strip('"')) for name in header]


def _whole(names: Sequence[str]) -> bool:
    asked, told = set(names) & set(QUESTIONS), set(names) & set(ANSWERS)
    lists = set(names) & {
        "messages",
        "conversation",
        "conversations",
        "dialogue",
        "dialog",
        "chat",
        "transcript",
        "history",
    }
    return bool(lists) or bool(asked and told - asked) or bool(asked & {"prompt", "question", "instruction"})


def _role(names: Sequence[str]) -> int | None:
    text = _column(names, TEXT_KEYS)
    return next((names.index(name) for name in ROLE_KEYS if name in names and names.index(name) != text), None)


def read_csv(chunks: Iterable[bytes], delimiter: str) -> Iterator[tuple[int, Turn | RowError, list[str]]]:
    """Line (where the row ends), turn of one message or why there is none, and the raw cells.

    Rows of one conversation share the value of its id column; without such a column the file is one conversation.
    Bytes that are not UTF-8 make their row an error, and no other. So does a quote that is never closed: its row is an
    error in the line where it begins, its one cell is the text as it stood, and the rows that the quote swallowed are read.
    """
    lines = _Lines(_text_lines(chunks))
    rows = csv.reader(lines, delimiter=delimiter)
    csv.field_size_limit(1 << 28)  # 10 MB messages exist; the default refuses 128 KB
    header = _names(next(rows))
    role, content = _role(header), _column(header, TEXT_KEYS)
    group, user, time = (_column(header, names) for names in ((*GROUP_KEYS, "id"), USER_KEYS, TIME_KEYS))
    user = None if user == role else user
    while True:
        lines.taken.clear()
        cells: list[str] = []
        error: csv.Error | None = None
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as caught:
            error = caught
        swallowed = _swallowed(lines, delimiter, header, role, group)
        if swallowed is not None:
            text = lines.give_back(swallowed)
            detail = "a quote is opened and not closed where its row ends; double a quote that belongs to the text"
            yield lines.number - text.count("\n", 0, -1), RowError("unclosed_quote", detail), [text.removesuffix("\n")]
        elif error is not None:
            yield lines.number, RowError("broken_csv", str(error)), []
        elif any(cells):
            yield lines.number, _csv_turn(cells, role, content, group, user, time), cells


class _Lines:
    """Lines of a table, of which the last row's may be read again."""

    def __init__(self, source: Iterator[str]) -> None:
        self._source = source
        self._again: deque[str] = deque()
        self.number = 0
        """Of the last line, from 1."""
        self.taken: list[str] = []
        """Lines since this was cleared."""
        self.ended = False
        """Was a line asked for after the last one?"""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._source, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self.number += 1
        self.taken.append(line)
        return line

    def give_back(self, kept: int) -> str:
        """The text of the first lines taken; those beyond will come again."""
        back = self.taken[kept:]
        self._again.extendleft(reversed(back))
        self.number -= len(back)
        self.ended = self.ended and not back
        return "".join(self.taken[:kept])


def _swallowed(lines: _Lines, delimiter: str, header: list[str], role: int | None, group: int | None) -> int | None:
    """How many of the lines just taken are a row whose quote is never closed, those beyond being rows of their own; None
    for a sound row.

    A quote opened by mistake ends where the next one opens, so what is in between looks like one message. It is none where
    it holds lines that are rows (as many cells, a role in its place) and the row as a whole is not written by the rules, or
    one of those lines goes on with the row's own conversation. A table that somebody quoted in his message is neither.
    """
    taken = lines.taken
    if not lines.ended and len(taken) < 2:
        return None
    sound = False
    try:
        (cells,) = csv.reader(taken, delimiter=delimiter, strict=True)
        sound = len(cells) == len(header)
    except csv.Error as error:
        unclosed = "unexpected end" in str(error)
    except ValueError:  # blank lines are not rows
        return None
    else:
        unclosed = False
    own = _cells(taken[0], delimiter)
    for place in range(1, len(taken)):
        cells = _cells(taken[place], delimiter)
        if len(cells) != len(header) or role is None or not _is_role(cells[role]):
            continue
        if not sound or (group is not None and len(own) > group and cells[group] == own[group] != ""):
            return place
    return len(taken) if unclosed else None


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _is_role(text: str) -> bool:
    try:
        role_of(text)
    except RowError:
        return False
    return True


def _csv_turn(
    cells: list[str], role: int | None, content: int | None, group: int | None, user: int | None, time: int | None
) -> Turn | RowError:
    def cell(column: int | None) -> str:
        return cells[column] if column is not None and column < len(cells) else ""

    if content is None or role is None or max(content, role) >= len(cells):
        return RowError("broken_csv", f"the row has {len(cells)} cells, too few for its role and content")
    if any("\udc80" <= sign <= "\udcff" for sign in cell(content)):
        return RowError("invalid_utf8", "the row's bytes are not UTF-8")
    name = cell(role).strip()
    if not name:
        return RowError("missing_role", "the row says nobody who speaks")
    known = ROLES.get(name.casefold())
    pair: tuple[Role, str] = (known or "user", text_of(cell(content)))
    speaker = "" if known is not None else name
    return Turn(cell(group) or "table", cell(user), iso_time(cell(time)) or "", [pair], speaker=speaker)


def read_rows_of(chunks: Iterable[bytes], delimiter: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line and cells by column of a table whose rows are whole conversations."""
    csv.field_size_limit(1 << 28)
    rows = csv.reader(_Lines(_text_lines(chunks)), delimiter=delimiter)
    header = [name.strip() for name in next(rows)]
    for cells in rows:
        if any(cells):
            yield rows.line_num, {name: cell for name, cell in zip(header, cells, strict=False) if cell != ""}


def _column(header: Sequence[str], names: Sequence[str]) -> int | None:
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
        UnreadableFileError: it is not a complete Parquet file.
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

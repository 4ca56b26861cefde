"""Read rows from files, and conversations from rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import orjson

from wildtool.mining.readers import files
from wildtool.mining.readers.chat import read_chat, unwrap
from wildtool.mining.readers.content import Chat, RowError, iso_time, pseudonym
from wildtool.mining.readers.files import (
    LogFile,
    TruncatedError,
    UnreadableFileError,
    as_stream,
    lines,
    open_binary,
    parse_json,
    transcoded,
    unpacked,
    values,
    wide_encoding,
)
from wildtool.mining.readers.log_format import READERS, formats_remedy, is_trace, recognise, trace_marks
from wildtool.mining.readers.tables import csv_delimiter, read_csv, read_parquet, read_rows_of, whole_rows
from wildtool.mining.readers.traces import Group, Grouper
from wildtool.mining.readers.transcripts import is_transcript, read_transcript
from wildtool.schemas.base import ID_HEX_DIGITS, canonical_json, content_id, sha256_hex
from wildtool.schemas.conversation import Conversation, Message
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.registry import OURS
from wildtool.schemas.vocabulary import Stage

SAMPLE = 1 << 16
"""Bytes looked at to tell a file's format."""

SAMPLE_LINES = 20
"""Lines looked at: a broken line may come first, twenty broken ones make no log."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row of a log before it is understood: cheap to hand to another process."""

    source: str
    """File name."""
    line: int
    """Line or row, from 1."""
    data: bytes | dict[str, Any]
    """JSON bytes as they came, or an object where the format is not JSON text (Parquet, CSV, gathered traces)."""


def failed(source: str, line: int | None, reason: str, detail: str, raw: bytes | str = b"") -> Quarantined:
    """A row that could not be read. Bytes that are not UTF-8 are kept with backslash escapes."""
    text = raw.decode("utf-8", "backslashreplace") if isinstance(raw, bytes) else raw
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return Quarantined.of(
        stage=Stage.MINE, step="read", reason=reason, detail=detail[:300], source=source, line=line, raw=text
    )


def scan(file: LogFile, grouper: Grouper) -> Iterator[RawRow | Quarantined]:
    """Rows of one file. Rows of traces and tables go into the grouper and come out as whole conversations,
    when it closes them.

    Raises:
        UnreadableFileError: the file as a whole is not a log.
    """
    with open_binary(file) as stream:
        chunks = unpacked(stream)
        head, cut = b"", None
        try:
            while len(head) < SAMPLE and (chunk := next(chunks, b"")):
                head += chunk
        except TruncatedError as error:
            cut = error
        rest: Iterator[bytes] = _raising(cut) if cut else chunks
        if not head and cut:
            raise UnreadableFileError("truncated", f"{file.label}: {cut}", "copy or download the file again")
        yield from _scan_content(file, head, rest, stream, grouper)


def beginning(file: LogFile) -> tuple[str | None, bytes]:
    """How rows lie in a file (see ``_layout``; ``parquet`` for Parquet), and its beginning as UTF-8."""
    with open_binary(file) as stream:
        head = b""
        for chunk in unpacked(stream):
            head += chunk
            if len(head) >= SAMPLE:
                break
    if head[:4] == b"PAR1":
        return "parquet", head
    wide = wide_encoding(head)
    if wide is not None:
        head = b"".join(transcoded([head], wide))
    elif head.lstrip()[:1] not in (b"{", b"[") and _legacy(head):
        head = b"".join(transcoded([head], "cp1252"))
    head = _renamed_header(head.removeprefix(b"\xef\xbb\xbf"), file)
    return _layout(head), head


def _renamed_header(head: bytes, file: LogFile) -> bytes:
    """A table's header with usual names for mapped columns; any other beginning as it is."""
    if not file.fields or head.lstrip()[:1] in (b"{", b"["):
        return head
    header, end, rest = head.partition(b"\n")
    text = header.decode("utf-8", "replace")
    for name, usual in file.fields:
        text = re.sub(rf'(^|[,;\t|])\s*"?{re.escape(name)}"?\s*(?=$|[,;\t|\r])', rf"\g<1>{usual}", text)
    return text.encode() + end + rest


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A row with usual names for mapped fields, at any depth."""
    if isinstance(value, dict):
        return {names.get(name, name): _renamed(each, names) for name, each in value.items()}
    return [_renamed(each, names) for each in value] if isinstance(value, list) else value


def _mapped(rows: Iterable[tuple[int, bytes]], file: LogFile) -> Iterator[tuple[int, bytes]]:
    """Rows with usual names for mapped fields."""
    names = dict(file.fields)
    for number, data in rows:
        value = _try_json(data) if names else None
        if value is not None:
            data = canonical_json(_renamed(value, names)).encode("utf-8", "surrogatepass")
        yield number, data


def _raising(error: Exception) -> Iterator[bytes]:
    raise error
    yield b""


FEW_CONTROLS = 1
"""Control characters of a file's beginning that a log may hold; beyond, and beyond one in a hundred, it is not text. Of random
bytes they are one in ten."""

_TEXT = bytes(byte for byte in range(256) if byte >= 32 or byte in b"\t\n\v\f\r")


def _scan_content(
    file: LogFile, head: bytes, rest: Iterator[bytes], stream: Any, grouper: Grouper
) -> Iterator[RawRow | Quarantined]:
    label, name = file.label, file.name
    if not head.strip():
        raise UnreadableFileError("empty_file", f"{label} is empty", "give a log that holds conversations")
    if head[:4] == b"PAR1":
        whole = stream if file.path is not None and stream.seekable() else as_stream(chain([head], rest))
        for number, row in read_parquet(whole):
            row = _renamed(row, dict(file.fields)) if file.fields else row
            yield from _route(name, number, row, is_trace(row), grouper)
        return
    wide = wide_encoding(head)
    if wide is not None:
        rest = transcoded(chain([head], rest), wide)
        head = b""
        try:
            while len(head) < SAMPLE and (chunk := next(rest, b"")):
                head += chunk
        except TruncatedError as error:
            rest = _raising(error)
    if b"\0" in head and len(head.translate(None, delete=_TEXT)) > max(FEW_CONTROLS, len(head) // 100):
        raise UnreadableFileError("binary_file", f"{label} is a binary file, no log", formats_remedy(), head[:200])
    if head.lstrip()[:1] not in (b"{", b"[") and _legacy(head):
        whole_text = transcoded(chain([head], rest), "cp1252")
        head = next(whole_text, b"")
        rest = whole_text
    head = _renamed_header(head.removeprefix(b"\xef\xbb\xbf"), file)
    body = chain([head], rest)
    layout = _layout(head)
    try:
        if layout == "lines":
            yield from _scan_json(name, _mapped(lines(body), file), grouper)
        elif layout == "array":
            yield from _scan_json(name, _mapped(values(body, depth=1), file), grouper)
        elif layout == "document":
            yield from _scan_document(name, _mapped(values(body, depth=0), file), grouper)
        elif layout == "transcript":
            yield from _scan_transcript(name, body)
        elif layout is None:
            raise UnreadableFileError(
                "unknown_format", f"{label} is in no format we know", formats_remedy(), head[:200]
            )
        else:
            yield from _scan_csv(name, body, layout, grouper)
    except TruncatedError as error:
        line, fragment = (error.args[1], error.args[2]) if len(error.args) > 2 else (None, b"")
        yield failed(name, line, error.reason, str(error.args[0]), fragment)


_TIMED = re.compile(rb"\[\d{1,4}[./:-]\d{1,2}[^\]\n\"]{0,30}\]\s*\S")


def _layout(head: bytes) -> str | None:
    """How rows lie in a file: ``lines``, ``array``, ``document``, ``transcript``, a CSV delimiter, or None where nothing fits."""
    text = head.lstrip()
    if text[:1] not in (b"{", b"[") or _TIMED.match(text):
        told = text.decode("utf-8", "ignore")
        if csv_delimiter(told.split("\n", 1)[0]) is None and is_transcript(told):
            return "transcript"
    sample = [line for line in text.split(b"\n") if line.strip()]
    whole = sample[:-1] if len(sample) > 1 and len(head) >= SAMPLE else sample
    parsed = [value for line in whole[:SAMPLE_LINES] if (value := _try_json(line)) is not None]
    rows = [value for value in parsed if isinstance(value, dict) or recognise(value) is not None]
    if text[:1] == b"[":
        if len(whole) > 1 and rows and len(rows) * 2 >= len(whole[:SAMPLE_LINES]):
            return "lines"
        first = next(iter(values([text[: files.LONGEST_ROW]], depth=1)), (0, b""))[1]
        message = _try_json(first)
        return "document" if recognise([message]) is not None else "array"
    if rows:
        only = len(sample) == 1 and len(head) < SAMPLE
        return "document" if only and unwrap(rows[0]) is not None else "lines"
    if text[:1] == b"{":
        first_line = sample[0].rstrip()
        return "document" if first_line[-1:] in b"{[," and len(sample) > 1 else "lines"
    try:
        header = sample[0].decode("utf-8")
    except UnicodeDecodeError:
        return None
    return csv_delimiter(header)


def _try_json(data: bytes) -> Any:
    try:
        return parse_json(data)
    except ValueError:
        return None


def _scan_json(name: str, rows: Iterable[tuple[int, bytes]], grouper: Grouper) -> Iterator[RawRow | Quarantined]:
    marks = trace_marks()  # they save parsing every line twice
    plain = True
    for place, (number, data) in enumerate(rows):
        if place < SAMPLE_LINES and plain:
            form = recognise(_try_json(data))
            plain = form is None or form.marks != () or not form.trace
        if not plain or any(mark in data for mark in marks):
            value = _try_json(data)
            if is_trace(value):
                yield from _route(name, number, value, True, grouper, data)
                continue
        yield RawRow(name, number, data)


def _scan_document(
    name: str, documents: Iterable[tuple[int, bytes]], grouper: Grouper
) -> Iterator[RawRow | Quarantined]:
    number = 0
    for _, data in documents:
        value = _try_json(data)
        rows = unwrap(value) if value is not None else None
        if rows is None:
            number += 1
            yield from _route(name, number, value, is_trace(value), grouper, data)
            continue
        for row in rows:
            number += 1
            raw = canonical_json(row).encode("utf-8", "surrogatepass")
            yield from _route(name, number, row, is_trace(row), grouper, raw)


def _route(
    name: str, number: int, value: Any, trace: bool, grouper: Grouper, data: bytes | None = None
) -> Iterator[RawRow | Quarantined]:
    if not trace:
        yield RawRow(name, number, data if data is not None else value)
        return
    form = recognise(value)
    try:
        turns = form.turns(value) if form is not None and form.turns is not None else []
    except Exception as error:
        known = isinstance(error, RowError | AttributeError | TypeError | LookupError)
        if not known and form is not None and READERS.origin(form.name) == OURS:
            raise  # a bug of ours
        reason = error.reason if isinstance(error, RowError) else "bad_trace"
        yield failed(name, number, reason, str(error), data or repr(value))
        return
    for turn in turns:
        for group in grouper.add(name, number, turn):
            yield from gathered(group)


def gathered(group: Group) -> Iterator[RawRow]:
    """The rows that a closed group makes."""
    for row in group.rows():
        yield RawRow(group.source, group.line, row)


def _scan_transcript(name: str, chunks: Iterable[bytes]) -> Iterator[RawRow | Quarantined]:
    texts = ((number, line.decode("utf-8", "replace")) for number, line in lines(chunks))
    for number, row in read_transcript(texts):
        yield RawRow(name, number, row)


def _legacy(head: bytes) -> bool:
    """Is a text in an encoding of one byte a sign (Windows-1252, Latin-1)? It has signs beyond ASCII and none of UTF-8."""
    try:
        head.decode("utf-8")
        return False
    except UnicodeDecodeError as error:
        if error.start >= len(head) - 3:
            return False
    beyond = [byte for byte in head if byte >= 0x80]
    sound = len(head.decode("utf-8", "ignore").encode()) - (len(head) - len(beyond))
    return sound == 0


def _scan_csv(name: str, chunks: Iterable[bytes], delimiter: str, grouper: Grouper) -> Iterator[RawRow | Quarantined]:
    first = next(chunks := iter(chunks), b"")
    chunks = chain([first], chunks)
    if whole_rows(first.split(b"\n", 1)[0].decode("utf-8", "replace"), delimiter):
        for line, row in read_rows_of(chunks, delimiter):
            yield from _route(name, line, row, is_trace(row), grouper)
        return
    for line, turn, cells in read_csv(chunks, delimiter):
        if isinstance(turn, RowError):
            yield failed(name, line, turn.reason, turn.detail, delimiter.join(cells))
            continue
        turn.session = f"{name}:{turn.session}"  # ids of tables are often plain counters: unique in their file only
        for group in grouper.add(name, line, turn):
            yield from gathered(group)


def parse_row(row: RawRow) -> Conversation | Quarantined:
    """The conversation in a row, or why there is none. Total: no row raises."""
    try:
        value = parse_json(row.data) if isinstance(row.data, bytes) else row.data
    except UnicodeDecodeError as error:
        return failed(row.source, row.line, "invalid_utf8", str(error), _bytes(row))
    except ValueError as error:
        return failed(row.source, row.line, "broken_json", str(error), _bytes(row))
    try:
        chat = read_chat(value)
    except RowError as error:
        return failed(row.source, row.line, error.reason, error.detail, _bytes(row))
    except (AttributeError, TypeError, LookupError, RecursionError) as error:
        # A row that is of a known format by its keys but not by its types deep inside.
        return failed(row.source, row.line, "bad_shape", f"{type(error).__name__}: {error}", _bytes(row))
    return conversation(chat, row)


def _bytes(row: RawRow) -> bytes | str:
    return row.data if isinstance(row.data, bytes) else repr(row.data)


def conversation(chat: Chat, row: RawRow) -> Conversation:
    """The record of a chat. Built without validation, since ``Chat`` is typed and this runs once a row of the log."""
    source_id = chat.id or f"{row.source}:{row.line}"
    messages = tuple(Message.trusted(role=role, content=text) for role, text in chat.messages)
    identity = {"source_id": source_id, "messages": [{"role": role, "content": text} for role, text in chat.messages]}
    return Conversation.trusted(
        id=text_id(Conversation.PREFIX, identity),
        source_id=source_id,
        source=row.source,
        line=row.line,
        user=pseudonym(chat.user or f"{row.source}\0{source_id}\0{row.line}"),
        language="und",
        created_at=iso_time(chat.created),
        messages=messages,
        flags=tuple(chat.flags),
        copies=1,
    )


def text_id(prefix: str, value: Any) -> str:
    """``content_id`` of a value that holds only text, objects, lists and small whole numbers, ten times faster: for
    these orjson writes the same bytes as canonical JSON. What it refuses (lone surrogates) goes the slow way."""
    try:
        written = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        return content_id(prefix, value)
    return f"{prefix}_{sha256_hex(written)[:ID_HEX_DIGITS]}"

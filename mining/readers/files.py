"""Stream the bytes of logs: find files, unpack them, split them into rows."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import orjson

from wildtool.schemas.errors import InputError

CHUNK = 1 << 16
"""Bytes per read."""

BITE = {"gzip": 1 << 10, "zstd": 1 << 8}
"""Packed bytes that are unpacked at a time, which bounds what a bomb takes: a byte of gzip unpacks to at most 1 kB, four
of zstd to 128 kB, so these to 1 MB and 8 MB."""

LONGEST_ROW = 1 << 28
"""Bytes of one row. Messages of 10 MB exist; a bomb is one row without an end, and would fill the memory."""

STDIN = "-"


@dataclass(frozen=True, slots=True)
class LogFile:
    """One input: a path, or standard input where ``path`` is None."""

    path: Path | None
    fields: tuple[tuple[str, str], ...] = ()
    """Names of fields that its rows have for what a log's fields usually hold: (name in the file, usual name)."""

    @property
    def name(self) -> str:
        """File name without folders: a path may name a person. Bytes that are not UTF-8 with backslash escapes."""
        return writable(self.path.name) if self.path else "stdin"

    @property
    def label(self) -> str:
        """How a message to the user names it."""
        return writable(str(self.path)) if self.path else "standard input"


def writable(path: str) -> str:
    """A path as it can be written down: names of files are bytes, and those that are not UTF-8 get backslash escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class UnreadableFileError(Exception):
    """A file that is not a log as a whole: it goes to the quarantine in one row, or ends the run if it is alone."""

    def __init__(self, reason: str, cause: str, remedy: str, sample: bytes = b"") -> None:
        super().__init__(cause)
        self.reason, self.cause, self.remedy, self.sample = reason, cause, remedy, sample


class TruncatedError(Exception):
    """The packed stream ends early or is damaged; what was unpacked before stands."""

    reason = "truncated"


class EndlessError(TruncatedError):
    """A row does not end within ``LONGEST_ROW``: the file is read no further."""

    reason = "row_too_long"

    def __init__(self, number: int, beginning: bytes) -> None:
        super().__init__(f"row {number} does not end within {LONGEST_ROW >> 20} MB", number, beginning[:2000])


USUAL = {"role": "role", "text": "content", "user": "user_id", "session": "session_id", "time": "timestamp"}
"""Usual names of what a mapping of fields can name."""


def expand(paths: Sequence[str | Path] | str | Path, names: Mapping[str, str] = MappingProxyType({})) -> list[LogFile]:
    """The files that paths, folders, globs and ``-`` stand for, each once, folders and globs in sorted order.

    ``names`` are the fields of their rows by what they hold (keys of ``USUAL``).

    Raises:
        InputError: a path leads nowhere, or no path is given.
    """
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    if not given:
        raise InputError("no log is given", "name one or more files, folders or globs, or - for standard input")
    unknown = [name for name in names if name not in USUAL]
    if unknown:
        raise InputError(f"a mapping names {unknown[0]!r}", f"map {', '.join(USUAL)}: --map role=sender,text=body")
    fields = tuple((name, USUAL[what]) for what, name in names.items())
    found: dict[str, LogFile] = {}
    for one in given:
        for path in _matches(str(one)):
            found.setdefault(str(path.resolve()) if path else STDIN, LogFile(path, fields))
    return list(found.values())


def _matches(text: str) -> list[Path | None]:
    if text == STDIN:
        return [None]
    path = Path(text).expanduser()
    if path.is_dir():
        inside = sorted(p for p in path.rglob("*") if p.is_file() and not _hidden(p.relative_to(path)))
        if not inside:
            raise InputError(
                f"the folder {writable(text)} holds no files", "name a folder that holds logs, or a log file"
            )
        return list(inside)
    if path.exists():
        return [path]
    if has_magic(text):
        base = Path(path.anchor) if path.is_absolute() else Path()
        pattern = str(path.relative_to(path.anchor)) if path.is_absolute() else str(path)
        matches = sorted(p for p in base.glob(pattern) if p.is_file())
        if matches:
            return list(matches)
        raise InputError(
            f"no file matches {writable(text)}", "check the pattern; quote it so that the shell leaves it alone"
        )
    raise InputError(
        f"no such log: {writable(text)}", "check the path, or give a folder, a glob, or - for standard input"
    )


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def open_binary(file: LogFile) -> BinaryIO:
    """The file's bytes as they lie on disk. Raises ``UnreadableFileError`` where the system refuses."""
    if file.path is None:
        return sys.stdin.buffer
    try:
        return file.path.open("rb")
    except OSError as error:
        raise UnreadableFileError(
            "cannot_open", f"cannot open {file.label}: {error.strerror}", "check the file's permissions"
        ) from error


def unpacked(stream: BinaryIO) -> Iterator[bytes]:
    """Chunks of the stream, unpacked if its first bytes are those of gzip or zstd.

    Raises:
        TruncatedError: after the last good chunk, if the packed stream is cut off or damaged.
    """
    first = stream.read(CHUNK)
    chunks = _chunks(first, stream)
    if first[:2] == b"\x1f\x8b":
        return _inflate(chunks, lambda: zlib.decompressobj(wbits=31), "gzip")
    if first[:4] == b"\x28\xb5\x2f\xfd":
        import zstandard

        return _inflate(chunks, lambda: zstandard.ZstdDecompressor().decompressobj(), "zstd")
    return chunks


def _chunks(first: bytes, stream: BinaryIO) -> Iterator[bytes]:
    chunk = first
    while chunk:
        yield chunk
        chunk = stream.read(CHUNK)


def _inflate(chunks: Iterable[bytes], start: Callable[[], Any], name: str) -> Iterator[bytes]:
    """Unpack one or more members laid end to end (as ``cat a.gz b.gz`` makes them)."""
    import zstandard

    state, open_ = start(), False
    bite = BITE[name]
    for packed in (chunk[at : at + bite] for chunk in chunks for at in range(0, len(chunk), bite)):
        rest = packed
        while rest:
            try:
                out = state.decompress(rest)
            except (zlib.error, zstandard.ZstdError) as error:
                raise TruncatedError(f"the {name} stream is damaged: {error}") from error
            if out:
                yield out
            if state.eof:
                rest = state.unused_data.lstrip(b"\0")  # some writers pad members with zeros
                state, open_ = start(), False
            else:
                rest, open_ = b"", True
    if open_:
        raise TruncatedError(f"the {name} stream ends before its end mark")


def wide_encoding(head: bytes) -> str | None:
    """UTF-16 or UTF-32 by its byte order mark, or by where nulls stand without one (a log's marks and keys are ASCII); None for all else.

    Windows programs write such logs ("Unicode" in their menus).
    """
    if head[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return "utf-32"
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    sample = head[:400]
    half = len(sample) // 2
    if half >= 4:
        even, odd = sample[0 : 2 * half : 2].count(0), sample[1 : 2 * half : 2].count(0)
        if odd * 10 >= half * 3 and not even:
            return "utf-16-le"
        if even * 10 >= half * 3 and not odd:
            return "utf-16-be"
    return None


def transcoded(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Chunks as UTF-8; what the encoding cannot decode becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    for chunk in chunks:
        if text := decoder.decode(chunk):
            yield text.encode("utf-8", "replace")
    if text := decoder.decode(b"", True):
        yield text.encode("utf-8", "replace")


def lines(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Number (from 1) and bytes of each line that is not blank. Memory: the longest line.

    Raises:
        TruncatedError: as the chunks do, after the last whole line, with the fragment as its second argument.
    """
    pending: list[bytes] = []
    waiting = 0
    number = 1
    try:
        for chunk in chunks:
            if b"\n" not in chunk:
                pending.append(chunk)
                waiting += len(chunk)
                if waiting > LONGEST_ROW:
                    raise EndlessError(number, pending[0])
                continue
            first, *middle = chunk.split(b"\n")
            pending.append(first)
            for line in (b"".join(pending), *middle[:-1]):
                if line.strip():
                    yield number, line
                number += 1
            pending = [middle[-1]]
            waiting = len(middle[-1])
            if waiting > LONGEST_ROW:
                raise EndlessError(number, middle[-1])
    except EndlessError:
        raise
    except TruncatedError as error:
        raise TruncatedError(str(error), number, b"".join(pending)) from error
    last = b"".join(pending)
    if last.strip():
        yield number, last


_OUTSIDE = re.compile(rb'[{}\[\]"]')
_INSIDE = re.compile(rb'["\\]')


def values(chunks: Iterable[bytes], *, depth: int) -> Iterator[tuple[int, bytes]]:
    """Number (from 1) and bytes of each JSON object or array that starts at a depth of brackets.

    Depth 1 gives the elements of a top-level array, depth 0 whole values laid end to end. Only brackets and quotes
    are looked at: whether the bytes are JSON is the parser's business. Memory: the longest value.
    What follows the last whole value, if anything but brackets and blanks does, comes last as it is.
    """
    buffer = bytearray()
    position = level = number = 0
    start: int | None = None
    inside = False
    cut: TruncatedError | None = None
    source = iter(chunks)
    while True:
        try:
            chunk = next(source, b"")
        except TruncatedError as error:
            chunk, cut = b"", error
        if not chunk:
            break
        buffer += chunk
        if len(buffer) > LONGEST_ROW:
            raise EndlessError(number + 1, bytes(buffer[:2000]))
        while True:
            found = (_INSIDE if inside else _OUTSIDE).search(buffer, position)
            if found is None:
                position = max(position, len(buffer))
                break
            mark, position = found.group(), found.end()
            if mark == b"\\":
                position += 1  # may point past the buffer: the escaped byte is in the next chunk
            elif mark == b'"':
                inside = not inside
            elif mark in b"{[":
                if level == depth:
                    start = found.start()
                level += 1
            else:
                level -= 1
                if level == depth and start is not None:
                    number += 1
                    yield number, bytes(buffer[start:position])
                    del buffer[:position]
                    position, start = 0, None
    rest = bytes(buffer if start is None else buffer[start:])
    if cut is not None:
        raise TruncatedError(str(cut), number + 1, rest) from cut
    if rest.strip(b" \t\r\n,[]"):
        yield number + 1, rest


def parse_json(data: bytes) -> Any:
    """JSON of a row.

    ``orjson`` refuses lone surrogates and NaN, which logs hold: then the standard library reads it.

    Raises:
        ValueError: it is not JSON (``UnicodeDecodeError`` where it is not UTF-8).
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        import json

        try:
            return json.loads(data.decode("utf-8-sig"))
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


def as_stream(chunks: Iterable[bytes]) -> io.BytesIO:
    """All chunks in memory, for formats that must be read from their end (Parquet on standard input)."""
    return io.BytesIO(b"".join(chunks))

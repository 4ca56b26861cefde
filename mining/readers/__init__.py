"""Read logs in any registered format (``formats/``); bad rows go to quarantine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from wildtool.mining.readers.files import LogFile, UnreadableFileError, expand
from wildtool.mining.readers.log_format import READERS, LogFormat
from wildtool.mining.readers.rows import RawRow, failed, gathered, parse_row, scan
from wildtool.mining.readers.traces import Grouper
from wildtool.schemas.conversation import Conversation
from wildtool.schemas.errors import InputError
from wildtool.schemas.quarantine import Quarantined

__all__ = ["READERS", "LogFile", "LogFormat", "RawRow", "expand", "parse_row", "read_logs", "read_rows"]

Paths = str | Path | Sequence[str | Path]
"""A file, a folder, a glob, ``-`` for standard input, or a sequence of these."""


def read_rows(files: Sequence[LogFile]) -> Iterator[RawRow | Quarantined]:
    """Rows of all files in order, still unparsed, and the rows and files that could not even be cut into rows.

    A file that is not a log (empty, binary, unknown) becomes one row of the quarantine.

    Raises:
        InputError: no file gave a single row, good or bad: the input as a whole is not a log.
    """
    grouper = Grouper()
    first: UnreadableFileError | None = None
    read = 0
    unreadable: list[Quarantined] = []
    for file in files:
        try:
            for row in scan(file, grouper):
                read += 1
                yield row
        except UnreadableFileError as error:
            first = first or error
            unreadable.append(failed(file.name, None, error.reason, error.cause, error.sample))
    for group in grouper.close():
        for row in gathered(group):
            read += 1
            yield row
    if first is not None and read == 0:
        others = f" (and {len(unreadable) - 1} more files that are not logs)" if len(unreadable) > 1 else ""
        raise InputError(first.cause + others, first.remedy)
    yield from unreadable


def read_logs(paths: Paths, *, quarantine: Callable[[Quarantined], None]) -> Iterator[Conversation]:
    """Read conversations from logs in any registered format: plain, gzip or zstd. Memory does not grow with the log.

    Args:
        paths: files, folders, globs, ``-`` for standard input.
        quarantine: hears of each row that cannot be read, with file, line, reason and raw text (stage ``mine``, step
            ``read``). A file that is not a log is one such row, if other files are good.

    Returns:
        The conversations, in the order of the files and their rows.

    Raises:
        InputError: at once, where a path leads nowhere; on the first step of the iterator, where nothing can be read.
        PluginError: the recogniser of another package's format failed.

    Source: ``mining/readers/``.
    """
    files = expand(paths)

    def conversations() -> Iterator[Conversation]:
        for row in read_rows(files):
            outcome = row if isinstance(row, Quarantined) else parse_row(row)
            if isinstance(outcome, Quarantined):
                quarantine(outcome)
            else:
                yield outcome

    return conversations()

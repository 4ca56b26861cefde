"""Search texts for a leaked release: its canary, and runs of its users' words."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from wildtool.grounding.ngrams import ngrams, session_ngrams
from wildtool.schemas.base import Record
from wildtool.schemas.errors import InputError
from wildtool.schemas.session import Session

PIECE = 1 << 20
"""Characters that are read at once: a whole corpus may stand in one line."""
OVERLAP = 4096
"""Characters that a piece repeats of the one before: more than 13 words or a canary take, also in ``\\uXXXX``."""
SHOWN = 20
"""Places that are listed for each file."""


class Contamination(Record):
    """What a file holds of a release."""

    file: str
    """Name of the file."""
    lines: int
    """Lines read."""
    canaries: tuple[int, ...]
    """Lines (from 1) that hold the canary, at most 20."""
    sessions: dict[str, int]
    """Shared n-grams by session id."""
    places: tuple[int, ...]
    """Lines (from 1) with shared n-grams, at most 20."""

    @property
    def found(self) -> bool:
        """The file holds something of the release."""
        return bool(self.canaries or self.sessions)


def file_ngrams(files: Iterable[Path], wanted: Collection[int]) -> frozenset[int]:
    """Those of the ``wanted`` n-grams that text files hold, as ``ReleaseContext.foreign`` takes them.

    Only wanted ones are kept, so that a file of any size takes no more memory than the sessions do.
    """
    return frozenset(one for path in files for _, piece in _pieces(path) for one in ngrams(piece) if one in wanted)


def find_contamination(sessions: Iterable[Session], canary: str, files: Iterable[Path]) -> list[Contamination]:
    """What each file (text or JSON lines, also gzipped) holds of a release.

    Raises ``InputError`` for a file that cannot be read.
    """
    owner: dict[int, str] = {}
    for session in sessions:
        for one in session_ngrams(session):
            owner.setdefault(one, session.id)
    results = []
    for path in files:
        canaries: list[int] = []
        places: list[int] = []
        shared: dict[str, set[int]] = {}
        number = 0
        for number, piece in _pieces(path):
            if canary in piece and number not in canaries[-1:]:
                canaries.append(number)
            hits = [one for one in ngrams(piece) if one in owner]
            if hits and number not in places[-1:]:
                places.append(number)
            for one in hits:
                shared.setdefault(owner[one], set()).add(one)
        results.append(
            Contamination(
                file=path.name,
                lines=number,
                canaries=tuple(canaries[:SHOWN]),
                sessions={id: len(found) for id, found in sorted(shared.items())},
                places=tuple(places[:SHOWN]),
            )
        )
    return results


def _pieces(path: Path) -> Iterator[tuple[int, str]]:
    """(Number of the line, text) of each line; a line of more than a million characters comes in pieces that overlap."""
    try:
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8", errors="replace") as file:
            number, before = 1, ""
            while text := file.readline(PIECE):
                yield number, _unescaped(before + text)
                before = "" if text.endswith("\n") else text[-OVERLAP:]
                number += text.endswith("\n")
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path} cannot be read: {reason}", "name a text file, or one that gzip reads") from error


def _unescaped(line: str) -> str:
    r"""JSON lines may hide Chinese behind ``\uXXXX``."""
    if "\\u" not in line:
        return line
    import re

    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), line)

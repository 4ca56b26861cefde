"""Profiles: what a benchmark shall be made of, as TOML files."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError

from wildtool.schemas.errors import SettingsError
from wildtool.schemas.plan import Profile


def profile_names() -> tuple[str, ...]:
    """Names of the profiles that come with the package."""
    folder = files("wildtool.agents.profiles")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def load_profile(name_or_path: str | Path) -> Profile:
    """A profile by name (one of ``profile_names()``) or by the path of a TOML file; ``SettingsError`` otherwise."""
    text = str(name_or_path)
    if text.endswith(".toml") or "/" in text or "\\" in text:
        path = Path(name_or_path)
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise SettingsError(f"the profile {path} cannot be read: {error.strerror}", _remedy()) from error
    else:
        entry = files("wildtool.agents.profiles").joinpath(f"{text}.toml")
        if text not in profile_names():
            raise SettingsError(f"no profile is called {text!r}", _remedy())
        raw = entry.read_bytes()
    try:
        fields = tomllib.loads(raw.decode("utf-8"))
        return Profile.model_validate(fields)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"the profile {text} is no TOML: {error}", "mend the line it names") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        # A rule on several fields names them in its words; a key that nobody knows may be as long as it likes.
        where = ".".join(str(part) for part in first["loc"] if part != "[key]")
        said = first["msg"].removeprefix("Value error, ")
        if not where:
            where, _, said = said.partition(": ")
        raise SettingsError(
            f"the profile {text} is wrong at {_short(where)}: {_short(said)}",
            "mend that field; agents/profiles/default.toml of the package is an example",
        ) from error


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:199] + "…"


def _remedy() -> str:
    return f"give one of {', '.join(profile_names())}, or the path of a TOML file"

"""Languages: a language is a folder of words with a ``language.toml`` that says how it is written.

The built-in ones are the folders of ``language/words/``. Another distribution adds one by an entry point of
``wildtool.languages`` named like its code, whose value is a ``RegisteredLanguage``::

    SPANISH = RegisteredLanguage.at(files("acme_spanish"))

Its folder holds ``language.toml``, the words of ``wildtool.language`` as ``TOPIC.toml``, and for each other room a folder
of that room's words: ``mining/topics.toml``, ``evaluation/asks.toml`` … (``wildtool.language.lexicon.words`` reads both).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Self

from pydantic import ValidationError

from wildtool.schemas.base import Record
from wildtool.schemas.errors import LanguageError
from wildtool.schemas.registry import Registry

TRAITS = "language.toml"


class LanguageTraits(Record):
    """How a language is written: all that code asks instead of asking which language it is."""

    code: str
    """BCP 47 primary language: ``en``."""
    name: str
    """English name."""
    own_name: str
    """Its name in itself."""
    script: str
    """ISO 15924 code of its script: ``Latn``, ``Hans``."""
    spaced: bool
    """Are its words parted by spaces?"""
    letters: str
    """Its letters in lower case, as the inside of a character class of a regular expression."""
    comma: str
    """Between clauses, with the space that follows it."""
    list_comma: str
    """Between the items of a list, with the space that follows it."""
    last_comma: str
    """Before the last item of a list, with its spaces: " and "."""
    full_stop: str
    """At the end of a sentence, without a space."""
    question_mark: str
    """At the end of a question."""
    colon: str
    """With the space that follows it."""
    semicolon: str
    """With the space that follows it."""
    brackets: tuple[str, str]
    """Opening bracket, with the space before it, and closing bracket."""
    stands_in: bool = False
    """Are texts in languages that nobody registered read by its words? True of one language."""


@dataclass(frozen=True, slots=True)
class RegisteredLanguage:
    """A language and the folder of its words."""

    traits: LanguageTraits
    folder: Traversable
    """Holds ``language.toml`` and the words."""
    built_in: bool = False
    """Do the words of other rooms stand in those rooms (``ROOM/words/CODE/``) instead of in this folder?"""

    @property
    def name(self) -> str:
        """Its code, under which it is registered."""
        return self.traits.code

    @classmethod
    def at(cls, folder: Traversable, *, built_in: bool = False) -> Self:
        """The language of a folder.

        Raises:
            LanguageError: its ``language.toml`` is missing or wrong.
        """
        path = folder / TRAITS
        try:
            traits = LanguageTraits.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:  # ValidationError and TOMLDecodeError are ValueErrors
            cause = error.errors()[0] if isinstance(error, ValidationError) else None
            said = f"{'.'.join(map(str, cause['loc']))}: {cause['msg']}" if cause else str(error)
            raise LanguageError(
                f"the language in {folder} cannot be read: {said}", f"see LanguageTraits for what {TRAITS} holds"
            ) from error
        return cls(traits, folder, built_in)


def _built_in() -> Iterable[RegisteredLanguage]:
    folder = files("wildtool") / "language" / "words"
    found = sorted((entry for entry in folder.iterdir() if (entry / TRAITS).is_file()), key=lambda entry: entry.name)
    return [RegisteredLanguage.at(entry, built_in=True) for entry in found]


LANGUAGES: Registry[RegisteredLanguage] = Registry(
    "language", RegisteredLanguage, group="wildtool.languages", builtins=_built_in
)
"""All registered languages."""

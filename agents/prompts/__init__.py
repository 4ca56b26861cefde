"""Load prompt files by language, and hash them for the provenance of drafts."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from wildtool.grounding.chat import system_text
from wildtool.schemas.base import sha256_hex
from wildtool.schemas.vocabulary import Language


@cache
def prompt(language: Language, name: str) -> str:
    """Return the text of the prompt file ``agents/prompts/<language>/<name>.md``."""
    return files("wildtool.agents.prompts").joinpath(str(language), f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def prompt_hashes(language: Language) -> dict[str, str]:
    """Return the SHA-256 of each prompt file of a language and of the assistant's system message, by ``<language>/<name>``."""
    folder = files("wildtool.agents.prompts").joinpath(str(language))
    names = sorted(entry.name.removesuffix(".md") for entry in folder.iterdir() if entry.name.endswith(".md"))
    hashes = {f"{language}/{name}": sha256_hex(prompt(language, name)) for name in names}
    return hashes | {f"{language}/assistant": sha256_hex(system_text(str(language)))}

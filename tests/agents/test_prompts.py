"""Prompt files: the same ones in every language, hashed into provenance."""

from __future__ import annotations

import pytest

from wildtool.agents.prompts import prompt, prompt_hashes
from wildtool.schemas.base import sha256_hex
from wildtool.schemas.vocabulary import Language


@pytest.mark.parametrize("language", list(Language))
def test_every_language_has_every_prompt(language: Language) -> None:
    names = {name.partition("/")[2] for name in prompt_hashes(language)}
    assert names == {"assistant", "checker", "environment", "reply", "user"}
    for name in ("checker", "environment", "reply", "user", "judge/ask", "judge/answer"):
        assert len(prompt(language, name)) > 100


def test_hashes_are_of_the_text() -> None:
    assert prompt_hashes(Language.EN)["en/user"] == sha256_hex(prompt(Language.EN, "user"))

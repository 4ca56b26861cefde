"""Words of made-up worlds, in each language."""

from __future__ import annotations

import pytest

from wildtool.language.lexicon import languages
from wildtool.schemas.errors import SettingsError
from wildtool.worlds.words import named_pool, pool, world_words


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_tables(language: str) -> None:
    assert set(world_words(language)) == set(world_words("en"))
    assert set(world_words(language)["countries"]) == set(world_words("en")["countries"])
    assert world_words(language)["pools"][-1]["name"] == ""


def test_pools_go_by_the_name_and_the_last_serves_all() -> None:
    assert "Lyon" in pool("destinationCity", "en")
    assert pool("zzz", "en") == tuple(world_words("en")["pools"][-1]["say"])
    assert named_pool("zzz", "en") == () and named_pool("Email", "zh") == pool("email", "zh")


def test_a_language_without_words_is_an_error_with_a_remedy() -> None:
    with pytest.raises(SettingsError, match="unknown language: 'xx'"):
        world_words("xx")

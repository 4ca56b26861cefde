"""Profiles: those that come along, and what a wrong one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.profiles import load_profile, profile_names
from schemas.errors import SettingsError
from schemas.vocabulary import Language


def test_all_that_come_along_can_be_read() -> None:
    assert set(profile_names()) >= {"default", "demo", "wildtoolbench-1.0", "wildtoolbench-1.0-zh"}
    for name in profile_names():
        assert load_profile(name).name == name


def test_the_demo_is_small() -> None:
    profile = load_profile("demo")
    assert profile.sessions == {Language.EN: 8, Language.ZH: 8} and profile.tasks_per_session == 4


def test_a_path_is_a_profile_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\n[sessions]\nen = 1\n[types]\nsingle = 1\n[topologies]\n[hidden_intents]\n', encoding="utf-8"
    )
    assert load_profile(path).sessions == {Language.EN: 1}


@pytest.mark.parametrize(
    ("text", "cause"),
    [("name = ", "no TOML"), ('name = "x"\n', "sessions"), ('name = "x"\n[sessions]\nfr = 1\n', "wrong at sessions")],
)
def test_a_wrong_one_says_where(tmp_path: Path, text: str, cause: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=cause):
        load_profile(path)


def test_an_unknown_one_names_the_known() -> None:
    with pytest.raises(SettingsError) as error:
        load_profile("nope")
    assert "demo" in error.value.remedy
    with pytest.raises(SettingsError, match="cannot be read"):
        load_profile("does/not/exist.toml")

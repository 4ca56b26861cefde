"""Profiles: those that come along, and what a wrong one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugin import install
from wildtool.agents.profiles import load_profile, profile_names
from wildtool.schemas.errors import SettingsError
from wildtool.schemas.vocabulary import Language


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
    [
        ("name = ", "not valid TOML"),
        ('name = "x"\n', "sessions"),
        ('name = "x"\n[sessions]\nfr = 1\n', "wrong at sessions"),
    ],
)
def test_a_wrong_one_says_where(tmp_path: Path, text: str, cause: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=cause):
        load_profile(path)


SOUND = {
    "name": '"mine"',
    "tasks_per_session": "4",
    "tools": "[2, 9]",
    "mean_tools": "4.9",
    "sessions": "{en = 1, zh = 0}",
    "types": "{single = 1, multi = 1, clarify = 1}",
    "topologies": "{parallel = 1}",
    "hidden_intents": "{coreference = 349}",
    "replies": "{full = 1}",
}


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("tasks_per_session", "0", "tasks_per_session"),
        ("tasks_per_session", "-3", "tasks_per_session"),
        ("tasks_per_session", "4000", "tasks_per_session"),
        ("tasks_per_session", '11\ntype_sequences = "all"', "tasks_per_session"),
        ("types", "{single = nan}", "types.single"),
        ("types", "{single = -1}", "types.single"),
        ("types", "{single = 1e308, multi = 1e308}", "types.single"),
        ("types", "{single = 0.0}", "types"),
        ("topologies", "{}", "topologies"),
        ("hidden_intents", "{partial_information = inf}", "hidden_intents.partial_information"),
        ("replies", "{full = 0}", "replies"),
        ("sessions", "{en = -5}", "sessions.en"),
        ("sessions", "{en = 99999999999999999999}", "sessions.en"),
        ("sessions", "{en = 0, zh = 0}", "sessions"),
        ("sessions", "{}", "sessions"),
        ("tools", "[9, 2]", "tools"),
        ("tools", "[0, 2]", "tools.0"),
        ("mean_tools", "400", "mean_tools"),
        ("mean_tools", "nan", "mean_tools"),
        ("k" * 5_000, "1", "k" * 199),
    ],
)
def test_a_number_out_of_bounds_is_told_in_a_line_that_names_it(
    tmp_path: Path, key: str, value: str, where: str
) -> None:
    path = tmp_path / "mine.toml"

    def written(fields: dict[str, str]) -> None:
        path.write_text("".join(f"{name} = {text}\n" for name, text in fields.items()), encoding="utf-8")

    written(SOUND)
    load_profile(path)
    written({**SOUND, key: value})
    with pytest.raises(SettingsError) as error:
        load_profile(path)
    said = error.value.cause
    assert f" is wrong at {where}" in said.replace("…", "") and "\n" not in said and len(said) < 600, said


def test_an_unknown_one_names_the_known() -> None:
    with pytest.raises(SettingsError) as error:
        load_profile("nope")
    assert "demo" in error.value.remedy
    with pytest.raises(SettingsError, match="cannot be read"):
        load_profile("does/not/exist.toml")


PROFILE = 'name = "theirs"\n[sessions]\nen = 1\n[types]\nsingle = 1\n[topologies]\n[hidden_intents]\n'


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("from pathlib import Path\nIT = Path(__file__).with_name('theirs.toml')", None),
        ("from pathlib import Path\nIT = str(Path(__file__).with_name('theirs.toml'))", None),
        ("from wildtool.agents.profiles import load_profile\nIT = load_profile('demo')", None),
        ("IT = 7", "neither a Profile nor a path"),
        ("raise RuntimeError('broken')", "cannot be loaded: broken"),
        ("IT = 'nowhere.toml'", "cannot be read"),
    ],
)
def test_another_package_brings_a_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, cause: str | None
) -> None:
    module = f"profile_of_theirs_{abs(hash(source))}"
    folder = install(tmp_path, module, source, f"[wildtool.profiles]\ntheirs = {module}:IT\n")
    (folder / "theirs.toml").write_text(PROFILE, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    assert "theirs" in profile_names()
    if cause is None:
        assert load_profile("theirs").name in ("theirs", "demo")
    else:
        with pytest.raises(SettingsError, match=cause):
            load_profile("theirs")
    assert load_profile("demo").name == "demo"

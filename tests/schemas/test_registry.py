"""The generic registry: names, duplicates, plug-ins found lazily and blamed by name."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from wildtool.schemas.errors import InputError, PluginError, RegistryError
from wildtool.schemas.registry import Registry

GROUP = "wildtool.test_things"


@dataclass(frozen=True)
class Thing:
    name: str
    size: int = 0


def registry(**more) -> Registry[Thing]:
    return Registry("thing", Thing, group=GROUP, builtins=lambda: [Thing("box", 2), Thing("ant", 1)], **more)


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Puts a distribution with entry points on ``sys.path``: its code, and what it registers under which name."""

    def make(distribution: str, code: str, points: dict[str, str], group: str = GROUP) -> None:
        folder = tmp_path / distribution
        module = f"{distribution.replace('-', '_')}_{abs(hash(tmp_path)) % 10**8}"
        info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (folder / f"{module}.py").write_text(code, encoding="utf-8")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n", encoding="utf-8")
        lines = [f"[{group}]", *(f"{name} = {module}:{value}" for name, value in points.items())]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(sys.modules, module, raising=False)

    return make


CODE = "from tests.schemas.test_registry import Thing\nCAT = Thing('cat', 3)\nOTHER = Thing('dog')\nTEXT = 'cat'\n"


def test_built_in_entries_keep_their_order_unless_one_is_given() -> None:
    assert [one.name for one in registry().all()] == ["box", "ant"]
    assert [one.name for one in registry(order=lambda one: one.size).all()] == ["ant", "box"]
    assert registry().names() == ("ant", "box")


def test_an_unknown_name_lists_those_known() -> None:
    with pytest.raises(RegistryError, match="unknown thing: 'cow'") as caught:
        registry().get("cow")
    assert isinstance(caught.value, InputError)
    assert "ant, box" in caught.value.remedy and GROUP in caught.value.remedy


def test_a_name_is_registered_once() -> None:
    things = registry()
    with pytest.raises(RegistryError, match="already registered by wildtool"):
        things.add(Thing("box"))
    with pytest.raises(RegistryError, match="without a name"):
        things.add(Thing(""))
    with pytest.raises(RegistryError, match="offers a str as a thing"):
        things.add("box")  # type: ignore[arg-type]


def test_what_a_program_adds_is_found_and_can_be_removed() -> None:
    things = registry()
    cow = things.add(Thing("cow"))
    assert things.get("cow") is cow and "cow" in things and things.origin("cow") == "this process"
    things.remove("cow")
    assert "cow" not in things
    with pytest.raises(RegistryError, match="was not added by this process"):
        things.remove("box")


def test_a_plugin_is_found_by_name_and_loaded_when_it_is_asked_for(plugin) -> None:
    plugin("acme-things", CODE, {"cat": "CAT"})
    things = registry()
    assert things.names() == ("ant", "box", "cat")
    assert not [name for name in sys.modules if name.startswith("acme_things")]
    assert things.get("cat") == Thing("cat", 3)
    assert things.origin("cat") == "acme-things" and things.origin("box") == "wildtool"
    assert [one.name for one in things.all()] == ["box", "ant", "cat"]


@pytest.mark.parametrize(
    ("code", "value", "cause"),
    [
        ("raise RuntimeError('boom')", "CAT", "'cat' of acme-things cannot be loaded: RuntimeError: boom"),
        ("CAT = 1", "MISSING", "'cat' of acme-things cannot be loaded: AttributeError"),
        (CODE, "TEXT", "it is a str"),
        (CODE, "OTHER", "offers the thing 'dog' under the name 'cat'"),
    ],
)
def test_a_broken_plugin_is_blamed_by_name(plugin, code: str, value: str, cause: str) -> None:
    plugin("acme-things", code, {"cat": value})
    things = registry()
    assert things.get("box").size == 2  # the rest works
    with pytest.raises(PluginError, match=re.escape(cause)) as caught:
        things.all()
    assert "acme-things" in str(caught.value)


def test_two_distributions_cannot_offer_one_name(plugin) -> None:
    plugin("acme-things", CODE, {"cat": "CAT"})
    plugin("bolt-things", CODE, {"cat": "CAT"})
    with pytest.raises(PluginError, match="'cat' of bolt-things is already registered by acme-things"):
        registry().names()


def test_a_plugin_cannot_replace_a_built_in_entry(plugin) -> None:
    plugin("acme-things", CODE.replace("cat", "box"), {"box": "CAT"})
    with pytest.raises(PluginError, match="'box' of acme-things is already registered by wildtool"):
        registry().all()


def test_an_error_inside_a_plugin_names_it_and_our_own_errors_pass(plugin) -> None:
    plugin("acme-things", CODE, {"cat": "CAT"})
    things = registry()
    cat, box = things.get("cat"), things.get("box")
    with pytest.raises(PluginError, match="the thing 'cat' of acme-things failed: KeyError: 'x'"), things.blame(cat):
        raise KeyError("x")
    with pytest.raises(KeyError), things.blame(box):
        raise KeyError("x")
    with pytest.raises(InputError, match="ours"), things.blame(cat):
        raise InputError("ours", "ours")

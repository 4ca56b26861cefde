"""The registry of annotation backends, and that each one has what the Protocol asks for."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from tests.annotation.memory_backend import MemoryBackend, Tool
from wildtool.annotation import (
    AnnotationBackend,
    BackendOptions,
    LabelStudioBackend,
    backend_names,
    open_backend,
    register_backend,
)
from wildtool.annotation import backends as registry
from wildtool.schemas.errors import SettingsError

METHODS = {
    name: member
    for name, member in vars(AnnotationBackend).items()
    if inspect.isfunction(member) and not name.startswith("_")
}
"""What a backend must implement."""

PACKAGE = """
from tests.annotation.memory_backend import MemoryBackend, Tool

def opened(options, progress):
    progress(f"opened for {options.home}")
    return MemoryBackend(Tool(url=options.settings["url"]))
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it."""
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))


def _install(folder: Path, monkeypatch: pytest.MonkeyPatch, module: str, source: str, target: str) -> None:
    """Lay out a package as pip does, and put it on the path."""
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
    entry = f"[wildtool.annotation_backends]\n{module} = {target}\n"
    (metadata / "entry_points.txt").write_text(entry, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))


def test_the_protocol_has_at_most_ten_methods_and_both_backends_have_them() -> None:
    assert 0 < len(METHODS) <= 10
    for backend in (LabelStudioBackend, MemoryBackend):
        for name, asked in METHODS.items():
            given = inspect.signature(getattr(backend, name))
            assert list(given.parameters) == list(inspect.signature(asked).parameters), (backend, name)


def test_a_backend_is_registered_once() -> None:
    tool = Tool()

    def factory(options: BackendOptions, progress: object) -> AnnotationBackend:
        return MemoryBackend(tool)

    register_backend("memory", factory)
    register_backend("memory", factory)  # a module that is imported twice
    assert "memory" in backend_names()
    opened = open_backend("memory", BackendOptions(home="h"), print)
    assert isinstance(opened, MemoryBackend)
    assert opened.tool is tool
    with pytest.raises(SettingsError, match="registered twice"):
        register_backend("memory", lambda options, progress: MemoryBackend(Tool()))


def test_an_installed_package_offers_a_backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(tmp_path, monkeypatch, "made_up_tool", PACKAGE, "made_up_tool:opened")
    assert backend_names() == ("label_studio", "made_up_tool")
    said: list[str] = []
    opened = open_backend("made_up_tool", BackendOptions(home="h", settings={"url": "x://y"}), said.append)
    assert (opened.url, said) == ("x://y", ["opened for h"])


def test_a_package_that_fails_to_load_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(tmp_path, monkeypatch, "broken_tool", "1 / 0", "broken_tool:opened")
    with pytest.raises(SettingsError, match=r"broken_tool \(broken_tool:opened\) fails to load: division by zero"):
        open_backend("broken_tool", BackendOptions(home="h"), print)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError) as caught:
        open_backend("nowhere", BackendOptions(home="h"), print)
    assert "label_studio" in caught.value.remedy


def test_only_the_registry_and_the_room_know_label_studio(repository: Path) -> None:
    """What every backend shares imports no vendor, and does not speak of one."""
    shared = [
        path
        for path in (repository / "annotation").rglob("*.*")
        if path.suffix in (".py", ".jinja") and "label_studio" not in path.relative_to(repository).parts
    ]
    assert len(shared) > 20
    naming = {path.name for path in shared if re.search("label.?studio", path.read_text(encoding="utf-8"), re.I)}
    assert naming == {"backend.py", "backends.py"}  # an example of settings, and the default


def test_settings_of_a_backend_are_not_shown() -> None:
    assert "secret" not in repr(BackendOptions(home="h", settings={"api_key": "secret"}))


def test_label_studio_elsewhere_needs_a_token() -> None:
    options = BackendOptions(home="h", settings={"url": "http://127.0.0.1:1", "api_key": None})
    with pytest.raises(SettingsError, match="no token for Label Studio") as caught:
        open_backend("label_studio", options, print)
    assert "LABEL_STUDIO_API_KEY" in caught.value.remedy

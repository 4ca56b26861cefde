"""Registry of annotation backends. Packages add theirs by the entry-point group ``wildtool.annotation_backends``."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points

from wildtool.annotation.backend import AnnotationBackend, BackendOptions
from wildtool.schemas.errors import SettingsError

GROUP = "wildtool.annotation_backends"
"""Entry points: name = ``module:factory``."""

DEFAULT_BACKEND = "label_studio"

Progress = Callable[[str], None]
"""Called with one line per step."""

BackendFactory = Callable[[BackendOptions, Progress], AnnotationBackend]
"""Opens a connection, and starts a server first where that is needed."""


def _label_studio(options: BackendOptions, progress: Progress) -> AnnotationBackend:
    from wildtool.annotation.label_studio.backend import open_label_studio

    return open_label_studio(options, progress)


_FACTORIES: dict[str, BackendFactory] = {DEFAULT_BACKEND: _label_studio}


def register_backend(name: str, factory: BackendFactory) -> None:
    """Register a backend. Raises ``SettingsError`` if another one has the name."""
    if _FACTORIES.setdefault(name, factory) is not factory:
        raise SettingsError(f"the annotation backend {name} is registered twice", "choose another name")


def backend_names() -> tuple[str, ...]:
    """List the registered backends and those that installed packages offer."""
    return tuple(sorted({*_FACTORIES, *(point.name for point in entry_points(group=GROUP))}))


def open_backend(name: str, options: BackendOptions, progress: Progress) -> AnnotationBackend:
    """Open the backend of this name. Raises ``SettingsError`` for an unknown name and for a package that fails to load."""
    factory = _FACTORIES.get(name) or _from_entry_point(name)
    if factory is None:
        raise SettingsError(
            f"there is no annotation backend {name!r}",
            f"choose one of {', '.join(backend_names())}, or install the package that offers it",
        )
    return factory(options, progress)


def _from_entry_point(name: str) -> BackendFactory | None:
    for point in entry_points(group=GROUP, name=name):
        try:
            factory: BackendFactory = point.load()
        except Exception as error:  # whatever a foreign module raises while it is imported
            raise SettingsError(
                f"the annotation backend {name} ({point.value}) fails to load: {error}",
                "correct or uninstall its package",
            ) from error
        return factory
    return None

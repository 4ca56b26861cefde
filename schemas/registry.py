"""One registry for each kind of thing that can be added, here or by another package.

A kind (log reader, importer, scorer rule, language …) has one ``Registry``. Its entries come from three places:

- built-in ones, from the modules of one package or from a function, loaded when somebody first asks;
- entry points of the registry's group, named like their entry and loaded when somebody first asks for them::

      [project.entry-points."wildtool.readers"]
      acme_chat = "acme_wildtool:ACME_CHAT"

- entries added by a running program (``add``). These hold in this process only: worker processes see entry points.

An unknown or a repeated name is an error that says what is known. Whatever a plug-in raises is reported with the name
of the distribution that installed it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import Any, Generic, TypeVar

from wildtool.schemas.errors import PluginError, RegistryError, WildtoolError

T = TypeVar("T")

OURS = "wildtool"
"""Origin of the built-in entries."""

THIS_PROCESS = "this process"
"""Origin of the entries that a running program added."""


class Registry(Generic[T]):
    """The entries of one kind, each under a unique name.

    Args:
        kind: what an entry is called in messages, in the singular: ``log format``.
        type_: class of the entries; anything else is refused.
        group: entry-point group under which other distributions offer entries.
        builtins: name of a package whose modules define the built-in entries at their top level, so that a new module is
            all that a new entry takes; or a function that returns the entries.
        name: name of an entry.
        order: sort key of ``all``; without one, built-in entries come in the order in which they were added.
    """

    def __init__(
        self,
        kind: str,
        type_: type[T],
        *,
        group: str,
        builtins: str | Callable[[], Iterable[T]] | None = None,
        name: Callable[[T], str] = lambda entry: str(getattr(entry, "name", "")),
        order: Callable[[T], Any] | None = None,
    ) -> None:
        self.kind, self.group = kind, group
        self._type, self._builtins, self._name, self._order = type_, builtins, name, order
        self._entries: dict[str, T] = {}
        self._origins: dict[str, str] = {}
        self._points: dict[str, EntryPoint] | None = None
        self._all: tuple[T, ...] | None = None
        self._added: tuple[T, ...] | None = None
        self._loaded = False
        self._lock = RLock()

    def add(self, entry: T) -> T:
        """Add an entry and return it.

        Raises:
            RegistryError: the entry is of another type, or its name is taken.
        """
        with self._lock:
            self._load_builtins()
            self._put(entry, THIS_PROCESS)
        return entry

    def remove(self, name: str) -> None:
        """Remove an entry that ``add`` added in this process; tests clean up with it."""
        with self._lock:
            if self._origins.get(name) != THIS_PROCESS:
                raise RegistryError(
                    f"{name!r} was not added by this process", f"only an added {self.kind} can be removed"
                )
            del self._entries[name], self._origins[name]
            self._all = self._added = None

    def names(self) -> tuple[str, ...]:
        """All names, sorted. Loads no plug-in."""
        with self._lock:
            self._load_builtins()
            return tuple(sorted({*self._entries, *self._entry_points()}))

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def get(self, name: str) -> T:
        """The entry of a name; loads at most the one plug-in that offers it.

        Raises:
            RegistryError: the name is unknown; the remedy lists those that are known.
            PluginError: the plug-in that offers it cannot be loaded.
        """
        with self._lock:
            self._load_builtins()
            if name not in self._entries:
                point = self._entry_points().get(name)
                if point is None:
                    known = ", ".join(self.names()) or "none"
                    raise RegistryError(
                        f"unknown {self.kind}: {str(name)!r}",
                        f"known: {known}; another package adds one through the entry-point group {self.group}",
                    )
                self._put(self._load(point), _distribution(point))
            return self._entries[name]

    def all(self) -> tuple[T, ...]:
        """All entries: built-in ones, then plug-ins by name; or by ``order``. Loads every plug-in.

        Raises:
            PluginError: a plug-in cannot be loaded, or its name is taken.
        """
        if self._all is not None:  # asked for once a row of a log
            return self._all
        with self._lock:
            self._load_builtins()
            for name in sorted(self._entry_points()):
                self.get(name)
            entries = tuple(self._entries.values())
            self._all = entries if self._order is None else tuple(sorted(entries, key=self._order))
            return self._all

    def added(self) -> tuple[T, ...]:
        """The entries of ``all`` that are not built in."""
        if self._all is None or self._added is None:
            self._added = tuple(entry for entry in self.all() if self._origins[self._name(entry)] != OURS)
        return self._added

    def origin(self, name: str) -> str:
        """Distribution that an entry comes from: ``wildtool``, a plug-in's name, or ``this process``."""
        self.get(name)
        return self._origins[name]

    @contextmanager
    def blame(self, entry: T) -> Iterator[None]:
        """Run a plug-in's code: an error in it names its distribution. Our own errors and built-in entries pass unchanged.

        Raises:
            PluginError: the code of an entry that is not built in failed.
        """
        try:
            yield
        except WildtoolError:
            raise
        except Exception as error:
            name = self._name(entry)
            origin = self._origins.get(name, THIS_PROCESS)
            if origin == OURS:
                raise
            raise PluginError(
                f"the {self.kind} {name!r} of {origin} failed: {type(error).__name__}: {error}",
                f"update or uninstall {origin}, or report this to its authors",
            ) from error

    def _put(self, entry: T, origin: str) -> None:
        if not isinstance(entry, self._type):
            raise RegistryError(
                f"{origin} offers a {type(entry).__name__} as a {self.kind}", f"it must be a {self._type.__name__}"
            )
        name = self._name(entry)
        if not name:
            raise RegistryError(f"{origin} offers a {self.kind} without a name", "give it one")
        if name in self._entries:
            raise RegistryError(
                f"the {self.kind} {name!r} of {origin} is already registered by {self._origins[name]}",
                "rename one of them",
            )
        self._entries[name], self._origins[name] = entry, origin
        self._all = self._added = None

    def _load_builtins(self) -> None:
        if self._loaded:
            return
        if isinstance(self._builtins, str):
            found = list(_instances(self._builtins, self._type))
        else:
            found = list(self._builtins()) if self._builtins else []
        if not self._loaded:  # the modules just imported may have asked already
            self._loaded = True
            for entry in found:
                self._put(entry, OURS)

    def _entry_points(self) -> dict[str, EntryPoint]:
        """Entry points of the group by name, without loading any."""
        if self._points is None:
            points: dict[str, EntryPoint] = {}
            for point in sorted(entry_points(group=self.group), key=lambda point: (point.name, _distribution(point))):
                other = points.get(point.name)
                owner = _distribution(other) if other else self._origins.get(point.name)
                if other is not None and (other.value, owner) == (point.value, _distribution(point)):
                    continue  # one distribution found twice on the path
                if owner is not None:
                    raise PluginError(
                        f"the {self.kind} {point.name!r} of {_distribution(point)} is already registered by {owner}",
                        f"uninstall {_distribution(point)} or the other one",
                    )
                points[point.name] = point
            self._points = points
        return self._points

    def _load(self, point: EntryPoint) -> T:
        origin = _distribution(point)
        remedy = f"update or uninstall {origin}, or report this to its authors"
        try:
            entry = point.load()
        except Exception as error:
            raise PluginError(
                f"the {self.kind} {point.name!r} of {origin} cannot be loaded: {type(error).__name__}: {error}", remedy
            ) from error
        if not isinstance(entry, self._type):
            raise PluginError(
                f"{origin} offers {point.value} as a {self.kind}, but it is a {type(entry).__name__}",
                f"it must be a {self._type.__name__}; {remedy}",
            )
        if self._name(entry) != point.name:
            raise PluginError(
                f"{origin} offers the {self.kind} {self._name(entry)!r} under the name {point.name!r}",
                f"both must be the same; {remedy}",
            )
        return entry


def _instances(package: str, type_: type[T]) -> Iterator[T]:
    """Instances of a class at the top level of a package's modules, by module name, each once."""
    seen: set[int] = set()
    for module in sorted(one.name for one in pkgutil.iter_modules(importlib.import_module(package).__path__)):
        for value in vars(importlib.import_module(f"{package}.{module}")).values():
            if isinstance(value, type_) and id(value) not in seen:
                seen.add(id(value))
                yield value


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "an unknown distribution"

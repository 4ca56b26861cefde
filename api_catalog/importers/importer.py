"""How an importer is registered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wildtool.api_catalog.functions.description import Description
from wildtool.schemas.registry import Registry


@dataclass(frozen=True, slots=True)
class Importer:
    """A format of API descriptions: how to recognise a parsed document of it, and how to read one."""

    name: str
    """Unique name; a plug-in's entry point has the same."""
    title: str
    """What reports call the format."""
    fits: Callable[[Any], bool]
    """Whether a parsed document is of this format, by its content alone."""
    read: Callable[[Any, str], list[Description]]
    """The APIs in a document; the second argument names the source. Raises ``Refused``."""
    order: int = 0
    """The lowest that fits reads the document. The built-in ones start at 10, so that a plug-in is asked before them unless
    it says otherwise."""


IMPORTERS: Registry[Importer] = Registry(
    "importer",
    Importer,
    group="wildtool.importers",
    builtins="wildtool.api_catalog.importers",
    order=lambda importer: (importer.order, importer.name),
)
"""All importers."""

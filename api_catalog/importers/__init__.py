"""Importers, one function a format, picked by looking at the content.

An importer is ``read(document, name) -> list[Description]``, with ``fits(document) -> bool`` beside it. Adding a
format is one module and one line in ``IMPORTERS``; the first that fits reads the document.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from wildtool.api_catalog.functions.description import Description, Refused
from wildtool.api_catalog.importers import discovery, functions, openapi


@dataclass(frozen=True, slots=True)
class Importer:
    """A format that people have."""

    name: str
    """What the format is called."""
    fits: Callable[[Any], bool]
    """Whether a parsed document is of this format, by its content alone."""
    read: Callable[[Any, str], list[Description]]
    """The APIs in a document; the second argument names the source. Raises ``Refused``."""


IMPORTERS: tuple[Importer, ...] = (
    Importer("Google discovery", discovery.fits, discovery.read),
    Importer("OpenAPI", openapi.fits, openapi.read),
    Importer("ToolAlpaca", functions.fits_toolalpaca, functions.read),
    Importer("functions", functions.fits, functions.read),
)


def read_document(document: Any, name: str) -> tuple[str, list[Description]]:
    """(format, APIs) of a parsed document.

    Raises ``Refused``: ``not_an_object``, ``unknown_format``, or what the importer says.
    """
    if not isinstance(document, dict | list):
        raise Refused("not_an_object", f"the document is a {type(document).__name__}")
    for importer in IMPORTERS:
        if importer.fits(document):
            return importer.name, importer.read(document, name)
    if isinstance(document, list) and any(_fitting(each) for each in document):
        return _each(document, name)
    raise Refused("unknown_format", "no importer knows this content")


def _fitting(document: Any) -> Importer | None:
    return next((importer for importer in IMPORTERS if isinstance(document, dict) and importer.fits(document)), None)


def _each(documents: list[Any], name: str) -> tuple[str, list[Description]]:
    """Several whole documents in one file: a stream of YAML, JSON lines, an array. What one refuses stops none."""
    found: list[Description] = []
    formats: dict[str, None] = {}
    problems: list[tuple[str, str]] = []
    for number, document in enumerate(documents, start=1):
        importer = _fitting(document)
        try:
            if importer is None:
                raise Refused("unknown_format", "no importer knows this content")
            made = importer.read(document, name)
        except Refused as refused:
            problems.append((refused.reason, f"document {number}: {refused.detail}"))
            continue
        formats[importer.name] = None
        found += made
    if not found:
        raise Refused(*problems[0])
    if problems:
        found[0] = replace(found[0], notes=(*found[0].notes, *problems))
    return ", ".join(formats), found

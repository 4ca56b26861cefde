"""Importers, one module a format, picked by looking at the content.

A module in this folder that defines an ``Importer`` registers it; so does an entry point of ``wildtool.importers``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wildtool.api_catalog.functions.description import Description, Refused
from wildtool.api_catalog.importers.importer import IMPORTERS, Importer
from wildtool.schemas.registry import OURS

__all__ = ["IMPORTERS", "Importer", "read_document"]


def read_document(document: Any, name: str) -> tuple[str, list[Description]]:
    """(format, APIs) of a parsed document.

    Raises:
        Refused: ``not_an_object``, ``unknown_format``, or what the importer says (``plugin_failed`` where one of another
            package failed).
        PluginError: the recogniser of another package's importer failed.
    """
    if not isinstance(document, dict | list):
        raise Refused("not_an_object", f"the document is a {type(document).__name__}")
    importer = _fitting(document)
    if importer is not None:
        return importer.title, _read(importer, document, name)
    if isinstance(document, list) and any(isinstance(each, dict) and _fitting(each) for each in document):
        return _each(document, name)
    raise Refused("unknown_format", "no importer knows this content")


def _fitting(document: Any) -> Importer | None:
    for importer in IMPORTERS.all():
        with IMPORTERS.blame(importer):
            if importer.fits(document):
                return importer
    return None


def _read(importer: Importer, document: Any, name: str) -> list[Description]:
    try:
        return importer.read(document, name)
    except Refused:
        raise
    except Exception as error:
        if (origin := IMPORTERS.origin(importer.name)) == OURS:
            raise
        said = f"{importer.name} of {origin}: {type(error).__name__}: {error}"
        raise Refused("plugin_failed", said) from error


def _each(documents: list[Any], name: str) -> tuple[str, list[Description]]:
    """Several whole documents in one file: a stream of YAML, JSON lines, an array. What one refuses stops none."""
    found: list[Description] = []
    formats: dict[str, None] = {}
    problems: list[tuple[str, str]] = []
    for number, document in enumerate(documents, start=1):
        importer = _fitting(document) if isinstance(document, dict) else None
        try:
            if importer is None:
                raise Refused("unknown_format", "no importer knows this content")
            made = _read(importer, document, name)
        except Refused as refused:
            problems.append((refused.reason, f"document {number}: {refused.detail}"))
            continue
        formats[importer.title] = None
        found += made
    if not found:
        raise Refused(*problems[0])
    if problems:
        found[0] = replace(found[0], notes=(*found[0].notes, *problems))
    return ", ".join(formats), found

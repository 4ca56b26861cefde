"""The catalogue in a folder: one JSON line a list, and what it was made of."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from wildtool.api_catalog.sources.build import CATALOGUE_VERSION, CatalogueResult
from wildtool.schemas.base import JsonObject, canonical_json, sha256_hex
from wildtool.schemas.errors import InputError
from wildtool.schemas.tool import ToolList

LISTS_FILE = "lists.jsonl"
META_FILE = "catalogue.json"


@dataclass(frozen=True, eq=False)
class Catalogue:
    """A loaded catalogue. Compared by identity, so that what is computed from it can be kept with it."""

    lists: tuple[ToolList, ...]
    """Core lists first, then by category and slug."""
    meta: JsonObject
    """``version``, ``lists``, ``functions``, ``sources``, ``sha256`` of the lists file."""


def save_catalogue(result: CatalogueResult, folder: Path) -> None:
    """Write a catalogue into a folder; the same lists give the same bytes. A reader never sees half of it.

    Args:
        result: what ``build_catalogue`` made.
        folder: where to write; made where it is missing.

    Returns:
        Nothing.

    Source: ``api_catalog/sources/storage.py``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(each.to_json() + "\n" for each in result.lists)
    meta = {
        "version": CATALOGUE_VERSION,
        "lists": len(result.lists),
        "functions": sum(len(each.tools) for each in result.lists),
        "sources": result.report.notes.get("sources", ""),
        "incomplete": bool(result.report.notes.get("incomplete", False)),
        "sha256": sha256_hex(text),
    }
    _write(folder / LISTS_FILE, text)
    _write(folder / META_FILE, canonical_json(meta) + "\n")


def _write(path: Path, text: str) -> None:
    part = path.with_suffix(path.suffix + ".part")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(path)


def load_catalogue(folder: Path) -> Catalogue:
    """Load the catalogue that ``save_catalogue`` wrote into a folder.

    Returns:
        Its tool lists, and what the build counted.

    Raises:
        InputError: the folder holds none, or its files do not belong together.

    Source: ``api_catalog/sources/storage.py``.
    """
    try:
        meta = json.loads((folder / META_FILE).read_text(encoding="utf-8"))
        text = (folder / LISTS_FILE).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputError(f"there is no API catalogue in {folder}", "build it first: wildtool catalog build") from error
    except (OSError, ValueError) as error:
        raise InputError(
            f"the API catalogue in {folder} cannot be read: {error}", "wildtool catalog build --rebuild"
        ) from error
    if sha256_hex(text) != meta.get("sha256"):
        raise InputError(f"the API catalogue in {folder} was changed by hand", "wildtool catalog build --rebuild")
    lists = tuple(ToolList.model_validate_json(line) for line in text.splitlines() if line)
    return Catalogue(lists, meta)

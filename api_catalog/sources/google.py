"""The discovery documents that ``google-api-python-client`` carries, where it is installed (the extra ``google``)."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from wildtool.api_catalog.functions.description import Refused
from wildtool.api_catalog.importers import read_document
from wildtool.api_catalog.lists.list_builder import gather
from wildtool.api_catalog.sources.documents import parse
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import ServiceError

PACKAGE = "google-api-python-client"
LICENCE = "Apache-2.0"
"""Of the package that carries them."""

EVERYDAY = (
    "addressvalidation.v1", "airquality.v1", "blogger.v3", "books.v1", "calendar.v3", "civicinfo.v2", "classroom.v1",
    "customsearch.v1", "docs.v1", "drive.v3", "factchecktools.v1alpha1", "fitness.v1", "forms.v1", "games.v1", "gmail.v1",
    "keep.v1", "kgsearch.v1", "language.v2", "libraryagent.v1", "pagespeedonline.v5", "people.v1", "places.v1",
    "playablelocations.v3", "pollen.v1", "safebrowsing.v5", "sheets.v4", "slides.v1", "solar.v1", "tasks.v1",
    "texttospeech.v1", "translate.v3", "travelimpactmodel.v1", "webfonts.v1", "youtube.v3",
)  # fmt: skip
"""Of 610 documents those that a person could want something of; the rest runs clouds and advertisements."""


def installed() -> bool:
    """Whether the package is there."""
    return importlib.util.find_spec("googleapiclient") is not None


def outcomes() -> Iterator[JsonObject]:
    """What became of each everyday document, in the manner of ``shard.specs``; ``source`` beside it.

    Raises ``ServiceError`` where the package is not installed.
    """
    found = importlib.util.find_spec("googleapiclient")
    if found is None or not found.submodule_search_locations:
        raise ServiceError(f"{PACKAGE} is not installed", "pip install 'wildtool[google]'")
    folder = Path(next(iter(found.submodule_search_locations))) / "discovery_cache" / "documents"
    package = f"{PACKAGE}@{_version()}"
    for name in EVERYDAY:
        path = folder / f"{name}.json"
        if path.is_file():  # releases differ in which services they carry
            yield _read(path, name, f"{package} {name}.json")


def _read(path: Path, name: str, source: str) -> JsonObject:
    outcome: JsonObject = {"spec": name, "source": source, "lists": [], "operations": 0, "functions": 0, "dropped": []}
    try:
        _, descriptions = read_document(parse(path.read_bytes()).value, name)
    except Refused as refused:
        return {"spec": name, "source": source, "reason": refused.reason, "detail": refused.detail}
    for description in descriptions:
        gathered = gather(description, source=source, default_licence=LICENCE)
        outcome["lists"] += gathered.lists
        outcome["dropped"] += gathered.dropped
        outcome["operations"] += gathered.operations
        outcome["functions"] += gathered.functions
    return outcome


def _version() -> str:
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return "unknown"

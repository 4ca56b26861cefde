"""Croissant metadata (MLCommons, version 1.0) of a release: what its files are, for dataset search and loaders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.release import ReleaseFile, ReleaseManifest
from wildtool.warehouse.formats.card import banner

CONTEXT: JsonObject = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that version 1.0 of the format prescribes."""

COLUMNS = {
    "id": "Id of the session.",
    "language": "Language of the session.",
    "category": "Major category of its tool list.",
    "subcategory": "Minor category of its tool list.",
    "now": "The session's fixed clock.",
    "tool_list": "Id of its tool list.",
    "provenance": "Where it came from, as JSON.",
    "canary": "Canary string of the release.",
}
"""Flat columns; the nested ones (tools, tasks) are described by the card and the JSON Schemas."""


def croissant(manifest: ReleaseManifest, files: Sequence[ReleaseFile], licence: str) -> JsonObject:
    """The metadata as JSON-LD, one record set a Parquet file."""
    record_sets = []
    for file in files:
        name = file.path.removeprefix("data/").removesuffix(".parquet").replace("/", "_")
        fields: list[Any] = [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": f"{name}/{column}",
                "description": text,
                "dataType": "sc:Text",
                "source": {"fileObject": {"@id": file.path}, "extract": {"column": column}},
            }
            for column, text in COLUMNS.items()
        ]
        record_sets.append({"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields})
    mark = banner(manifest)
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": manifest.name,
        "version": manifest.version,
        "description": (f"{mark}: not a benchmark to compare models on. " if mark else "")
        + f"Multi-turn tool-use sessions with dependency-graph labels. Canary: {manifest.canary}",
        "keywords": ["tool use", "function calling", "multi-turn", *(mark.lower().split(" · ") if mark else ())],
        "license": licence,
        "url": "https://schema.org/Dataset",
        "citeAs": f"{manifest.name} {manifest.version}{f' ({mark})' if mark else ''}, {manifest.canary}",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.path,
                "name": file.path,
                "contentUrl": file.path,
                "contentSize": f"{file.bytes} B",
                "encodingFormat": "application/x-parquet",
                "sha256": file.sha256,
            }
            for file in files
        ],
        "recordSet": record_sets,
    }

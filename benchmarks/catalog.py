"""The catalogue measured: time, memory and success by source, filing against labels, and peers on the same files.

    python benchmarks/catalog.py FILE_OR_FOLDER...         import, beside jsonref and fastmcp where they are installed
    python benchmarks/catalog.py --catalogue FOLDER        a built catalogue against catalog_labels.tsv

Peers are asked for less: jsonref only to resolve the references of a document, fastmcp to make tools of an OpenAPI 3
document. A file counts as done by a peer where that raises nothing within the limit of seconds.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import importlib.util
import json
import multiprocessing
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from api_catalog import import_paths, load_catalogue
from api_catalog.description import Refused
from api_catalog.documents import parse
from api_catalog.sources import read_sources
from schemas.taxonomy import CATEGORY_OF

LABELS = Path(__file__).with_name("catalog_labels.tsv")
"""Minor category by slug of 424 lists of the npm bundle, labelled by hand from title and functions.

The words that file lists were tuned with the lists of one half in sight, split by the slug's hash; the figures of the
other half are the honest ones.
"""

PEER_SECONDS = 20
"""Limit for one file; the slowest file takes this importer under a second."""


def filing(folder: Path) -> None:
    """Accuracy of the categories of a built catalogue."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        labels = {row["slug"]: row["subcategory"] for row in csv.DictReader(file, delimiter="\t")}
    lists = [each for each in load_catalogue(folder).lists if each.slug in labels]
    held = [each for each in lists if int(hashlib.sha256(each.slug.encode()).hexdigest(), 16) % 2]
    for name, chosen in (("all", lists), ("held out", held)):
        minor = sum(labels[each.slug] == each.subcategory for each in chosen)
        major = sum(CATEGORY_OF[labels[each.slug]].name == each.category for each in chosen)
        share = max(1, len(chosen))
        print(f"{name}: {len(chosen)} labelled lists, minor {minor / share:.3f}, major {major / share:.3f}")
    sure = [each for each in lists if each.category_confidence >= 0.7]
    right = sum(labels[each.slug] == each.subcategory for each in sure)
    print(f"confidence >= 0.7: {len(sure)} lists, minor {right / max(1, len(sure)):.3f}")


def importing(paths: list[str]) -> None:
    """Success by source, time and memory; then the peers on the same files."""
    report = import_paths(paths)
    figures = report.json()
    print(json.dumps(figures, indent=1))
    failed = {entry["file"]: entry["reason"] for entry in figures["refused"]}
    by_source: dict[str, Counter[str]] = defaultdict(Counter)
    documents: dict[str, Any] = {}
    for source in read_sources(paths):
        group = Path(source.name).name.split("__")[0] if "__" in source.name else Path(source.name).suffix
        by_source[group][failed.get(source.name, "imported")] += 1
        try:
            if source.refused is None:
                documents[source.name] = parse(source.raw).value
        except Refused:
            continue
    for group, outcomes in sorted(by_source.items()):
        print(f"{group}: {dict(outcomes)}")
    for name, module, work in (("jsonref", "jsonref", _jsonref), ("fastmcp", "fastmcp", _fastmcp)):
        if importlib.util.find_spec(module) is None:
            print(f"{name}: not installed")
            continue
        began = time.perf_counter()
        done = Counter(_within(work, document) for document in documents.values())
        print(f"{name}: {dict(done)} in {time.perf_counter() - began:.1f} s")


def _jsonref(document: Any) -> None:
    import jsonref

    json.dumps(jsonref.replace_refs(document, proxies=False, lazy_load=False, loader=_refuse), default=str)


def _refuse(uri: str) -> Any:
    raise ValueError(f"not fetched: {uri}")


def _fastmcp(document: Any) -> None:
    import asyncio

    import httpx
    from fastmcp import FastMCP

    server = FastMCP.from_openapi(document, httpx.AsyncClient(base_url="http://127.0.0.1"))
    asyncio.run(server.get_tools())


def _within(work: Callable[[Any], None], document: Any) -> str:
    """``done``, ``failed`` or ``too slow``, in a process of its own that can be stopped."""
    process = multiprocessing.get_context("fork").Process(target=_quietly, args=(work, document))
    process.start()
    process.join(PEER_SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
        return "too slow"
    return "done" if process.exitcode == 0 else "failed"


def _quietly(work: Callable[[Any], None], document: Any) -> None:
    """A peer's failure is an exit code here, not a traceback on the terminal."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - a device, not a file
        sys.stderr = nowhere
        work(document)


def main() -> None:
    """Runs what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="API descriptions")
    parser.add_argument("--catalogue", type=Path, help="folder of a built catalogue")
    given = parser.parse_args()
    if given.catalogue is not None:
        filing(given.catalogue)
    if given.paths:
        importing(given.paths)
    if given.catalogue is None and not given.paths:
        parser.error("give files, or --catalogue")


if __name__ == "__main__":
    main()

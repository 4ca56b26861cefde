"""One share of the npm bundle → candidate lists, as JSON lines on standard output.

A process of its own, ``python -m wildtool.api_catalog.sources.shard TARBALL SHARE SHARES``: it needs no main guard in the program
that builds the catalogue, and two of them halve the time.
"""

from __future__ import annotations

import json
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

from wildtool.api_catalog.functions.description import Refused
from wildtool.api_catalog.importers import read_document
from wildtool.api_catalog.lists.list_builder import gather
from wildtool.api_catalog.sources.bundle import FOLDER, SPEC
from wildtool.schemas.base import JsonObject

CLOUD = frozenset({"azure.com", "amazonaws.com", "googleapis.com", "microsoft.com", "windows.net", "kubernetes.io",
                   "docker.com", "vmware.local", "cloud.ibm.com", "digitalocean.com", "linode.com", "cloudrf.com",
                   "apache.org", "openshift.local", "portainer.io", "keycloak.local", "autotask.net"})  # fmt: skip
"""Providers of machinery for administrators: half of the bundle, and nothing that a person asks an assistant for."""

LICENCE = "none stated (bundle MIT)"
"""For specs that state none."""

LARGEST = 12_000_000
"""Bytes of a spec; the two larger ones outside the clouds hold thousands of operations."""


def specs(tarball: Path, share: int, shares: int) -> Iterator[JsonObject]:
    """What became of every spec of a share: ``spec``, ``reason`` where refused, else the fields of ``Gathered``."""
    with tarfile.open(tarball, mode="r|gz") as archive:
        position = 0
        for member in archive:
            if not member.isfile() or not member.name.startswith(FOLDER) or not member.name.endswith(".json"):
                continue
            position += 1
            if position % shares != share:
                continue
            name = member.name.removeprefix(FOLDER).removesuffix(".json")
            if name.split("/")[0] in CLOUD:
                yield {"spec": name, "reason": "cloud_provider", "detail": "machinery for administrators"}
                continue
            if member.size > LARGEST:
                yield {"spec": name, "reason": "too_large", "detail": f"{member.size:,} bytes"}
                continue
            file = archive.extractfile(member)
            yield _read(name, file.read() if file is not None else b"")


def _read(name: str, raw: bytes) -> JsonObject:
    try:
        _, descriptions = read_document(json.loads(raw), name)
    except (ValueError, RecursionError) as error:
        return {"spec": name, "reason": "broken_json", "detail": str(error)[:300]}
    except Refused as refused:
        return {"spec": name, "reason": refused.reason, "detail": refused.detail}
    lists: list[JsonObject] = []
    dropped: list[tuple[str, str, str]] = []
    operations = functions = 0
    for description in descriptions:
        gathered = gather(description, source=f"{SPEC} {FOLDER}{name}.json", default_licence=LICENCE)
        lists += gathered.lists
        dropped += gathered.dropped
        operations += gathered.operations
        functions += gathered.functions
    return {"spec": name, "lists": lists, "operations": operations, "functions": functions, "dropped": dropped}


def main(arguments: list[str]) -> None:
    """Writes one JSON line for each spec of the share."""
    tarball, share, shares = arguments
    for outcome in specs(Path(tarball), int(share), int(shares)):
        sys.stdout.write(json.dumps(outcome) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])

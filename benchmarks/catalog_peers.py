"""One peer on many documents: ``python catalog_peers.py PEER SECONDS FILE...``, a JSON line a file on standard output.

Runs under any interpreter that has the peer and imports nothing of ours. Peers are asked for less than the importer
does: jsonref only to resolve the references of a document, fastmcp to make tools of an OpenAPI document. Files hold JSON,
already parsed from whatever they were, so that no peer pays for YAML or encodings.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class TooSlow(BaseException):
    """The limit for one file is over."""


def jsonref_resolves(document: Any) -> dict[str, int]:
    """Every reference replaced by what it names; written out, because a tree that cannot be is of no use to a model."""
    import jsonref

    def refuse(uri: str) -> Any:
        raise ValueError(f"not fetched: {uri}")

    json.dumps(jsonref.replace_refs(document, proxies=False, lazy_load=False, loader=refuse), default=str)
    return {}


def fastmcp_makes_tools(document: Any) -> dict[str, int]:
    """Tools as an MCP server of the document offers them."""
    from fastmcp import FastMCP

    server = FastMCP.from_openapi(document, _client())
    listed = getattr(server, "list_tools", None) or server.get_tools
    tools = asyncio.run(listed())
    tools = list(tools.values()) if isinstance(tools, dict) else list(tools)
    return {
        "tools": len(tools),
        "legal_names": sum(LEGAL.fullmatch(tool.name) is not None for tool in tools),
        "described": sum(bool((tool.description or "").strip()) for tool in tools),
        "resolved": sum('"$ref"' not in json.dumps(tool.parameters, default=str) for tool in tools),
    }


def _client() -> Any:
    try:
        import httpx2 as client
    except ImportError:
        import httpx as client
    return client.AsyncClient(base_url="http://127.0.0.1")


PEERS = {"jsonref": jsonref_resolves, "fastmcp": fastmcp_makes_tools}


def peak_mb() -> int:
    """Highest resident memory of this process; what started it does not count."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8")) if status.is_file() else None
    return int(found[1]) // 1024 if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Works through the files."""
    peer, limit = PEERS[sys.argv[1]], int(sys.argv[2])

    def stop(*_: Any) -> None:
        raise TooSlow

    signal.signal(signal.SIGALRM, stop)
    peer(
        {"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {}}
    )  # its imports are no part of the time
    for path in sys.argv[3:]:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        began = time.process_time()
        signal.alarm(limit)
        try:
            figures: dict[str, Any] = {"outcome": "done", **peer(document)}
        except TooSlow:
            figures = {"outcome": "too slow"}
        except (Exception, RecursionError) as error:  # a peer's failure is a figure here
            figures = {"outcome": "failed", "why": type(error).__name__}
        finally:
            signal.alarm(0)
        figures["seconds"] = round(time.process_time() - began, 3)
        figures["peak_mb"] = peak_mb()
        print(json.dumps({"file": path, **figures}), flush=True)


if __name__ == "__main__":
    main()

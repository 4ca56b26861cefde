"""Freezing in one line: a request of keywords, fixed versions, and the rules of the registry."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wildtool.schemas.release import ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.validation.registry import RULES
from wildtool.validation.running import ReleaseRules
from wildtool.warehouse import FreezeRequest
from wildtool.warehouse import ReleaseRules as Rules
from wildtool.warehouse.release import freezing


def freeze(
    sessions: Sequence[Session],
    version: str,
    folder: Path,
    *,
    code_version: str = "0.1.0",
    rules_version: str = "1",
    rules: Rules | None = None,
    **terms: Any,
) -> ReleaseManifest:
    """Freeze sessions; ``terms`` are further fields of the request."""
    request = FreezeRequest(sessions, version, folder, **terms)
    judge = ReleaseRules.of(RULES) if rules is None else rules
    return freezing.freeze(request, rules=judge, code_version=code_version, rules_version=rules_version)


def digest_of(folder: Path) -> dict[str, str]:
    """SHA-256 of each file of a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }

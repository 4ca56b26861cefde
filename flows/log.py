"""Write the structured log: JSON Lines in ``log.jsonl`` of the home folder.

Every line says when, which run (one command or flow), which stage, and, where it concerns one, which shard and session:
``jq 'select(.session == "ses_…")' .wildtool/log.jsonl`` tells what became of a session.
"""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from logging.handlers import RotatingFileHandler
from pathlib import Path

FILE_NAME = "log.jsonl"

FILE_BYTES = 20_000_000
"""A run of 25,600 sessions writes about 8 MB; four older files are kept."""

SECRET = re.compile(r"(?i)\b(?:sk|pk|ghp|hf|key|token|bearer)[-_ =][A-Za-z0-9._-]{8,}")
"""What looks like a key. No key is ever handed to the log; an endpoint's error text may quote one."""


@dataclass(frozen=True)
class Log:
    """Lines of one run. Without a folder it writes nothing."""

    folder: Path | None = None
    run: str = field(default_factory=lambda: f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{secrets.token_hex(3)}")
    """Id of the run: start and a random part."""

    def event(self, event: str, *, stage: str = "", shard: str = "", session: str = "", **more: object) -> None:
        """One line. ``more`` are JSON values; texts that look like keys are masked."""
        if self.folder is None:
            return
        now = time.time()
        line = {
            "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now * 1000) % 1000:03d}Z",
            "run": self.run,
            "stage": stage,
            "shard": shard,
            "session": session,
            "event": event,
            "pid": os.getpid(),
            **more,
        }
        text = json.dumps({name: value for name, value in line.items() if value != ""}, ensure_ascii=False, default=str)
        _writer(self.folder / FILE_NAME).info(masked(text))


def masked(text: str) -> str:
    """The text without what looks like a key."""
    return SECRET.sub("***", text)


def read_log(folder: Path, last: int) -> list[Mapping[str, object]]:
    """The newest ``last`` lines, oldest first; broken lines (a kill in the middle of a write) are left out."""
    try:
        with (folder / FILE_NAME).open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            # A line is about 200 bytes; eight times that is enough for nearly any.
            stream.seek(max(0, stream.tell() - last * 1600))
            raw = stream.read().decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
    found: list[Mapping[str, object]] = []
    for line in raw[-last:]:
        try:
            parsed = json.loads(line)
        except ValueError:
            continue
        if isinstance(parsed, dict):
            found.append(parsed)
    return found


_writers: dict[Path, logging.Logger] = {}


def _writer(path: Path) -> logging.Logger:
    """One file handle a log and process."""
    key = path.absolute()
    if key not in _writers:
        handler = RotatingFileHandler(
            path, maxBytes=FILE_BYTES, backupCount=4, encoding="utf-8", delay=True, errors="backslashreplace"
        )
        handler.setFormatter(logging.Formatter("%(message)s"))
        # Not in the tree of loggers: nobody's handlers see it, and it goes with the process.
        made = logging.Logger(f"wildtool:{key}")
        made.addHandler(handler)
        _writers[key] = made
    return _writers[key]

"""Layout of the home folder, which holds everything a project keeps."""

from __future__ import annotations

import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from wildtool.schemas.errors import HomeError

FREE_BYTES_NEEDED = 200 * 1024 * 1024
"""A demo's warehouse, cache and release take about 60 MB; below this a run would die half way."""


@dataclass(frozen=True)
class Home:
    """Layout of one home folder. Making one touches nothing; ``prepare`` does."""

    path: Path

    @property
    def warehouse(self) -> Path:
        """The DuckDB file."""
        return self.path / "warehouse.duckdb"

    @property
    def cache(self) -> Path:
        """Model responses, by content."""
        return self.path / "cache"

    @property
    def catalog(self) -> Path:
        """The built catalogue and its sources."""
        return self.path / "catalog"

    @property
    def labelstudio(self) -> Path:
        """Label Studio's virtual environment, data and log."""
        return self.path / "labelstudio"

    @property
    def mining(self) -> Path:
        """Digested shards of logs whose mining has not ended: they hold raw rows, and are removed at its end."""
        return self.path / "mining"

    @property
    def prefect(self) -> Path:
        """PREFECT_HOME."""
        return self.path / "prefect"

    @property
    def releases(self) -> Path:
        """Frozen releases, one folder a version."""
        return self.path / "releases"

    @property
    def reports(self) -> Path:
        """HTML pages."""
        return self.path / "reports"

    def release(self, version: str) -> Path:
        """Folder of one frozen release."""
        return self.releases / version

    def check(self) -> None:
        """Raise ``HomeError`` for a path that can be no home. Changes nothing."""
        try:
            str(self.path).encode()
        except UnicodeEncodeError as error:  # DuckDB and Arrow take paths as UTF-8 alone
            shown = os.fsencode(self.path).decode("utf-8", "backslashreplace")
            raise HomeError(f"the name of the home folder {shown} is not UTF-8", "give another --home") from error
        if self.path.resolve() == Path.cwd():
            raise HomeError("the home folder would be the working folder", "give --home a folder of its own")
        if self.path.exists() and not self.path.is_dir():
            raise HomeError(f"{self.path} is a file, not a folder", "give another --home")

    def prepare(self) -> None:
        """Make the folder, private to its owner; raise ``HomeError`` where it cannot be written."""
        self.check()
        try:
            known = not self.path.exists() or self.warehouse.exists() or not any(self.path.iterdir())
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if known:  # somebody else's folder keeps its mode: whoever works in it may rely on that
                self.path.chmod(0o700)
            probe = self.path / f".probe-{os.getpid()}"
            probe.write_bytes(b"x" * 4096)
            probe.unlink()
            free = shutil.disk_usage(self.path).free
        except FileExistsError as error:
            raise HomeError(f"{self.path} is a file, not a folder", "give another --home") from error
        except OSError as error:
            raise self.unusable(error) from error
        if free < FREE_BYTES_NEEDED:
            raise HomeError(
                f"only {free // 2**20} MB are free at {self.path}, a run needs {FREE_BYTES_NEEDED // 2**20} MB",
                "free some space, or give a --home on another disk",
            )

    def unusable(self, error: OSError) -> HomeError:
        """The home error that an operating system error under this folder amounts to."""
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return HomeError(f"the disk of {self.path} is full", "free some space, or give a --home on another disk")
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            return HomeError(f"{self.path} cannot be written ({error.strerror})", "give a --home that you may write")
        return HomeError(f"{self.path} cannot be used ({error.strerror})", "give another --home")

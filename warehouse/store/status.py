"""Summarise the store's contents for ``wildtool status``."""

from __future__ import annotations

from wildtool.schemas.base import Record
from wildtool.schemas.quarantine import StageReport
from wildtool.schemas.vocabulary import Stage
from wildtool.warehouse.store.rates import PassRate


class StoreStatus(Record):
    """What the store holds."""

    path: str
    """The file."""
    exists: bool
    """False before the first write."""
    bytes: int
    """Size of the file."""
    version: int
    """Number of the last migration."""
    counts: dict[str, int]
    """Rows by record type, superseded ones left out."""
    stages: dict[Stage, StageReport]
    """The newest report of each stage."""
    quarantine: dict[Stage, dict[str, int]]
    """Quarantined rows by stage and reason."""
    pass_rates: tuple[PassRate, ...] = ()
    """How often drafts passed each check, by prompt version."""

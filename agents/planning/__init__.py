"""Seed scenario and tool list → session plan: quotas, task types, calls, hidden intents."""

"""Rules for drafts and releases: one registry of what must be true before people see or publish a session."""

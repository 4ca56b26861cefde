"""Models under test: how they play a session, and built-in policies of known accuracy."""

"""Where a value may come from: evidence in messages and observations, and a session as chat messages."""

"""The world behind a session: values and results that tools return."""

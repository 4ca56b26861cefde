"""Session plan → draft: roles, dialogue loop, committee, provenance."""

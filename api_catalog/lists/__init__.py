"""Functions → tool lists, filed in the taxonomy, and sampled for a session."""

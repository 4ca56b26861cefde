"""The original benchmark's scoring rules and result files."""

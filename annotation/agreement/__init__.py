"""Agreement and adjudication over labels. No vendor."""

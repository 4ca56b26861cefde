"""Agreement and adjudication over labels, without a vendor."""

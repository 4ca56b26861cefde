"""File formats of a release: Parquet, DuckDB, the original's JSON Lines, Croissant, dataset card."""

"""The DuckDB store: tables, migrations, transactions."""

"""The DuckDB store: the only room that knows SQL."""

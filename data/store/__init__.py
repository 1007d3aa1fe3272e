"""Store: open, migrate, read, write, back up and recover the DuckDB file.

`Store.read` gives a cursor, `Store.write` one transaction with an operation id, and
`write_journaled` also writes the operation to the journal first. Checks the role needed for each
kind of write. Migrations are the numbered SQL files in `migrations`. Used by all data packages.

Reads   operations, run_removals, runs, store_formats
Writes  operations, store_formats
"""

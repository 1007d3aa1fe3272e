"""Persistence: the DuckDB store, imports, exports and the queries of all pages.

The only package with SQL. Each capability has a package of its own. Shared code is in `store`
(connections, transactions, cache) and `items` (loading items, appending annotations, which
annotations count). The columns of all tables are in `data/store/migrations`; "Reads" and "Writes"
in the docstrings of the packages name the tables in their SQL.
"""

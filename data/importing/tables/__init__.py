"""Column mapping: read tables of any layout by the role of each column.

Suggests roles from names and values, reads cells and scales, explains why a table cannot be read,
and remembers the mapping chosen for a header. Used by the table formats, the import page and
cli.py.

Reads   column_mappings
Writes  column_mappings
"""

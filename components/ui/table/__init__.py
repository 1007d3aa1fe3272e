"""Table: rows in groups with links and labels; cells are shown as text, whatever they contain.

A browser component that returns the cell that was clicked. Used by almost every page.
"""

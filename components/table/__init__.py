"""A table of foreign text, drawn by a component of our own."""

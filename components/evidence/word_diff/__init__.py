"""Word_diff."""

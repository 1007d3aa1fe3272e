"""Cards: a unit next to the words that speak against it, and who says so."""

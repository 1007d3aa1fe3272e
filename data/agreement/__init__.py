"""Agreement."""

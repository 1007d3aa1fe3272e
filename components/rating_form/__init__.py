"""The rating form: one item, its sources, and a rater's own answers."""

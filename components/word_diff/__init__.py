"""Word diff: two versions of a text in one, with what went and what came."""

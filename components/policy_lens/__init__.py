"""The policy lens: one comparison under every reading of the rules, and what flips between two."""

"""Our own sample: hand-written items for all five protocols, see README.md."""

"""Judges: models and programs that answer about items, each in a file of its own."""

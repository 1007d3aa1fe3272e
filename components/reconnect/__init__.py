"""Brings a page to its server again after a lost connection."""

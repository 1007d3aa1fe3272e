"""Contradictions."""

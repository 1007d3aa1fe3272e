"""Raters."""

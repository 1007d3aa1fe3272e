"""Chips."""

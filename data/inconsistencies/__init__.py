"""Inconsistencies."""

"""Importing."""

"""Importers: one file per format, listed here."""

"""Strict parsers: JSON, CSV, YAML and Parquet, read exactly or refused with a line number.

Also reads the beginning of a file to tell its format. Used by all import formats.
"""

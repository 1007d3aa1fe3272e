"""Contradictions: find, count and order the units that somebody calls contradicted.

Includes units that only automatic checks contradict. Used by the contradictions page and for
moving to the next case in the reader.

Reads   annotations, authors, excerpts, findings, items, run_items, run_removals, runs,
        unit_findings, units
"""

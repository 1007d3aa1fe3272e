"""Distributions: count labels, scores and summaries by annotator, run or system.

Also lists the units behind a bar. Used by the distributions page and, before the first visitor, by
the warm-up of a large store.

Reads   annotations, authors, fields, items, run_items, run_removals, runs, summaries, units
"""

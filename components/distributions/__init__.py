"""Distributions page: labels and scores by annotator, run or system.

Draws each distribution as a table with counts and intervals, lists the units behind a bar, and
shows the spread of repeated samples for the rerun page.
"""

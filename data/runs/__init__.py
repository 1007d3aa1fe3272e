"""Runs: list runs with their scores, list the items of a run, and remove runs.

A removed run stays in the file but is left out everywhere. Used by the runs and item pages and by
most other packages for names and item lists.

Reads   annotations, authors, excerpts, fields, further_ids, items, meeting_points, meetings,
        run_items, run_removals, runs, summaries
Writes  run_removals
"""

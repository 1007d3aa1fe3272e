"""Items: load items and annotations, append annotations, and decide which annotations count.

Shared by all other data packages. Defines in SQL which annotations are current, what a Selection
filters by, and which runs count (see "Whose annotations count" in docs/architecture.md). Also
stores replies, findings of automatic checks and saved views.

Reads   annotations, authors, checked_items, drafts, excerpts, fields, findings, items,
        prompts, replies, reply_facts, run_items, run_removals, runs, saved_views, summaries,
        unit_findings, units
Writes  annotations, authors, excerpts, findings, prompts, replies, reply_facts, sample_answers,
        saved_views, summaries
"""

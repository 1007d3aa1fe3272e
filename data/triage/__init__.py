"""Triage: find, filter and order disagreements, and load their cases.

Combines disagreements of annotators with inconsistencies in one queue, finds similar cases and
earlier decisions, and numbers points for agendas. Decisions are stored by `data.meetings`. Used by
the disagreements and meeting pages, exports and judging.

Reads   adjudications, annotations, authors, excerpts, fields, findings, items, replies,
        reply_facts, run_items, run_removals, runs, sample_answers, unit_findings, units
"""

"""Importing: read files in a limited worker process, preview them, and store them.

`prepare` runs a worker that chooses the format, reads drafts, takes them in on all cores and writes
Arrow tables with a manifest. `keep_import` stores these in one transaction, refreshes caches and
makes a backup. Formats are in `formats`, strict parsers in `readers`, column mapping in `tables`,
warnings and questions in `preview`. Used by the import page, cli.py and the sample.

Reads   annotations, annotator_kinds, authors, checked_items, guideline_proposals, imported_files,
        imports, items, run_items, run_removals, runs, summaries, unit_findings, units
Writes  adjudications, annotations, annotator_kinds, authors, checked_items, decision_facts,
        excerpts, fields, findings, further_ids, guideline_proposals, imported_files, imports,
        items, replies, run_items, runs, summaries, unit_findings, units
"""

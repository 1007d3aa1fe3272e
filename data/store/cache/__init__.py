"""Cache: query results kept until the rows they depend on change.

Results are kept per store version, per run or per item; after a write only changed items are
queried again, and a computation requested by several threads runs once. Also limits how long a
query may take and orders writers. Used by the queries of all data packages.

Reads   annotations, checked_items, excerpts, findings, imports, items, run_items, run_removals,
        runs, summaries, unit_findings
"""

"""Inconsistencies: find answers about one item that cannot all be right.

Applies the rules of `faithfulness.policies` to all items with several answers, keeps the result and
updates it for changed items. Used by the inconsistencies page, triage, meetings and exports.

Reads   annotations, authors, excerpts, fields, findings, items, run_items, run_removals, runs,
        units
"""

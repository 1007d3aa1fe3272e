"""Compare: two sides on the items they share, with scores, costs and changed labels.

Pairs the items of both sides, loads what each says, and lists changes one page at a time. Used by
the compare page.

Reads   annotations, authors, fields, items, prompts, replies, reply_facts, run_items, run_removals,
        runs, summaries, units
"""

"""Judging: batches, reruns and prompt trials of judges, with their replies and costs.

Plans a batch, runs it in background threads, records every task so that it can be resumed, and
lists prompt versions and the health of replies. Answers and replies are stored through
`data.items`. Used by the judge, rerun and prompt pages and by the command `judge`.

Reads   annotations, authors, batch_events, batch_tasks, batches, fields, imports, items,
        paid_samples, prompt_notes, prompts, replies, reply_facts, run_items, run_removals, runs,
        sample_answers, units
Writes  batch_events, batch_tasks, batches, paid_samples, prompt_notes
"""

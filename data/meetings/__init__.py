"""Meetings: agendas, the steps of a meeting, decisions and guideline notes.

`take_step` does one step of the meeting room; decisions are annotations of an adjudicator with a
reason and the guidance in force, and undoing one adds a further annotation. Used by the
disagreements, meetings and meeting pages and by exports.

Reads   adjudications, annotations, authors, decision_checks, decision_facts, excerpts, fields,
        guideline_proposals, items, meeting_events, meeting_marks, meeting_points, meetings,
        replies, run_items, run_removals, runs, summaries, units
Writes  adjudications, annotations, decision_checks, decision_facts, guideline_proposals,
        meeting_events, meeting_marks, meeting_points, meetings
"""

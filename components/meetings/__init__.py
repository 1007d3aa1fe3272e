"""Meetings page: agendas, past meetings, guideline notes and decisions to check again.

Prepares a meeting, lists earlier ones, adopts unanimous labels, and offers minutes and decisions
as downloads. The meeting itself is in `room`.
"""

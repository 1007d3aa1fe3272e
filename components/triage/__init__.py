"""Triage: show, filter and decide disagreements one case at a time.

A browser component with a queue, a card and its own key handling; decisions and marks that the
browser reports are taken in order and each stored once. Meetings and the reader use its cards,
sources and marks.
"""

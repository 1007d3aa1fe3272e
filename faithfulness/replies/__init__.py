"""Replies: find the answers in the text of a judge.

Reads JSON in any wrapping and verdict lines, and assigns the sentences a judge repeats to the units
of the item. Used by the parsers of the protocols and by intake.
"""

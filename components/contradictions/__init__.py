"""Contradictions: show a contradicted unit next to the words that contradict it.

Draws the cards of the contradictions page, including the units that only automatic checks reported,
and returns which card to open in the reader.
"""

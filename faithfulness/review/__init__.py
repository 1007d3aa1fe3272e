"""Review: disagreements, rating sheets, meetings, minutes and guideline notes as values.

Computes severity and kind of a disagreement, turns a rating sheet into answers, tracks the state of
a meeting, and writes minutes as Markdown or HTML in which nothing can run.
"""

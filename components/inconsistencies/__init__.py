"""Inconsistencies: answers about one item that cannot all be right.

Draws the list of the inconsistencies page and the notice on the item page, and describes both
answers and the rule in words.
"""

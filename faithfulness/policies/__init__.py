"""Policies: named interpretations of the rules where protocols differ, and inconsistencies.

Finds answers about one item that cannot all be right, orders them by gravity and says what would
settle them. Mapping answers between protocols is in `bridges`.
"""

"""Compare page: two runs, judges or prompts on the items they share.

Choose both sides and a reference; show whether they can be compared, the scores of both with
paired differences, cost, and each unit on which they differ.
"""

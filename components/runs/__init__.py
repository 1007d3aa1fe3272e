"""Runs page: the list of runs with their scores, and the first screen of an empty store.

Groups runs by protocol and returns which run, item list or answers to open. Other pages use the
notices for an empty store and for the sample.
"""

"""Judging: forms, progress and results for the judge, rerun and prompt pages.

Choose a judge, its prompt and the number of samples; estimate cost; follow, pause and resume a
batch; show new answers next to stored ones; try a prompt and compare its versions. Running
questions and trials are kept here until the user keeps or discards them.
"""

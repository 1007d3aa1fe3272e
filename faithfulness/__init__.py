"""Domain logic: protocols, intake, text analysis, checks, statistics, judges and review.

Functions and frozen values; no UI and no database. Only `judging` uses a network. Used by `data`,
`components` and `pages`.
"""

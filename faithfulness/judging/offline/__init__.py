"""Offline judge: a lexical baseline without model, key or network.

Compares the words and numbers of a sentence with passages of the sources and says how often such
decisions are right; see `docs/offline_baseline.md`. Created by `faithfulness.judging`.
"""

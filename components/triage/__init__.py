"""Triage: the queue of disagreements, one case at a time, decided by key."""

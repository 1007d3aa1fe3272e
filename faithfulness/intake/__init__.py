"""Intake: turn a draft from a file into an item with units, answers and placed excerpts.

`take_in` builds the units, reads replies, aligns sentences and places excerpts. Also contains the
guided path of the response consistency protocol and the rules for answers that need a reason. Used
by `data.importing` for every import.
"""

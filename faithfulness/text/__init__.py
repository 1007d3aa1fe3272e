"""Text analysis: split sentences, align them, place quotations, and find clashes and differences.

All positions are Python character offsets in the original text. Also finds candidate passages and
protects spreadsheet cells from being run as formulas. Used by intake, replies, checks, the offline
judge, evidence and exports.
"""

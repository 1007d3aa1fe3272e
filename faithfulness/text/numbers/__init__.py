"""Numbers in text: read prices, measures, counts, ranges and times of day with their spans.

Includes units of measurement and the words that loosen a number, such as "about" or "up to". Used
to find clashes, by automatic checks and by the offline judge.
"""

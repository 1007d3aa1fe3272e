"""Charts: draw counts, shares, scores and intervals as real text and buttons.

Charts take plain values and write what was clicked to the page URL. Every number can be reached by
keyboard and screen reader. Used by the agreement, compare, distributions and prompt pages.
"""

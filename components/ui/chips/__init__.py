"""Filter chips: choices with counts; a click changes the URL before the page is drawn again.

A browser component. Used by the contradictions, disagreements and inconsistencies pages and for the
health of replies.
"""

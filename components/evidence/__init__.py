"""Evidence: excerpts of a unit, how well each was found, and where they clash.

Prepares quotations and marked text segments for the browser, which never has to count characters.
Used by the reader, the rating form and the cards of triage and contradictions.
"""

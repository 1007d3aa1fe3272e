"""Action log: take the actions reported by a browser component in order, each exactly once.

The browser sends its whole list until the server confirms how far it was processed, so no key press
is lost when a run is cut short. Used by triage, the meeting room and ticked reviews.
"""

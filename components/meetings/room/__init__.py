"""Meeting room: one point of an agenda at a time, decided by key.

A browser component with its own key handling and drafts. Names stay hidden until the point is
decided. `take_steps` turns what the browser reports into steps of the meeting, each done once.
"""

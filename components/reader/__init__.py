"""Item reader: one labeled text next to its sources.

A browser component: the server sends an item once, and selecting, filtering and scrolling happen in
the browser. The Python modules build view models of annotations, quotations, findings, vote counts
and judge replies. Also draws the item list of a run. Used by the item page.
"""

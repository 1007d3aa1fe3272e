"""Sample: hand-written items for all protocols, stored when Plumbline first starts.

The items are compact YAML files; README.md in this directory explains them. They are stored through
`data.importing`, marked as a sample. Used by `data.access` and the runs page.

Reads   operations
"""

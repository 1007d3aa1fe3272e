"""Statistics page: definitions, variants and pitfalls of all metrics and charts."""

from components.ui.frame import frame
from components.ui.statistics_document import show_document
from data.access.shared_store import shared_store

with frame("Statistics", shared_store):
    show_document()

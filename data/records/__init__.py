"""Records: save and load runs, items and annotations."""

from data.records.loading import known_items, load_annotations, load_item
from data.records.saving import CutDiffers, save_import

__all__ = ["CutDiffers", "known_items", "load_annotations", "load_item", "save_import"]

"""Forgets every answer that this process keeps, as if it had just started."""

from data.agreement import cells
from data.store.cache import incremental_cache, run_cache, version_cache


def forget() -> None:
    for kept in (cells._kept, incremental_cache._kept, run_cache._kept, version_cache._kept):
        kept.clear()


def forget_choices() -> None:
    """Forgets which items a filter chose, as if it were set for the first time since a write."""
    kept = cells._kept
    for key in [each for each in kept if each[2][:1] == ("chosen",)]:
        del kept[key]

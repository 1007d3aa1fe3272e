"""Forgets every answer that this process keeps, as if it had just started."""

from data import by_item, of_runs, queries_agreement_cells, remembered


def forget() -> None:
    for kept in (queries_agreement_cells._kept, by_item._kept, of_runs._kept, remembered._kept):
        kept.clear()


def forget_choices() -> None:
    """Forgets which items a filter chose, as if it were set for the first time since a write."""
    kept = queries_agreement_cells._kept
    for key in [each for each in kept if each[2][:1] == ("chosen",)]:
        del kept[key]

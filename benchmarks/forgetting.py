"""Forgets every answer that this process keeps, as if it had just started."""

from data import by_item, queries_agreement_cells, remembered


def forget() -> None:
    for kept in (queries_agreement_cells._kept, by_item._kept, remembered._kept):
        kept.clear()

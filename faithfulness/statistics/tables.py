"""Count tables with one row per item, the input of all agreement statistics.

The store does the counting; this module holds the results. A subset of the items (a slice, a
filter) is a selection of rows of the same table, so no further query is needed.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from faithfulness.model.vocabulary import Author

Numbers = npt.NDArray[np.float64]
Rows = npt.NDArray[np.bool_] | npt.NDArray[np.int64]


def count_pairs(
    values: tuple[str, ...],
    ordinal: bool,
    *,
    items: npt.ArrayLike,
    reference: npt.ArrayLike,
    judge: npt.ArrayLike,
    counts: npt.ArrayLike | None = None,
) -> "PairTables":
    """Tables from one row per item and pair of labels, as the store groups them.

    Args:
        values: The declared scale in its order.
        ordinal: Whether that order runs from worst to best.
        items: The item number of each row; an item may have many rows.
        reference: The position of the reference's label in `values`.
        judge: The position of the judge's label in `values`.
        counts: How many units each row stands for; one where left out.
    """
    size = len(values) ** 2
    numbers, where = np.unique(np.asarray(items, np.int64), return_inverse=True)
    first, second = np.asarray(reference, np.int64), np.asarray(judge, np.int64)
    for codes in (first, second):
        if len(codes) and not 0 <= codes.min() <= codes.max() < len(values):
            raise ValueError("a label's position lies outside the scale; leave out missing labels")
    place = where * size + first * len(values) + second
    many = None if counts is None else np.asarray(counts, np.float64)
    cells = np.bincount(place, weights=many, minlength=len(numbers) * size)
    counted: npt.NDArray[np.number] = cells.astype(np.uint16)
    if cells.max(initial=0) > np.iinfo(np.uint16).max:
        counted = cells.astype(np.uint32)
    return PairTables(
        values=values,
        ordinal=ordinal,
        items=numbers,
        cells=counted.reshape(len(numbers), size),
    )


# Compared and hashed by identity: arrays have no single truth value, and caches need a hash.
@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class PairTables:
    """For each item, how often the reference's label i met the judge's label j.

    Attributes:
        values: The declared scale in its order, never inferred from the data.
        ordinal: Whether that order runs from worst to best.
        items: The store's number of each item, one per row of `cells`.
        cells: Units per item and pair of labels, (items, K * K), reference first.
    """

    values: tuple[str, ...]
    ordinal: bool
    items: npt.NDArray[np.int64]
    cells: npt.NDArray[np.number]

    def __post_init__(self) -> None:
        if self.cells.shape != (len(self.items), len(self.values) ** 2):
            raise ValueError(
                f"{self.cells.shape} cells do not fit {len(self.items)} items "
                f"with {len(self.values)} labels"
            )

    @property
    def total(self) -> Numbers:
        """The table over all items, (K, K), rows the reference's label, columns the judge's."""
        size = len(self.values)
        summed: Numbers = self.cells.sum(axis=0, dtype=np.float64).reshape(size, size)
        return summed

    @property
    def used(self) -> npt.NDArray[np.bool_]:
        """Whether each label occurs, on either side."""
        total = self.total
        return np.asarray((total.sum(axis=0) + total.sum(axis=1)) > 0)

    @property
    def items_n(self) -> int:
        """Items with at least one unit that both labelled."""
        return int(np.count_nonzero(self.cells.any(axis=1)))

    @property
    def units_n(self) -> int:
        """Units that both labelled."""
        return int(self.cells.sum(dtype=np.float64))

    def only(self, mask: Rows) -> "PairTables":
        """The same scale on some of the items, by truth value per row or by row numbers."""
        return PairTables(
            values=self.values,
            ordinal=self.ordinal,
            items=self.items[mask],
            cells=self.cells[mask],
        )

    def collapsed(self, groups: Mapping[str, str]) -> "PairTables":
        """The tables after labels are joined, such as six answers to yes, no and other.

        A label that `groups` does not name stays itself. The groups stand in the order of their
        first label; they remain ordinal only where each joins neighbours on the scale.
        """
        named = [groups.get(value, value) for value in self.values]
        kept = tuple(dict.fromkeys(named))
        target = np.array([kept.index(name) for name in named])
        into = (target[:, None] * len(kept) + target).ravel()
        joined = [self.cells[:, into == cell].sum(axis=1) for cell in range(len(kept) ** 2)]
        changes = sum(left != right for left, right in itertools.pairwise(named))
        return PairTables(
            values=kept,
            ordinal=self.ordinal and changes + 1 == len(kept),
            items=self.items,
            cells=np.stack(joined, axis=1),
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Ratings:
    """Who gave which label to which unit: distinct patterns per item.

    Attributes:
        values: The declared scale in its order, never inferred from the data.
        ordinal: Whether that order runs from worst to best.
        authors: Who the columns of `codes` are.
        items: The store's number of the item of each row.
        codes: Positions in `values`, (rows, authors); -1 where an author gave no label.
        counts: Units of this item with this pattern.
    """

    values: tuple[str, ...]
    ordinal: bool
    authors: tuple[Author, ...]
    items: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int8]
    counts: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.codes.shape != (len(self.items), len(self.authors)):
            raise ValueError(
                f"{self.codes.shape} codes do not fit {len(self.items)} rows "
                f"and {len(self.authors)} authors"
            )
        if len(self.counts) != len(self.items):
            raise ValueError(f"{len(self.counts)} counts do not fit {len(self.items)} rows")

"""Resolve a side to its annotators and to one label per unit, by majority or unanimity."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from data.agreement import pairs_sql as sql
from data.agreement.codes import ABSENT, NOT_JUDGED, TIED, UNREAD, Codes
from data.store.cache.incremental_cache import SECONDS
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.selection_sides import Side
from faithfulness.model.vocabulary import Author, AuthorKind

AT_ONCE = 1_000_000  # units counted together, so that counting takes little memory


def query_authors(cursor: Cursor) -> dict[Author, int]:
    """Every author of the store with their number, raters first."""
    rows = cursor.execute(sql.AUTHORS).fetchall()
    rows.sort(key=itemgetter(2, 0))
    rows.sort(key=itemgetter(1), reverse=True)  # keeps the order of those of one kind
    return {Author(kind=AuthorKind(kind), name=name): number for number, kind, name in rows}


def load_authors(store: Store) -> dict[Author, int]:
    """As `query_authors`, as of the store's version."""

    def ask(asked: Store) -> dict[Author, int]:
        with asked.read(seconds=SECONDS) as cursor:
            return query_authors(cursor)

    return remembered(store, "people", ask)


@dataclass(frozen=True, kw_only=True, slots=True)
class SideColumns:
    """Whose answers a side is made of: columns of authors' numbers.

    `settles` says that the first column is the adjudicators', who outweigh the raters after it.
    """

    side: Side
    columns: tuple[tuple[int, ...], ...]
    settles: bool = False

    @property
    def authors(self) -> list[int]:
        return [author for column in self.columns for author in column]

    def labels(self, codes: Codes) -> Codes:
        """One code a unit from the side's own rows of codes."""
        if self.side.kind in ("author", "adjudicated"):
            return codes[0] if len(codes) else np.full(codes.shape[1], ABSENT, np.int8)
        found = np.empty(codes.shape[1], np.int8)
        for start in range(0, codes.shape[1], AT_ONCE):
            part = codes[:, start : start + AT_ONCE]
            if self.settles:
                settled, said = part[0], resolve_votes(part[1:], unanimous=True)
                found[start : start + AT_ONCE] = np.where(settled >= 0, settled, said)
            else:
                found[start : start + AT_ONCE] = resolve_votes(part, unanimous=False)
        return found


def find_voices(side: Side, known: dict[Author, int], but: Iterable[Author] = ()) -> SideColumns:
    """The authors behind a side; raters in `but` do not vote."""
    if side.author is not None:
        number = known.get(side.author)
        return SideColumns(side=side, columns=() if number is None else ((number,),))
    apart = set(but)
    settling = tuple(n for each, n in known.items() if each.kind is AuthorKind.ADJUDICATOR)
    raters = tuple(
        (n,) for each, n in known.items() if each.kind is AuthorKind.RATER and each not in apart
    )
    if side.kind == "adjudicated":
        return SideColumns(side=side, columns=(settling,) if settling else ())
    if side.kind == "verdict" and settling:
        return SideColumns(side=side, columns=(settling, *raters), settles=True)
    return SideColumns(side=side, columns=raters)


def resolve_votes(codes: Codes, *, unanimous: bool) -> Codes:
    """What more than half of those with a label say, or all of them; else a tie."""
    units = codes.shape[1]
    highest = int(codes.max(initial=-1))
    voters = (codes >= 0).sum(axis=0, dtype=np.int16)
    best = np.zeros(units, np.int16)
    winner = np.full(units, ABSENT, np.int8)
    for label in range(highest + 1):
        votes = (codes == label).sum(axis=0, dtype=np.int16)
        ahead = votes > best
        winner[ahead] = label
        best[ahead] = votes[ahead]
    enough = best == voters if unanimous else 2 * best > voters
    silent = _classify_missing(codes)
    found: Codes = np.where(voters == 0, silent, np.where(enough, winner, TIED)).astype(np.int8)
    return found


def _classify_missing(codes: Codes) -> npt.NDArray[np.int8]:
    """Why there is no label: somebody's answer could not be read, or nobody judged."""
    unread, skipped = (codes == UNREAD).any(axis=0), (codes == NOT_JUDGED).any(axis=0)
    said: npt.NDArray[np.int8] = np.where(
        unread, UNREAD, np.where(skipped, NOT_JUDGED, ABSENT)
    ).astype(np.int8)
    return said


def list_side_authors(side: Side) -> Sequence[Author]:
    """The author of a side, who must not be counted on the other side as well."""
    return () if side.author is None else (side.author,)

"""Ratings of all raters as label patterns per item, and claim counts and scores."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data.agreement import pairs_sql as sql
from data.agreement.cells import SECONDS, get_or_make
from data.agreement.codes import (
    ABSENT,
    AnnotatorColumns,
    CodeBlock,
    Codes,
    Places,
    blocks,
    convert_to_array,
    load_block,
)
from data.agreement.items import find_question, is_among, load_chosen_items, load_compared_runs
from data.agreement.sides import SideColumns, find_voices, query_authors
from data.store.cache.append_cache import appended
from data.store.cache.incremental_cache import by_item, merged_arrays
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.protocols.claim_overlap import PREDICTION, REFERENCE
from faithfulness.statistics.agreement import Estimate
from faithfulness.statistics.claims import claim_f1
from faithfulness.statistics.tables import Ratings

Counts = npt.NDArray[np.int64]

_TRUE = "true"
_CLAIMS = "supported"  # the claim protocol's criterion


def load_ratings(
    store: Store,
    selection: Selection,
    criterion: str,
    authors: Sequence[Author] | None = None,
    *,
    field: str = "",
) -> Ratings:
    """Who gave which label to which unit, as distinct patterns per item.

    Args:
        store: where to look.
        selection: narrows to items, as everywhere in `data.agreement.pairs`.
        criterion: the question's key.
        authors: whose labels; every rater with a label where left out.
        field: only units of this reviewed field.
    """
    protocol, asked = find_question(selection, criterion)
    chosen = load_chosen_items(store, selection, protocol)
    named = _Whose(every_rater=False, named=tuple(authors or ()))
    whose = named if authors and remembered(store, "pieces", _has_pieces) else _Whose.of(authors)
    given = _Given(
        protocol=protocol,
        criterion=asked,
        field=field,
        runs=load_compared_runs(store, selection, protocol),
    )
    found = _keep_items(_load_all_ratings(store, given, whose), chosen)
    said = _list_speaking_authors(found)
    if authors is None:
        return _keep_authors(found, said)
    if whose.every_rater and not set(said) <= set(authors):
        # Patterns that differ in nothing but what the others said would be one.
        found = _keep_items(_load_all_ratings(store, given, named), chosen)
    return _keep_authors(found, [each for each in authors if each in found.authors])


def count_claims(store: Store, selection: Selection, side: Side) -> "ClaimCounts":
    """How many claims of each direction a side judged, and found true, topic by topic.

    A topic with claims of which none was judged stays in, with zeros: its score is undefined.
    """
    return _load_claim_counts(store, selection, lambda known: [find_voices(side, known)])


def estimate_claim_scores(
    store: Store, selection: Selection, side: Side, *compared: Side
) -> dict[str, Estimate]:
    """Precision, recall and F1 of a side; of several raters the mean over raters, as on Runs.

    Args:
        store: where to look.
        selection: narrows to items.
        side: whose scores.
        compared: both sides of the comparison; a rater among them is not one of the raters.
    """

    def whose(known: dict[Author, int]) -> list[SideColumns]:
        if side != MAJORITY:
            return [find_voices(side, known)]
        apart = side.voters_apart(*compared)
        raters = [each for each in known if each.kind is AuthorKind.RATER and each not in apart]
        return [find_voices(Side.of(each), known) for each in raters]

    found = _load_claim_counts(store, selection, whose)
    counts = (found.pred_true, found.pred_n, found.ref_true, found.ref_n)
    return claim_f1(*counts, topics=found.items)


def _load_claim_counts(
    store: Store, selection: Selection, whose: Callable[[dict[Author, int]], list[SideColumns]]
) -> "ClaimCounts":
    """A row for each topic and each of these voices."""
    protocol, asked = find_question(Selection(protocol="claim_overlap"), _CLAIMS)
    true = asked.scale.values.index(_TRUE)
    runs = load_compared_runs(store, selection, protocol)
    parts: list[list[Counts]] = []
    with store.read(seconds=SECONDS) as cursor:
        several = whose(query_authors(cursor))
        columns = tuple(column for voice in several for column in voice.columns)
        wanted = AnnotatorColumns(protocol=protocol, criterion=asked, columns=columns, runs=runs)
        fields = {
            field: convert_to_array(
                cursor.execute(sql.CLAIMS_OF, {"field": field}).fetchnumpy()["unit_no"]
            )
            for field in (PREDICTION, REFERENCE)
        }
        for block in blocks(cursor, wanted):
            here = [np.isin(block.units, fields[field]) for field in (PREDICTION, REFERENCE)]
            start = 0
            for voice in several:
                codes = voice.labels(block.codes[start : start + len(voice.columns)])
                start += len(voice.columns)
                parts.append(_count_claims(block.items, codes, true, here))
    empty = [np.zeros(0, np.int64)]
    merged = [np.concatenate(empty + [part[n] for part in parts]) for n in range(5)]
    rows = is_among(merged[0], load_chosen_items(store, selection, protocol))
    topics, pred_true, pred_n, ref_true, ref_n = (column[rows] for column in merged)
    return ClaimCounts(
        items=topics, pred_true=pred_true, pred_n=pred_n, ref_true=ref_true, ref_n=ref_n
    )


def _count_claims(
    item_of: Places, codes: Codes, true: int, directions: Sequence[npt.NDArray[np.bool_]]
) -> list[Counts]:
    """The items that one voice speaks about; of each direction claims found true, and judged."""
    items, row = np.unique(item_of, return_inverse=True)
    counted = [items.astype(np.int64)]
    for here in directions:
        counted += [
            np.bincount(row[here & chosen], minlength=len(items))
            for chosen in (codes == true, codes >= 0)
        ]
    speaks = np.bincount(row[codes != ABSENT], minlength=len(items)) > 0
    return [column[speaks] for column in counted]


class _Whose(NamedTuple):
    """Whose labels are wanted: every rater's there is, and those of some who are named.

    Raters are not named where all of them serve: with each who signs for the first time it would
    be another question, and everything would be counted anew.
    """

    every_rater: bool
    named: tuple[Author, ...]

    @staticmethod
    def of(authors: Sequence[Author] | None) -> "_Whose":
        if authors is None:
            return _Whose(every_rater=True, named=())
        others = tuple(each for each in authors if each.kind is not AuthorKind.RATER)
        if len(others) == len(authors):
            return _Whose(every_rater=False, named=others)
        return _Whose(every_rater=True, named=others)

    def among(self, known: Iterable[Author]) -> list[Author]:
        """Those of them whom the store knows."""
        everybody = [*known]
        raters = [each for each in everybody if each.kind is AuthorKind.RATER]
        return [
            *(raters if self.every_rater else ()),
            *(each for each in self.named if each in everybody),
        ]


class _Given(NamedTuple):
    """Which labels are wanted: to which question, about which field, of which runs' people."""

    protocol: Protocol
    criterion: Criterion
    field: str
    runs: tuple[int, ...]


def _load_all_ratings(store: Store, given: _Given, whose: _Whose) -> Ratings:
    """Everything that they said, kept for this state of the store."""
    key = ("ratings", given.protocol.key, given.criterion.key, whose, given.field, given.runs)

    def make() -> Ratings:
        ask = partial(_query_patterns, given, whose)
        return by_item(store, key, ask, _merge_ratings, _measure_size)

    full = get_or_make(store, key, make, _measure_size)
    with store.read(seconds=SECONDS) as cursor:  # who came since has said nothing that is counted
        return _arrange_columns(full, whose.among(query_authors(cursor)))


def _has_pieces(store: Store) -> bool:
    """Whether somebody cut a text otherwise: what they took as one is one for all who are asked."""
    return appended(store, "pieces", _query_any_pieces, lambda before, added: before or added)


def _query_any_pieces(cursor: Cursor, annotation: int, _: int) -> bool:
    return bool(cursor.execute(sql.ANY_PIECES, {"annotation": annotation}).fetchall())


def _keep_items(full: Ratings, chosen: Counts) -> Ratings:
    rows = is_among(full.items, chosen)
    return replace(full, items=full.items[rows], codes=full.codes[rows], counts=full.counts[rows])


def _list_speaking_authors(made: Ratings) -> list[Author]:
    """Those of its authors with a label on one of its units."""
    speaks: list[bool] = np.any(made.codes >= 0, axis=0).tolist()
    return [each for each, says in zip(made.authors, speaks, strict=True) if says]


def _keep_authors(made: Ratings, authors: Sequence[Author]) -> Ratings:
    place = {each: at for at, each in enumerate(made.authors)}
    columns = [place[each] for each in authors]
    return replace(made, authors=tuple(authors), codes=made.codes[:, columns])


def _query_patterns(
    given: _Given, whose: _Whose, cursor: Cursor, items: Sequence[int] | None
) -> Ratings:
    known = query_authors(cursor)
    authors = whose.among(known)
    columns = tuple((known[each],) for each in authors)
    asked = AnnotatorColumns(**given._asdict(), columns=columns)
    scale = given.criterion.scale
    empty = np.zeros(0, np.int64)
    found = [(empty, np.zeros((0, len(columns)), np.int8), empty)]
    if columns:
        several = blocks(cursor, asked) if items is None else [load_block(cursor, asked, items)]
        found += [_count_distinct(block, len(scale.values)) for block in several]
    items_of, codes, counts = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Ratings(
        values=scale.values,
        ordinal=scale.ordinal,
        authors=tuple(authors),
        items=items_of,
        codes=codes,
        counts=counts,
    )


def _merge_ratings(before: Ratings, changed: Sequence[int], found: Ratings) -> Ratings:
    before = _arrange_columns(before, found.authors)
    old, new = ((each.items, each.codes, each.counts) for each in (before, found))
    items, codes, counts = merged_arrays(old, changed, new)
    return replace(before, items=items, codes=codes, counts=counts)


def _arrange_columns(made: Ratings, authors: Sequence[Author]) -> Ratings:
    """With a column for each of these in their order; who is new said nothing of these items."""
    if made.authors == tuple(authors):
        return made
    place = {each: at for at, each in enumerate(made.authors)}
    codes = np.full((len(made.items), len(authors)), ABSENT, np.int8)
    for at, each in enumerate(authors):
        if each in place:
            codes[:, at] = made.codes[:, place[each]]
    return replace(made, authors=tuple(authors), codes=codes)


def _measure_size(made: Ratings) -> int:
    return made.items.nbytes + made.codes.nbytes + made.counts.nbytes


def _count_distinct(block: CodeBlock, size: int) -> tuple[Counts, npt.NDArray[np.int8], Counts]:
    """Each pattern of an item once, with how many units have it."""
    said = np.flatnonzero((block.codes >= 0).any(axis=0))
    items = block.items[said].astype(np.int64)
    codes = np.maximum(block.codes[:, said], -1)
    key, span = items.copy(), int(items.max(initial=0)) + 1
    for column in codes:
        # Before the numbers grow too large, those in use are counted from zero again.
        if span > 2**62 // (size + 1):
            numbers, key = np.unique(key, return_inverse=True)
            span = len(numbers)
        key = key * (size + 1) + column + 1
        span *= size + 1
    _, first, counts = np.unique(key, return_index=True, return_counts=True)
    order = np.argsort(first)
    rows = first[order]
    return items[rows], np.ascontiguousarray(codes[:, rows].T), counts[order].astype(np.int64)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class ClaimCounts:
    """How many claims of prediction and reference were found true, of how many; a row an item.

    Of several raters apart, a row for each item and rater.
    """

    items: Counts
    pred_true: Counts
    pred_n: Counts
    ref_true: Counts
    ref_n: Counts

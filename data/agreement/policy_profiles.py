"""Per-response label profiles of a side, and the answers they map to under a policy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from data.agreement.cells import SECONDS, get_or_make
from data.agreement.codes import TIED, AnnotatorColumns, CodeBlock, Codes, blocks
from data.agreement.sides import SideColumns, find_voices, list_side_authors, query_authors
from data.items.current_sql import LAST_READABLE
from data.items.narrowing_sql import run_is_counted
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.protocol import Protocol
from faithfulness.model.selection_sides import Side
from faithfulness.model.vocabulary import UnitKind
from faithfulness.policies.bridges import (
    BRIDGED_CRITERION,
    FORWARD,
    ImpliedMeaning,
    StatementProfile,
    derive_meaning,
)
from faithfulness.policies.policies import Policy
from faithfulness.protocols.response_consistency import QUERY_TYPE

# Sentences that some of these people call supported by words at one place of the sources and
# others contradicted by words at another; of who labelled it in several runs the last counts.
CLASHING = """
with labelled as materialized (
    select annotation_no, unit_no, author_no, value
    from annotations
    where criterion = 'label'
        and value is not null
        and list_contains($authors::integer[], author_no)
        and run_no not in (select run_no from run_removals)
        and annotation_no not in (select supersedes from annotations where supersedes is not null)
),
both_ways as materialized (
    select unit_no
    from labelled
    where value in ('supported', 'contradictory')
    group by unit_no
    having min(value) <> max(value)
),
said as (
    select annotation_no, unit_no, value
    from labelled
    where unit_no in (select unit_no from both_ways)
    qualify row_number() over (
        partition by unit_no, author_no
        order by annotation_no desc
    ) = 1
),
placed as (
    select s.unit_no, s.value, unnest(e.spans) as span
    from said s
    join excerpts e on e.annotation_no = s.annotation_no
    where e.tier in ('verbatim', 'near', 'stitched')
)
select distinct a.unit_no
from placed a
join placed b on b.unit_no = a.unit_no
where a.value = 'supported'
    and b.value = 'contradictory'
    and not (
        a.span.field = b.span.field
        and a.span.span_start < b.span.span_end
        and b.span.span_start < a.span.span_end
    )
"""

# What most people call the query, else what most judges do; nothing where they are divided. Who
# named it in several runs has one vote, with the last.
QUERY_TYPES = f"""
with latest as (
    select a.item_no, w.kind = 'judge' as by_judge, a.value
    from annotations a
    join authors w on w.author_no = a.author_no
    where a.criterion = 'query_type'
        and a.run_no not in (select run_no from run_removals)
        {LAST_READABLE}
),
votes as (
    select item_no, by_judge, value, count(*) as votes
    from latest
    group by item_no, by_judge, value
),
counted as (
    select *, min(by_judge) over (partition by item_no) as only_judges
    from votes
),
tops as (
    select item_no, value, votes, max(votes) over (partition by item_no) as most
    from counted
    where by_judge = only_judges
)
select item_no, min(value) as value
from tops
where votes = most
group by item_no
having count(*) = 1
"""  # noqa: S608 - put together from constants

# Where an item is seen: in the first run of the protocol that is named first.
PLACES = f"""
select i.item_no, i.item_id, r.run_id, r.name as run, n.external_id
from items i
join run_items n on n.item_no = i.item_no
join runs r on r.run_no = n.run_no
where i.item_no in (select unnest($items::integer[]))
    and list_contains($protocols::varchar[], r.protocol)
    and r.run_no not in (select run_no from run_removals)
    and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
    and {run_is_counted("r")}
qualify row_number() over (
    partition by i.item_no
    order by list_position($protocols::varchar[], r.protocol), r.run_no
) = 1
"""  # noqa: S608 - put together from constants

# Protocols under which the same items were answered, with how many of them.
PARTNERS = f"""
with mine as (
    select distinct n.item_no
    from run_items n
    join runs r on r.run_no = n.run_no
    where r.protocol = $protocol
        and r.run_no not in (select run_no from run_removals)
        and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], r.run_id))
        and {run_is_counted("r")}
)
select r.protocol, count(distinct n.item_no) as items
from run_items n
join runs r on r.run_no = n.run_no
where n.item_no in (select item_no from mine)
    and r.run_no not in (select run_no from run_removals)
group by r.protocol
"""  # noqa: S608 - put together from constants


Numbers = npt.NDArray[np.int64]

# What is counted of a response, in the order of the scale and then of these.
_OPEN, _CLASHING = "open", "clashing"
_COUNTED = {
    "label": ("supported", "unsupported", "contradictory", "no_rad", _OPEN, _CLASHING),
    "supported": ("supported", "not_supported", _OPEN, _CLASHING),
}


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Bridgeable:
    """What a side says about responses: answers about the whole, or a profile of each.

    Attributes:
        items: Numbers of the items it speaks about.
        codes: Positions on the scale, where it answers about the whole; -1 without a label.
        profiles: The distinct profiles, where it answers about pieces.
        which: The profile of each item.
    """

    items: Numbers
    codes: Numbers | None = None
    profiles: tuple[StatementProfile, ...] = ()
    which: Numbers | None = None

    @property
    def speaking(self) -> npt.NDArray[np.bool_]:
        """On which of the items it says anything, whether or not an answer follows from it."""
        said = self.codes if self.codes is not None else self.which
        found: npt.NDArray[np.bool_] = np.zeros(0, np.bool_) if said is None else said >= 0
        return found

    def under(
        self, policy: Policy, criterion: str, values: tuple[str, ...]
    ) -> tuple[Numbers, list[ImpliedMeaning]]:
        """The code of each item by a policy, and what each profile means."""
        if self.codes is not None or self.which is None:
            return self.codes if self.codes is not None else np.zeros(0, np.int64), []
        meant = [derive_meaning(each, criterion, policy) for each in self.profiles]
        codes = [values.index(each.values[0]) if each.decided else -1 for each in meant]
        found: Numbers = np.asarray(codes, np.int64)[self.which]
        return found, meant


def load_bridgeable(store: Store, protocol: Protocol, side: Side, other: Side) -> Bridgeable:
    """A side's answers under a protocol, item by item; kept until the next write."""
    key = ("speaks", protocol.key, side, other)
    return get_or_make(
        store, key, lambda: _query_bridgeable(store, protocol, side, other), _measure_size
    )


def _measure_size(made: Bridgeable) -> int:
    arrays = (made.items, made.codes, made.which)
    return sum(each.nbytes for each in arrays if each is not None) + 400 * len(made.profiles)


def _query_bridgeable(store: Store, protocol: Protocol, side: Side, other: Side) -> Bridgeable:
    criterion = protocol.criterion(BRIDGED_CRITERION[protocol.key])
    with store.read(seconds=SECONDS) as cursor:
        own = find_voices(side, query_authors(cursor), but=list_side_authors(other))
        if not own.columns:
            return Bridgeable(items=np.zeros(0, np.int64), codes=np.zeros(0, np.int64))
        asked = AnnotatorColumns(
            protocol=protocol,
            criterion=criterion,
            columns=own.columns,
            field="response" if protocol.unit is UnitKind.CLAIM else "",
            joins=False,
        )
        if criterion.key in FORWARD:
            return _load_answers(cursor, asked, own)
        counts = _count_labels(cursor, asked, own, len(criterion.scale.values))
        kinds = dict(cursor.execute(QUERY_TYPES).fetchall())
    return _build_profiles(*counts, _COUNTED[criterion.key], kinds)


def _load_answers(cursor: Cursor, asked: AnnotatorColumns, own: SideColumns) -> Bridgeable:
    items, codes = [], []
    for block in blocks(cursor, asked):
        said = own.labels(block.codes)
        items.append(block.items[said >= 0])
        codes.append(said[said >= 0])
    found = np.concatenate(items).astype(np.int64)
    order = np.argsort(found, kind="stable")
    return Bridgeable(items=found[order], codes=np.concatenate(codes).astype(np.int64)[order])


def _count_labels(
    cursor: Cursor, asked: AnnotatorColumns, own: SideColumns, size: int
) -> tuple[Numbers, Numbers]:
    """Items with at least one label, and how many of their units have which."""
    clashing = _load_clashing_units(cursor, asked, own)
    items, counts = [], []
    for block in blocks(cursor, asked):
        if not len(block.items):
            continue
        column = _find_columns(block, own, clashing, size)
        lowest, width = int(block.items.min()), size + 2
        place = (block.items.astype(np.int64) - lowest) * width + column
        table = np.bincount(place)
        table = np.pad(table, (0, -len(table) % width)).reshape(-1, width)
        labelled = table[:, :size].any(axis=1) | (table[:, size + 1] > 0)
        items.append(np.flatnonzero(labelled) + lowest)
        counts.append(table[labelled])
    if not items:
        return np.zeros(0, np.int64), np.zeros((0, size + 2), np.int64)
    return np.concatenate(items), np.concatenate(counts)


def _find_columns(block: CodeBlock, own: SideColumns, clashing: Numbers, size: int) -> Numbers:
    said: Codes = own.labels(block.codes)
    column = np.where(said >= 0, said, size).astype(np.int64)
    if len(clashing):
        # What an adjudicator settled is no longer open to two readings.
        open_to_both = np.isin(block.units, clashing)
        if own.settles:
            open_to_both &= block.codes[0] < 0
        column[open_to_both & ((said >= 0) | (said == TIED))] = size + 1
    return column


def _load_clashing_units(cursor: Cursor, asked: AnnotatorColumns, own: SideColumns) -> Numbers:
    """Sentences on which the words that several people quote contradict each other."""
    if asked.criterion.key != "label" or own.side.kind not in ("majority", "verdict"):
        return np.zeros(0, np.int64)
    found = cursor.execute(CLASHING, {"authors": asked.authors}).fetchnumpy()["unit_no"]
    return np.asarray(found, np.int64)


def _build_profiles(
    items: Numbers, counts: Numbers, names: Sequence[str], kinds: dict[int, str]
) -> Bridgeable:
    known = ("", *QUERY_TYPE.scale.values)
    types = np.array([known.index(kinds.get(int(item), "")) for item in items], np.int64)
    rows = np.column_stack([counts, types])
    distinct, which = np.unique(rows, axis=0, return_inverse=True)
    return Bridgeable(
        items=items,
        profiles=tuple(_build_profile(row, names, known) for row in distinct.tolist()),
        which=np.asarray(which, np.int64).reshape(-1),
    )


def _build_profile(row: list[int], names: Sequence[str], known: Sequence[str]) -> StatementProfile:
    counts: dict[str, Any] = dict(zip(names, row[:-1], strict=True))
    return StatementProfile(query_type=known[row[-1]], **counts)

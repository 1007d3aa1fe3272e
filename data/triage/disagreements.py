"""Disagreements of the store: found once per version, narrowed and ordered in memory."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import ref

import numpy as np
import pyarrow as pa
import pyarrow.acero  # groups rows; else the first page would wait for its import
import pyarrow.compute as pc

from data.store.cache.incremental_cache import table_by_item
from data.store.cache.item_filter_sql import between, narrowed
from data.store.cache.loaded_cases import forget
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from data.triage import disagreements_sql as sql
from faithfulness.checks.against import AGAINST
from faithfulness.model.protocol import Criterion
from faithfulness.model.selection_sides import BASELINE
from faithfulness.protocols import PROTOCOLS
from faithfulness.review.disagreement import Kind, kinds_of, order, severity
from faithfulness.text.clashes import ClashKind

SECONDS = 30.0
BITS = {kind: 1 << at for at, kind in enumerate(Kind)}
CLASH_BITS = {kind.value: 1 << at for at, kind in enumerate(ClashKind, start=1)} | {"quote": 32}
FOUND_BITS = {found: 1 << at for at, found in enumerate(AGAINST)}
_WIDTH = 10  # bits of a packed count: more than 1,023 authors of one value count as so many
_MASK = (1 << _WIDTH) - 1
_SAME = ["question", "rater_votes", "judge_votes", "sample_votes", "sureness", "absent"]
_SAME += ["clashes", "found"]
_WEIGHED = pa.schema(
    [
        *((name, pa.int64()) for name in ("rater_mask", "judge_mask", "kinds")),
        *((name, pa.float64()) for name in ("severity", "weight")),
    ]
)


class Question(NamedTuple):
    """A criterion of a protocol, by the number it has in the table of disagreements."""

    protocol: str
    criterion: Criterion


class _ByVotes(NamedTuple):
    """What follows from how many give each value; the same for most rows of a store."""

    rater_mask: int
    judge_mask: int
    kinds: int
    severity: float
    voices: int


QUESTIONS = tuple(
    Question(protocol.key, criterion)
    for protocol in PROTOCOLS.values()
    for criterion in protocol.criteria
)


def all_disagreements(
    store: Store, *, with_baseline: bool = False, runs: tuple[int, ...] = ()
) -> pa.Table:
    """Every disagreement of the store; after a decision only what it changed is found again.

    With `runs` (see `counted_runs`) those among their raters and judges.

    Columns:
        nth: the row; question: a number in QUESTIONS; run_no (where a decision goes), item_no,
            unit_no.
        rater_mask, judge_mask: a bit for each value that somebody gives.
        rater_votes, judge_votes, sample_votes: how many give each value, see `votes_in`.
        sureness: mean confidence, missing when nobody says; absent: 1 a rater's quote stands
            nowhere, 2 a judge's; clashes: bits of CLASH_BITS; found: bits of FOUND_BITS.
        decided_no, decided_place: the decision that counts and its value, else missing.
        kinds: bits of BITS; severity, weight.
    """
    if runs:  # `by_item` keeps few of them
        return _refreshed(store, with_baseline, runs)
    name = "disagreements with baseline" if with_baseline else "disagreements"
    return remembered(store, name, lambda asked: _refreshed(asked, with_baseline))


def votes_in(question: int, packed: int) -> dict[str, int]:
    """How many give each value, out of a packed number."""
    values = QUESTIONS[question].criterion.scale.values
    counts = ((value, (packed >> (_WIDTH * at)) & _MASK) for at, value in enumerate(values))
    return {value: count for value, count in counts if count}


def bits_of(criterion: Criterion, labels: Iterable[str]) -> int:
    wanted = set(labels)
    return sum(1 << at for at, value in enumerate(criterion.scale.values) if value in wanted)


def _refreshed(store: Store, with_baseline: bool, runs: tuple[int, ...] = ()) -> pa.Table:
    known = ref(store)  # the question is kept with its answer, and would keep a closed store

    def ask(cursor: Cursor, items: Sequence[int] | None) -> pa.Table:
        if (asked := known()) is not None:
            forget(asked, items)
        facts = _facts(with_baseline) | {"runs": list(runs)}
        if items is None:
            found = cursor.execute(sql.ALL, facts)
        else:
            found = cursor.execute(narrowed(sql.SOME, items), facts | between([*items]))
        return _weighed(found.to_arrow_table())

    rows = table_by_item(store, ("disagreements", with_baseline, runs), ask)
    return rows.append_column("nth", pa.array(np.arange(rows.num_rows)))


def _facts(with_baseline: bool) -> dict[str, Any]:
    values = [
        (each.protocol, each.criterion.key, value, number, place)
        for number, each in enumerate(QUESTIONS)
        for place, value in enumerate(each.criterion.scale.values)
    ]
    names = ("protocols", "criteria", "values", "questions", "places")
    return {
        **{name: [row[at] for row in values] for at, name in enumerate(names)},
        "but": left_out(with_baseline),
        "width": _WIDTH,
        "most": _MASK,
        "clash_kinds": [kind.value for kind in ClashKind],
        "found_kinds": [f"{check}:{kind}" for check, kind in AGAINST],
    }


def left_out(with_baseline: bool) -> list[str]:
    return [] if with_baseline else [f"{BASELINE.kind.value}:{BASELINE.name}"]


def _weighed(rows: pa.Table) -> pa.Table:
    """With kind, severity and weight; rows that look the same are weighed once.

    By Arrow alone: for the few rows that a decision changes pandas takes ten times as long.
    """
    numbered = rows.select(_SAME).append_column("row", pa.array(np.arange(rows.num_rows)))
    looks = numbered.group_by(_SAME).aggregate([("row", "list")]).combine_chunks()
    told = [
        _weigh(*look) for look in zip(*(looks[name].to_pylist() for name in _SAME), strict=True)
    ]
    columns = [[each[at] for each in told] for at in range(len(_WEIGHED))]
    look_of = np.empty(rows.num_rows, np.int64)
    look_of[pc.list_flatten(looks["row_list"])] = pc.list_parent_indices(looks["row_list"])
    weighed = pa.table(columns, _WEIGHED).take(pa.array(look_of))
    for name in weighed.column_names:
        rows = rows.append_column(name, weighed[name])
    return rows


def _weigh(
    question: int,
    raters: int,
    judges: int,
    samples: int,
    sureness: float | None,
    absent: int,
    clash: int,
    found: int,
) -> tuple[int, int, int, float, float]:
    seen = _by_votes(question, raters, judges, samples)
    weight = order(seen.severity, seen.voices, sureness, bool(absent), bool(clash or found))
    return seen.rater_mask, seen.judge_mask, seen.kinds, seen.severity, weight


@lru_cache(maxsize=4096)
def _by_votes(question: int, raters: int, judges: int, samples: int) -> _ByVotes:
    by_raters, by_judges = votes_in(question, raters), votes_in(question, judges)
    sampled = votes_in(question, samples)
    criterion = QUESTIONS[question].criterion
    return _ByVotes(
        rater_mask=bits_of(criterion, by_raters),
        judge_mask=bits_of(criterion, by_judges),
        kinds=sum(BITS[each] for each in kinds_of(by_raters, by_judges, sampled)),
        severity=severity(criterion.scale, {*by_raters, *by_judges, *sampled}),
        voices=sum(by_raters.values()) + sum(by_judges.values()),
    )

"""Questions pages ask the store; each answers with a DataFrame whose columns its docstring names.

Removed runs appear in no answer, and superseded annotations are not counted.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from data.items import items_sql as items_sql
from data.items.addressed_items import left_out
from data.items.counted_runs import runs_share_items
from data.items.current_sql import DECIDED_FOR_OTHER_RUNS
from data.runs import queries_sql as sql
from data.store.cache.item_filter_sql import between, narrowed
from data.store.cache.version_cache import remembered
from data.store.engine import Cursor
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.visible import brief
from faithfulness.statistics.intervals import mean_interval

PAGE = 50
LONGEST_PAGE = 500
SEARCH_SECONDS = 5.0
COUNT_SECONDS = 30.0  # counting a store of ten million labels on a busy machine takes some

_HEADLINE_COLUMNS = [
    *("run_id", "author_kind", "author", "authors", "name", "given"),
    *("value", "low", "high", "counted", "left_out"),
]


def runs(store: Store) -> pd.DataFrame:
    """Every run, the newest first.

    Columns:
        run_id, name, protocol, system, imported_at (UTC), is_sample.
        items: items of the run.
        units: units with at least one annotation in the run.
        answers: annotations with a value by raters and judges, each author's last.
        decisions: those by adjudicators that count in the run, whichever they were made in.
        unread: annotations without a value that state a problem.
        raters, judges: how many of each signed, or have a number, in the run.
        meetings: titles of the meetings with a point in the run, the first one first.
    """
    return remembered(store, "runs", _runs).copy()


def _in_runs(store: Store, question: str) -> str:
    """A question about what counts in runs, which differ where two of them share an item."""
    return sql.with_decisions(question) if runs_share_items(store) else question


def _runs(store: Store) -> pd.DataFrame:
    with store.read(seconds=COUNT_SECONDS) as cursor:
        found: pd.DataFrame = cursor.execute(_in_runs(store, sql.RUNS)).df()
    found["meetings"] = found["meetings"].map(list)
    return found


def headlines(
    store: Store, run_id: str | None = None, selection: Selection | None = None
) -> pd.DataFrame:
    """Each run's number by author group: every judge alone, all raters together.

    An item's number under the raters is the mean over the raters who have one. A run's number is
    the mean over the items that have one. Of the selection only counts whether items that speak to
    their judge are left out.

    Columns:
        run_id.
        author_kind: rater, judge or adjudicator.
        author: the judge's name; empty for raters and adjudicators, who are pooled.
        authors: how many authors stand behind the row.
        name: what the number is called, such as "F1"; given: it came with the file as it is.
        value, low, high: the mean and its 95 % interval over items; missing where undefined, and
            the interval also below 20 items.
        counted: items with a number; left_out: the run's other items.
    """
    items = left_out(store, selection or Selection()).tolist()
    if run_id is None and not items:
        return remembered(store, "headlines", lambda asked: _headlines(asked, None, [])).copy()
    return _headlines(store, run_id, items)


def _headlines(store: Store, run_id: str | None, items: list[int]) -> pd.DataFrame:
    facts = {"run_id": run_id, "left_out": items}
    with store.read(seconds=COUNT_SECONDS) as cursor:
        groups = cursor.execute(sql.HEADLINES, facts).fetchall()
    rows = []
    for *group, values, counts, of in groups:
        found = mean_interval(values, counts)
        numbers = (found.value, found.low, found.high, found.counted, of - found.counted)
        rows.append((*group, *numbers))
    frame = pd.DataFrame(rows, columns=_HEADLINE_COLUMNS)
    # One number a group: the protocol's own before one that came with the file.
    frame = frame.drop_duplicates(["run_id", "author_kind", "author"]).reset_index(drop=True)
    return frame.astype({"value": "float64", "low": "float64", "high": "float64"})


def runs_with(store: Store, selection: Selection) -> set[str]:
    """The runs with at least one item that the selection leaves; words are not looked for."""
    question = items_sql.RUNS_WITH[runs_share_items(store)]
    found = _frame(store, question, **filled(selection), run_id=None)
    return set(found["run_id"])


def authors(store: Store, run_id: str) -> pd.DataFrame:
    """Who signed in one run, raters first.

    Columns:
        author_kind, author.
        items, answers, unread: as in `runs`, of this author; not_judged: answered without a value
            and without a problem, where the protocol allows it.
    """
    return _frame(store, _in_runs(store, sql.AUTHORS), run_id=run_id)


def label_counts(store: Store, run_id: str, selection: Selection | None = None) -> pd.DataFrame:
    """How often each author of a run gave each label; narrowed by authors and criterion.

    Columns:
        author_kind, author, criterion.
        state: label, unread or not judged; value: the label, missing in the other two states.
        units: units it was given to. pieces: pieces of the author's own cut it was given to; the
            same as units where the author's cut is ours.
    """
    question = _in_runs(store, sql.LABEL_COUNTS)
    return _frame(store, question, **filled(selection), run_id=run_id)


def run_items(
    store: Store,
    run_id: str,
    selection: Selection | None = None,
    *,
    after: int = -1,
    limit: int = PAGE,
) -> pd.DataFrame:
    """One page of a run's items in the file's order: those behind position `after`.

    The selection narrows by words (in any text of the item, in any case), labels (given by a
    kind of author), criterion, authors, placements, slices, protocol, system and unread answers.

    Columns:
        position: hand the last one over as `after` for the next page.
        item_id, external_id (the file's own id).
        query, response: their first words.
        answers, unread: annotations on the item in this run.
        "rater NAME", "judge NAME": one column for each author with a number on this page, the
            item's headline number by that author; missing where undefined.

    Raises:
        StoreUnavailable: the search took longer than five seconds.
    """
    limit = min(max(limit, 1), LONGEST_PAGE)
    with store.read(seconds=SEARCH_SECONDS) as cursor:
        chosen = chosen_items(cursor, run_id, selection, after=after, limit=limit)
    page = _frame(store, items_sql.ITEM_PAGE, run_id=run_id, **between(chosen))
    headline = _frame(store, items_sql.ITEM_HEADLINES, run_id=run_id, **between(chosen))
    page = page.set_index("item_no")
    numbers = {
        f"{kind} {name}": group.drop_duplicates("item_no").set_index("item_no")["value"]
        for (kind, name), group in headline.groupby(["author_kind", "author"], sort=False)
    }
    # All at once: a hundred authors are a hundred columns.
    page = page.join(pd.DataFrame(numbers, index=page.index))
    return page.reset_index(drop=True)


def count_run_items(store: Store, run_id: str, selection: Selection | None = None) -> int:
    """How many items of a run the selection leaves."""
    with store.read(seconds=SEARCH_SECONDS) as cursor:
        return len(chosen_items(cursor, run_id, selection))


def item_runs(store: Store, item_id: str) -> pd.DataFrame:
    """The runs in which an item stands, the newest first.

    Columns:
        run_id, name, protocol, system, is_sample, position, external_id.
        further_ids: the ids of more records of the file that have the item's texts.
        attributes: what the file says about the item beside its texts, a dict of texts.
    """
    found = _frame(store, items_sql.ITEM_RUNS, item_id=item_id)
    found["attributes"] = found["attributes"].map(dict)
    return found


def run_name(store: Store, run_id: str) -> str:
    """The name people gave a run.

    Raises:
        ReviewError: there is no such run, or it was removed.
    """
    found = _frame(store, items_sql.RUN_NAME, run_id=run_id)
    if found.empty:
        raise ReviewError(f"{why_no_run(store, run_id)} Open the list of runs.")
    return str(found["name"].iloc[0])


def why_no_run(store: Store, run_id: str) -> str:
    """Why a run is in no list: by whom and when it was removed, or that there is none."""
    for run in _frame(store, items_sql.REMOVAL, run_id=run_id).itertuples():
        day, by = f"{run.removed_at:%Y-%m-%d}", brief(str(run.removed_by))
        return f"The run “{brief(str(run.name))}” was removed on {day} by {by}."
    return f"The store has no run {run_id}."


def chosen_items(
    cursor: Cursor,
    run_id: str,
    selection: Selection | None,
    *,
    after: int = -1,
    limit: int | None = None,
) -> list[int]:
    """The numbers of a run's items that the selection leaves, in the run's order."""
    facts = filled(selection) | {"run_id": run_id, "after": after, "limit": limit}
    question = items_sql.items_of_run(facts, with_decisions=_decides_elsewhere(cursor, facts))
    rows = cursor.execute(question, _named_in(question, facts)).fetchall()
    return [int(number) for (number,) in rows]


def _decides_elsewhere(cursor: Cursor, facts: Mapping[str, Any]) -> bool:
    """Whether a decision that may be narrowed by counts in other runs than its own."""
    asked = narrowed(DECIDED_FOR_OTHER_RUNS, None)
    return bool(facts["narrowed"] and cursor.execute(asked).fetchall())


def _frame(
    store: Store, question: str, seconds: float = COUNT_SECONDS, /, **facts: Any
) -> pd.DataFrame:
    with store.read(seconds=seconds) as cursor:
        found: pd.DataFrame = cursor.execute(question, _named_in(question, facts) or None).df()
    return found


def _named_in(question: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The engine refuses parameters that a statement does not name."""
    return {name: value for name, value in facts.items() if f"${name}" in question}


def filled(selection: Selection | None) -> dict[str, Any]:
    """The parameters that narrowed questions share; an empty one does not narrow."""
    chosen = selection or Selection()
    by_label = (chosen.criterion, chosen.labels, chosen.unread, chosen.authors, chosen.placements)
    return {
        "narrowed": any(by_label),
        "criterion": chosen.criterion or None,
        "labels": list(chosen.labels),
        "unread": chosen.unread,
        "words": chosen.words or None,
        "item_id": chosen.item or None,
        "authors": [f"{each.kind.value}:{each.name}" for each in chosen.authors],
        "by": chosen.by if chosen.by and chosen.labels else None,
        "placements": list(chosen.placements),
        "protocol": chosen.protocol or None,
        "systems": list(chosen.systems),
        "slices": [f"{key}\x1f{value}" for key, value in chosen.slices],
        "slice_keys": len({key for key, _ in chosen.slices}),
    }

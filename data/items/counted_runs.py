"""Determine which annotations count for the selected runs; docs/architecture.md has the rule."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from data.items.loading import load_annotations
from data.items.narrowing_sql import run_is_counted
from data.store.cache.run_cache import of_runs
from data.store.store import Store
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.vocabulary import Annotation, AuthorKind

_CHOSEN = f"""
select run_no
from runs
where run_no not in (select run_no from run_removals)
    and ($protocol = '' or protocol = $protocol)
    and (len($runs::varchar[]) = 0 or list_contains($runs::varchar[], run_id))
    and (len($systems::varchar[]) = 0 or list_contains($systems::varchar[], system))
    and {run_is_counted()}
order by run_no
"""  # noqa: S608 - put together from constants

# Each combination of runs that ask the same about an item they share, once.
_SHARING = """
select distinct list_sort(list(distinct n.run_no)) as run_numbers
from run_items n
join runs r on r.run_no = n.run_no
where r.run_no not in (select run_no from run_removals)
group by n.item_no, r.protocol
having min(n.run_no) <> max(n.run_no)
"""

_IDS = """
select run_id
from runs
where run_no in (select unnest($run_numbers::integer[]))
    and not is_sample
order by run_no
"""

_RUNS_OF_ITEM = """
select r.run_id, r.protocol, r.is_sample
from run_items n
join runs r on r.run_no = n.run_no
where n.item_no in (select item_no from items where item_id = $item_id)
    and r.run_no not in (select run_no from run_removals)
"""


class ItemAnnotations(NamedTuple):
    """What is said about an item that is viewed in a run; each in the order of signing."""

    in_run: list[Annotation]  # by its raters and judges, and the decisions that count
    elsewhere: list[Annotation]  # by raters and judges of other runs
    everywhere: list[Annotation]


def load_item_annotations(store: Store, item_id: str, run_id: str) -> ItemAnnotations:
    """What counts about an item in one of its runs, and what is said about it in others.

    Other runs of the sample are left out, unless the run is of the sample.

    Raises:
        ReviewError: the store has no such item, or not in this run.
    """
    everywhere = load_annotations(store, item_id)
    with store.read() as cursor:
        runs = cursor.execute(_RUNS_OF_ITEM, {"item_id": item_id}).fetchall()
    protocols = {each: protocol for each, protocol, _ in runs}
    is_sample = {each: sample for each, _, sample in runs}
    if run_id not in protocols:
        raise ReviewError(
            "The run was removed. Open the item in another one from the list of runs."
        )
    everywhere = [each for each in everywhere if each.run_id in protocols]
    last = _select_last_decisions(everywhere, protocols)
    in_run, elsewhere = [], []
    for each in everywhere:
        if each.author.kind is AuthorKind.ADJUDICATOR:
            if protocols[each.run_id] == protocols[run_id] and each.number in last:
                in_run.append(each)
        elif each.run_id == run_id:
            in_run.append(each)
        elif is_sample[run_id] or not is_sample[each.run_id]:
            elsewhere.append(each)
    return ItemAnnotations(in_run, elsewhere, everywhere)


def _select_last_decisions(
    annotations: Sequence[Annotation], protocols: Mapping[str, str]
) -> set[int]:
    """By protocol, unit and criterion the decision that counts, whichever run it was made in."""
    decisions = [each for each in annotations if each.author.kind is AuthorKind.ADJUDICATOR]
    # One that is unread never counts in place of one that can be read.
    decisions.sort(key=lambda each: (each.answer.value is not None, each.number))
    last = {
        (protocols[each.run_id], each.answer.unit_id, each.answer.criterion): each.number
        for each in decisions
    }
    return set(last.values())


def find_counted_runs(store: Store, selection: Selection) -> tuple[int, ...]:
    """The numbers of the runs whose raters and judges count; empty where no other has any.

    Most runs share no item with another run of their protocol. Then what was said about their
    items was said in them, and an answer about all runs serves.
    """
    facts = {
        "protocol": selection.protocol,
        "runs": sorted(selection.runs),
        "systems": sorted(selection.systems),
    }
    chosen = of_runs(store, f"chosen runs {facts}", lambda asked: _load_chosen_runs(asked, facts))
    inside = set(chosen)
    sharing = _load_sharing_runs(store)
    mixes = any(not inside.isdisjoint(runs) and not inside.issuperset(runs) for runs in sharing)
    return chosen if mixes else ()


def load_runs_left_out(store: Store, selection: Selection) -> tuple[str, ...]:
    """The ids of runs that were not chosen and hold items of the chosen ones, oldest first.

    The sample's runs are never among them.
    """
    if not selection.runs:
        return ()
    inside = set(find_counted_runs(store, selection))
    outside = {
        run for runs in _load_sharing_runs(store) if not inside.isdisjoint(runs) for run in runs
    } - inside
    with store.read() as cursor:
        rows = cursor.execute(_IDS, {"run_numbers": sorted(outside)}).fetchall()
    return tuple(run_id for (run_id,) in rows)


def runs_share_items(store: Store) -> bool:
    """Whether two runs of one protocol have an item in common."""
    return bool(_load_sharing_runs(store))


def _load_chosen_runs(store: Store, facts: dict[str, Any]) -> tuple[int, ...]:
    with store.read() as cursor:
        return tuple(number for (number,) in cursor.execute(_CHOSEN, facts).fetchall())


def _load_sharing_runs(store: Store) -> list[list[int]]:
    def ask(asked: Store) -> list[list[int]]:
        with asked.read() as cursor:
            return [runs for (runs,) in cursor.execute(_SHARING).fetchall()]

    return of_runs(store, "runs that share items", ask)

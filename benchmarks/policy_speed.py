"""Audit and policy lens on a million labels: processor time of the first and of the next look.

Usage: python -m benchmarks.policy_speed [LABELS]
"""

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks import big_store
from benchmarks.claims import claim
from benchmarks.forgetting import forget
from data.agreement.policies import compare_policies, load_flips
from data.agreement.question import AgreementQuestion
from data.inconsistencies.inconsistencies import load_audits
from data.store.store import Store, open_store
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import MAJORITY, Side

JUDGE = Side.from_text("judge:north")
ACROSS = AgreementQuestion(
    selection=Selection(protocol="response_consistency"),
    reference=Side.from_text("rater:rater 01"),
    judge=JUDGE,
    judge_protocol="sentence_grounding",
)
# Every item is also answered as a whole, by the five authors of its sentences.
_RUN = """
insert into runs
select max(run_no) + 1, 'whole', min(import_id), 'whole', 'response_consistency', 's', false,
    max(imported_at), '{}'
from runs
"""
_ITEMS = """
insert into run_items
select (select run_no from runs where run_id = 'whole'), item_no, item_no, item_no::varchar, map {}
from items
"""
_UNITS = """
insert into units
select (select max(unit_no) from units) + item_no, item_no, 'response', 0, 'response', 'response',
    0, 10, null
from items
"""
_ANSWERS = """
insert into annotations
select
    (select max(annotation_no) from annotations) + row_number() over (),
    'whole', (select run_no from runs where run_id = 'whole'), item_no,
    (select max(unit_no) from units) - (select max(item_no) from items) + item_no,
    'consistency', author_no,
    case (item_no + author_no) % 4
        when 0 then 'yes_evidence' when 1 then 'yes_common_knowledge' else 'no_contrary_evidence'
    end,
    '', '', '', null, ['detail_page'], [], [], null, null, now()::timestamp
from (select distinct item_no, author_no from annotations where criterion = 'label')
"""
_TYPES = """
insert into annotations
select
    (select max(annotation_no) from annotations) + row_number() over (),
    'types', run_no, item_no, unit_no, 'query_type', author_no,
    case item_no % 4
        when 0 then 'factoid' when 1 then 'broad' when 2 then 'opinion' else 'generic'
    end,
    '', '', '', null, [], [], [], null, null, now()::timestamp
from annotations
where criterion = 'consistency'
"""


def answer_as_a_whole(store: Store) -> None:
    """Add an answer about the whole response for every item and author."""

    def work(cursor: object) -> str:
        for each in (_RUN, _ITEMS, _UNITS, _ANSWERS, _TYPES):
            cursor.execute(each)  # type: ignore[attr-defined]  # the store's cursor
        return ""

    store.write("whole", "benchmark", work)


def told(what: str, work: Callable[[], object]) -> object:
    """Say how long something took, by the clock and by the processor."""
    began, used = time.perf_counter(), time.process_time()
    found = work()
    wall, cpu = time.perf_counter() - began, time.process_time() - used
    claim(f"{what[0].upper()}{what[1:]}", 1000 * cpu, "ms of processor")
    print(f"{what:44} {1000 * wall:8.0f} ms   {1000 * cpu:8.0f} ms of processor")
    return found


def main() -> None:
    labels = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store" / "big.duckdb"
        path.parent.mkdir()
        big_store.make_store(path, labels)
        store = open_store(path)
        try:
            answer_as_a_whole(store)
            found = load_audits(store, Selection())
            print(f"{labels:,} labels, {found.total:,} inconsistencies")
            forget()
            told("audit, first look", lambda: load_audits(store, Selection()))
            told("audit, next page", lambda: load_audits(store, Selection(), 2))
            told("audit, by words", lambda: load_audits(store, Selection(words="kettle holds")))
            for name, judge in (("one judge", JUDGE), ("a majority", MAJORITY)):
                asked = replace(ACROSS, judge=judge)
                told(f"lens of {name}, first look", partial(compare_policies, store, asked))
                told(f"lens of {name}, again", partial(compare_policies, store, asked))
            told(
                "flips, first page",
                lambda: load_flips(store, ACROSS, "all_in_source", "most_found"),
            )
        finally:
            store.close()


if __name__ == "__main__":
    main()

"""After a write the changed items are asked about again, and the answer is as if all were asked."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import duckdb
import numpy as np
import pandas as pd
import pytest

from data.agreement.pairs import compare_sides, load_ratings, load_sides
from data.contradictions.contradictions import all_cases
from data.distributions.counts import load_labels, load_summaries
from data.inconsistencies.store_inconsistencies import load_all_audits
from data.items.findings import refind
from data.items.loading import load_annotations, load_item
from data.items.sign import sign
from data.judging.save_rerun import keep_rerun
from data.meetings.adjudicate import adjudicate
from data.meetings.marks import mark_units
from data.rating.drafts import DraftStep, Sheet, save_steps
from data.rating.rating_desk import sign_sheet as stored_sign_sheet
from data.runs.queries import load_item_runs
from data.runs.remove import remove_runs
from data.samples.first_start import fill
from data.store.backups import after_import
from data.store.cache import changed_rows, incremental_cache, item_filter_sql, versions
from data.store.cache.changes import changed_items, stamp_of
from data.store.cache.fair_lock import FairLock
from data.store.sidecar_files import get_log_path
from data.triage.disagreements import all_disagreements
from faithfulness.judging.rerun import Sample, settle_samples
from faithfulness.model.errors import StoreUnavailable
from faithfulness.model.protocol import ReplyReading
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import ADJUDICATED, MAJORITY, VERDICT, Side
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Excerpt, Reply, Tier
from faithfulness.protocols import protocol
from faithfulness.text.excerpts import place_excerpt, prepare_source
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft, stored_findings
from tests.made_stores import new_store

S, U, C = "supported", "unsupported", "contradictory"
SOUTH = Author(kind=AuthorKind.JUDGE, name="south")
ZORA = Author(kind=AuthorKind.RATER, name="zora")
UNDER = Selection(protocol="sentence_grounding")
QUOTES = {"s1": "It was tested by nobody in Norway.", "s2": "Its price is $45.00."}


@pytest.fixture
def empty(tmp_path):
    opened = new_store(tmp_path / "empty.duckdb")
    yield opened
    opened.close()


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb", fill)
    yield opened
    opened.close()


def sorted_rows(table):
    """Rows in an order of their own: which come first is nobody's business."""
    rows = table if isinstance(table, pd.DataFrame) else table.to_pandas()
    rows = rows.drop(columns=["nth"], errors="ignore").astype(str)
    return sorted(map(tuple, rows.to_numpy().tolist()))


def label_rows(store):
    found = load_labels(store, "label")
    where = found.where
    words = [found.words[at] for at in found.said.tolist()]
    columns = (where.run, where.item, where.author, words, found.units)
    return sorted(zip(*(np.asarray(each).tolist() for each in columns), strict=True))


def number_rows(store):
    found = load_summaries(store)
    names = [found.names[at] for at in found.name.tolist()]
    columns = (found.where.run, found.where.item, found.where.author, names, found.value)
    return sorted(map(str, zip(*(np.asarray(each).tolist() for each in columns), strict=True)))


def pair_rows(store, judge=NORTH):
    found = compare_sides(store, UNDER, "label", MAJORITY, Side.of(judge))
    return str(found.tables)


def rating_rows(store, authors=None):
    found = load_ratings(store, UNDER, "label", authors)
    rows = zip(found.items.tolist(), found.codes.tolist(), found.counts.tolist(), strict=True)
    return found.authors, sorted(rows)


def verdict_rows(store):
    found = [
        compare_sides(store, UNDER, "label", one, Side.of(NORTH)) for one in (VERDICT, ADJUDICATED)
    ]
    return [str(each.tables) for each in found]


QUESTIONS = {
    "cases": lambda store: sorted_rows(all_cases(store)),
    "labels": label_rows,
    "numbers": number_rows,
    "sides": lambda store: sorted_rows(load_sides(store, UNDER, "label")),
    "pairs": pair_rows,
    "ratings": rating_rows,
    "ratings of some": lambda store: rating_rows(store, [ZORA, BEN, SOUTH]),
    "verdicts": verdict_rows,
    "disagreements": lambda store: sorted_rows(all_disagreements(store)),
    "audits": lambda store: sorted_rows(load_all_audits(store)),
}


def answers(store):
    return {name: ask(store) for name, ask in QUESTIONS.items()}


def answers_anew(store):
    """As if nothing had been asked before."""
    incremental_cache._kept.pop(store, None)
    store.write(f"nothing-{store.version()}", "test", lambda cursor: None)
    return answers(store)


def say(store, run_id, item_id, author, values, operation_id):
    item = load_item(store, item_id)
    units = [each.id for each in item.units if each.kind.value == "sentence"]
    said = [
        Answer(unit_id=unit, criterion="label", value=value)
        for unit, value in zip(units, values, strict=True)
    ]
    sign(
        store, run_id=run_id, item_id=item_id, answers=said, author=author,
        operation_id=operation_id,
    )  # fmt: skip


def quote(store, run_id, item_id, author, quotes, operation_id):
    """Contradicted units with these words from a source, or from none; gives what checks found."""
    fields = load_item(store, item_id).fields
    sources = [prepare_source(each) for each in fields if each.kind == "context"]
    said = [
        Answer(
            unit_id=unit_id,
            criterion="label",
            value=C,
            excerpts=(Excerpt(text=words, placement=place_excerpt(words, sources)),),
        )
        for unit_id, words in quotes.items()
    ]
    numbers = sign(
        store, run_id=run_id, item_id=item_id, answers=said, author=author,
        operation_id=operation_id,
    )  # fmt: skip
    found = stored_findings(store, item_id)
    return {each.answer.unit_id: (each.answer.excerpts[0].placement.tier, found.get(each.number))
            for each in load_annotations(store, item_id, run_id)
            if each.number in numbers}  # fmt: skip


def forget(store, item_id, *tables):
    """Leave an item as an older version did, which kept less of what checks find."""

    def work(cursor):
        of_item = "where item_no = (select item_no from items where item_id = $item_id)"
        for table in tables:
            cursor.execute(f"delete from {table} {of_item}", {"item_id": item_id})

    store.write(f"without {tables}", "test", work)


def keep_samples(store, run_id, item_id, author, *labels):
    """A judge asked again, with as many replies as labels are given for its three sentences."""
    rules = protocol("sentence_grounding")
    prompt = rules.prompt
    samples = [
        Sample(
            reply=Reply(text=" ".join(values), model="n", fingerprint=prompt.fingerprint),
            reading=ReplyReading(
                tuple(
                    Answer(unit_id=f"s{nth}", criterion="label", value=value)
                    for nth, value in enumerate(values, start=1)
                )
            ),
            cost=None,
        )
        for values in labels
    ]
    keep_rerun(
        store, run_id=run_id, item_id=item_id, author=author, samples=samples,
        settled=settle_samples(samples, rules), prompt=prompt, settings={}, operation_id="samples",
        group_id="samples",
    )  # fmt: skip


def sign_sheet(store, run_id, item_id, rater, values):
    sheet = Sheet(run_id, item_id, rater)
    save_steps(store, sheet, [DraftStep("v.1", "s1", "set", {})])
    said = [
        Answer(unit_id=f"s{nth}", criterion="label", value=value)
        for nth, value in enumerate(values, start=1)
    ]
    stored_sign_sheet(store, sheet, said, last_step="v.1", seconds={"s1": 2.0})


def item_ids(store, run_id):
    with store.read() as cursor:
        rows = cursor.execute(
            "select item_id from items join run_items using (item_no) join runs using (run_no) "
            "where run_id = $run_id order by item_no",
            {"run_id": run_id},
        ).fetchall()
    return [item_id for (item_id,) in rows]


def item_with_findings(store):
    """An item of the sample with units that the checks found something against."""
    with store.read() as cursor:
        rows = cursor.execute(
            "select item_id from items where item_no = (select min(item_no) from unit_findings)"
        ).fetchall()
    return rows[0][0]


@pytest.mark.parametrize(
    ("fewest", "few"),
    [(1, item_filter_sql.FEW), pytest.param(10**9, 0, marks=pytest.mark.soak)],
    ids=["lent", "found"],
)
def test_every_answer_after_a_write_is_the_one_found_anew(store, monkeypatch, fewest, few):
    monkeypatch.setattr(changed_rows, "FEWEST", fewest)
    monkeypatch.setattr(item_filter_sql, "FEW", few)
    drafts = [
        sentence_draft(number, {ADA: (S, S, S), BEN: (S, U, C), NORTH: (S, C, S)})
        for number in range(1, 5)
    ]
    (run_id,) = save_drafts(store, drafts)
    before = answers(store)
    first, second, third, fourth = item_ids(store, run_id)
    sampled = item_with_findings(store)
    writes = {
        "a rater changes an answer": lambda: say(store, run_id, first, BEN, (C, C, S), "one"),
        "a judge is asked again": lambda: say(store, run_id, second, NORTH, (U, U, U), "two"),
        "a rater agrees with all": lambda: say(store, run_id, first, BEN, (S, S, S), "three"),
        "a decision": lambda: adjudicate(
            store, run_id=run_id, item_id=second, author=EVE, seen=10**9, operation_id="four",
            answer=Answer(unit_id="s1", criterion="label", value=U), reason="nothing says so",
        ),
        "quotes, of which one stands in no source": lambda: quote(
            store, run_id, third, NORTH, QUOTES, "quotes"
        ),
        "no findings on answers": lambda: forget(store, third, "findings"),
        "answers checked": lambda: refind(store, operation_id="answers"),
        "no findings on units": lambda: forget(store, sampled, "unit_findings", "checked_items"),
        "units checked": lambda: refind(store, operation_id="units"),
        "a signed sheet": lambda: sign_sheet(store, run_id, fourth, "ada", (C, U, S)),
        "a first sheet of somebody": lambda: sign_sheet(store, run_id, fourth, "zora", (U, C, S)),
        "a rerun of three samples": lambda: keep_samples(
            store, run_id, fourth, NORTH, (S, S, U), (S, C, U), (S, C, U)
        ),
        "a meeting mark": lambda: mark_units(
            store, [(run_id, first, "s1")], on=True, by="eve", operation_id="mark"
        ),
        "an import": lambda: save_drafts(store, [sentence_draft(9, {ADA: (S, S, C)})], "more"),
        "an import of an item that is there and of one that is not": lambda: save_drafts(
            store,
            [
                sentence_draft(nth, {BEN: (C, U, S), NORTH: (S, S, U)}, system="beta")
                for nth in (3, 11)
            ],
            "both",
        ),
        "an import by somebody new": lambda: save_drafts(
            store, [sentence_draft(12, {ADA: (S, C, S), SOUTH: (C, C, U)})], "south"
        ),
        "a removal": lambda: remove_runs(
            store, run_ids=[run_id], removed_by="eve", operation_id="five"
        ),
        "a rating beside what was removed": lambda: say(
            store, load_item_runs(store, third)["run_id"].iloc[0], third, BEN, (S, S, U), "six"
        ),
    }  # fmt: skip
    for what, write in writes.items():
        write()
        found = answers(store)
        assert found == answers_anew(store), what
        if what not in ("a meeting mark", "an import", "a removal"):
            assert found != before, what
        before = found


def test_the_first_finding_of_a_store_is_seen_on_every_item(empty):
    """From then on a case without one says that it was looked at."""
    (run_id,) = save_drafts(empty, [sentence_draft(nth, {ADA: (S, S, S)}) for nth in (1, 2)])
    first, second = item_ids(empty, run_id)
    found = quote(empty, run_id, second, BEN, {"s1": "This kettle holds 1.7 litres"}, "none")
    assert found["s1"][1] is None
    before = answers(empty)
    quote(empty, run_id, first, NORTH, QUOTES, "first")
    assert before != answers(empty) == answers_anew(empty)


def test_the_writes_leave_what_they_are_named_for(store):
    """Or the test above would compare what none of them touched."""
    (run_id,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), NORTH: (S, C, S)})])
    (item_id,) = item_ids(store, run_id)
    found = quote(store, run_id, item_id, NORTH, QUOTES, "quotes")
    assert found["s1"][0] is Tier.ABSENT
    assert [each.kind for each in found["s2"][1]] == ["number"]
    forget(store, item_id, "findings")
    assert stored_findings(store, item_id) == {}
    assert refind(store, operation_id="answers") == 2
    forget(store, item_with_findings(store), "unit_findings", "checked_items")
    assert refind(store, operation_id="units") > 0
    keep_samples(store, run_id, item_id, NORTH, (S, S, U), (S, C, U), (S, C, U))
    with store.read() as cursor:
        assert cursor.execute("select count(*) from sample_answers").fetchall() == [(9,)]


def test_only_what_changed_is_asked_about(store):
    asked = []

    def ask(cursor, items):
        asked.append(items)
        return [*items] if items is not None else ["all"]

    def answer():
        return incremental_cache.by_item(store, "test", ask, lambda old, _, new: old + new, len)

    (run_id,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S)})])
    assert answer() == ["all"]
    store.write("nothing", "test", lambda cursor: None)
    assert answer() == ["all"]
    (item_id,) = item_ids(store, run_id)
    say(store, run_id, item_id, ADA, (S, S, U), "again")
    with store.read() as cursor:
        question = "select item_no from items where item_id = $item_id"
        ((number,),) = cursor.execute(question, {"item_id": item_id}).fetchall()
    assert answer() == ["all", number]
    assert asked == [None, [number]]
    save_drafts(store, [sentence_draft(nth, {BEN: (S, C, S)}) for nth in (1, 2)], "more")
    assert answer() == ["all", number, number, number + 1]
    remove_runs(store, run_ids=[run_id], removed_by="eve", operation_id="gone")
    assert answer() == ["all"]


def test_what_several_want_at_once_is_asked_for_once_though_somebody_writes(store):
    """Each write lets the next one want it anew, while the first still asks about everything."""
    begun, asked = threading.Event(), []

    def ask(cursor, items):
        asked.append(items)
        begun.set()
        waits.wait(0.3)
        return "all"

    def want(_):
        return incremental_cache.by_item(store, "slow", ask, lambda old, *_: old, len)

    waits = threading.Event()
    with ThreadPoolExecutor(6) as pool:
        first = [pool.submit(want, None)]
        begun.wait()
        store.write("meanwhile", "test", lambda cursor: None)
        found = first + [pool.submit(want, None) for _ in range(5)]
        assert [each.result() for each in found] == ["all"] * 6
    assert asked == [None]


def test_large_questions_are_asked_one_after_the_other(store):
    """Each of them may take a hundred megabytes."""
    at_once, most = [], []

    def ask(cursor, items):
        at_once.append(items)
        most.append(len(at_once))
        time.sleep(0.1)
        at_once.pop()
        return "all"

    def want(key):
        return incremental_cache.by_item(store, key, ask, lambda old, *_: old, len)

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(want, "abcd")] == ["all"] * 4
    assert most == [1] * 4


def test_time_for_a_question_begins_with_its_turn(store, monkeypatch):
    monkeypatch.setattr(incremental_cache, "SECONDS", 1.0)
    began, two_billion = threading.Event(), "select sum(a.range * b.range) from {0} a, {0} b"

    def slowly(cursor, items):
        began.set()
        time.sleep(1.5)
        return "all"

    def for_ever(cursor, items):
        return cursor.execute(two_billion.format("range(2000000)")).fetchall()

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(incremental_cache.by_item, store, "slow", slowly, None, len)
        began.wait()
        with pytest.raises(StoreUnavailable, match="took too long"):
            incremental_cache.by_item(store, "for ever", for_ever, None, len)
        assert first.result() == "all"


def test_checks_of_an_older_item_make_everything_new(store):
    """An import tells of new items only; what else came with it is not looked for one by one."""
    forgotten = item_with_findings(store)
    forget(store, forgotten, "unit_findings", "checked_items")
    before = answers(store)
    with store.read() as cursor:
        stamp = stamp_of(cursor, 1)
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, C)})], "more")
    with store.read() as cursor:
        assert changed_items(cursor, stamp, stamp_of(cursor, 1))
    refind(store, operation_id="units")
    with store.read() as cursor:
        assert changed_items(cursor, stamp, stamp_of(cursor, 1)) is None
    assert before != answers(store) == answers_anew(store)


def test_answers_that_are_too_many_go_the_oldest_first(store, monkeypatch):
    monkeypatch.setattr(incremental_cache, "KEPT_BYTES", 25)
    for key in ("one", "two", "three"):
        incremental_cache.by_item(store, key, lambda _cursor, _items: 0, lambda *_: 0, lambda _: 10)
    assert list(incremental_cache._kept[store]) == ["two", "three"]


def test_key_presses_leave_kept_answers_as_they_are(store):
    before = store.version()
    store.write("press", "draft", lambda cursor: None)
    assert store.version() == before


def test_what_a_batch_stores_is_seen_soon_and_what_people_do_at_once(store, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(versions, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    before = store.version()
    for number in range(5):
        store.write(f"batch:{number}", "rerun", lambda cursor: None)
    assert store.version() == before
    clock[0] += versions.SOON
    assert store.version() == before + 1
    assert store.version() == before + 1
    store.write("batch:9", "rerun", lambda cursor: None)
    store.write("pressed", "rating", lambda cursor: None)
    assert store.version() == before + 2
    clock[0] += versions.SOON
    assert store.version() == before + 2  # it was seen with what the person did


def test_beside_several_people_more_of_what_a_batch_stores_is_seen_as_one(store, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(versions, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(versions, "several_at_work", lambda: True)
    before = store.version()
    store.write("batch:1", "rerun", lambda cursor: None)
    clock[0] += versions.SOON
    store.write("batch:2", "rerun", lambda cursor: None)
    assert store.version() == before
    clock[0] += versions.SOON_ENOUGH - versions.SOON
    assert store.version() == before + 1
    clock[0] += versions.SOON_ENOUGH
    assert store.version() == before + 1


def test_whoever_came_first_gets_the_lock_first():
    lock, order, threads = FairLock(), [], []

    def come(name):
        with lock, lock:  # a thread may take it again
            order.append(name)

    with lock:
        for name in range(6):
            threads.append(threading.Thread(target=come, args=(name,)))
            threads[-1].start()
            while len(lock._waiting) <= name:
                time.sleep(0.001)
        assert order == []
    for thread in threads:
        thread.join()
    assert order == list(range(6))
    with lock:
        order.append("free again")
    assert order[-1] == "free again"


@pytest.mark.parametrize("asked_between", [True, False])
def test_numbers_that_a_backup_gives_out_again_are_asked_about_again(empty, asked_between):
    save_drafts(empty, [sentence_draft(nth, {ADA: (S, S, C), NORTH: (S, C, S)}) for nth in (1, 2)])
    after_import(empty)
    answers(empty)
    save_drafts(empty, [sentence_draft(3, {ADA: (S, S, S), BEN: (C, C, C)})], "lost")
    answers(empty)
    for gone in (empty.path, get_log_path(empty.path)):
        gone.unlink(missing_ok=True)
    with pytest.raises(StoreUnavailable, match="opened again"), empty.read():
        raise duckdb.FatalException("FATAL Error: the disk is gone")
    if asked_between:
        answers(empty)
    save_drafts(empty, [sentence_draft(1, {ADA: (C, C, C), BEN: (S, S, S)})], "instead")
    assert answers(empty) == answers_anew(empty)

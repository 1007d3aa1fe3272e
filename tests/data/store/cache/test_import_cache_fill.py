"""A large import is counted before it is shown: until then pages answer without it, and whole."""

import gc
import time
import weakref

import pytest

from data.importing.import_service import keep_import
from data.importing.save import save_import
from data.runs.queries import run_items, runs
from data.store.cache import incremental_cache
from data.store.cache.changes import changed_items, stamp_of
from data.store.cache.import_cache_fill import held_import, holding
from data.store.cache.incremental_cache import stamp_now, take_up
from data.store.copies import list_backups
from data.triage.disagreements import all_disagreements
from faithfulness.judging.request_priority import mark_serving
from faithfulness.model.errors import ImportRefused, StoreUnavailable
from tests.data.store.cache.test_incremental_cache import C, S, U, answers, answers_anew, say
from tests.data.stored import ADA, BEN, NORTH, prepare_drafts, save_drafts, sentence_draft
from tests.made_stores import new_store

OWN = [sentence_draft(nth, {ADA: (S, U, C), BEN: (S, S, C), NORTH: (S, C, C)}) for nth in (1, 2)]
MANY = [sentence_draft(nth, {ADA: (S, U, C), NORTH: (S, C, U)}) for nth in range(11, 15)]


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(incremental_cache, "LARGE", 3)
    opened = new_store(tmp_path / "s.duckdb", with_own)
    yield opened
    opened.close()


def with_own(opened):
    save_drafts(opened, OWN, "own")


@pytest.fixture
def prepared(tmp_path):
    return prepare_drafts(tmp_path / "prepared", MANY, "many")


def rate_own(store, operation_id, values=(C, C, C)):
    """A rater says something else of an item that was there before."""
    run_id = str(runs(store)["run_id"].iloc[-1])
    item_id = str(run_items(store, run_id, limit=1)["item_id"].iloc[0])
    say(store, run_id, item_id, BEN, values, operation_id)


def test_answers_stay_as_they_were_until_the_import_is_counted(store, prepared):
    before = answers(store)
    with holding(store, "many") as held:
        save_import(store, prepared, operation_id="many")
        assert answers(store) == before
        take_up(store, held)
    assert before != answers(store) == answers_anew(store)


def test_an_import_stored_since_the_state_was_read_is_not_asked_about(store, prepared):
    """The engine shows it a moment before the version does: who asks then asks for little."""
    before = stamp_now(store)
    rate_own(store, "just before")
    then = stamp_now(store)
    save_import(store, prepared, operation_id="many")
    with store.read() as cursor:
        assert changed_items(cursor, before, then) == [1]
        assert len(changed_items(cursor, before, stamp_of(cursor, then.opening))) == 1 + len(MANY)


def test_what_people_do_meanwhile_is_seen_at_once(store, prepared):
    before = answers(store)
    with holding(store, "many") as held:
        save_import(store, prepared, operation_id="many")
        rate_own(store, "meanwhile")
        seen = answers(store)
        assert all(seen[name] != before[name] for name in ("labels", "pairs", "disagreements"))
        assert len(seen["disagreements"]) <= len(OWN) * 3
        take_up(store, held)
    assert answers(store) == answers_anew(store)


def test_new_items_that_are_rated_while_they_are_counted_are_not_lost(store, prepared, monkeypatch):
    """Somebody rates one of its items between the question about the import and the answer."""
    answers(store)
    put_in, rated = incremental_cache._put_in, []

    def rate_between(at, key, *asked):
        if not rated:
            rated.append(key)
            item = run_items(store, run_ids[0], limit=1)["item_id"].iloc[0]
            say(store, run_ids[0], str(item), BEN, (C, C, C), "between")
        put_in(at, key, *asked)

    with holding(store, "many") as held:
        run_ids = save_import(store, prepared, operation_id="many")
        answers(store)
        monkeypatch.setattr(incremental_cache, "_put_in", rate_between)
        take_up(store, held)
    monkeypatch.undo()
    assert rated
    assert answers(store) == answers_anew(store)


def test_an_import_that_nobody_took_up_is_counted_by_whoever_asks(store, prepared):
    before = answers(store)
    with holding(store, "many"):
        save_import(store, prepared, operation_id="many")
        assert answers(store) == before
    assert before != answers(store) == answers_anew(store)


def test_a_small_import_is_seen_at_once(store, tmp_path):
    before = answers(store)
    folder = prepare_drafts(tmp_path / "few", MANY[:2], "few")
    with holding(store, "few") as held:
        save_import(store, folder, operation_id="few")
        found = answers(store)
        assert found != before
        take_up(store, held)
        assert store.being_counted == 0
    assert answers(store) == found == answers_anew(store)


def test_whoever_imports_sees_all_of_it_and_nothing_stays_held(store, prepared):
    before = answers(store)
    keep_import(store, prepared, operation_id="many")
    assert held_import(store) is None
    assert store.being_counted == 0
    assert before != answers(store) == answers_anew(store)


def test_a_refused_import_holds_nothing_back(store, prepared, tmp_path):
    keep_import(store, prepared, operation_id="many")
    before = answers(store)
    with pytest.raises(ImportRefused):
        keep_import(store, prepared, operation_id="again")
    assert held_import(store) is None
    assert answers(store) == before == answers_anew(store)


def test_counting_that_is_broken_off_leaves_the_import_stored(store, prepared, monkeypatch):
    answers(store)

    def out_of_reach(*_):
        raise StoreUnavailable("The store was closed meanwhile. Try once more.")

    monkeypatch.setattr("data.importing.import_service.take_up", out_of_reach)
    run_ids = keep_import(store, prepared, operation_id="many")
    assert set(run_ids) <= set(runs(store)["run_id"])
    assert answers(store) == answers_anew(store)


def test_counting_that_fails_unexpectedly_leaves_the_import_stored_and_backed_up(
    store, prepared, monkeypatch, caplog
):
    """The second answer cannot be put in, when the first was: neither may be shown again."""
    answers(store)
    put_in, put = incremental_cache._put_in, []

    def fail(at, key, *asked):
        put.append(key)
        if len(put) > 1:
            raise ValueError("a column is missing")
        put_in(at, key, *asked)

    monkeypatch.setattr(incremental_cache, "_put_in", fail)
    run_ids = keep_import(store, prepared, operation_id="many")
    assert len(put) == 2
    assert set(run_ids) <= set(runs(store)["run_id"])
    assert not incremental_cache._kept.get(store)
    assert held_import(store) is None
    assert answers(store) == answers_anew(store)
    (backup,) = list_backups(store.path)
    assert backup.tables["runs"][0] == len(runs(store))
    (told,) = [each for each in caplog.records if each.levelname == "ERROR"]
    assert "a column is missing" in str(told.exc_info[1])


def test_pages_are_told_how_many_items_are_being_counted(store, prepared, monkeypatch):
    all_disagreements(store)
    told = []
    into = incremental_cache._put_in

    def tell(at, *rest):
        told.append(at.being_counted)
        into(at, *rest)

    monkeypatch.setattr(incremental_cache, "_put_in", tell)
    keep_import(store, prepared, operation_id="many")
    assert set(told) == {len(MANY)}


def test_people_who_write_meanwhile_see_the_import_nowhere_before_it_is_counted(
    store, prepared, monkeypatch
):
    """A write makes pages ask again: no answer may have the import while another lacks it."""
    before, ask, seen = answers(store), incremental_cache._lacking, []

    def look(at, key, held):
        found = ask(at, key, held)
        if at.being_counted and not seen:
            seen.append(None)  # what is asked below comes here too
        elif at.being_counted and len(seen) < 4:
            rate_own(store, f"between {len(seen)}", (C, C, U) if len(seen) % 2 else (C, C, C))
            seen.append(answers(store))
        return found

    monkeypatch.setattr(incremental_cache, "_lacking", look)
    keep_import(store, prepared, operation_id="many")
    assert len(seen) == 4
    items = {row[1] for row in before["labels"]}
    for each in seen[1:]:
        assert {row[1] for row in each["labels"]} == items
        assert len(each["disagreements"]) <= len(OWN) * 3
        assert len(each["numbers"]) <= len(before["numbers"]) + 1
    assert answers(store) == answers_anew(store)


def test_the_same_import_sent_again_asks_for_nothing(store, prepared, monkeypatch):
    answers(store)
    keep_import(store, prepared, operation_id="many")
    put, version = [], store.version()
    monkeypatch.setattr(incremental_cache, "_put_in", lambda *_: put.append(1))
    keep_import(store, prepared, operation_id="many")
    assert put == []
    assert store.version() == version


def test_a_closed_store_is_not_held_by_its_answers(tmp_path):
    opened = new_store(tmp_path / "closed.duckdb", with_own)
    answers(opened)
    opened.close()
    known = weakref.ref(opened)
    del opened
    gc.collect()
    assert known() is None


def test_whoever_imports_from_a_page_does_not_wait_for_that_page(store, prepared, monkeypatch):
    monkeypatch.setattr(incremental_cache, "PATIENCE", 30.0)
    answers(store)
    began = time.monotonic()
    with mark_serving():
        keep_import(store, prepared, operation_id="many")
    assert time.monotonic() - began < 25  # one answer alone would have waited for longer

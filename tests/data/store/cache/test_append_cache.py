"""Answers from rows that are only ever added, as the store grows and runs are removed."""

from data.items.filters import load_filter_values
from data.runs.remove import remove_runs
from data.store.cache.append_cache import appended
from tests.data.stored import ADA, EVE, NORTH, save_drafts, sentence_draft

SUPPORTED = ("supported", "supported", "supported")
_ASKED = "select annotation_no from annotations where annotation_no > $annotation"


def numbers(store, asked):
    """The annotations there are; notes from which number on each question asked."""

    def ask(cursor, annotation, _):
        asked.append(annotation)
        rows = cursor.execute(_ASKED, {"annotation": annotation}).fetchall()
        return frozenset(number for (number,) in rows)

    return sorted(appended(store, "numbers", ask, frozenset.union))


def authors(store):
    known = load_filter_values(store)
    return known[known["part"] == "author"]["value"].tolist()


def test_only_what_was_added_is_asked_about(store):
    asked = []
    assert numbers(store, asked) == []
    save_drafts(store, [sentence_draft(1, {NORTH: SUPPORTED})])
    assert numbers(store, asked) == numbers(store, asked) == [1, 2, 3]
    save_drafts(store, [sentence_draft(2, {ADA: SUPPORTED})], "second")
    assert numbers(store, asked) == [1, 2, 3, 4, 5, 6]
    assert asked == [0, 0, 3]


def test_a_removal_lets_everything_be_asked_about_again(store):
    asked = []
    save_drafts(store, [sentence_draft(1, {NORTH: SUPPORTED})])
    (second,) = save_drafts(store, [sentence_draft(2, {ADA: SUPPORTED})], "second")
    numbers(store, asked)
    assert authors(store) == ["judge:north", "rater:ada"]
    remove_runs(store, run_ids=[second], removed_by=EVE.name, operation_id="gone")
    numbers(store, asked)
    assert asked == [0, 0]
    assert authors(store) == ["judge:north"]


def test_who_comes_with_a_later_import_is_offered_behind_the_others(store):
    save_drafts(store, [sentence_draft(1, {NORTH: SUPPORTED})])
    assert authors(store) == ["judge:north"]
    save_drafts(store, [sentence_draft(2, {ADA: SUPPORTED, NORTH: SUPPORTED})], "second")
    assert authors(store) == ["judge:north", "rater:ada"]

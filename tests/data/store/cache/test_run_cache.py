"""Answers about runs alone outlive ratings, and nothing that brings or takes a run."""

import pytest

from data.items.filters import load_filter_values
from data.items.loading import load_item
from data.items.sign import sign
from data.runs import queries
from data.runs.remove import remove_runs
from data.store.cache.run_cache import of_runs
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from tests.data.stored import ADA, EVE, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

SUPPORTED = ("supported", "supported", "supported")
ZOE = Author(kind=AuthorKind.RATER, name="zoe")


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    yield opened
    opened.close()


def run_names(store):
    """The runs that stand, with a note of each time that the store was really asked."""
    return of_runs(store, "names", lambda asked: [object(), *queries.runs(asked)["name"]])


def rate(store, run_id, author):
    (item_id,) = queries.run_items(store, run_id, limit=1)["item_id"]
    units = [each.id for each in load_item(store, item_id).units]
    said = [
        Answer(unit_id=unit, criterion="label", value="supported")
        for unit in units
        if unit.startswith("s")
    ]
    sign(
        store, run_id=run_id, item_id=item_id, answers=said, author=author,
        operation_id=f"{author.name} rates",
    )  # fmt: skip


def authors(store):
    known = load_filter_values(store)
    return known[known["part"] == "author"]["value"].tolist()


def test_a_rating_leaves_the_answer_and_an_import_and_a_removal_do_not(store):
    (first,) = save_drafts(store, [sentence_draft(1, {NORTH: SUPPORTED})])
    before = run_names(store)
    rate(store, first, ADA)
    assert run_names(store) is before
    (second,) = save_drafts(store, [sentence_draft(2, {NORTH: SUPPORTED}, system="beta")], "second")
    both = run_names(store)
    assert len(both) == len(before) + 1
    remove_runs(store, run_ids=[second], removed_by=EVE.name, operation_id="gone")
    assert len(run_names(store)) == len(before)


def test_an_author_is_offered_after_a_first_rating(store):
    (run_id,) = save_drafts(store, [sentence_draft(1, {NORTH: SUPPORTED})])
    before = authors(store)
    rate(store, run_id, ZOE)
    assert authors(store) == [*before, "rater:zoe"]
    runs = load_filter_values(store)
    assert runs[runs["part"] == "run"]["value"].tolist() == [run_id]

"""Ticked reviews in the store: signed, appended, once a press, and back from the journal."""

import shutil

import pytest

from data.items.loading import load_item
from data.rating.review_ticks import load_ticks, save_tick
from data.store.store import open_store
from faithfulness.checks.review_ticks import Tick, count_ticks, list_reviews, to_count
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.errors import NotSaved, ReviewError
from faithfulness.model.vocabulary import Field, UnitKind
from tests.data.stored import ADA, save_drafts
from tests.made_stores import new_store
from tests.older_stores import downgrade_store

REVIEWS = "\n".join(f"★★★★★ Review {at}: it is quiet." for at in range(1, 6))
SAYS = "Many customers say it is quiet."


def review_draft() -> Draft:
    """An item with a statement about five reviews, labelled by one rater."""
    said = DraftAnswer(
        author=ADA, criterion="label", value="supported", unit=UnitKind.SENTENCE, text=SAYS
    )
    return Draft(
        protocol="sentence_grounding",
        system="alpha",
        external_id="q1",
        fields=(
            Field(name="query", kind="query", text="Is it quiet?"),
            Field(name="reviews", kind="reviews", text=REVIEWS),
            Field(name="response", kind="response", text=SAYS),
        ),
        said=[said],
    )


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    save_drafts(opened, [review_draft()])
    yield opened
    opened.close()


@pytest.fixture
def item(store):
    with store.read() as cursor:
        (found,) = cursor.execute("select item_id from items").fetchall()
    return load_item(store, found[0])


def press(store, item, at, stance, operation, by="ada"):
    (said,) = to_count(item)
    ticked = Tick(said, list_reviews(item)[at], stance, by)
    return save_tick(store, item.id, ticked, operation_id=operation)


def test_a_press_counts_once_and_the_last_of_a_person_stands(store, item):
    assert load_ticks(store, item.id) == ()
    first = press(store, item, 0, "supports", "t1")
    assert press(store, item, 0, "supports", "t1") == first
    press(store, item, 1, "supports", "t2")
    press(store, item, 1, "contradicts", "t3")
    press(store, item, 1, "supports", "t4", by="ben")
    ada, ben = count_ticks(item, load_ticks(store, item.id))
    assert (ada.by, ada.tally.supporting, ada.tally.contradicting) == ("ada", 1, 1)
    assert (ben.by, ben.tally.supporting, ben.tally.contradicting) == ("ben", 1, 0)
    with store.read() as cursor:
        assert cursor.execute("select count(*) from review_ticks").fetchall() == [(4,)]


def test_what_is_not_there_or_not_signed_is_refused_and_nothing_is_stored(store, item):
    for at, stance, by in ((0, "perhaps", "ada"), (0, "supports", " ")):
        with pytest.raises(ReviewError, match="Not ticked"):
            press(store, item, at, stance, "t1", by=by)
    with pytest.raises(ReviewError):
        save_tick(store, "nobody", None, operation_id="t2")
    assert load_ticks(store, item.id) == ()


def test_ticks_come_back_from_the_journal(store, item):
    store.checkpoint()
    before = store.path.read_bytes()
    for at in range(4):
        press(store, item, at, "supports", f"t{at}")
    press(store, item, 3, "", "t9")
    store.close()
    store.path.write_bytes(before)
    again = open_store(store.path)
    try:
        (found,) = count_ticks(item, load_ticks(again, item.id))
        assert (found.tally.supporting, found.verdict.holds) == (3, True)
    finally:
        again.close()


def test_an_older_store_that_is_only_read_has_no_ticks(store, item, tmp_path):
    store.close()
    path = tmp_path / "older.duckdb"
    shutil.copy(store.path, path)
    downgrade_store(path, 8)
    older = open_store(path, read_only=True)
    try:
        assert load_ticks(older, item.id) == ()
        with pytest.raises(NotSaved):
            press(older, item, 0, "supports", "t1")
    finally:
        older.close()

"""Rows of changed items are fetched once, and raters are asked about without being named."""

import pytest

from data.contradictions.contradictions import all_cases
from data.distributions.counts import load_labels
from data.store.cache import changed_rows, incremental_cache
from data.triage.disagreements import all_disagreements
from faithfulness.model.drafts import DraftAnswer
from faithfulness.model.vocabulary import TAKEN_BACK, UnitKind
from tests.data.store.cache.test_incremental_cache import (
    SOUTH,
    ZORA,
    C,
    S,
    U,
    answers,
    answers_anew,
    item_ids,
    rating_rows,
    say,
    sign_sheet,
)
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store


@pytest.fixture
def store(tmp_path):
    opened = new_store(tmp_path / "s.duckdb")
    yield opened
    opened.close()


def test_rows_of_changed_items_are_fetched_once_for_all_who_ask(store, monkeypatch):
    monkeypatch.setattr(changed_rows, "FEWEST", 1)
    drafts = [sentence_draft(number, {ADA: (S, S, S), NORTH: (S, C, S)}) for number in (1, 2)]
    (run_id,) = save_drafts(store, drafts)
    first, second = item_ids(store, run_id)
    answers(store)
    say(store, run_id, first, ADA, (C, C, S), "one")
    all_cases(store)
    lent = changed_rows._lent[store]
    load_labels(store, "label")
    assert changed_rows._lent[store] is lent
    # After the next write its item is fetched alone, and with the other for who asked longer ago.
    say(store, run_id, second, ADA, (C, C, S), "two")
    all_cases(store)
    assert changed_rows._lent[store].items.isdisjoint(lent.items)
    all_disagreements(store)
    assert len(changed_rows._lent[store].items) == 2
    assert set(changed_rows._lent[store].tables["annotations"]["item_no"].to_pylist()) == set(
        changed_rows._lent[store].items
    )


def test_a_first_sheet_of_somebody_leaves_the_question_what_it_was(store):
    drafts = [
        sentence_draft(nth, {ADA: (S, S, U), BEN: (S, U, C), NORTH: (S, C, S)}) for nth in (1, 2)
    ]
    (run_id,) = save_drafts(store, drafts)
    rating_rows(store, [ADA, BEN, NORTH])
    asked = set(incremental_cache._kept[store])
    sign_sheet(store, run_id, item_ids(store, run_id)[0], "zora", (U, C, S))
    found = rating_rows(store, [ADA, BEN, ZORA, NORTH])
    assert set(incremental_cache._kept[store]) == asked
    # Without her labels the others' patterns are counted as if she had given none.
    without = rating_rows(store, [ADA, BEN, NORTH])
    incremental_cache.forget(store)
    assert (found, without) == (
        rating_rows(store, [ADA, BEN, ZORA, NORTH]), rating_rows(store, [ADA, BEN, NORTH])
    )  # fmt: skip
    assert found[0] == (ADA, BEN, ZORA, NORTH)
    assert sum(count for *_, count in without[1]) == 6


@pytest.mark.parametrize("value", [None, S], ids=["unread", "read"])
def test_pieces_of_somebody_who_is_not_asked_about_join_nothing(store, value):
    draft = sentence_draft(1, {ADA: (S, C, S), BEN: (S, S, S), NORTH: (S, S, C)})
    first, second, third = [each.text for each in draft.said if each.author == ADA]
    problem = "" if value else "the file says 'maybe'"
    pieces = {ZORA: f"{first} {second}", SOUTH: f"{second} {third}"}
    said = [
        DraftAnswer(
            author=author,
            criterion="label",
            value=value,
            unit=UnitKind.SENTENCE,
            text=text,
            problem=problem,
        )
        for author, text in pieces.items()
    ]
    save_drafts(store, [sentence_draft(2, {ADA: (S, S, S), BEN: (S, C, S)})], "before")
    assert sum(count for *_, count in rating_rows(store, [ADA, BEN, NORTH])[1]) == 3
    save_drafts(store, [draft._replace(said=[*draft.said, *said])])
    assert sum(count for *_, count in rating_rows(store, [ADA, BEN, NORTH])[1]) == 6


def test_an_imported_answer_that_says_it_was_taken_back_stays_what_it_is(store):
    draft = sentence_draft(1, {ADA: (S, C, S), NORTH: (S, S, C)})
    text = next(each.text for each in draft.said if each.author == ADA)
    said = DraftAnswer(author=BEN, criterion="label", value=None, unit=UnitKind.SENTENCE, text=text,
                problem=TAKEN_BACK)  # fmt: skip
    (run_id,) = save_drafts(store, [draft._replace(said=[*draft.said, said])])
    answers(store)
    say(store, run_id, item_ids(store, run_id)[0], ADA, (C, C, S), "one")
    assert answers(store) == answers_anew(store)

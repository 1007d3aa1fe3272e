"""Who speaks for the first time changes their own items, and a first decision every verdict."""

from data.agreement import cells, raters
from data.meetings.adjudicate import adjudicate
from data.meetings.meeting_actions import take_back
from faithfulness.model.vocabulary import Answer, Author, AuthorKind
from faithfulness.review.meeting import Point
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
from tests.data.stored import ADA, BEN, EVE, NORTH, save_drafts, sentence_draft


def test_a_first_decision_changes_verdicts_everywhere(store):
    """Until then a verdict is what most raters say, and from then on what all of them say."""
    said = {ADA: (S, S, S), BEN: (S, S, U), ZORA: (U, S, U), NORTH: (S, S, S)}
    (run_id,) = save_drafts(store, [sentence_draft(nth, said) for nth in (1, 2, 3)])
    first, _, third = item_ids(store, run_id)
    before = answers(store)
    number = adjudicate(
        store, run_id=run_id, item_id=first, author=EVE, seen=10**9, operation_id="first",
        answer=Answer(unit_id="s1", criterion="label", value=U), reason="nothing says so",
    )  # fmt: skip
    found = answers(store)
    assert before["verdicts"] != found["verdicts"]
    assert found == answers_anew(store)
    decided = [(Point(run_id, first, "s1", "label"), number)]
    take_back(store, decided, author=EVE, operation_id="back")
    assert answers(store) == answers_anew(store)
    say(store, run_id, third, Author(kind=AuthorKind.RATER, name="carl"), (C, C, C), "carl")
    assert answers(store) == answers_anew(store)


def test_who_speaks_for_the_first_time_makes_only_their_items_new(store, monkeypatch):
    drafts = [sentence_draft(nth, {ADA: (S, S, S), BEN: (S, U, C), NORTH: (S, C, S)})
              for nth in (1, 2, 3)]  # fmt: skip
    (run_id,) = save_drafts(store, drafts)
    answers(store)
    whole = []
    monkeypatch.setattr(cells, "blocks", lambda *asked: whole.append(asked))
    monkeypatch.setattr(raters, "blocks", lambda *asked: whole.append(asked))
    sign_sheet(store, run_id, item_ids(store, run_id)[1], "zora", (U, C, S))
    answers(store)
    assert whole == []


def test_somebody_known_who_says_nothing_has_a_column_of_their_own(store):
    """A batch names its judge before it asks."""
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, C)})])
    assert rating_rows(store, [ADA, SOUTH])[0] == (ADA,)
    add = "insert into authors select max(author_no) + 1, 'judge', 'south' from authors"
    store.write("south", "test", lambda cursor: cursor.execute(add) and None)
    found = rating_rows(store, [ADA, SOUTH])
    assert found[0] == (ADA, SOUTH)
    answers_anew(store)
    assert found == rating_rows(store, [ADA, SOUTH])

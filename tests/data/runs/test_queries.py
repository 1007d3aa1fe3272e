"""Questions are answered from what stands in the store now: no removed runs, nothing superseded."""

import json
import math

import pytest

from data.items.sign import sign as stored_sign
from data.runs import queries
from data.runs.remove import remove_runs
from faithfulness.intake.intake import take_in
from faithfulness.model.drafts import Draft, DraftAnswer, Number
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.summary import mean
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Field, UnitKind
from tests.data.stored import ADA, BEN, EVE, NORTH, RESPONSE, save_drafts, sentence_draft
from tests.shared_data import SHARED, needs_shared

GOOD = ("supported", "contradictory", "no_rad")
BAD = ("unsupported", "contradictory", "no_rad")
MIXED = ("supported", None, "no_rad")


@pytest.fixture
def run_id(store):
    drafts = [
        sentence_draft(1, {ADA: GOOD, BEN: BAD, NORTH: GOOD}),
        sentence_draft(2, {ADA: GOOD, NORTH: MIXED}),
        sentence_draft(3),
    ]
    return save_drafts(store, drafts)[0]


def sign(store, run_id, position, value, author=ADA, unit="s1"):
    item_id = queries.run_items(store, run_id)["item_id"][position]
    stored_sign(
        store,
        run_id=run_id,
        item_id=item_id,
        answers=[Answer(unit_id=unit, criterion="label", value=value)],
        author=author,
        operation_id=f"{position} {value} {author.name}",
    )
    return item_id


def test_empty_store_answers_with_empty_frames(store):
    assert queries.runs(store).empty
    headlines = queries.load_headlines(store)
    assert headlines.empty
    assert list(headlines.columns) == queries._HEADLINE_COLUMNS


def test_runs_are_counted(store, run_id):
    row = queries.runs(store).iloc[0]
    assert (row["run_id"], row["name"], row["system"]) == (run_id, "alpha run", "alpha")
    assert (row["items"], row["units"]) == (3, 6)
    assert (row["answers"], row["unread"]) == (14, 1)
    assert (row["raters"], row["judges"]) == (2, 1)


def test_raters_with_another_number_do_not_stand_behind_the_headline(store):
    given = [Number(author=BEN, name="F1", value=0.9)]
    save_drafts(store, [sentence_draft(1, {ADA: GOOD}, numbers=given)])
    (row,) = queries.load_headlines(store).to_dict("records")
    assert (row["name"], row["authors"], row["counted"]) == ("Supported share", 1, 1)


def test_newest_run_comes_first(store, run_id):
    (later,) = save_drafts(store, [sentence_draft(9, {ADA: GOOD}, system="beta")], "later")
    assert queries.runs(store)["run_id"].tolist() == [later, run_id]


def test_superseded_answers_are_not_counted_twice(store, run_id):
    sign(store, run_id, 0, "unsupported")
    row = queries.runs(store).iloc[0]
    assert (row["answers"], row["unread"], row["units"]) == (14, 1, 6)
    counts = queries.load_label_counts(store, run_id).set_index(["author", "value"])["units"]
    assert counts["ada", "supported"] == 1
    assert counts["ada", "unsupported"] == 1


def test_removed_run_appears_in_no_answer(store, run_id):
    item_id = queries.run_items(store, run_id)["item_id"][0]
    remove_runs(store, run_ids=[run_id], removed_by="ada", operation_id="away")
    assert queries.runs(store).empty
    assert queries.load_headlines(store).empty
    assert queries.load_authors(store, run_id).empty
    assert queries.load_label_counts(store, run_id).empty
    assert queries.run_items(store, run_id).empty
    assert queries.count_run_items(store, run_id) == 0
    assert queries.load_item_runs(store, item_id).empty
    with pytest.raises(ReviewError, match="was removed"):
        queries.load_run_name(store, run_id)


def test_headline_pools_raters_by_item_and_keeps_judges_apart(store, run_id):
    summaries = {}
    for number, values in ((1, {ADA: GOOD, BEN: BAD, NORTH: GOOD}), (2, {ADA: GOOD, NORTH: MIXED})):
        for author, summary, _ in take_in(sentence_draft(number, values)).summaries:
            summaries[number, author] = summary.value
    found = queries.load_headlines(store).set_index(["author_kind", "author"])
    pooled = mean([mean([summaries[1, ADA], summaries[1, BEN]]), summaries[2, ADA]])
    assert found.loc[("rater", ""), "value"] == pytest.approx(pooled)
    assert found.loc[("rater", ""), "authors"] == 2
    judged = mean([summaries[1, NORTH], summaries[2, NORTH]])
    assert found.loc[("judge", "north"), "value"] == pytest.approx(judged)
    assert found["counted"].tolist() == [2, 2]
    assert found["left_out"].tolist() == [1, 1]
    assert found["low"].isna().all()


def test_headline_of_items_without_a_value_is_missing_and_not_zero(store):
    nothing = ("no_rad", "no_rad", "no_rad")
    save_drafts(store, [sentence_draft(1, {NORTH: nothing})])
    row = queries.load_headlines(store).iloc[0]
    assert math.isnan(row["value"])
    assert (row["counted"], row["left_out"]) == (0, 1)


def test_headline_of_twenty_items_has_an_interval(store):
    drafts = [sentence_draft(n, {NORTH: GOOD if n % 3 else BAD}) for n in range(20)]
    save_drafts(store, drafts)
    row = queries.load_headlines(store).iloc[0]
    assert row["low"] < row["value"] < row["high"]
    assert row["counted"] == 20


def test_later_summary_without_a_value_counts(store):
    (run_id,) = save_drafts(store, [sentence_draft(1, {ADA: ("supported", "no_rad", "no_rad")})])
    assert queries.load_headlines(store)["value"].tolist() == [1.0]
    sign(store, run_id, 0, "no_rad")
    assert queries.load_headlines(store)["value"].isna().tolist() == [True]


def test_pages_of_items_follow_the_files_order(store):
    (run_id,) = save_drafts(store, [sentence_draft(n, {ADA: GOOD}) for n in range(7)])
    first = queries.run_items(store, run_id, limit=3)
    second = queries.run_items(store, run_id, after=int(first["position"].iloc[-1]), limit=3)
    assert first["external_id"].tolist() == ["q0", "q1", "q2"]
    assert second["external_id"].tolist() == ["q3", "q4", "q5"]
    assert first["response"][0] == RESPONSE
    assert first["query"][0].startswith("Question 0")
    assert first["rater ada"].tolist() == [0.5] * 3
    assert queries.count_run_items(store, run_id) == 7
    assert queries.run_items(store, run_id, after=99).empty


def test_items_are_narrowed_by_what_was_said_and_by_words(store, run_id):
    def found(**narrow):
        selection = Selection(**narrow)
        page = queries.run_items(store, run_id, selection)
        assert queries.count_run_items(store, run_id, selection) == len(page)
        return page["external_id"].tolist()

    assert found(labels=("unsupported",)) == ["q1"]
    assert found(labels=("unsupported",), authors=(ADA,)) == []
    assert found(authors=(BEN,)) == ["q1"]
    assert found(unread=True) == ["q2"]
    assert found(unread=True, labels=("unsupported",)) == ["q1", "q2"]
    assert found(criterion="nothing") == []
    assert found(words="QUESTION 3") == ["q3"]
    assert found(words="ÉTÉ") == []
    assert found() == ["q1", "q2", "q3"]


def test_rater_and_judge_of_one_name_are_two_authors(store):
    judge = Author(kind=AuthorKind.JUDGE, name="ada")
    (run_id,) = save_drafts(store, [sentence_draft(1, {ADA: GOOD, judge: BAD})])
    assert queries.load_authors(store, run_id)["author_kind"].tolist() == ["rater", "judge"]
    chosen = Selection(labels=("unsupported",), authors=(ADA,))
    assert queries.count_run_items(store, run_id, chosen) == 0


def test_authors_are_counted(store, run_id):
    found = queries.load_authors(store, run_id).set_index("author")
    assert found.loc["north", ["items", "answers", "unread", "not_judged"]].tolist() == [2, 5, 1, 0]
    assert found.loc["ben", ["items", "answers", "unread", "not_judged"]].tolist() == [1, 3, 0, 0]


def test_not_judged_claims_are_neither_labels_nor_unread(store):
    fields = (
        Field(name="topic", kind="topic", text="Kettles"),
        Field(name="response", kind="response", text=RESPONSE),
        Field(name="reference", kind="reference", text="A kettle."),
    )
    said = [DraftAnswer(ADA, "supported", None, UnitKind.CLAIM, "It is a kettle.", "response")]
    (run_id,) = save_drafts(store, [Draft("claim_overlap", "alpha", "t", fields, said)])
    row = queries.load_label_counts(store, run_id).iloc[0]
    assert (row["state"], row["units"]) == ("not judged", 1)
    assert queries.runs(store)[["answers", "unread"]].iloc[0].tolist() == [0, 0]
    assert queries.load_authors(store, run_id)["not_judged"].tolist() == [1]


def test_labels_are_counted_by_unit_and_by_piece(store):
    merged = "The kettle holds 1.7 litres. It costs $49.90."
    reply = "\n".join(
        json.dumps({"sentence": text, "label": label, "rationale": "x", "excerpt": "1.7 litres"})
        for text, label in ((merged, "supported"), ("Thank you for asking.", "no_rad"))
    )
    (run_id,) = save_drafts(store, [sentence_draft(1, reply=reply)])
    found = queries.load_label_counts(store, run_id).set_index("value")
    assert found.loc["supported", ["units", "pieces"]].tolist() == [2, 1]
    assert found.loc["no_rad", ["units", "pieces"]].tolist() == [1, 1]
    by_nobody = queries.load_label_counts(store, run_id, Selection(authors=(EVE,)))
    assert by_nobody.empty


def test_runs_of_an_item_come_with_what_their_files_say_of_it(store, run_id):
    ids = queries.run_items(store, run_id)["item_id"].tolist()
    save_drafts(store, [sentence_draft(2, {BEN: GOOD}, system="beta")], "later")
    found = queries.load_item_runs(store, ids[1])
    assert found["system"].tolist() == ["beta", "alpha"]
    assert found["attributes"][1] == {"market": "de"}


@needs_shared
def test_hostile_words_find_what_stands_there_and_break_nothing(store, run_id):
    listed = json.loads((SHARED / "hostile" / "lists.json").read_text("utf-8"))
    texts = [
        [field.text.lower() for field in sentence_draft(number).fields] for number in (1, 2, 3)
    ]
    for text in listed["filter_strings"] + listed["engine_escapes"]:
        expected = sum(any(text.lower() in field for field in fields) for fields in texts)
        assert queries.count_run_items(store, run_id, Selection(words=text)) == expected, text
        assert queries.count_run_items(store, run_id, Selection(labels=(text,))) == 0
        assert queries.run_items(store, text).empty
    assert len(queries.runs(store)) == 1

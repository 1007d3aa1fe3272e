"""What was imported, signed and settled comes back as it was, once, and nothing is overwritten."""

from dataclasses import replace

import pytest

from data.importing.save import CutDiffers, save_import
from data.items.loading import load_annotations, load_item, load_known_items
from data.items.sign import sign as stored_sign
from data.meetings.adjudicate import adjudicate
from data.meetings.reasons import load_reasons
from data.runs import queries
from data.runs.remove import remove_runs, remove_sample
from data.store.store import open_store
from faithfulness.intake.intake import take_in
from faithfulness.model.drafts import Draft, Number
from faithfulness.model.errors import Conflict, ImportRefused, ReviewError
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Excerpt, Piece, Reply, Span
from faithfulness.protocols import PROTOCOLS
from tests.data.stored import (
    ADA,
    BEN,
    EVE,
    NORTH,
    prepare_drafts,
    save_drafts,
    sentence_draft,
)

GOOD = ("supported", "contradictory", "no_rad")
MIXED = ("supported", None, "no_rad")
COUNTED = ("items", "fields", "units", "run_items", "authors", "annotations", "excerpts")


def ask(store, question):
    with store.read() as cursor:
        return cursor.execute(question).fetchall()


def counts(store):
    return {name: ask(store, f"select count(*) from {name}")[0][0] for name in COUNTED}


def item_of(store, run_id):
    return load_item(store, queries.run_items(store, run_id)["item_id"][0])


def test_item_and_answers_come_back_as_they_were_taken_in(store):
    draft = sentence_draft(values={ADA: GOOD, BEN: MIXED})
    (run_id,) = save_drafts(store, [draft])
    taken = take_in(draft)
    assert load_item(store, taken.item.id) == taken.item
    found = load_annotations(store, taken.item.id, run_id)
    said = {(each.author, each.answer.unit_id): each.answer for each in found}
    assert said == {(each.author, each.answer.unit_id): each.answer for each in taken.signed}
    assert said[ADA, "s1"].excerpts[0].placement is not None
    assert said[BEN, "s2"].is_unread


def test_annotations_lie_sorted_by_item_unit_and_author(store):
    save_drafts(store, [sentence_draft(n, {BEN: GOOD, ADA: GOOD}) for n in (1, 2, 3)])
    rows = ask(store, "select annotation_no, item_no, unit_no, author_no from annotations")
    assert [row[0] for row in rows] == list(range(1, 19))
    assert [row[1:] for row in rows] == sorted(row[1:] for row in rows)


def test_second_run_on_the_same_item_reuses_item_and_units(store):
    save_drafts(store, [sentence_draft(values={ADA: GOOD})], "first")
    before = counts(store)
    save_drafts(store, [sentence_draft(values={NORTH: GOOD}, system="beta")], "second")
    after = counts(store)
    assert {name: after[name] - before[name] for name in ("items", "fields", "units")} == {
        "items": 0,
        "fields": 0,
        "units": 0,
    }
    assert after["annotations"] == before["annotations"] + 3
    item_id = take_in(sentence_draft()).item.id
    assert {each.author for each in load_annotations(store, item_id)} == {ADA, NORTH}


def test_numbers_stay_dense_and_unique_over_imports(store):
    for n in (1, 2, 3):
        save_drafts(store, [sentence_draft(n, {ADA: GOOD, NORTH: MIXED})], f"file {n}")
    for table, column in (
        ("runs", "run_no"),
        ("items", "item_no"),
        ("units", "unit_no"),
        ("authors", "author_no"),
        ("annotations", "annotation_no"),
        ("summaries", "summary_no"),
    ):
        numbers = [row[0] for row in ask(store, f"select {column} from {table} order by 1")]
        assert numbers == list(range(1, len(numbers) + 1)), table


def test_same_file_is_refused_with_a_pointer_to_the_first_import(store, tmp_path):
    save_drafts(store, [sentence_draft(values={ADA: GOOD})], "answers")
    before = counts(store)
    folder = prepare_drafts(tmp_path / "again", [sentence_draft(values={ADA: GOOD})], "answers")
    with pytest.raises(ImportRefused, match=r"answers\.jsonl is already .* “alpha run”"):
        save_import(store, folder, operation_id="another")
    assert counts(store) == before


def test_file_of_a_removed_run_may_come_again_under_another_id(store, tmp_path):
    (first,) = save_drafts(store, [sentence_draft(values={ADA: GOOD})], "answers")
    remove_runs(store, run_ids=[first], removed_by="ada", operation_id="away")
    folder = prepare_drafts(tmp_path / "again", [sentence_draft(values={ADA: GOOD})], "answers")
    (second,) = save_import(store, folder, operation_id="another")
    assert second != first
    assert queries.runs(store)["run_id"].tolist() == [second]


def test_import_sent_twice_with_one_operation_id_is_stored_once(store, tmp_path):
    folder = prepare_drafts(tmp_path / "p", [sentence_draft(values={ADA: GOOD})], "answers")
    first = save_import(store, folder, operation_id="same")
    before = counts(store)
    assert save_import(store, folder, operation_id="same") == first
    assert counts(store) == before


def test_item_cut_differently_names_the_item_and_stores_nothing(store, tmp_path):
    save_drafts(store, [sentence_draft(values={ADA: GOOD})], "first")
    before = counts(store)
    own_cut = sentence_draft(
        cut=["The kettle holds 1.7 litres. It costs $49.90.", "Thank you for asking."]
    )
    item_id = take_in(own_cut).item.id
    folder = prepare_drafts(tmp_path / "p", [own_cut], "second")
    with pytest.raises(CutDiffers) as refused:
        save_import(store, folder, operation_id="second")
    assert refused.value.item_ids == (item_id,)
    assert counts(store) == before
    known = load_known_items(store, [item_id, "nowhere"])
    assert set(known) == {item_id}
    again = prepare_drafts(tmp_path / "q", [own_cut], "second", known)
    assert len(save_import(store, again, operation_id="second")) == 1


def test_row_that_names_an_unknown_unit_undoes_the_whole_import(store, tmp_path):
    folder = prepare_drafts(tmp_path / "p", [sentence_draft(values={ADA: GOOD})], "first")
    (folder / "units.arrow").unlink()
    with pytest.raises(ReviewError):
        save_import(store, folder, operation_id="first")
    assert set(counts(store).values()) == {0}
    assert ask(store, "select count(*) from imports") == [(0,)]


def test_claims_and_given_numbers_are_kept(store):
    draft = Draft(
        protocol="sentence_grounding",
        system="alpha",
        external_id="q1",
        fields=sentence_draft().fields,
        numbers=[Number(author=NORTH, name="Overall", value=0.25)],
    )
    save_drafts(store, [draft])
    headline = queries.load_headlines(store)
    assert headline[["author", "name", "value", "given"]].to_numpy().tolist() == [
        ["north", "Overall", 0.25, True]
    ]


def test_unknown_item_is_told_in_words(store):
    with pytest.raises(ReviewError, match="no item nowhere"):
        load_item(store, "nowhere")
    with pytest.raises(ReviewError, match="no item nowhere"):
        load_annotations(store, "nowhere")


def sign(store, run_id, item_id, operation_id, author=ADA, value="unsupported", **more):
    answer = Answer(unit_id="s1", criterion="label", value=value, **more)
    return stored_sign(
        store,
        run_id=run_id,
        item_id=item_id,
        answers=[answer],
        author=author,
        operation_id=operation_id,
    )


def test_signing_supersedes_the_authors_own_answer_only(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD, BEN: GOOD})])
    item = item_of(store, run_id)
    (number,) = sign(store, run_id, item.id, "op1")
    current = load_annotations(store, item.id, run_id)
    said = {(each.author, each.answer.unit_id): each for each in current}
    assert said[ADA, "s1"].number == number
    assert said[ADA, "s1"].answer.value == "unsupported"
    assert said[BEN, "s1"].answer.value == "supported"
    everything = load_annotations(store, item.id, run_id, current=False)
    assert len(everything) == len(current) + 1
    assert everything[-1].supersedes in {each.number for each in everything}
    (later,) = sign(store, run_id, item.id, "op2", value="supported")
    last = load_annotations(store, item.id, run_id, current=False)[-1]
    assert (last.number, last.supersedes) == (later, number)


def test_signing_makes_the_authors_summary_anew(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD, NORTH: GOOD})])
    item = item_of(store, run_id)
    before = queries.load_headlines(store).set_index("author_kind")["value"]
    sign(store, run_id, item.id, "op1")
    after = queries.load_headlines(store).set_index("author_kind")["value"]
    answers = [each.answer for each in load_annotations(store, item.id) if each.author == ADA]
    expected = PROTOCOLS["sentence_grounding"].summarise(item, answers).value
    assert after["rater"] == expected
    assert after["rater"] != before["rater"]
    assert after["judge"] == before["judge"]


def test_all_parts_of_an_answer_survive_signing(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD})])
    item = item_of(store, run_id)
    answer = Answer(
        unit_id="s2",
        criterion="label",
        value="contradictory",
        rationale="The price differs: “$45.00”.",
        excerpts=(Excerpt(text="Its price is $45.00"),),
        links=("https://example.org/a",),
        checks=("one", "two"),
        comment="=1+1",
        confidence=0.25,
        pieces=(
            Piece(
                text="It costs",
                span=Span(field="response", start=29, end=37),
                value="supported",
                score=99.5,
            ),
        ),
    )
    reply = Reply(text="{…}", model="north-2", fingerprint="abc", tokens_in=7, seconds=1.5)
    (number,) = stored_sign(
        store,
        run_id=run_id,
        item_id=item.id,
        answers=[answer],
        author=NORTH,
        operation_id="op",
        reply=reply,
        notes=("one sentence was found nowhere",),
        prompt=PROTOCOLS["sentence_grounding"].prompt,
    )
    stored = {each.number: each for each in load_annotations(store, item.id)}[number]
    assert stored.answer == answer
    kept = ask(store, "select reply_id, text, model, tokens_in, notes from replies")
    notes = ["one sentence was found nowhere"]
    assert kept == [(stored.reply_id, "{…}", "north-2", 7, notes)]
    assert len(ask(store, "select * from prompts")) == 1


def test_signing_twice_with_one_operation_id_stores_one_answer(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD})])
    item = item_of(store, run_id)
    first = sign(store, run_id, item.id, "same")
    before = counts(store)
    assert sign(store, run_id, item.id, "same") == first
    assert counts(store) == before


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"unit_id": "s9"}, "no unit s9"),
        ({"criterion": "beauty"}, "no such criterion"),
        ({"value": "perfect"}, "not on the scale"),
    ],
)
def test_answer_that_does_not_fit_is_refused_and_stores_nothing(store, change, problem):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD})])
    item, before = item_of(store, run_id), counts(store)
    answer = replace(Answer(unit_id="s1", criterion="label", value="supported"), **change)
    with pytest.raises(ReviewError, match=problem):
        stored_sign(
            store,
            run_id=run_id,
            item_id=item.id,
            answers=[answer],
            author=Author(kind=AuthorKind.RATER, name="new"),
            operation_id="op",
        )
    assert counts(store) == before


def test_answer_to_a_removed_run_is_refused(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD})])
    item = item_of(store, run_id)
    remove_runs(store, run_ids=[run_id], removed_by="ada", operation_id="away")
    with pytest.raises(ReviewError, match="was removed"):
        sign(store, run_id, item.id, "op")
    assert load_annotations(store, item.id) == []


def settle(store, run_id, item_id, operation_id, value, seen, author=EVE, **more):
    return adjudicate(
        store,
        run_id=run_id,
        item_id=item_id,
        answer=Answer(unit_id="s1", criterion="label", value=value),
        author=author,
        reason="The notes say 1.7 litres.",
        error_class="number",
        seen=seen,
        operation_id=operation_id,
        **more,
    )


def test_second_adjudicator_is_warned_and_may_confirm(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD, BEN: MIXED})])
    item = item_of(store, run_id)
    seen = max(each.number for each in load_annotations(store, item.id))
    first = settle(store, run_id, item.id, "one", "supported", seen)
    zoe = Author(kind=AuthorKind.ADJUDICATOR, name="zoe")
    with pytest.raises(Conflict, match=r"eve settled Sentence 1 as Supported on \d+ \w+ \d{4}, "):
        settle(store, run_id, item.id, "two", "unsupported", seen, zoe)
    second = settle(store, run_id, item.id, "two", "unsupported", seen, zoe, confirmed=True)
    verdicts = [
        each
        for each in load_annotations(store, item.id)
        if each.author.kind is AuthorKind.ADJUDICATOR
    ]
    assert [(each.number, each.supersedes) for each in verdicts] == [(second, first)]
    assert len(ask(store, "select * from adjudications")) == 2
    third = settle(store, run_id, item.id, "three", "supported", second)
    assert third > second


def test_every_decision_on_an_item_keeps_why_it_was_made(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD, BEN: MIXED})])
    item = item_of(store, run_id)
    assert load_reasons(store, item.id) == ()
    first = settle(store, run_id, item.id, "one", "supported", 10**6)
    second = settle(store, run_id, item.id, "two", "unsupported", 10**6)
    why = ("The notes say 1.7 litres.", "number")
    assert load_reasons(store, item.id) == (
        (first, "supported", *why),
        (second, "unsupported", *why),
    )


def test_only_adjudicators_settle_and_only_with_a_reason(store):
    (run_id,) = save_drafts(store, [sentence_draft(values={ADA: GOOD})])
    item = item_of(store, run_id)
    with pytest.raises(ReviewError, match="only adjudicators"):
        settle(store, run_id, item.id, "one", "supported", 3, ADA)
    with pytest.raises(ReviewError, match="needs a reason"):
        adjudicate(
            store,
            run_id=run_id,
            item_id=item.id,
            answer=Answer(unit_id="s1", criterion="label", value="supported"),
            author=EVE,
            reason=" ",
            seen=3,
            operation_id="two",
        )


def test_sample_runs_are_removed_together(store, tmp_path):
    drafts = [sentence_draft(system="alpha"), sentence_draft(system="beta")]
    folder = prepare_drafts(tmp_path / "p", drafts, "sample")
    save_import(store, folder, operation_id="sample", is_sample=True)
    (kept,) = save_drafts(store, [sentence_draft(2)], "own")
    assert remove_sample(store, removed_by="ada", operation_id="away") == 2
    assert queries.runs(store)["run_id"].tolist() == [kept]
    assert remove_sample(store, removed_by="ada", operation_id="again") == 0


def test_lost_transactions_come_back_from_the_journal(store, tmp_path):
    """A backup from before the signing, opened beside today's journal, gets everything back."""
    (run_id, other) = save_drafts(store, [sentence_draft(), sentence_draft(2, system="beta")])
    item = item_of(store, run_id)
    store.close()
    old = store.path.read_bytes()
    again = open_store(store.path)
    sign(again, run_id, item.id, "op1", rationale="read twice")
    settle(again, run_id, item.id, "op2", "supported", 99)
    remove_runs(again, run_ids=[other], removed_by="ada", operation_id="op3")
    expected = load_annotations(again, item.id, current=False)
    again.close()
    store.path.write_bytes(old)
    for marker in tmp_path.glob("s.duckdb.mark*"):
        marker.unlink()
    restored = open_store(store.path)
    try:
        assert load_annotations(restored, item.id, current=False) == expected
        assert queries.runs(restored)["run_id"].tolist() == [run_id]
        assert ask(restored, "select reason from adjudications")[0][0].startswith("The notes")
        assert restored.recovery
    finally:
        restored.close()

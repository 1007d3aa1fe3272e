"""An author who answers about the same unit in two runs: the last readable answer counts."""

import pytest

from data.agreement.pairs import compare_sides, load_item_slices, load_sides
from data.agreement.policy_profiles import CLASHING, QUERY_TYPES
from data.agreement.sides import query_authors
from data.compare.compare import load_side_labels
from data.inconsistencies.inconsistencies import load_audits
from data.judging import prompt_queries
from data.judging.save_rerun import keep_rerun
from data.meetings.adjudicate import adjudicate
from data.meetings.agendas import (
    agenda_from,
    find_unanimous_cases,
    load_agenda_lines,
    load_marked_points,
    load_points,
)
from data.meetings.decide import decide
from data.meetings.decide_many import adopt_unanimous
from data.meetings.decisions import load_confusions
from data.meetings.marks import mark_units
from data.triage.cases import load_disagreements
from data.triage.point_cases import load_baseline_answers, load_point_cases
from data.triage.queue import load_queue
from faithfulness.judging.rerun import Sample
from faithfulness.model.comparability import Party
from faithfulness.model.protocol import ReplyReading
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import ADJUDICATED, BASELINE, MAJORITY, Side
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Reply
from faithfulness.protocols import protocol
from faithfulness.review.disagreement import explain_order
from tests.data.agreement.test_agreement import merged
from tests.data.agreement.test_policies import said as quoting
from tests.data.inconsistencies.test_inconsistencies import listed, told, whole_draft
from tests.data.stored import ADA, BEN, EVE, NORTH, RESPONSE, save_drafts, sentence_draft

S, U, C = "supported", "unsupported", "contradictory"
FAY = Author(kind=AuthorKind.ADJUDICATOR, name="fay")
UNREAD = (None, None, None)
RULES = protocol("sentence_grounding")
LABEL = RULES.criteria[0]
GROUNDING = Selection(protocol=RULES.key)


def item_of(store):
    with store.read() as cursor:
        return cursor.execute("select item_id from items").fetchall()[0][0]


def again(store, values, content="again"):
    """The same item in a later run."""
    (run_id,) = save_drafts(store, [sentence_draft(1, values, system=content)], content)
    return run_id


@pytest.fixture
def rows(store):
    """Two raters against a judge on the first sentence; then Ada's cells are empty."""
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BEN: (S, S, S), NORTH: (C, S, S)})])
    again(store, {ADA: UNREAD})
    return load_queue(store, Selection()).rows


def test_with_a_run_chosen_the_card_its_point_and_the_agenda_name_that_run(store):
    values = {ADA: (S, S, S), BEN: (C, S, S)}
    (one,) = save_drafts(store, [sentence_draft(1, values)])
    other = again(store, values)
    for run_id in (one, other, one):
        chosen = Selection(runs=(run_id,))
        (card,) = load_disagreements(store, load_queue(store, chosen).rows)
        (point,) = agenda_from(store, chosen)
        (line,) = load_agenda_lines(store, [point])
        case = load_point_cases(store, [point])[point].case
        assert {card.case.run_id, point.run_id, line.point.run_id, case.run_id} == {run_id}
        assert card.case.run_name == case.run_name == line.run
    # Both hold it: it stays where it is stored without a choice.
    (free,) = load_disagreements(store, load_queue(store, Selection()).rows)
    (both,) = load_disagreements(store, load_queue(store, Selection(runs=(one, other))).rows)
    assert both.case.run_id == free.case.run_id


def test_a_system_chosen_counts_as_its_runs_and_a_decision_there_for_both(store):
    values = {ADA: (S, S, S), BEN: (C, S, S)}
    (one,) = save_drafts(store, [sentence_draft(1, values, system="first")])
    other = again(store, values, "second")
    chosen = Selection(systems=("first",))
    (point,) = agenda_from(store, chosen)
    assert point.run_id == one
    (card,) = load_disagreements(store, load_queue(store, chosen).rows)
    decide(
        store,
        **point._asdict(),
        value=C,
        author=EVE,
        reason="it stands there",
        seen=card.seen,
        operation_id="once",
    )
    for run_id in (one, other):
        found = load_queue(store, Selection(runs=(run_id,)), decided="decided")
        (card,) = load_disagreements(store, found.rows)
        assert (card.case.run_id, card.decided.value) == (run_id, C)
        assert load_queue(store, Selection(runs=(run_id,))).total == 0


def test_a_mark_is_met_about_in_the_run_it_was_made_in(store):
    values = {ADA: (S, S, S), BEN: (C, S, S)}
    (one,) = save_drafts(store, [sentence_draft(1, values)])
    other = again(store, values)
    for nth, run_id in enumerate((one, other)):
        mark_units(
            store, [(run_id, item_of(store), "s1")], on=True, by="Eve", operation_id=f"m{nth}"
        )
        assert [each.run_id for each in load_marked_points(store)] == [run_id]


def test_a_card_shows_the_last_readable_answer(store, rows):
    (card,) = load_disagreements(store, rows)
    assert [(each.author, each.answer.value) for each in card.said] == [
        (NORTH, C),
        (ADA, S),
        (BEN, S),
    ]
    assert explain_order(card)[1] == "both raters against the judge"
    (line,) = load_agenda_lines(store, load_points(store, rows))
    assert line.why[:2] == explain_order(card)[:2]


@pytest.mark.parametrize("unread", [ADA, NORTH])
def test_a_card_of_one_rater_and_one_judge_outlives_either_unread(store, unread):
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), NORTH: (C, S, S)})])
    again(store, {unread: UNREAD})
    (card,) = load_disagreements(store, load_queue(store, Selection()).rows)
    assert explain_order(card)[1] == "the rater against the judge"


def test_an_answer_that_was_never_readable_is_shown_as_such(store):
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BEN: (C, S, S), NORTH: UNREAD})])
    again(store, {NORTH: UNREAD})
    (card,) = load_disagreements(store, load_queue(store, Selection()).rows)
    assert [each.answer.value for each in card.case.annotations] == [None, S, C]


def test_what_a_card_has_seen_includes_answers_that_it_does_not_show(store, rows):
    (card,) = load_disagreements(store, rows)
    (case,) = find_unanimous_cases(store)[1]
    shown = case._replace(seen=card.seen)
    assert adopt_unanimous(store, [shown], author=EVE, operation_id="adopt")


@pytest.mark.parametrize("side", [Side.of(ADA), MAJORITY])
def test_agreement_counts_the_last_readable_answer(store, rows, side):
    found = compare_sides(store, GROUNDING, "label", side, Side.of(NORTH))
    assert (found.both, found.unread_reference) == (3, 0)
    again(store, {ADA: (C, None, None)}, "third")
    found = compare_sides(store, GROUNDING, "label", Side.of(ADA), Side.of(NORTH))
    assert found.tables.total.diagonal().tolist() == [2, 0, 1, 0]


def test_pieces_of_a_readable_answer_still_join_after_an_unread_one(store):
    save_drafts(store, [merged(1, [(RESPONSE[:45], S)], (S, S, S))])
    again(store, {NORTH: UNREAD})
    found = compare_sides(store, GROUNDING, "label", Side.of(ADA), Side.of(NORTH))
    assert (found.both, found.joined) == (1, 1)


def test_compare_holds_both_sides_against_the_last_readable_answer(store, rows):
    run_id = again(store, {ADA: (None, U, None)}, "third")
    said = load_side_labels(store, RULES, LABEL, Party(run="", side=Side.of(ADA)), within=(run_id,))
    assert said.codes.tolist() == [0, 1, 0]
    party = Party(run="", side=Side.of(ADA))
    said = load_side_labels(store, RULES, LABEL, party, within=(run_id,), signed_in=(run_id,))
    assert [code for code in said.codes.tolist() if code >= 0] == [1]


def test_a_majority_for_prompts_counts_the_last_readable_answer(store):
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), NORTH: (C, S, S)})])
    again(store, {ADA: UNREAD, NORTH: UNREAD})
    asked = (store, RULES.key, "label", [item_of(store)])
    assert set(prompt_queries.load_majority_labels(*asked).values()) == {S}
    assert sorted(prompt_queries.load_judge_labels(*asked)["north"].values()) == [C, S, S]


def kept(store, run_id, value, operation):
    """What a judge says of the first sentence under the prompt that comes with the protocol."""
    problem = "" if value else "no label"
    answer = Answer(unit_id="s1", criterion="label", value=value, problem=problem)
    reply = Reply(text="…", model="north-1", fingerprint=RULES.prompt.fingerprint)
    sample = Sample(reply=reply, reading=ReplyReading((answer,)), cost=None)
    keep_rerun(
        store,
        run_id=run_id,
        item_id=item_of(store),
        author=NORTH,
        samples=[sample],
        settled=sample.reading,
        prompt=RULES.prompt,
        settings={},
        operation_id=operation,
        group_id=operation,
    )


def test_a_prompt_counts_the_last_of_each_run_and_of_these_the_last_readable(store):
    (first,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S)})])
    second = again(store, {BEN: (S, S, S)})
    kept(store, first, S, "readable")
    kept(store, second, None, "unread")
    (found,) = prompt_queries.load_version_agreement(store, RULES, LABEL)
    assert (found.labelled, found.unread, found.tables.units_n) == (1, 0, 1)
    kept(store, first, None, "superseded")
    (found,) = prompt_queries.load_version_agreement(store, RULES, LABEL)
    assert (found.labelled, found.unread) == (0, 1)


def settle(store, run_id, value, author):
    return adjudicate(
        store,
        run_id=run_id,
        item_id=item_of(store),
        answer=Answer(unit_id="s1", criterion="label", value=value),
        author=author,
        reason="it stands there",
        seen=99,
        operation_id=f"{author.name} settles",
    )


def test_a_decision_is_told_with_the_last_readable_answers(store):
    save_drafts(store, [sentence_draft(1, {ADA: (C, S, S), BEN: (S, S, S)})])
    settle(store, again(store, {ADA: UNREAD}), S, EVE)
    assert load_confusions(store)["confused_with"].tolist() == [C]


def test_what_cannot_all_be_right_is_found_in_the_last_readable_answers(store):
    score = whole_draft(1, "expert_rubric", "accuracy", "5", BEN)
    save_drafts(store, [sentence_draft(1, {ADA: (S, C, S)}), score])
    before = load_audits(store, Selection()).total
    again(store, {ADA: UNREAD})
    unread = whole_draft(1, "expert_rubric", "accuracy", None, BEN, problem="the cell is empty")
    save_drafts(store, [unread._replace(system="later")], "unread")
    assert load_audits(store, Selection()).total == before > 0
    assert listed(store) == told(store)


def test_the_baselines_last_readable_answer_is_shown(store):
    said = {ADA: (S, S, S), BEN: (C, S, S), BASELINE: (U, S, S)}
    save_drafts(store, [sentence_draft(1, said)])
    again(store, {BASELINE: UNREAD})
    points = load_points(store, load_queue(store, Selection()).rows)
    assert [each.value for each in load_baseline_answers(store, points).values()] == [U]


def test_a_side_is_offered_with_each_unit_once(store):
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S)})])
    again(store, {ADA: (S, C, S)})
    assert load_sides(store, GROUNDING)["units"].tolist() == [3]


@pytest.mark.parametrize(("first", "last"), [(EVE, FAY), (FAY, EVE)])
def test_of_two_decisions_in_two_runs_the_later_is_compared_with(store, first, last):
    (one,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BEN: (C, S, S)})])
    other = again(store, {NORTH: (S, S, S)})
    settle(store, other, C, first)
    settle(store, one, U, last)
    said = load_side_labels(store, RULES, LABEL, Party(run="", side=ADJUDICATED), within=(one,))
    assert said.codes.tolist() == [1]


def test_who_names_the_query_in_two_runs_votes_once_with_the_later_answer(store):
    key = "response_consistency"
    for nth, (value, author) in enumerate([("broad", ADA), ("opinion", ADA), ("factoid", BEN)]):
        draft = whole_draft(1, key, "query_type", value, author)
        save_drafts(store, [draft._replace(system=f"run {nth}")], f"run {nth}")
    draft = whole_draft(1, key, "query_type", "factoid", EVE)
    more = whole_draft(1, key, "query_type", "opinion", ADA)
    save_drafts(store, [more._replace(system="run 3")], "run 3")
    # Ada twice says opinion, but is one of two: of equals the first by name is the slice's.
    slices = load_item_slices(store, Selection(protocol=key), "query_type", [1])
    assert slices.tolist() == ["factoid"]
    with store.read() as cursor:
        assert cursor.execute(QUERY_TYPES).fetchall() == []
    save_drafts(store, [draft._replace(system="run 4")], "run 4")
    with store.read() as cursor:
        assert cursor.execute(QUERY_TYPES).fetchall() == [(1, "factoid")]


def test_who_corrects_a_label_in_a_later_run_does_not_clash_with_themselves(store):
    for nth, each in enumerate(
        (quoting(ADA, S, "switches itself off"), quoting(ADA, C, "Its price is $45.00."))
    ):
        save_drafts(store, [sentence_draft(1, system=f"run {nth}")._replace(said=[each])], f"{nth}")
    with store.read() as cursor:
        asked = {"authors": list(query_authors(cursor).values())}
        assert cursor.execute(CLASHING, asked).fetchall() == []

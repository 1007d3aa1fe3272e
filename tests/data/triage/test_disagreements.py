"""Disagreements of a store: which they are, their order, decisions on them and on their like."""

from pathlib import Path

import pytest

from data.importing.save import save_import
from data.items.sample_runs import load_sample_runs
from data.items.sign import sign
from data.judging.save_rerun import keep_rerun
from data.meetings.adjudicate import adjudicate
from data.runs.remove import remove_runs
from data.samples.first_start import fill
from data.store.cache import incremental_cache
from data.store.store import open_store
from data.triage.cases import load_disagreements
from data.triage.disagreements import QUESTIONS, all_disagreements
from data.triage.point_cases import load_point_cases
from data.triage.queue import load_every_disagreement, load_queue
from data.triage.similar_cases import load_earlier_decisions, load_similar_cases
from faithfulness.judging.rerun import Sample
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.errors import Conflict
from faithfulness.model.protocol import ReplyReading
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Field, Reply, UnitKind
from faithfulness.protocols import PROTOCOLS, protocol
from faithfulness.review.disagreement import DisagreementKind, explain_order, severity
from faithfulness.review.meeting import Point
from tests.data.found_case import case
from tests.data.stored import ADA, BEN, EVE, NORTH, prepare_drafts, save_drafts, sentence_draft
from tests.made_stores import new_store

CHI = Author(kind=AuthorKind.RATER, name="chi")
SOUTH = Author(kind=AuthorKind.JUDGE, name="south")
S, U, C = "supported", "unsupported", "contradictory"
# By sentence: the judge alone against three; one rater against all; nobody differs.
VALUES = {ADA: (C, S, S), BEN: (C, S, S), CHI: (C, U, S), NORTH: (S, S, S)}


def shown(store, selection=None, **asked):
    return load_disagreements(store, load_queue(store, selection or Selection(), **asked).rows)


def places(store, selection=None, **asked):
    return [(each.case.external_id, each.case.unit.id) for each in shown(store, selection, **asked)]


def decide(store, found, value, operation="d1", author=EVE, **more):
    return adjudicate(
        store,
        run_id=found.case.run_id,
        item_id=found.case.item.id,
        answer=Answer(
            unit_id=found.case.unit.id,
            criterion=found.criterion.key,
            value=value,
            problem="" if value else "taken back",
        ),
        author=author,
        reason="the source says so",
        error_class="judge_wrong",
        seen=found.seen,
        operation_id=operation,
        **more,
    )


def sampled(*first):
    """What a judge says when it is asked so often; the first sentence as given."""
    return [
        Sample(
            reply=Reply(text="…", model="north-1"),
            reading=ReplyReading(
                tuple(
                    Answer(unit_id=unit, criterion="label", value=value)
                    for unit, value in (("s1", said), ("s2", S), ("s3", S))
                )
            ),
            cost=None,
        )
        for said in first
    ]


def keep_samples(store, run_id, item_id, samples, group="g1"):
    keep_rerun(
        store,
        run_id=run_id,
        item_id=item_id,
        author=NORTH,
        samples=samples,
        settled=samples[0].reading,
        prompt=protocol("sentence_grounding").prompt,
        settings={},
        operation_id=f"rerun {group}",
        group_id=group,
    )


def response_draft(protocol_key, criterion, said):
    """The same response under a protocol that asks about the whole of it."""
    return Draft(
        protocol=protocol_key,
        system="alpha",
        external_id="q1",
        fields=(
            Field(name="query", kind="query", text="Which kettle?"),
            Field(name="response", kind="response", text="The kettle costs $49."),
        ),
        said=tuple(
            DraftAnswer(author=author, criterion=criterion, value=value, unit=UnitKind.RESPONSE)
            for author, value in said.items()
        ),
    )


def anew(store):
    """The table as it is when nothing is known of the store yet."""
    kept = incremental_cache._kept.pop(store)
    store.write(f"nothing-{store.version()}", "test", lambda cursor: None)
    rows = all_disagreements(store).to_pandas()
    incremental_cache._kept[store] = kept
    return rows


def same_rows(one, other):
    order = ["question", "unit_no"]
    left, right = (
        rows.drop(columns="nth").sort_values(order).reset_index(drop=True) for rows in (one, other)
    )
    return left.equals(right)


def test_units_whose_authors_differ_stand_worst_first_and_no_others(store):
    save_drafts(store, [sentence_draft(1, VALUES)])
    found = load_queue(store, Selection())
    assert places(store) == [("q1", "s1"), ("q1", "s2")]
    assert found.total == 2
    assert found.kinds == {
        DisagreementKind.JUDGE_RATERS: 1,
        DisagreementKind.RATERS: 1,
        DisagreementKind.JUDGES: 0,
        DisagreementKind.UNSTABLE: 0,
    }
    first, second = load_disagreements(store, found.rows)
    assert (first.severity, second.severity) == (1.0, 0.6)
    assert first.weight > second.weight
    assert explain_order(first)[:2] == (
        "supported against contradictory",
        "all 3 raters against the judge",
    )
    assert explain_order(second)[:2] == (
        "supported against unsupported",
        "2 raters against 1 rater",
    )


def test_the_sample_has_every_disagreement_that_a_plain_count_finds(tmp_path):
    store = new_store(tmp_path / "s.duckdb", fill)
    with store.read() as cursor:
        plain = cursor.execute(
            "select unit_no, criterion from annotations group by all "
            "having count(distinct value) > 1"
        ).fetchall()
    rows = all_disagreements(store).to_pandas()
    keys = [QUESTIONS[at].criterion.key for at in rows["question"]]
    assert set(zip(rows["unit_no"], keys, strict=True)) == set(plain)
    for each in PROTOCOLS:
        found = load_queue(store, Selection(protocol=each))
        cards = load_disagreements(store, found.rows)
        assert len(cards) == len(found.rows) > 0
        for card in cards:
            values = {said.answer.value for said in card.said}
            assert severity(card.criterion.scale, values) == card.severity
            assert explain_order(card)
    store.close()


def test_kinds_states_labels_authors_words_and_runs_narrow(store):
    save_drafts(
        store,
        [sentence_draft(1, VALUES), sentence_draft(2, {NORTH: (S, S, S), SOUTH: (U, S, S)})],
    )
    assert places(store, kinds=(DisagreementKind.JUDGES,)) == [("q2", "s1")]
    assert places(store, Selection(labels=(C,))) == [("q1", "s1")]
    assert places(store, Selection(labels=(C,), by="judge")) == []
    assert places(store, Selection(labels=(U,), by="judge")) == [("q2", "s1")]
    assert places(store, Selection(authors=(SOUTH,))) == [("q2", "s1")]
    assert places(store, Selection(words="costs")) == [("q1", "s2")]
    assert places(store, Selection(systems=("walrus",))) == []
    assert places(store, Selection(slices=(("market", "us"),))) == []
    assert len(places(store, Selection(slices=(("market", "de"),)))) == 3
    assert places(store, Selection(protocol="expert_rubric")) == []
    assert places(store, page=99) == places(store)


def test_a_run_shows_no_disagreement_that_stands_in_other_runs_with_equal_items(store):
    (ours,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BASELINE: (C, S, S)})])
    (theirs,) = save_drafts(
        store, [sentence_draft(1, {BEN: (S, C, S), NORTH: (S, S, S)}, system="beta")], "second"
    )
    strict = DraftAnswer(author=ADA, criterion="accuracy", value="1", unit=UnitKind.RESPONSE)
    rubric = sentence_draft(1, system="gamma")._replace(
        protocol="expert_rubric",
        said=[strict, strict._replace(author=BEN, value="5")],
    )
    (other,) = save_drafts(store, [rubric], "third")
    # What Ada and the raters of the other run say differs only where both runs are looked at.
    for run, units in ((ours, []), (theirs, ["s2"]), (other, ["response"])):
        assert [unit for _, unit in places(store, Selection(runs=(run,)))] == units
        assert len(load_every_disagreement(store, Selection(runs=(run,)))) == len(units)
    assert places(store, Selection(runs=(ours, theirs))) == [("q1", "s2")]
    assert len(places(store, Selection(runs=(theirs, other)))) == 2
    (silent,) = save_drafts(store, [sentence_draft(1, {BASELINE: (S, S, S)}, system="d")], "fourth")
    assert places(store, Selection(runs=(silent,))) == []
    assert places(store, Selection(systems=("d",))) == []
    assert load_queue(store, Selection(runs=(silent,)), with_baseline=True).total == 0
    assert load_queue(store, Selection(runs=(ours,)), with_baseline=True).total == 1


def test_an_empty_store_and_one_without_disagreements_have_an_empty_queue(store):
    assert load_queue(store, Selection()).total == 0
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), NORTH: (S, S, S)})])
    found = load_queue(store, Selection())
    assert (found.total, found.pages, len(found.rows)) == (0, 1, 0)
    assert load_disagreements(store, found.rows) == []


def test_the_offline_baseline_is_left_out_unless_asked_for(store):
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BASELINE: (C, S, S)})])
    assert load_queue(store, Selection()).total == 0
    found = load_queue(store, Selection(), with_baseline=True)
    assert found.total == 1
    card = load_disagreements(store, found.rows, with_baseline=True)[0]
    assert BASELINE in {each.author for each in card.said}


def test_a_decision_moves_it_to_the_decided_and_stays_in_a_list_begun_before(store):
    save_drafts(store, [sentence_draft(1, VALUES)])
    before = load_queue(store, Selection())
    first = load_disagreements(store, before.rows)[0]
    number = decide(store, first, C)
    assert places(store) == [("q1", "s2")]
    assert places(store, decided="decided") == [("q1", "s1")]
    assert places(store, as_of=before.as_of) == [("q1", "s1"), ("q1", "s2")]
    after = load_queue(store, Selection())
    assert after.states == {"open": 1, "decided": 1, "all": 2}
    again = shown(store, decided="decided")[0]
    assert again.decided.value == C
    assert (again.decided.number, again.seen) == (number, number)
    assert again.decided.error_class == "judge_wrong"
    # The one who settles takes no side in what is settled.
    assert again.weight == first.weight
    assert again.said == first.said


def test_a_second_decision_keeps_both_and_taking_it_back_opens_it_again(store):
    save_drafts(store, [sentence_draft(1, VALUES)])
    first = shown(store)[0]
    decide(store, first, C)
    with pytest.raises(Conflict):
        decide(store, first, S, "d2")
    decide(store, first, S, "d2", confirmed=True)
    now = shown(store, decided="decided")[0]
    assert [(each.value, each.is_current) for each in now.decisions] == [(C, False), (S, True)]
    decide(store, now, None, "d3")
    back = shown(store)[0]
    assert back.decided is None
    assert len(back.decisions) == 3


def test_what_changed_is_found_again_exactly_as_if_all_were(store):
    save_drafts(store, [sentence_draft(n, VALUES) for n in (1, 2, 3)])
    all_disagreements(store)
    found = shown(store)
    decide(store, found[0], C)
    assert same_rows(all_disagreements(store).to_pandas(), anew(store))
    # A rater who gives in settles one by agreeing.
    item = found[3].case
    sign(
        store,
        run_id=item.run_id,
        item_id=item.item.id,
        answers=[Answer(unit_id="s2", criterion="label", value=S)],
        author=CHI,
        operation_id="gives-in",
    )
    after = all_disagreements(store).to_pandas()
    assert len(after) == 5
    assert same_rows(after, anew(store))
    save_drafts(store, [sentence_draft(9, VALUES)], "second")
    assert len(all_disagreements(store)) == 7
    remove_runs(store, run_ids=[item.run_id], removed_by="eve", operation_id="gone")
    assert same_rows(all_disagreements(store).to_pandas(), anew(store))


def test_raters_and_judges_of_two_imports_meet_on_the_same_item(store):
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BEN: (S, S, S)})])
    save_drafts(store, [sentence_draft(1, {NORTH: (C, S, S)}, system="again")], "second")
    found = shown(store)
    assert [each.case.unit.id for each in found] == ["s1"]
    assert explain_order(found[0])[1] == "both raters against the judge"
    assert {each.author for each in found[0].said} == {ADA, BEN, NORTH}
    # Who answers in both runs counts once, with the later answer.
    save_drafts(store, [sentence_draft(1, {ADA: (C, S, S)}, system="third")], "third")
    found = shown(store)
    assert explain_order(found[0])[1] == "1 rater against 1 rater"
    decide(store, found[0], C)
    later = shown(store, decided="decided")[0]
    assert later.case.run_id == found[0].case.run_id


def test_a_judge_that_differs_from_itself_is_found_without_anybody_else(store):
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S)})])
    with store.read() as cursor:
        place = cursor.execute("select run_id, item_id from runs, items limit 1").fetchall()[0]
    keep_samples(store, *place, sampled(S, C, S))
    (found,) = shown(store)
    assert found.kinds == (DisagreementKind.UNSTABLE,)
    assert found.samples == (("north", (S, C, S)),)
    assert found.severity == 1.0
    assert explain_order(found)[1] == "north said supported 2×, contradictory 1×"


def test_samples_that_were_superseded_are_not_among_those_that_differ(store):
    # Ada differs from the judge on the first two sentences, so that both are on one page.
    (run,) = save_drafts(store, [sentence_draft(1, {ADA: (U, U, S)})])
    with store.read() as cursor:
        ((item,),) = cursor.execute("select item_id from items").fetchall()
    keep_samples(store, run, item, sampled(S, S), "first")
    (once,) = sampled(S)
    other = ReplyReading((Answer(unit_id="s2", criterion="label", value=C),))
    keep_samples(store, run, item, [once._replace(reading=other)], "second")
    cards = {each.case.unit.id: each for each in shown(store)}
    assert {unit: each.samples for unit, each in cards.items()} == {"s1": (), "s2": ()}
    assert explain_order(cards["s2"])[0] == "unsupported against contradictory"


def test_samples_of_an_earlier_run_are_not_among_those_that_differ(store):
    (run,) = save_drafts(store, [sentence_draft(1, {ADA: (U, S, S)})])
    (later,) = save_drafts(store, [sentence_draft(1, system="again")], "second")
    with store.read() as cursor:
        ((item,),) = cursor.execute("select item_id from items").fetchall()
    keep_samples(store, run, item, sampled(S, S), "first")
    keep_samples(store, later, item, sampled(C, C), "second")
    (card,) = shown(store)
    assert (card.kinds, card.samples) == ((DisagreementKind.JUDGE_RATERS,), ())


def test_what_was_said_in_a_removed_run_neither_narrows_nor_shows(store):
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BEN: (C, S, S)})])
    (gone,) = save_drafts(store, [sentence_draft(1, {CHI: (S, S, S)}, system="again")], "second")
    samples = sampled(S, C, S)
    keep_samples(store, gone, shown(store)[0].case.item.id, samples)
    assert [each.samples for each in shown(store, Selection(authors=(CHI,)))] == [
        (("north", (S, C, S)),)
    ]
    remove_runs(store, run_ids=[gone], removed_by="eve", operation_id="gone")
    assert [each.samples for each in shown(store)] == [()]
    assert not shown(store, Selection(authors=(CHI,)))


def test_who_answered_another_question_on_the_unit_does_not_narrow_to_it(store):
    score, rubric = "comparative_summary", "expert_rubric"
    for protocol_key, criterion, said in (
        (score, "faithfulness", {ADA: "1", BEN: "5"}),
        (rubric, "accuracy", {BEN: "2", CHI: "4"}),
    ):
        save_drafts(store, [response_draft(protocol_key, criterion, said)], protocol_key)
    asked = [
        (each.case.protocol, each.criterion.key) for each in shown(store, Selection(authors=(CHI,)))
    ]
    assert asked == [(rubric, "accuracy")]
    assert len(shown(store, Selection(authors=(BEN,)))) == 2


def test_earlier_decisions_and_like_cases_share_both_sides_labels(store):
    save_drafts(store, [sentence_draft(n, VALUES) for n in (1, 2, 3)])
    found = shown(store)
    assert [each.case.unit.id for each in found] == ["s1"] * 3 + ["s2"] * 3
    assert len(load_similar_cases(store, found[0])) == 2
    decide(store, found[0], C, "d1")
    decide(store, found[1], S, "d2")
    third, other = load_earlier_decisions(store, [found[2], found[3]])
    assert third.values == {C: 1, S: 1}
    assert third.like == 0
    assert {each.of for each in third.examples} == {"q1 · s1", "q2 · s1"}
    assert third.examples[0].reason == "the source says so"
    assert other.values == {}
    assert other.like == 2
    own = case(store, found[0].case.item.id, "s1", "label")
    (mine,) = load_earlier_decisions(store, [own])
    assert mine.values == {S: 1}


def saved_like(store, numbers, system, **how):
    """A run with one disagreement an item, all of them alike."""
    said = {ADA: (C, S, S), NORTH: (S, S, S)}
    drafts = [sentence_draft(number, said, system=system) for number in numbers]
    folder = prepare_drafts(store.path.parent / system, drafts, system)
    (run,) = save_import(store, folder, operation_id=system, **how)
    return run


def test_like_cases_of_its_own_run_come_first_and_the_sample_stays_out(store):
    sample = saved_like(store, (1, 2), "sample", is_sample=True)
    (alone,) = shown(store, Selection(item=shown(store)[0].case.item.id))
    assert [each.case.run_id for each in load_similar_cases(store, alone)] == [sample]
    assert set(load_sample_runs(store)) == {sample}
    other, own = saved_like(store, (3,), "other"), saved_like(store, (4, 5, 6), "own")
    first = shown(store, Selection(runs=(own,)))[0]
    for runs, counts in (((), (3, 2, 1)), ((other,), (3, 3, 2)), ((sample,), (5, 4, 2))):
        like = load_similar_cases(store, first, runs=runs)
        inside = [each.case.run_id in (own, *runs) for each in like]
        assert inside == sorted(inside, reverse=True)
        (told,) = load_earlier_decisions(store, [first], runs=runs)
        assert (told.like, told.like_here, told.like_runs) == counts
        assert (len(like), sum(inside)) == counts[:2]


def test_like_cases_of_a_point_without_disagreement_are_all_counted(store):
    said = {ADA: (S, S, S), NORTH: (S, S, S)}
    (run,) = save_drafts(store, [sentence_draft(1, said), sentence_draft(2, said)])
    with store.read() as cursor:
        items = [name for (name,) in cursor.execute("select item_id from items").fetchall()]
    keep_samples(store, run, items[0], sampled(S, C, S))
    points = [Point(run, item, "s1", "label") for item in items]
    cases = load_point_cases(store, points)
    assert [bool(cases[each].kinds) for each in points] == [True, False]
    for point, like in zip(points, (0, 1), strict=True):
        (told,) = load_earlier_decisions(store, [cases[point]])
        assert (told.like, told.like_here) == (like, like)
        assert len(load_similar_cases(store, cases[point])) == like


def test_one_case_is_found_by_its_names_or_not_at_all(store):
    save_drafts(store, [sentence_draft(1, VALUES)])
    item = shown(store)[0].case.item.id
    assert case(store, item, "s1", "label").kinds == (DisagreementKind.JUDGE_RATERS,)
    assert case(store, item, "s3", "label") is None
    assert case(store, "walrus", "s1", "label") is None


def test_not_judged_and_unread_are_no_voices(store):
    draft = sentence_draft(1, {ADA: (S, S, S), NORTH: (None, S, S)})
    save_drafts(store, [draft])
    assert load_queue(store, Selection()).total == 0


def test_an_absent_quote_and_a_clash_raise_and_are_told(store):
    draft = sentence_draft(1, {ADA: (U, U, U)})
    said = [
        *draft.said,
        DraftAnswer(
            author=NORTH,
            criterion="label",
            value=S,
            unit=UnitKind.SENTENCE,
            text="It costs $49.90.",
            excerpts=("seventeen purple walruses danced",),
        ),
        DraftAnswer(
            author=NORTH,
            criterion="label",
            value=S,
            unit=UnitKind.SENTENCE,
            text="Thank you for asking.",
        ),
    ]
    save_drafts(store, [draft._replace(said=said)])
    first, second = shown(store)
    assert first.case.unit.id == "s2"
    assert first.absent == (AuthorKind.JUDGE,)
    assert "the judge's quote is in no source" in explain_order(first)
    assert first.weight > second.weight
    assert first.severity == second.severity


def test_a_store_that_is_only_read_shows_its_disagreements(store, tmp_path):
    save_drafts(store, [sentence_draft(1, VALUES)])
    store.close()
    reading = open_store(Path(tmp_path / "s.duckdb"), read_only=True)
    assert len(shown(reading)) == 2
    reading.close()


def test_a_case_that_changed_is_loaded_again_and_the_others_are_not(store):
    save_drafts(store, [sentence_draft(n, VALUES) for n in (1, 2)])
    first, second, *_ = shown(store)
    assert shown(store)[0] is first
    sign(
        store,
        run_id=first.case.run_id,
        item_id=first.case.item.id,
        answers=[Answer(unit_id="s1", criterion="label", value=C, rationale="better put")],
        author=ADA,
        operation_id="again",
    )
    after = shown(store)
    assert after[1] is second
    ada = next(each for each in after[0].said if each.author == ADA)
    assert ada.answer.rationale == "better put"
    decide(store, after[0], C)
    taken_back = shown(store, decided="decided")[0]
    decide(store, taken_back, None, "d2")
    assert len(shown(store)[0].decisions) == 2

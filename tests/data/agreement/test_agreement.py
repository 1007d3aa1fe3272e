"""Two sides on the same units: who counts, what is joined, what is left out and why."""

from dataclasses import replace

import pytest

from data.agreement.pairs import (
    Compared,
    compare_sides,
    list_slice_keys,
    load_cell_units,
    load_item_slices,
    load_ratings,
    load_sides,
)
from data.agreement.question import AgreementQuestion
from data.agreement.report import build_report
from data.api.commands_agree import format_comparison
from data.items.sample_runs import find_left_out_sample_runs
from data.items.sign import sign
from data.meetings.adjudicate import adjudicate
from data.runs.remove import remove_runs
from data.store.store import Store
from faithfulness.model.drafts import Draft, DraftAnswer
from faithfulness.model.errors import ReviewError
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import ADJUDICATED, BASELINE, MAJORITY, VERDICT, Side
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, UnitKind
from faithfulness.statistics.raters.several_raters import build_profiles
from tests.data.stored import ADA, BEN, EVE, NORTH, RESPONSE, save_drafts, sentence_draft

CARL = Author(kind=AuthorKind.RATER, name="carl")
S, U, C, N = "supported", "unsupported", "contradictory", "no_rad"
GROUNDING = Selection(protocol="sentence_grounding")


def found(store: Store, reference: Side, judge: Side, selection: Selection = GROUNDING) -> Compared:
    return compare_sides(store, selection, "label", reference, judge)


def met(result: Compared) -> dict[tuple[str, str], int]:
    """The cells of the total that are not empty, by labels."""
    values, total = result.tables.values, result.tables.total
    return {
        (low, high): int(total[i, j])
        for i, low in enumerate(values)
        for j, high in enumerate(values)
        if total[i, j]
    }


def test_labels_of_two_authors_meet_on_the_same_units(store: Store) -> None:
    save_drafts(store, [sentence_draft(1, {ADA: (S, C, N), NORTH: (S, U, N)})])
    result = found(store, Side.of(ADA), Side.of(NORTH))
    assert met(result) == {(S, S): 1, (C, U): 1, (N, N): 1}
    assert (result.both, result.items_both) == (3, 1)
    assert met(found(store, Side.of(NORTH), Side.of(ADA)))[U, C] == 1


def test_authors_of_different_runs_meet_on_the_same_item(store: Store) -> None:
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S)})], "people")
    save_drafts(store, [sentence_draft(1, {NORTH: (S, U, S)})], "machine")
    assert met(found(store, Side.of(ADA), Side.of(NORTH))) == {(S, S): 2, (S, U): 1}


def test_latest_answer_of_an_author_counts(store: Store) -> None:
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), NORTH: (S, S, S)})], "one")
    save_drafts(store, [sentence_draft(1, {NORTH: (C, C, C)})], "two")
    assert met(found(store, Side.of(ADA), Side.of(NORTH))) == {(S, C): 3}
    result = load_ratings(store, GROUNDING, "label", [ADA, NORTH])
    assert result.codes.tolist() == [[0, 2]]
    assert result.counts.tolist() == [3]


def test_removed_run_takes_its_answers_with_it(store: Store) -> None:
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), NORTH: (S, S, S)})], "one")
    later = save_drafts(store, [sentence_draft(1, {NORTH: (C, C, C)})], "two")
    assert found(store, Side.of(ADA), Side.of(NORTH)).tables.total[0, 0] == 0
    remove_runs(store, run_ids=[later[0]], removed_by="eve", operation_id="away")
    assert met(found(store, Side.of(ADA), Side.of(NORTH))) == {(S, S): 3}


def test_correction_replaces_what_it_supersedes(store: Store) -> None:
    drafts = [sentence_draft(1, {ADA: (S, S, S), NORTH: (S, S, S)})]
    run_id = save_drafts(store, drafts)[0]
    item_id = item_of(store)
    assert met(found(store, Side.of(ADA), Side.of(NORTH))) == {(S, S): 3}
    answer = Answer(unit_id="s2", criterion="label", value=U)
    sign(store, run_id=run_id, item_id=item_id, answers=[answer], author=ADA, operation_id="again")
    assert met(found(store, Side.of(ADA), Side.of(NORTH))) == {(S, S): 2, (U, S): 1}


def item_of(store: Store) -> str:
    with store.read() as cursor:
        return str(cursor.execute("select item_id from items").fetchall()[0][0])


def test_what_is_unread_is_dropped_in_pairs_and_reported(store: Store) -> None:
    drafts = [
        sentence_draft(1, {ADA: (S, None, N), NORTH: (None, S, N)}),
        sentence_draft(2, {ADA: (S, S, S)}),
        sentence_draft(3, {NORTH: (S, S, S)}),
    ]
    save_drafts(store, drafts)
    result = found(store, Side.of(ADA), Side.of(NORTH))
    assert (result.both, result.reference_only, result.judge_only) == (1, 4, 4)
    assert (result.items_both, result.items_reference_only, result.items_judge_only) == (1, 1, 1)
    assert (result.unread_reference, result.unread_judge) == (1, 1)


def test_majority_is_strict_and_ties_are_counted_apart(store: Store) -> None:
    said = {ADA: (S, S, S), BEN: (S, U, U), CARL: (U, C, None), NORTH: (S, S, S)}
    save_drafts(store, [sentence_draft(1, said)])
    result = found(store, MAJORITY, Side.of(NORTH))
    # s1: two of three; s2: three different labels; s3: one against one, the third is unread.
    assert met(result) == {(S, S): 1}
    assert (result.ties, result.judge_only) == (2, 0)


def test_single_rater_is_the_majority(store: Store) -> None:
    save_drafts(store, [sentence_draft(1, {ADA: (S, U, C), NORTH: (S, S, S)})])
    assert met(found(store, MAJORITY, Side.of(NORTH))) == {(S, S): 1, (U, S): 1, (C, S): 1}


def test_rater_does_not_vote_in_the_majority_they_are_compared_with(store: Store) -> None:
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BEN: (U, U, S), CARL: (U, S, S)})])
    result = found(store, MAJORITY, Side.of(ADA))
    assert met(result) == {(U, S): 1, (S, S): 1}
    assert result.ties == 1


def test_adjudication_and_verdict_are_sides(store: Store) -> None:
    drafts = [sentence_draft(1, {ADA: (S, S, S), BEN: (U, S, C), NORTH: (S, S, S)})]
    run_id = save_drafts(store, drafts)[0]
    adjudicate(
        store,
        run_id=run_id,
        item_id=item_of(store),
        answer=Answer(unit_id="s1", criterion="label", value=C),
        author=EVE,
        reason="The page says otherwise.",
        seen=99,
        operation_id="settle",
    )
    settled = found(store, ADJUDICATED, Side.of(NORTH))
    assert met(settled) == {(C, S): 1}
    assert settled.judge_only == 2
    verdict = found(store, VERDICT, Side.of(NORTH))
    assert met(verdict) == {(C, S): 1, (S, S): 1}
    assert verdict.ties == 1


def merged(number: int, pieces: list[tuple[str, str]], labels: tuple[str, ...]) -> Draft:
    """Ada labels our sentences, North pieces of its own cut."""
    draft = sentence_draft(number, {ADA: labels})
    said = [
        DraftAnswer(author=NORTH, criterion="label", value=value, unit=UnitKind.SENTENCE, text=text)
        for text, value in pieces
    ]
    return draft._replace(said=[*draft.said, *said])


def test_sentences_that_a_judge_joined_are_one_common_unit(store: Store) -> None:
    first, second = RESPONSE[:28], RESPONSE[29:45]
    pieces = [(f"{first} {second}", C), ("Thank you for asking.", N)]
    save_drafts(store, [merged(1, pieces, (S, C, N))])
    result = found(store, Side.of(ADA), Side.of(NORTH))
    # One sentence by sentence comparison would see supported against contradictory once.
    assert met(result) == {(C, C): 1, (N, N): 1}
    assert (result.both, result.joined) == (2, 1)
    page = load_cell_units(
        store, GROUNDING, "label", Side.of(ADA), Side.of(NORTH), reference_value=C
    )
    assert page.total == 1
    assert page.units.iloc[0][["unit_id", "joined"]].tolist() == ["s1", True]


def test_pieces_that_share_a_sentence_are_one_chain(store: Store) -> None:
    pieces = [(RESPONSE[:45], S), (RESPONSE[29:], S)]
    save_drafts(store, [merged(1, pieces, (S, U, C))])
    result = found(store, Side.of(ADA), Side.of(NORTH))
    assert met(result) == {(C, S): 1}
    assert result.joined == 1


def test_joined_units_lack_a_label_where_one_of_them_is_unread(store: Store) -> None:
    drafts = [merged(1, [(RESPONSE[:45], S)], (S, None, N))]  # type: ignore[arg-type]
    save_drafts(store, drafts)
    result = found(store, Side.of(ADA), Side.of(NORTH))
    assert (result.both, result.judge_only, result.unread_reference) == (0, 1, 1)


def test_corrected_pieces_join_nothing_any_more(store: Store) -> None:
    run_id = save_drafts(store, [merged(1, [(RESPONSE[:45], S)], (S, C, N))])[0]
    answers = [
        Answer(unit_id=unit, criterion="label", value=value)
        for unit, value in (("s1", S), ("s2", C))
    ]
    sign(
        store,
        run_id=run_id,
        item_id=item_of(store),
        answers=answers,
        author=NORTH,
        operation_id="again",
    )
    result = found(store, Side.of(ADA), Side.of(NORTH))
    assert (met(result), result.joined) == ({(S, S): 1, (C, C): 1}, 0)


def test_selection_chooses_rows_of_the_same_table(store: Store) -> None:
    drafts = [
        sentence_draft(1, {ADA: (S, S, S), NORTH: (S, S, S)}),
        sentence_draft(2, {ADA: (U, U, U), NORTH: (S, S, S)}, system="beta"),
    ]
    runs = save_drafts(store, drafts)
    pair = (Side.of(ADA), Side.of(NORTH))
    assert found(store, *pair).both == 6
    assert met(found(store, *pair, replace(GROUNDING, systems=("beta",)))) == {(U, S): 3}
    assert found(store, *pair, replace(GROUNDING, runs=runs[:1])).both == 3
    assert found(store, *pair, replace(GROUNDING, words="question 2")).both == 3
    assert found(store, *pair, replace(GROUNDING, slices=(("market", "de"),))).both == 6
    assert found(store, *pair, replace(GROUNDING, slices=(("market", "fr"),))).both == 0
    assert found(store, *pair, Selection(item=item_of(store))).both == 3


def test_sample_counts_only_while_it_is_alone(store: Store) -> None:
    drafts = [sentence_draft(1, {ADA: (S, S, S), NORTH: (S, S, S)})]
    save_drafts(store, drafts)
    store.write("s", "sample", lambda cursor: mark_sample(cursor))
    pair = (Side.of(ADA), Side.of(NORTH))
    assert found(store, *pair).both == 3
    assert len(find_left_out_sample_runs(store, GROUNDING)) == 0
    runs = save_drafts(store, [sentence_draft(2, {ADA: (U, U, U), NORTH: (U, U, U)})], "own")
    assert met(found(store, *pair)) == {(U, U): 3}
    assert len(runs) == 1
    assert len(find_left_out_sample_runs(store, GROUNDING)) == 1
    assert len(find_left_out_sample_runs(store, replace(GROUNDING, runs=runs))) == 0
    assert len(find_left_out_sample_runs(store, replace(GROUNDING, systems=("another",)))) == 0
    assert len(find_left_out_sample_runs(store, Selection(protocol="expert_rubric"))) == 0
    asked = AgreementQuestion(
        selection=GROUNDING, criterion="label", reference=pair[0], judge=pair[1]
    )
    told = build_report(store, asked)
    assert any("with --run to look at it" in line for line in format_comparison(told, [], {}))
    alone = build_report(store, replace(asked, selection=replace(GROUNDING, runs=runs)))
    assert not any("--run" in line for line in format_comparison(alone, [], {}))


def mark_sample(cursor: object) -> int:
    cursor.execute("update runs set is_sample = true")  # type: ignore[attr-defined]
    return 1


def test_baseline_is_offered_only_when_asked_for(store: Store) -> None:
    said = {ADA: (S, S, S), BEN: (S, S, None), NORTH: (S, S, S), BASELINE: (S, U, S)}
    save_drafts(store, [sentence_draft(1, said)])
    offered = load_sides(store, GROUNDING).set_index("side_text")
    assert list(offered.index) == ["raters", "rater:ada", "rater:ben", "judge:north"]
    assert offered["units"].tolist() == [3, 3, 2, 3]
    assert set(offered["items"]) == {1}
    everybody = load_sides(store, GROUNDING, "label", with_baseline=True)
    assert Side.of(BASELINE) in set(everybody["side"])


def test_a_majority_is_offered_where_two_raters_have_labels(store: Store) -> None:
    drafts = [sentence_draft(1, {ADA: (S, S, S), NORTH: (S, S, S)})]
    drafts += [sentence_draft(2, {BEN: (S, S, S)}, system="beta")]
    run, _ = save_drafts(store, drafts)
    assert "raters" in set(load_sides(store, GROUNDING)["side_text"])
    one = load_sides(store, replace(GROUNDING, runs=(run,)))
    assert one["side_text"].tolist() == ["rater:ada", "judge:north"]


def test_cells_lead_to_their_units_page_by_page(store: Store) -> None:
    drafts = [sentence_draft(number, {ADA: (S, S, N), NORTH: (U, S, N)}) for number in range(1, 31)]
    save_drafts(store, drafts)
    asked = (store, GROUNDING, "label", Side.of(ADA), Side.of(NORTH))
    seen = []
    for page in (1, 2):
        result = load_cell_units(*asked, reference_value=S, judge_value=U, page=page)
        assert result.total == 30
        assert set(result.units["unit_id"]) == {"s1"}
        assert set(result.units["unit_text"]) == {"The kettle holds 1.7 litres."}
        seen += result.units["item_id"].tolist()
    assert len(seen) == len(set(seen)) == 30
    both = load_cell_units(*asked, reference_value=S, page=3)
    assert (both.total, len(both.units)) == (60, 20)
    last = load_cell_units(*asked, page=5)
    assert (last.total, len(last.units)) == (90, 10)
    assert load_cell_units(*asked, reference_value=C).units.empty
    with pytest.raises(ReviewError, match="not on the scale"):
        load_cell_units(*asked, reference_value="perfect")


def test_units_of_one_side_only_can_be_listed(store: Store) -> None:
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, N), NORTH: (S, None, N)})])
    result = load_cell_units(
        store, GROUNDING, "label", Side.of(ADA), Side.of(NORTH), apart="reference_only"
    )
    assert result.units["unit_id"].tolist() == ["s2"]
    assert result.units["judge_value"].isna().all()


def test_items_fall_into_slices(store: Store) -> None:
    drafts = [sentence_draft(1, {ADA: (S, S, S), NORTH: (S, S, S)})]
    drafts += [
        sentence_draft(n, {ADA: (S, S, S), NORTH: (U, S, S)}, system="beta")._replace(
            attributes={"market": "us"}
        )
        for n in (2, 3)
    ]
    save_drafts(store, drafts)
    keys = list_slice_keys(store, GROUNDING)
    assert keys == ("system", "run", "market", "source length", "response length")
    items = found(store, Side.of(ADA), Side.of(NORTH)).tables.items
    assert load_item_slices(store, GROUNDING, "system", items).tolist() == ["alpha", "beta", "beta"]
    assert load_item_slices(store, GROUNDING, "market", items).tolist() == ["de", "us", "us"]
    assert load_item_slices(store, GROUNDING, "nothing", items).tolist() == ["", "", ""]
    lengths = load_item_slices(store, GROUNDING, "source length", items)
    assert set(lengths) == {"shortest quarter (up to 74 characters)"}
    asked = (store, GROUNDING, "label", Side.of(ADA), Side.of(NORTH))
    assert load_cell_units(*asked, part=("market", "us"), judge_value=U).total == 2
    assert load_cell_units(*asked, part=("market", "de"), judge_value=U).total == 0


def test_sides_are_read_from_their_own_words() -> None:
    for text in ("raters", "adjudicated", "verdict", "rater:Ada: the first", "judge:north"):
        assert Side.from_text(text).as_text == text
    assert Side.from_text("judge:north").in_words == "judge north"
    for text in ("", "judge:", "everybody", "model:north"):
        with pytest.raises(ReviewError, match="no side"):
            Side.from_text(text)


def test_unknown_authors_and_criteria_do_not_pass_for_numbers(store: Store) -> None:
    save_drafts(store, [sentence_draft(1, {ADA: (S, S, S)})])
    result = found(store, Side.of(ADA), Side.from_text("judge:nobody"))
    assert (result.both, result.reference_only) == (0, 3)
    assert found(store, ADJUDICATED, Side.of(NORTH)).both == 0
    with pytest.raises(ReviewError, match="no criterion"):
        compare_sides(store, GROUNDING, "accuracy", MAJORITY, Side.of(NORTH))


def test_one_definition_of_ties_and_single_ratings_holds_in_every_majority(store: Store) -> None:
    """One rating is the majority; two that differ, or two of four, are a tie."""
    kai, lea, mia = (Author(kind=AuthorKind.RATER, name=name) for name in ("kai", "lea", "mia"))
    single = sentence_draft(1, {ADA: (S, C, S), NORTH: (S, S, S)})
    tied = sentence_draft(2, {ADA: (S, S, S), BEN: (C, S, S), NORTH: (S, S, S)})
    # Two of four say supported of the first sentence, three of four of the others.
    many = {ADA: (S, S, S), BEN: (S, S, S), kai: (C, S, S), lea: (U, C, C), NORTH: (S, S, S)}
    save_drafts(store, [single, tied, sentence_draft(3, many)])
    found = compare_sides(store, GROUNDING, "label", MAJORITY, Side.of(NORTH))
    assert (found.both, found.ties, found.one_rating) == (7, 2, 3)
    told = build_report(
        store, AgreementQuestion(selection=GROUNDING, reference=MAJORITY, judge=Side.of(NORTH))
    )
    assert (told["coverage"]["ties"], told["coverage"]["one_rating"]) == (2, 3)
    assert "with a single rating: 3" in "\n".join(format_comparison(told, [], {}))
    # The same rule where a rater is held against the others, as the view of raters does.
    save_drafts(store, [sentence_draft(4, many | {mia: (S, S, S)})], "more")
    people = load_ratings(store, GROUNDING, "label")
    against = next(each for each in build_profiles(people) if each.author == mia)
    assert (against.against.units_n, against.tied) == (2, 1)
    assert compare_sides(store, GROUNDING, "label", MAJORITY, Side.of(mia)).ties == 1 + 2

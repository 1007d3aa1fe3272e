"""Two sides laid beside each other: who meets whom, what moved, and what it took."""

from pathlib import Path

import numpy as np
import pytest

from components.compare.sides import format_party_key, likely
from data.agreement.pairs import compare_sides
from data.compare.changes import count_moves, count_transitions, load_changes
from data.compare.compare import (
    describe_origin,
    list_protocols,
    load_parties,
    load_reply_costs,
    load_side_labels,
)
from data.compare.item_pairs import (
    Pairs,
    count_labels,
    count_units,
    load_item_pairs,
    load_own_numbers,
    select_pairs,
)
from data.compare.numbers import Duel, load_item_numbers
from data.compare.references import load_reference_tables, load_references
from data.compare.shared_items import load_common_items
from data.items.sign import sign
from data.runs import queries
from data.runs.remove import remove_runs
from data.samples.first_start import fill
from data.store.store import Store
from faithfulness.model.comparability import ItemMatch, Moved, Party, list_remarks
from faithfulness.model.drafts import Draft, Number
from faithfulness.model.selection import Selection
from faithfulness.model.selection_sides import BASELINE, MAJORITY, Side
from faithfulness.model.vocabulary import Answer, Author, AuthorKind, Field, Reply
from faithfulness.protocols import PROTOCOLS, protocol
from faithfulness.statistics.paired import measure_agreement, measure_number
from tests.data.stored import ADA, BEN, NORTH, save_drafts, sentence_draft
from tests.made_stores import new_store

RULES = protocol("sentence_grounding")
LABEL = RULES.criteria[0]
SOUTH = Author(kind=AuthorKind.JUDGE, name="south")
S, U, C, N = "supported", "unsupported", "contradictory", "no_rad"


def side(run: str, author: Author, prompt: str = "") -> Party:
    return Party(run=run, side=Side.of(author), prompt=prompt)


def duel(first: Party, second: Party) -> Duel:
    return Duel(protocol=RULES, criterion=LABEL, first=first, second=second)


def every(found: Pairs) -> np.ndarray:
    return np.ones(len(found.first), np.bool_)


def other_response(draft: Draft, system: str = "beta") -> Draft:
    """The same question and sources, answered by another system."""
    fields = tuple(
        Field(name=each.name, kind=each.kind, text=f"{each.text} Bye.")
        if each.name == "response"
        else each
        for each in draft.fields
    )
    return draft._replace(fields=fields, system=system)


def test_two_judges_of_one_run_meet_unit_by_unit(store: Store) -> None:
    (run,) = save_drafts(store, [sentence_draft(1, {NORTH: (S, S, N), SOUTH: (S, C, S)})])
    found = load_item_pairs(store, asked := duel(side(run, NORTH), side(run, SOUTH)))
    assert (found.match, found.offers) == (ItemMatch.ITEM, {ItemMatch.ITEM: 1})
    total = count_transitions(found, every(found), LABEL.scale)
    at = LABEL.scale.values.index
    assert (total[at(S), at(S)], total[at(S), at(C)], total[at(N), at(S)]) == (1, 1, 1)
    assert total.sum() == 3
    counts = count_moves(found, every(found), LABEL.scale)
    assert {each: many for each, many in counts.items() if many} == {
        Moved.WORSE: 1,
        Moved.OTHER: 1,
        Moved.SAME: 1,
    }
    listed = load_changes(store, asked, found, every(found))
    assert listed.total == 2
    assert list(listed.rows["moved"]) == [Moved.WORSE, Moved.OTHER]
    worst = listed.rows.iloc[0]
    assert (worst["unit_id"], worst["first_value"], worst["second_value"]) == ("s2", S, C)
    assert worst["text"] == "It costs $49.90."


def test_a_cell_lists_its_units_also_where_nothing_changed(store: Store) -> None:
    (run,) = save_drafts(store, [sentence_draft(1, {NORTH: (S, S, N), SOUTH: (S, C, N)})])
    found = load_item_pairs(store, asked := duel(side(run, NORTH), side(run, SOUTH)))
    listed = load_changes(store, asked, found, every(found), cell=(N, N), moved=Moved.WORSE)
    assert list(listed.rows["unit_id"]) == ["s3"]
    assert list(listed.rows["moved"]) == [Moved.SAME]


def test_runs_of_two_systems_are_matched_by_question_and_sources(store: Store) -> None:
    first = [sentence_draft(n, {NORTH: (S, S, C)}) for n in (1, 2, 3)]
    second = [other_response(sentence_draft(n, {NORTH: (S, C, C)})) for n in (2, 3, 4)]
    one, other = save_drafts(store, first + second)
    found = load_item_pairs(store, asked := duel(side(one, NORTH), side(other, NORTH)))
    assert found.match is ItemMatch.SOURCES
    assert (len(found.first), len(found.only_first), len(found.only_second)) == (2, 1, 1)
    assert not found.are_units
    measure = measure_number(found.name, found.numbers)
    assert measure.first == pytest.approx(2 / 3)
    assert measure.second == pytest.approx(1 / 3)
    listed = load_changes(store, asked, found, every(found))
    assert list(listed.rows["external_id"]) == ["q2", "q3"]
    assert (listed.rows["item_first"] != listed.rows["item_second"]).all()
    counts = count_labels(store, asked, found, every(found))
    assert counts.sum(axis=1).tolist() == [6, 6]


def test_ids_do_not_match_items_with_different_questions(store: Store) -> None:
    """Line numbers are ids in many files, and say nothing about what was asked."""
    fields = (Field(name="query", kind="query", text="Something else?"),)
    strange = sentence_draft(1, {NORTH: (S, S, S)}, system="beta")
    strange = strange._replace(fields=fields + strange.fields[1:])
    one, other = save_drafts(store, [sentence_draft(1, {NORTH: (S, S, S)}), strange])
    found = load_item_pairs(store, duel(side(one, NORTH), side(other, NORTH)))
    assert found.offers == {}
    assert (len(found.first), len(found.only_first), len(found.only_second)) == (0, 1, 1)
    assert measure_number(found.name, found.numbers).difference.reason == "no item has both"


def test_a_question_asked_twice_is_no_key(store: Store) -> None:
    twice = sentence_draft(1, {NORTH: (S, S, S)})
    again = other_response(twice, system="alpha")
    third = other_response(other_response(twice))
    one, other = save_drafts(store, [twice, again, third])
    found = load_item_pairs(store, duel(side(one, NORTH), side(other, NORTH)))
    assert len(found.first) == 0


def test_a_chosen_match_is_kept_and_an_impossible_one_is_not(store: Store) -> None:
    drafts = [sentence_draft(1, {NORTH: (S, S, S)})]
    one, other = save_drafts(store, [*drafts, other_response(drafts[0])])
    asked = duel(side(one, NORTH), side(other, NORTH))
    assert load_item_pairs(store, asked, ItemMatch.QUERY).match is ItemMatch.QUERY
    assert load_item_pairs(store, asked, ItemMatch.ITEM).match is ItemMatch.SOURCES


def test_unread_and_missing_labels_are_lost_not_worse(store: Store) -> None:
    (run,) = save_drafts(store, [sentence_draft(1, {NORTH: (S, S, S), SOUTH: (S, None, C)})])
    found = load_item_pairs(store, duel(side(run, NORTH), side(run, SOUTH)))
    counts = count_moves(found, every(found), LABEL.scale)
    assert (counts[Moved.LOST], counts[Moved.WORSE]) == (1, 1)
    assert count_transitions(found, every(found), LABEL.scale).sum() == 2


def test_two_prompts_of_one_judge_are_two_sides(store: Store) -> None:
    (run,) = save_drafts(store, [sentence_draft(1, {ADA: (S, C, N)})])
    item = str(queries.run_items(store, run)["item_id"].iloc[0])
    for prompt, said in (("first", (S, S, N)), ("second", (S, C, N))):
        answers = [
            Answer(unit_id=f"s{n}", criterion="label", value=value)
            for n, value in enumerate(said, start=1)
        ]
        reply = Reply(text="…", model="m", fingerprint=prompt, seconds=2.5, tokens_in=7)
        sign(
            store,
            run_id=run,
            item_id=item,
            answers=answers,
            author=NORTH,
            operation_id=prompt,
            reply=reply,
        )
    known = [each.party for each in load_parties(store, RULES, LABEL)]
    both = [side(run, NORTH, "first"), side(run, NORTH, "second")]
    assert [each for each in known if each.prompt] == both
    found = load_item_pairs(store, asked := duel(*both))
    listed = load_changes(store, asked, found, every(found))
    assert list(listed.rows["unit_id"]) == ["s2"]
    assert [load_item_numbers(store, asked, each).values.tolist() for each in both] == [
        [1.0],
        [0.5],
    ]
    current = load_side_labels(store, RULES, LABEL, side(run, NORTH))
    assert (current.codes == load_side_labels(store, RULES, LABEL, both[1]).codes).all()
    before = [each for each in load_parties(store, RULES, LABEL) if each.party == both[0]]
    assert describe_origin(store, before[0], RULES).prompts == {"first"}
    taken = load_reply_costs(store, both[0])
    assert (taken.seconds.tolist(), taken.tokens_in.tolist()) == ([2.5], [7.0])
    assert np.isnan(taken.cost).all()


def test_numbers_counted_from_labels_are_the_stored_ones(tmp_path: Path) -> None:
    """Of every protocol, by its own rule: the way a single prompt's number is made."""
    store = new_store(tmp_path / "sample.duckdb", fill)
    with store.read() as cursor:
        rows = cursor.execute("select distinct reply_id from replies").fetchall()
    assert rows
    for rules in PROTOCOLS.values():
        criterion = rules.criteria[0]
        for known in load_parties(store, rules, criterion):
            if known.party.side.author is None:
                continue
            asked = Duel(protocol=rules, criterion=criterion, first=known.party, second=known.party)
            stored = load_item_numbers(store, asked, known.party)
            from_labels = counted_from_labels(store, asked, known.party)
            assert stored.name == from_labels.name or criterion.scale.ordinal
            kept = np.isin(stored.items, from_labels.items)
            assert np.isnan(stored.values[~kept]).all()
            np.testing.assert_allclose(stored.values[kept], from_labels.values)
    store.close()


def counted_from_labels(store: Store, asked: Duel, party: Party):
    from data.compare import numbers as own

    said = load_side_labels(store, asked.protocol, asked.criterion, party)
    if asked.criterion.scale.ordinal:
        return own._mean_scores(asked.criterion, said)
    return own._summarised(store, asked, said)


def test_agreement_with_a_reference_counts_what_all_three_labelled(store: Store) -> None:
    values = {ADA: (S, C, N), BEN: (S, C, N), NORTH: (S, S, N), SOUTH: (S, C, None)}
    (run,) = save_drafts(store, [sentence_draft(1, values)])
    found = load_item_pairs(store, asked := duel(side(run, NORTH), side(run, SOUTH)))
    one, other = load_reference_tables(store, asked, found, MAJORITY)
    assert (one.units_n, other.units_n) == (2, 2)
    percent = measure_agreement(one, other)[0]
    assert (percent.first, percent.second) == (0.5, 1.0)


def test_a_rater_who_is_compared_does_not_vote_in_the_reference(store: Store) -> None:
    (run,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BEN: (C, C, C)})])
    found = load_item_pairs(store, asked := duel(side(run, ADA), side(run, BEN)))
    one, other = load_reference_tables(store, asked, found, MAJORITY)
    assert (one.units_n, other.units_n) == (0, 0)


def test_a_rater_does_not_vote_in_the_majority_on_the_other_side(store: Store) -> None:
    ana = Author(kind=AuthorKind.RATER, name="ana")
    (run,) = save_drafts(
        store, [sentence_draft(1, {ADA: (S, S, C), BEN: (S, C, C), ana: (C, C, S)})]
    )
    raters = Party(run=run, side=MAJORITY)
    # The others come to a tie on the first and the third sentence.
    for asked in (duel(raters, side(run, ADA)), duel(side(run, ADA), raters)):
        found = load_item_pairs(store, asked)
        at = asked.first != raters
        assert [LABEL.scale.values[code] for code in found.codes[1 - at]] == [S, S, C]
        assert (found.codes[int(at)] >= 0).tolist() == [False, True, False]
        # Of what is no tie none is supported; with Ada's vote it would be one of three.
        assert load_item_numbers(store, asked, raters).values.tolist() == [0.0]
        agreed = compare_sides(
            store, Selection(), "label", *(e.side for e in (asked.first, asked.second))
        )
        assert count_transitions(found, every(found), LABEL.scale).sum() == agreed.both == 1
    # A judge on the other side has no vote to leave out.
    whole = load_side_labels(store, RULES, LABEL, raters)
    assert (whole.codes >= 0).all()


def test_of_numbers_only_the_mean_is_that_of_the_other_raters(store: Store) -> None:
    given = tuple(
        Number(author=each, name="Supported share", value=value)
        for each, value in ((ADA, 0.25), (BEN, 0.75))
    )
    (run,) = save_drafts(store, [sentence_draft(1)._replace(numbers=given)])
    found = load_item_pairs(store, duel(side(run, ADA), Party(run=run, side=MAJORITY)))
    assert found.numbers.tolist() == [[0.25], [0.75]]


def test_shares_of_other_responses_leave_the_rater_out_as_well(store: Store) -> None:
    said = {ADA: (S, S, C), BEN: (S, C, C)}
    first, second = sentence_draft(1, said), other_response(sentence_draft(1, said))
    one, other = save_drafts(store, [first, second])
    found = load_item_pairs(store, asked := duel(Party(run=one, side=MAJORITY), side(other, ADA)))
    counts = count_labels(store, asked, found, every(found))
    at = [LABEL.scale.values.index(each) for each in (S, C)]
    assert counts[:, at].tolist() == [[1, 2], [2, 1]]


def test_raters_of_another_run_are_a_reference_where_they_speak_of_the_same_items(
    store: Store,
) -> None:
    judged = {NORTH: (S, S, N), SOUTH: (S, C, N)}
    run, _ = save_drafts(
        store,
        [
            sentence_draft(1, judged),
            sentence_draft(1, {ADA: (S, C, N)})._replace(system="rated elsewhere"),
            sentence_draft(2, {BEN: (S, C, N)})._replace(system="rated elsewhere"),
        ],
    )
    found = load_item_pairs(store, asked := duel(side(run, NORTH), side(run, SOUTH)))
    offered = load_references(store, asked)["side_text"].tolist()
    assert offered == [Side.of(each).as_text for each in (ADA, NORTH, SOUTH)]
    one, other = load_reference_tables(store, asked, found, Side.of(ADA))
    percent = measure_agreement(one, other)[0]
    assert (one.units_n, percent.first, percent.second) == (3, pytest.approx(2 / 3), 1.0)


def test_people_together_are_offered_before_each_of_them(store: Store) -> None:
    values = {ADA: (S, S, S), BEN: (None, None, None), NORTH: (S, S, S), SOUTH: (S, S, S)}
    (run,) = save_drafts(store, [sentence_draft(1, values)])
    asked = duel(side(run, NORTH), side(run, SOUTH))
    assert load_references(store, asked)["kind"].tolist() == ["rater", "judge", "judge"]
    save_drafts(store, [sentence_draft(1, {BEN: (S, S, C)})], "second")
    # Ben has labels in another run alone: offered, but no majority with Ada.
    told = load_references(store, asked)
    assert told["kind"].tolist() == ["rater", "rater", "judge", "judge"]
    assert told["title"].tolist()[:2] == ["rater ada", "rater ben, in other runs"]
    (third,) = save_drafts(store, [sentence_draft(1, values | {BEN: (S, S, C)})], "third")
    told = load_references(store, duel(side(third, NORTH), side(third, SOUTH)))
    assert told["kind"].tolist() == ["several", "rater", "rater"] + ["judge"] * 2


def test_a_filter_leaves_the_pairs_that_fit(store: Store) -> None:
    drafts = [
        sentence_draft(n, {NORTH: (S, S, S), SOUTH: (S, S, C)})._replace(attributes={"market": m})
        for n, m in ((1, "de"), (2, "fr"), (3, "fr"))
    ]
    (run,) = save_drafts(store, drafts)
    found = load_item_pairs(store, asked := duel(side(run, NORTH), side(run, SOUTH)))
    french = Selection(slices=(("market", "fr"),))
    wanted = select_pairs(store, asked, found, french)
    assert wanted.tolist() == [False, True, True]
    assert count_transitions(found, wanted, LABEL.scale).sum() == 6
    assert load_changes(store, asked, found, wanted).total == 2
    own = load_own_numbers(store, asked, found, french, common=False)
    assert [len(each) for each in own] == [2, 2]
    worded = select_pairs(store, asked, found, Selection(words="question 1"))
    assert worded.tolist() == [True, False, False]


def test_pages_hold_every_change_once(store: Store) -> None:
    drafts = [sentence_draft(n, {NORTH: (S, S, S), SOUTH: (C, U, S)}) for n in range(15)]
    (run,) = save_drafts(store, drafts)
    found = load_item_pairs(store, asked := duel(side(run, NORTH), side(run, SOUTH)))
    listed = [load_changes(store, asked, found, every(found), page=page) for page in (1, 2, 3)]
    assert [(each.total, len(each.rows)) for each in listed] == [(30, 20), (30, 10), (30, 0)]
    places = [(row.item_first, row.unit_id) for each in listed for row in each.rows.itertuples()]
    assert len(set(places)) == 30
    assert set(listed[0].rows["second_value"][:15]) == {C}


def test_removed_runs_are_no_side(store: Store) -> None:
    (run,) = save_drafts(store, [sentence_draft(1, {NORTH: (S, S, S)})])
    assert list_protocols(store) == ["sentence_grounding"]
    remove_runs(store, run_ids=[run], removed_by="ada", operation_id="gone")
    assert load_parties(store, RULES, LABEL) == ()


def opening(store: Store, first: str = "") -> Party:
    """The side on which the page opens, beside the first where one is named."""
    known = {format_party_key(each.party): each for each in load_parties(store, RULES, LABEL)}
    return known[likely(known, load_common_items(store, RULES, LABEL), first)[0]].party


def test_the_page_opens_on_the_two_sides_with_most_items_in_common(store: Store) -> None:
    judged = (S, S, S)
    small = [sentence_draft(n, {NORTH: judged, SOUTH: judged}) for n in (1, 2)]
    said = {ADA: judged, BEN: judged, SOUTH: judged}
    large = [sentence_draft(n, said, system="beta") for n in range(10, 15)]
    tried = sentence_draft(15, {NORTH: judged, SOUTH: judged, BASELINE: judged}, system="beta")
    few, many = save_drafts(store, [*small, *large, tried])
    common = load_common_items(store, RULES, LABEL)
    assert common[side(few, NORTH), side(few, SOUTH)] == 2
    assert common[side(many, SOUTH), side(many, NORTH)] == 1
    raters = Party(run=many, side=MAJORITY)
    assert common[raters, side(many, SOUTH)] == common[side(many, SOUTH), raters] == 5
    assert opening(store) == side(many, SOUTH)
    assert opening(store, format_party_key(side(many, SOUTH))) == raters
    assert opening(store, format_party_key(side(few, NORTH))) == side(few, SOUTH)


def test_the_page_opens_on_an_own_run_before_the_sample(store: Store) -> None:
    fill(store)
    assert opening(store).side.author is not None
    alone, both = {NORTH: (S, S, S)}, {NORTH: (S, S, S), SOUTH: (S, S, U)}
    save_drafts(store, [sentence_draft(1, alone, system="alone")])
    (run,) = save_drafts(store, [sentence_draft(2, both, system="both")], "second")
    assert opening(store).run == run


def test_one_rater_of_a_run_is_counted_by_name(store: Store) -> None:
    (run,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), NORTH: (S, None, S)})])
    assert load_common_items(store, RULES, LABEL)[side(run, ADA), side(run, NORTH)] == 1


def test_the_baseline_is_one_side_whatever_prompt_stood_by(store: Store) -> None:
    (run,) = save_drafts(store, [sentence_draft(1, {NORTH: (S, S, S)})])
    item = queries.run_items(store, run).iloc[0]["item_id"]
    for prompt in ("first", "second"):
        sign(
            store,
            run_id=run,
            item_id=item,
            answers=[Answer(unit_id="s1", criterion="label", value=S)],
            author=BASELINE,
            operation_id=prompt,
            reply=Reply(text="…", model="", fingerprint=prompt),
        )
    known = load_parties(store, RULES, LABEL)
    assert [each.party for each in known] == [side(run, BASELINE), side(run, NORTH)]
    one, other = (describe_origin(store, each, RULES) for each in known)
    assert "Prompt" not in {each.aspect for each in list_remarks(one, other, ItemMatch.ITEM)}


def test_raters_of_a_run_stand_together_as_well(store: Store) -> None:
    (run,) = save_drafts(store, [sentence_draft(1, {ADA: (S, S, S), BEN: (S, C, S)})])
    sides = [each.party.side for each in load_parties(store, RULES, LABEL)]
    assert sides == [Side.of(ADA), Side.of(BEN), MAJORITY]
    together = load_side_labels(store, RULES, LABEL, Party(run=run, side=MAJORITY))
    assert (together.codes >= 0).tolist() == [True, False, True]


def test_the_number_of_a_majority_is_counted_from_its_labels(store: Store) -> None:
    ana = Author(kind=AuthorKind.RATER, name="ana")
    # By majority S S C: 2/3. The raters' own shares are 1, 2/3 and 0, their mean is 5/9.
    three = {ADA: (S, S, S), BEN: (S, S, C), ana: (C, C, C), NORTH: (S, S, S)}
    # One tie is left out: 1 of 2. Ada's share is 2/3, Ben's 1/3.
    two = {ADA: (S, S, C), BEN: (S, C, C), NORTH: (S, S, S)}
    # Nothing but ties has no number.
    none = {ADA: (S, S, S), BEN: (C, C, C), NORTH: (S, S, S)}
    drafts = [sentence_draft(at, said) for at, said in enumerate((three, two, none))]
    (run,) = save_drafts(store, drafts)
    found = load_item_pairs(store, duel(Party(run=run, side=MAJORITY), side(run, NORTH)))
    assert found.name == "Supported share (of raters by their majority labels)"
    np.testing.assert_allclose(found.numbers, [[2 / 3, 1 / 2, np.nan], [1, 1, 1]])


def test_both_numbers_of_a_response_stand_on_the_units_that_both_labelled(store: Store) -> None:
    # The raters tie on the third sentence, so that only North has a label there.
    tied = {ADA: (S, C, S), BEN: (S, C, C), NORTH: (S, C, S)}
    even = {ADA: (S, S, C), BEN: (S, S, C), NORTH: (S, S, S)}
    apart = {ADA: (S, None, None), BEN: (S, None, None), NORTH: (None, S, None)}
    drafts = [sentence_draft(at, said) for at, said in enumerate((tied, even, apart))]
    (run,) = save_drafts(store, drafts)
    raters, north = Party(run=run, side=MAJORITY), side(run, NORTH)
    found = load_item_pairs(store, asked := duel(raters, north))
    np.testing.assert_allclose(found.numbers, [[1 / 2, 2 / 3, np.nan], [1 / 2, 1, np.nan]])
    assert count_units(found, every(found)) == (5, 6, 5)
    assert count_units(found, np.array([False, True, True])) == (3, 3, 3)
    # By itself each side keeps the number of all that it labelled.
    own = load_own_numbers(store, asked, found, Selection(), common=False)
    np.testing.assert_allclose(own[1], [2 / 3, 1, 1])
    back = load_item_pairs(store, duel(north, raters))
    np.testing.assert_allclose(back.numbers, found.numbers[::-1])


@pytest.mark.parametrize("key", PROTOCOLS)
def test_a_majority_has_the_number_its_judges_have(tmp_path: Path, key: str) -> None:
    store = new_store(tmp_path / "sample.duckdb", fill)
    rules = PROTOCOLS[key]
    sides = [each.party for each in load_parties(store, rules, rules.criteria[0])]
    together = [each for each in sides if each.side == MAJORITY]
    assert together
    for raters in together:
        other = next(each for each in sides if each.run == raters.run and each != raters)
        asked = Duel(protocol=rules, criterion=rules.criteria[0], first=raters, second=other)
        found = load_item_numbers(store, asked, raters)
        assert (found.name, found.averaged) == (load_item_numbers(store, asked, other).name, False)
        assert np.isfinite(found.values).any()
    store.close()


def test_raters_who_brought_numbers_only_are_named_as_a_mean(store: Store) -> None:
    given = tuple(
        Number(author=each, name="Supported share", value=value)
        for each, value in ((ADA, 0.25), (BEN, 0.75))
    )
    (run,) = save_drafts(store, [sentence_draft(1, {NORTH: (S, S, S)})._replace(numbers=given)])
    found = load_item_pairs(store, duel(side(run, NORTH), Party(run=run, side=MAJORITY)))
    assert found.name == "Supported share (of raters the mean of their own)"
    assert found.numbers.tolist() == [[1.0], [0.5]]


def test_numbers_of_different_names_are_never_compared(store: Store) -> None:
    published = Author(kind=AuthorKind.RATER, name="published")
    given = tuple(
        Number(author=published, name=name, value=value)
        for name, value in (("Coverage", 0.9), ("Supported share", 0.5))
    )
    only_coverage = Number(author=BEN, name="Coverage", value=0.1)
    draft = sentence_draft(1, {NORTH: (S, S, C)})._replace(numbers=(*given, only_coverage))
    (run,) = save_drafts(store, [draft])
    north, elsewhere = side(run, NORTH), side(run, published)
    found = load_item_pairs(store, duel(elsewhere, north))
    own = load_item_numbers(store, duel(north, north), north)
    assert (found.name, found.numbers.tolist()) == (own.name, [[0.5], [own.values[0]]])
    assert load_item_pairs(store, duel(elsewhere, side(run, BEN))).name == "Coverage"
    nothing = load_item_pairs(store, duel(north, side(run, BEN)))
    assert nothing.name == ""
    assert np.isnan(nothing.numbers).all()

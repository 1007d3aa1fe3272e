"""What differs between two sides, what it means, and which way a label moved."""

from dataclasses import replace

import numpy as np
import pytest

from faithfulness.model.comparability import (
    AnswerOrigin,
    ItemMatch,
    Moved,
    Party,
    build_move_table,
    count_steps,
    list_remarks,
    summarize_remarks,
)
from faithfulness.model.selection_sides import MAJORITY, VERDICT, Side
from faithfulness.model.vocabulary import Author, AuthorKind
from faithfulness.protocols import PROTOCOLS, protocol
from faithfulness.statistics.comparison import Difference
from faithfulness.statistics.paired import (
    PairedNumber,
    describe_difference,
    format_p,
    measure_agreement,
    measure_number,
)
from faithfulness.statistics.tables import count_pairs

NORTH = Side.of(Author(kind=AuthorKind.JUDGE, name="north"))
SOUTH = Side.of(Author(kind=AuthorKind.JUDGE, name="south"))
FIRST = AnswerOrigin(
    party=Party(run="r1", side=NORTH),
    system="alpha",
    protocol="Sentence grounding",
    prompts=frozenset({"aaaabbbbcccc"}),
    cutters=frozenset({"sentencex 1"}),
    models=frozenset({"north-1"}),
)


def told(
    second: AnswerOrigin, match: ItemMatch = ItemMatch.ITEM, first: AnswerOrigin = FIRST
) -> dict[str, bool | None]:
    return {each.aspect: each.same for each in list_remarks(first, second, match)}


def test_a_side_beside_itself_differs_in_nothing():
    found = list_remarks(FIRST, FIRST, ItemMatch.ITEM)
    assert {each.same for each in found} == {True}
    assert summarize_remarks(found).startswith("Nothing is known to differ")


def test_another_system_alone_can_be_the_cause():
    other = replace(FIRST, system="beta", party=Party(run="r2", side=NORTH))
    found = list_remarks(FIRST, other, ItemMatch.SOURCES)
    assert [each.aspect for each in found if each.same is False] == ["Items", "System"]
    assert summarize_remarks(found) == (
        "Only the system is known to differ, so a difference comes from there."
    )


def test_two_differences_at_once_can_be_put_down_to_neither():
    other = replace(FIRST, system="beta", prompts=frozenset({"other"}))
    said = summarize_remarks(list_remarks(FIRST, other, ItemMatch.QUERY))
    assert "Several things differ at once (system and prompt)" in said


def test_an_unknown_prompt_is_neither_the_same_nor_another():
    other = replace(FIRST, prompts=frozenset(), party=Party(run="r1", side=SOUTH))
    assert told(other)["Prompt"] is None
    assert "Whether the prompt is the same is not known." in summarize_remarks(
        list_remarks(FIRST, other, ItemMatch.ITEM)
    )


def test_a_side_with_several_prompts_shows_them_all():
    other = replace(FIRST, prompts=frozenset({"aaaabbbbcccc", "ddddeeeeffff"}))
    found = {each.aspect: each for each in list_remarks(FIRST, other, ItemMatch.ITEM)}
    assert found["Prompt"].same is False
    assert found["Prompt"].second == "aaaabbbb and ddddeeee"


def test_people_have_no_prompt_and_no_model():
    people = replace(FIRST, party=Party(run="r1", side=MAJORITY), prompts=frozenset())
    assert "Prompt" not in told(people)
    assert "Model" not in told(people)
    author = next(
        each for each in list_remarks(FIRST, people, ItemMatch.ITEM) if each.aspect == "Author"
    )
    assert "agreement page" in author.means


def test_a_majority_beside_one_of_its_raters_is_that_of_the_others():
    ada = Side.of(Author(kind=AuthorKind.RATER, name="ada"))
    one, other = (replace(FIRST, party=Party(run="r1", side=each)) for each in (MAJORITY, ada))
    author = next(
        each for each in list_remarks(one, other, ItemMatch.ITEM) if each.aspect == "Author"
    )
    assert (author.first, author.second) == ("the majority of the other raters", "rater ada")
    assert VERDICT.in_words_beside(ada) == VERDICT.in_words
    assert MAJORITY.in_words_beside(NORTH, ada) == author.first
    assert MAJORITY.in_words_beside(NORTH) == MAJORITY.in_words


def test_different_cutters_matter_only_between_different_responses():
    other = replace(FIRST, cutters=frozenset({"file"}))
    assert told(other, ItemMatch.ITEM)["Cutter"] is True
    assert told(other, ItemMatch.SOURCES)["Cutter"] is False


def test_what_differs_stands_first():
    other = replace(FIRST, system="beta", models=frozenset())
    order = [each.same for each in list_remarks(FIRST, other, ItemMatch.ITEM)]
    assert order == sorted(order, key=[False, None, True].index)


def test_moves_on_labels_follow_how_good_a_label_is():
    scale = protocol("sentence_grounding").criteria[0].scale
    table = {
        (low, high): build_move_table(scale)[i][j]
        for i, low in enumerate(scale.values)
        for j, high in enumerate(scale.values)
    }
    assert table["supported", "contradictory"] is Moved.WORSE
    assert table["unsupported", "contradictory"] is Moved.WORSE
    assert table["contradictory", "supported"] is Moved.BETTER
    assert table["supported", "no_rad"] is Moved.OTHER
    assert table["supported", "supported"] is Moved.SAME


def test_two_ways_to_be_right_are_no_step_up_or_down():
    scale = protocol("response_consistency").criteria[0].scale
    at = scale.values.index
    found = build_move_table(scale)[at("yes_evidence")][at("yes_common_knowledge")]
    assert found is Moved.OTHER
    assert build_move_table(scale)[at("yes_evidence")][at("no_contrary_evidence")] is Moved.WORSE


@pytest.mark.parametrize("key", PROTOCOLS)
def test_the_way_back_is_the_opposite(key):
    opposite = {Moved.WORSE: Moved.BETTER, Moved.BETTER: Moved.WORSE}
    for criterion in PROTOCOLS[key].criteria:
        table = build_move_table(criterion.scale)
        for low, line in enumerate(table):
            for high, found in enumerate(line):
                assert table[high][low] is opposite.get(found, found)
                assert count_steps(criterion.scale, low, high) == count_steps(
                    criterion.scale, high, low
                )
                assert (count_steps(criterion.scale, low, high) == 0) == (low == high)


def test_a_number_is_compared_where_both_have_one():
    numbers = np.array([[0.5, 1.0, np.nan, 0.25], [0.25, 1.0, 0.5, np.nan]])
    found = measure_number("Supported share", numbers)
    assert (found.first, found.second, found.difference.value) == (0.75, 0.625, -0.125)
    assert found.difference.items == 2
    said = describe_difference(found, "It", ("A", "B"))
    assert said.startswith("On the 2 common items that have it, It is 0.12 lower for B than for A")
    assert "chance could do that" in said


@pytest.mark.parametrize(
    ("low", "high", "p", "verdict", "is_sure"),
    [
        (0.01, 0.25, 0.03, "more than chance would do", True),
        (None, None, 0.03, "more than chance would do", True),
        (-0.01, 0.25, 0.06, "chance could do that", False),
        (None, None, 0.06, "chance could do that", False),
        (
            *(0.01, 0.25, 0.052),
            "the interval leaves out 0, the test does not rule out chance: on the edge",
            False,
        ),
        (
            *(-0.01, 0.25, 0.049),
            "the test rules out chance, the interval does not leave out 0: on the edge",
            False,
        ),
    ],
)
def test_interval_and_test_that_disagree_are_both_told(low, high, p, verdict, is_sure):
    apart = Difference(name="It", value=0.13, low=low, high=high, p=p, items=25)
    found = PairedNumber(name="It", first=0.6, second=0.73, difference=apart)
    assert describe_difference(found, "It", ("A", "B")).endswith(f": {verdict}).")
    assert found.is_sure is is_sure


def test_a_number_that_nobody_has_is_undefined_and_says_why():
    found = measure_number("F1", np.full((2, 3), np.nan))
    assert (found.first, found.difference.value) == (None, None)
    assert (
        describe_difference(found, "F1", ("A", "B")) == "F1 cannot be compared: no item has both."
    )


def test_equal_numbers_are_not_called_chance():
    said = describe_difference(measure_number("F1", np.ones((2, 25))), "F1", ("A", "B"))
    assert "F1 is 1.00 for both A and B" in said
    assert "chance" not in said


def test_a_surely_better_judge_is_told_so():
    items, truth = np.arange(40), np.tile([0, 1], 20)
    right = count_pairs(("x", "y"), False, items=items, reference=truth, judge=truth)
    wrong = count_pairs(("x", "y"), False, items=items, reference=truth, judge=1 - truth)
    found = {each.name: each for each in measure_agreement(wrong, right)}
    assert found["percent"].difference.value == 1
    assert found["percent"].is_sure
    assert (found["kappa"].first, found["kappa"].second) == (-1, 1)


def test_agreement_without_common_items_is_undefined():
    one = count_pairs(("x", "y"), False, items=[1], reference=[0], judge=[0])
    other = count_pairs(("x", "y"), False, items=[2], reference=[0], judge=[0])
    assert {each.difference.value for each in measure_agreement(one, other)} == {None}


def test_a_tiny_p_is_not_written_as_zero():
    assert format_p(0.0001) == "p < 0.001"
    assert format_p(0.0351) == "p = 0.035"
    assert format_p(None) == ""

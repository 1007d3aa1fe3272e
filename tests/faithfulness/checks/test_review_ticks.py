"""Ticked reviews: a later tick wins, everybody counts for themselves, the arithmetic is exact."""

import pytest

from faithfulness.checks.check import FindingRange
from faithfulness.checks.review_ticks import (
    Tick,
    count_ticks,
    describe_count,
    list_reviews,
    refuse_unknown,
    to_count,
)
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Field, Item, Span


def item_of(response: str, reviews: int) -> Item:
    text = "\n".join(f"★★★★★ Review {at}: it is quiet." for at in range(1, reviews + 1))
    return Item(
        id="i1",
        fields=(
            Field(name="response", kind="response", text=response),
            Field(name="reviews", kind="reviews", text=text),
        ),
        units=(),
    )


def ticks_on(item: Item, supporting: int, contradicting: int, by: str = "ada") -> list[Tick]:
    (said,) = to_count(item)
    stances = ["supports"] * supporting + ["contradicts"] * contradicting
    return [
        Tick(said, review, stance, by)
        for review, stance in zip(list_reviews(item), stances, strict=False)
    ]


# Statement, reviews listed, ticked for, ticked against -> what the rule says, by hand.
BY_HAND = (
    ("8 out of 10 customers say it is quiet.", 10, 8, 0, True),  # 80 % of 75 to 85
    ("8 out of 10 customers say it is quiet.", 10, 7, 3, False),  # 70 %
    ("83% of customers say it is quiet.", 6, 5, 1, True),  # 83.3 %
    ("83% of customers say it is quiet.", 5, 4, 1, False),  # 80 %
    ("8 out of 10 customers say it is quiet.", 50, 40, 0, None),  # 50 are no small set
    ("8 out of 10 customers say it is quiet.", 49, 39, 0, True),  # 79.6 %
    ("Many customers say it is quiet.", 10, 4, 1, True),  # 4 of 5 that speak of it
    ("Many customers say it is quiet.", 10, 3, 1, False),  # 75 %
    ("Customers generally say it is quiet.", 10, 1, 0, False),  # one review is no plural
    ("Customers say it is quiet.", 10, 1, 0, False),
    ("Customers say it is quiet.", 10, 2, 5, True),
    ("Three reviewers say it is quiet.", 10, 3, 0, True),
    ("Three reviewers say it is quiet.", 10, 4, 0, False),
)


@pytest.mark.parametrize(("response", "reviews", "supporting", "contradicting", "holds"), BY_HAND)
def test_a_count_holds_or_not_as_computed_by_hand(
    response, reviews, supporting, contradicting, holds
):
    item = item_of(response, reviews)
    (found,) = count_ticks(item, ticks_on(item, supporting, contradicting))
    assert found.verdict.holds is holds
    assert (found.tally.supporting, found.tally.contradicting) == (supporting, contradicting)
    assert found.tally.total == reviews


def test_a_later_tick_wins_and_taking_back_leaves_the_review_silent():
    item = item_of("Many customers say it is quiet.", 5)
    first, second = ticks_on(item, 2, 0)
    changed = [first, second, second._replace(stance="contradicts")]
    (found,) = count_ticks(item, changed)
    assert (found.tally.supporting, found.tally.contradicting) == (1, 1)
    assert count_ticks(item, [first, first._replace(stance="")]) == ()


def test_everybody_counts_for_themselves_and_is_told_in_words():
    item = item_of("Many customers say it is quiet.", 5)
    ada, ben = count_ticks(item, [*ticks_on(item, 4, 1), *ticks_on(item, 1, 0, by="ben")])
    assert describe_count(ada) == (
        "ada counts 4 supporting and 1 contradicting of 5: holds (80 % of the reviews: 4 of 5 "
        "reviews that speak of it support it (80 % of them, 80 % of all 5); 80 % are needed)"
    )
    assert describe_count(ben).startswith(
        "ben counts 1 supporting and 0 contradicting of 5: does not "
    )


def test_what_the_item_does_not_have_or_nobody_signs_is_refused():
    item = item_of("Many customers say it is quiet.", 3)
    tick = ticks_on(item, 1, 0)[0]
    refuse_unknown(item, tick)
    wrong = (
        tick._replace(by=" "),
        tick._replace(stance="maybe"),
        tick._replace(said=FindingRange(0, 2)),
        tick._replace(review=Span(field="reviews", start=0, end=1)),
    )
    for each in wrong:
        with pytest.raises(ReviewError, match="Not ticked"):
            refuse_unknown(item, each)
    assert count_ticks(item, [wrong[2], wrong[3]]) == ()


def test_nothing_can_be_ticked_where_reviews_cannot_be_told_apart_or_counted():
    block = Field(name="reviews", kind="reviews", text="All of them like it and say it is quiet.")
    response = Field(name="response", kind="response", text="Many customers say it is quiet.")
    assert to_count(Item(id="i", fields=(response, block), units=())) == {}
    assert to_count(Item(id="i", fields=(response,), units=())) == {}
    assert to_count(item_of("Customers say it is quiet.", 1)) == {}  # found without reading

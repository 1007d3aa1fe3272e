"""Counted reviews: the rules of the guideline as exact arithmetic."""

import pytest

from faithfulness.checks.review_arithmetic import CountClaim, ReviewCount, verdict
from faithfulness.checks.review_count import CHECK, find_claims, get_finding_claim
from tests.faithfulness.checks.case_files import item_of


def claim(sentence: str) -> CountClaim:
    ((_, found),) = find_claims(sentence)
    return found


def count(supporting: int, contradicting: int, total: int) -> ReviewCount:
    return ReviewCount(supporting=supporting, contradicting=contradicting, total=total)


@pytest.mark.parametrize(
    ("sentence", "counted", "holds"),
    [
        # 80 % of those that speak of it: 8 of 10, and 4 of 5.
        ("Many customers say it is quiet.", (8, 2, 20), True),
        ("Many customers say it is quiet.", (7, 2, 20), False),
        ("Customers generally say it is quiet.", (4, 1, 9), True),
        ("Customers generally say it is quiet.", (79, 21, 100), False),
        ("Most reviewers praise it.", (80, 20, 100), True),
        # A plural needs two, however few contradict.
        ("Many customers say it is quiet.", (1, 0, 6), False),
        ("Customers say it is quiet.", (1, 0, 6), False),
        ("Customers say it is quiet.", (2, 3, 6), True),
        ("Several buyers mention it.", (0, 0, 6), False),
        ("According to customers, it is quiet.", (1, 0, 6), False),
        ("It is quiet, according to the customer reviews.", (2, 0, 6), True),
        # A share of all reviews: 8 out of 10 leaves 75 % to 85 % open, 83 % leaves half a point.
        ("8 out of 10 customers say so.", (8, 2, 10), True),
        ("8 out of 10 customers say so.", (6, 0, 8), True),
        ("8 out of 10 customers say so.", (5, 0, 8), False),
        ("83% of customers have said so.", (5, 1, 6), True),
        ("83% of customers have said so.", (4, 1, 6), False),
        ("About 83% of customers have said so.", (4, 1, 5), True),
        ("All reviewers agree.", (6, 0, 6), True),
        ("All reviewers agree.", (5, 0, 6), False),
        ("None of the customers mentions rust.", (0, 0, 6), True),
        ("None of the customers mentions rust.", (1, 0, 6), False),
        ("More than 60% of users report it.", (4, 0, 6), True),
        # Fifty reviews are no small set: the guideline asks for a contradiction in small ones only.
        ("83% of customers have said so.", (10, 30, 50), None),
        ("83% of customers have said so.", (10, 30, 49), False),
        # Numbers.
        ("Two reviewers say so.", (2, 0, 6), True),
        ("Two reviewers say so.", (3, 0, 6), False),
        ("At least two reviewers say so.", (3, 0, 6), True),
        ("Twenty-five reviewers say so.", (25, 0, 30), True),
        ("Twenty-five reviewers say so.", (5, 0, 30), False),
        ("A hundred and twenty customers say so.", (120, 0, 130), True),
        ("Half a dozen buyers say so.", (6, 0, 9), True),
        ("Three to five reviewers say so.", (4, 0, 6), True),
        ("3-5 reviewers say so.", (2, 0, 6), False),
        ("Between three and five reviewers say so.", (5, 0, 6), True),
        ("One or two reviewers say so.", (1, 0, 6), True),
    ],
)
def test_the_counts_decide(sentence, counted, holds):
    result = verdict(claim(sentence), count(*counted))
    assert result.holds is holds
    assert result.rule
    assert str(counted[2]) in result.says or "no review" in result.says


def test_more_ticks_than_reviews_are_refused():
    with pytest.raises(ValueError, match="more reviews are ticked"):
        count(3, 2, 4)


def test_eighty_per_cent_is_enough_in_every_small_set():
    many = CountClaim("many")
    for speaking in range(2, 51):
        for supporting in range(2, speaking + 1):
            holds = verdict(many, count(supporting, speaking - supporting, 50)).holds
            assert holds is (100 * supporting >= 80 * speaking)


def test_a_finding_leads_to_its_statement_and_the_ticks_decide_it():
    reviews = ["Heats evenly.", "Loose handle.", "Heats evenly on gas.", "Fine."]
    told = "It is heavy. Many customers say it heats evenly."
    item = item_of({"response": told, "reviews": reviews})
    (found,) = CHECK.run(item)
    assert len(found.candidates) == 2
    claim = get_finding_claim(found, item)
    assert claim == CountClaim("many")
    assert verdict(claim, count(2, 0, 4)).holds is True
    assert verdict(claim, count(2, 1, 4)).holds is False


@pytest.mark.parametrize(
    ("said", "too_many"),
    [
        ("Twenty-five customers say it is quiet.", True),
        ("Four to six customers say it is quiet.", True),
        ("2-5 customers say it is quiet.", False),
        ("One or two customers say it is quiet.", False),
        ("Two million customers have said that it is quiet.", False),
    ],
)
def test_more_customers_than_reviews_are_found_at_the_lower_end_of_a_range(said, too_many):
    reviews = ["It is quiet.", "Loose handle.", "Quiet and light."]
    found = CHECK.run(item_of({"response": said, "reviews": reviews}))
    assert any(each.kind == "too_many" for each in found) is too_many

"""Marks that a review supports or contradicts a statement, and the verdict from them.

A statement is identified by its character range in the response and a review by its range in its
field, so marks do not depend on the order of a check's findings.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from faithfulness.checks.check import CannotCheck, FindingRange, get_marked_words, select_fields
from faithfulness.checks.review_arithmetic import CountClaim, ReviewCount, Verdict, verdict
from faithfulness.checks.review_count import CHECK, get_finding_claim
from faithfulness.checks.reviews import split_reviews
from faithfulness.model.errors import ReviewError
from faithfulness.model.vocabulary import Certainty, Finding, Item, Span

SUPPORTS, CONTRADICTS, SILENT = "supports", "contradicts", ""
STANCES = (SUPPORTS, CONTRADICTS, SILENT)


class Tick(NamedTuple):
    """What somebody says of one review and one statement; silent takes an earlier tick back."""

    said: FindingRange
    review: Span
    stance: str
    by: str


class Counted(NamedTuple):
    """One person's count for one statement, and what the arithmetic makes of it."""

    said: FindingRange
    by: str
    tally: ReviewCount
    verdict: Verdict


def to_count(item: Item) -> Mapping[FindingRange, tuple[Finding, CountClaim]]:
    """The statements of an item that hold or not by how many of its reviews support them."""
    found = CHECK.run(item)
    if isinstance(found, CannotCheck):
        return {}
    return {
        said: (each, claim)
        for each in found
        if each.certainty is Certainty.PLEASE_CHECK
        if (said := get_marked_words(each, item)) and (claim := get_finding_claim(each, item))
    }


def list_reviews(item: Item) -> tuple[Span, ...]:
    """Every review that can be ticked."""
    return split_reviews(select_fields(item, "reviews"))


def refuse_unknown(item: Item, tick: Tick) -> None:
    """Refuse a tick on words or a review that the item does not have, or without a name.

    Raises:
        ReviewError: so it is.
    """
    if not tick.by.strip():
        raise ReviewError("Not ticked: a count is signed. Type your name above the reviews first.")
    known = tick.said in to_count(item) and tick.review in list_reviews(item)
    if not known or tick.stance not in STANCES:
        raise ReviewError(
            "Not ticked: the item has no such statement or review; nothing was stored. "
            "Open the item again."
        )


def count_ticks(item: Item, ticks: Iterable[Tick]) -> tuple[Counted, ...]:
    """The count of everybody who ticked a review, statement by statement; a later tick wins."""
    current: dict[tuple[FindingRange, str], dict[Span, str]] = {}
    for each in ticks:
        current.setdefault((each.said, each.by), {})[each.review] = each.stance
    if not current:
        return ()
    reviews, claims = list_reviews(item), to_count(item)
    found = []
    for (said, by), stances in sorted(current.items()):
        told = [stances.get(each, SILENT) for each in reviews]
        if said in claims and any(told):
            count = ReviewCount(
                supporting=told.count(SUPPORTS),
                contradicting=told.count(CONTRADICTS),
                total=len(reviews),
            )
            found.append(Counted(said, by, count, verdict(claims[said][1], count)))
    return tuple(found)


def describe_count(each: Counted) -> str:
    """A count as a sentence, for screens and files alike."""
    holds = {True: "holds", False: "does not hold", None: "is not decided"}[each.verdict.holds]
    count = each.tally
    return (
        f"{each.by} counts {count.supporting} supporting and {count.contradicting} contradicting "
        f"of {count.total}: {holds} ({each.verdict.rule}: {each.verdict.says})"
    )

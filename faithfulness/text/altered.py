"""Detect quotes with a changed meaning: another number, another unit, a “not”."""

from collections.abc import Sequence

from faithfulness.model.vocabulary import Excerpt, Item, Tier
from faithfulness.model.wording import ALTERED, TIERS
from faithfulness.text.clashes import ClashKind, clashes
from faithfulness.text.differences import compare_words, count_differing_words

BETWEEN = "\n"  # places of one quote, joined so that nothing is read across two
_TURNING = (ClashKind.NUMBER, ClashKind.UNIT, ClashKind.NEGATION)
_FEW = 2  # words; where more differ, the passage is only like the quote and may be another


def altered(quote: str, tier: Tier | str | None, found: str) -> str:
    """What the quote says instead of its source, as in `36 months against 24 months`, else "".

    Args:
        quote: the words as they were quoted.
        tier: how they were found; only what was found with differences is looked at.
        found: the words of the source, several places joined by BETWEEN.
    """
    if tier not in (Tier.NEAR, Tier.SIMILAR):
        return ""
    turned = next((each.says for each in clashes(quote, found) if each.kind in _TURNING), "")
    if (
        turned
        and tier == Tier.SIMILAR
        and count_differing_words(compare_words(quote, found)) > _FEW
    ):
        return ""
    return turned


def describe_placement(item: Item, excerpt: Excerpt) -> str:
    """How an excerpt was found in its item, in words: what it turned, or else its tier."""
    placement = excerpt.placement
    if placement is None:
        return "not looked for"
    stands = [item.text_of(each.field)[each.start : each.end] for each in placement.spans]
    turned = altered(excerpt.text, placement.tier, BETWEEN.join(stands))
    return f"{ALTERED}: {turned}" if turned else TIERS[placement.tier]


def describe_worst_placement(item: Item, excerpts: Sequence[Excerpt]) -> str:
    """As `describe_placement`, for the worst placement; empty where no excerpt was placed."""
    order = list(Tier)
    ranked = [
        (order.index(each.placement.tier), words.startswith(ALTERED), words)
        for each in excerpts
        if each.placement and (words := describe_placement(item, each))
    ]
    return max(ranked)[-1] if ranked else ""

"""Findings that stand against a unit, kept with the store because they order disagreements.

Only what a check claims to have found counts, and only of checks that hold a response against its
sources. What asks a person to look, proposes other words or marks small talk says nothing against
a unit; what speaks to a judge has a notice of its own.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from faithfulness.checks import CHECKS, named_source, product_figure, quoted_review, review_count
from faithfulness.checks.check import CannotCheck
from faithfulness.checks.placing import LONGEST, WHOLE, units_of
from faithfulness.vocabulary import Certainty, Finding, Item, UnitKind

# Raised whenever a rule below finds something else than before: items are then read again.
VERSION = 7

# By check and kind, as they are stored: never renamed. The words follow "a check found: ".
AGAINST: Mapping[tuple[str, str], str] = {
    (quoted_review.KEY, "differs"): "quoted review differs",
    (quoted_review.KEY, "absent"): "quoted review is in no review",
    (quoted_review.KEY, "glued"): "quotation joins two reviews",
    (quoted_review.KEY, "elsewhere"): "quoted review is in another source",
    (product_figure.KEY, "price"): "price differs",
    (product_figure.KEY, "saving"): "saving differs",
    (product_figure.KEY, "rating"): "rating differs",
    (product_figure.KEY, "percentage"): "percentage differs",
    (product_figure.KEY, "measure"): "measure differs",
    (product_figure.KEY, "number"): "number differs",
    (product_figure.KEY, "superlative"): "superlative does not hold",
    (product_figure.KEY, "limit"): "limit does not hold",
    (review_count.KEY, "too_many"): "more customers than reviews",
    (named_source.KEY, "review_as_fact"): "review told as a fact",
    (named_source.KEY, "not_on_page"): "not on the page it names",
}
_READING = tuple(CHECKS[key] for key in dict.fromkeys(check for check, _ in AGAINST))


class Against(NamedTuple):
    """A unit, and the check and kind of something found on it."""

    unit_id: str
    check: str
    kind: str


def against(item: Item) -> tuple[Against, ...]:
    """What stands against each unit of an item, once however often it was found."""
    found = findings_against(item)
    return tuple(dict.fromkeys(Against(unit_id, each.check, each.kind) for unit_id, each in found))


def findings_against(item: Item) -> Iterator[tuple[str, Finding]]:
    """Each finding that stands against a unit, with that unit.

    A finding counts for its sentence, for claims drawn from it and for the whole response. A very
    long item is left alone, as everywhere.
    """
    if sum(len(each.text) for each in item.fields) > LONGEST:
        return
    judged = [item.units_of(kind) for kind in UnitKind]
    for each in _found(item):
        for units in judged:
            for unit_id in units_of(each, item, units):
                if unit_id != WHOLE:
                    yield unit_id, each


def _found(item: Item) -> Iterator[Finding]:
    for check in _READING:
        found = check.run(item)
        if isinstance(found, CannotCheck):
            continue
        for each in found:
            if each.certainty is Certainty.FOUND and (each.check, each.kind) in AGAINST:
                yield each

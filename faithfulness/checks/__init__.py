"""Automatic checks: findings on the units of an item, for people to read, never labels.

`run_all` runs every check in `CHECKS`; `docs/checks.md` describes them. Also places findings on
units and evaluates ticked reviews. Used by the reader, `data.items`, exports and intake.
"""

from collections.abc import Mapping
from typing import NamedTuple

from faithfulness.checks import (
    addressed,
    named_source,
    nothing_to_check,
    product_figure,
    quoted_review,
    review_count,
    synonym,
)
from faithfulness.checks.check import CannotCheck, Check
from faithfulness.model.vocabulary import Finding, Item

CHECKS: Mapping[str, Check] = {
    each.key: each
    for each in (
        quoted_review.CHECK,
        product_figure.CHECK,
        review_count.CHECK,
        named_source.CHECK,
        synonym.CHECK,
        nothing_to_check.CHECK,
        addressed.CHECK,
    )
}


class Findings(NamedTuple):
    """What all checks found on one item, and which of them could not look, and why."""

    found: tuple[Finding, ...]
    cannot: Mapping[str, CannotCheck]


def run_all(item: Item) -> Findings:
    """Every check on one item, in the order of CHECKS."""
    found: list[Finding] = []
    cannot: dict[str, CannotCheck] = {}
    for key, check in CHECKS.items():
        result = check.run(item)
        if isinstance(result, CannotCheck):
            cannot[key] = result
        else:
            found += result
    return Findings(tuple(found), cannot)

"""Findings that count against a unit; stored because they affect the order of disagreements.

Only definite findings count, and only from checks that compare a response with its sources. Checks
that ask for a human check, propose synonyms or mark small talk do not count against a unit. Text
that addresses the judge is reported separately.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from faithfulness.checks import CHECKS, named_source, product_figure, quoted_review, review_count
from faithfulness.checks.check import RESPONSE, CannotCheck
from faithfulness.checks.placing import LONGEST, WHOLE, find_judged_units, find_statement, place_of
from faithfulness.model.contradiction import Contradiction
from faithfulness.model.vocabulary import Certainty, Finding, Item, Span, UnitKind

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
# What stands in a source, only not in the one that the response credits: these words are not
# against it. Of the checks named here that is so of everything they find.
_CREDITED_WRONGLY = frozenset({(quoted_review.KEY, "elsewhere")})
_CREDIT_CHECKS = frozenset({named_source.KEY})
_CLASHES: Mapping[tuple[str, str], str] = {
    (quoted_review.KEY, "differs"): "quote",
    (quoted_review.KEY, "absent"): "attribution",
    (quoted_review.KEY, "glued"): "quote",
    (product_figure.KEY, "price"): "number",
    (product_figure.KEY, "saving"): "number",
    (product_figure.KEY, "rating"): "number",
    (product_figure.KEY, "percentage"): "number",
    (product_figure.KEY, "measure"): "unit",
    (product_figure.KEY, "number"): "number",
    (review_count.KEY, "too_many"): "number",
}
# Findings that contradict a source, and the kind of clash under which they are counted: the
# others of AGAINST say where a fact should have been credited.
CONTRADICTS: Mapping[tuple[str, str], str] = {
    key: _CLASHES.get(key, "other")
    for key in AGAINST
    if key not in _CREDITED_WRONGLY and key[0] not in _CREDIT_CHECKS
}
_READING = tuple(CHECKS[key] for key in dict.fromkeys(check for check, _ in AGAINST))


class UnitFinding(NamedTuple):
    """A unit, and the check and kind of something found on it."""

    unit_id: str
    check: str
    kind: str


def collect_counterevidence(item: Item) -> tuple[UnitFinding, ...]:
    """What stands against each unit of an item, once however often it was found."""
    found = iterate_counterevidence(item)
    return tuple(
        dict.fromkeys(UnitFinding(unit_id, each.check, each.kind) for unit_id, each in found)
    )


def iterate_counterevidence(item: Item) -> Iterator[tuple[str, Finding]]:
    """Each finding that stands against a unit, with that unit.

    A finding counts for its sentence, for claims drawn from it and for the whole response. A very
    long item is left alone, as everywhere.
    """
    if sum(len(each.text) for each in item.fields) > LONGEST:
        return
    judged = [item.units_of(kind) for kind in UnitKind]
    for each in _run_checks(item):
        for units in judged:
            for unit_id in find_judged_units(each, item, units):
                if unit_id != WHOLE:
                    yield unit_id, each


def group_contradictions(
    item: Item, stored: Mapping[str, Collection[tuple[str, str]]]
) -> dict[str, tuple[Contradiction, ...]]:
    """What contradicts a source on each of these units, in the order of the response.

    Args:
        item: with all its units.
        stored: by unit the checks and kinds that the store holds. What is not found any more is
            given without places.
    """
    made: dict[str, list[Finding]] = {unit_id: [] for unit_id in stored}
    for unit_id, finding in iterate_counterevidence(item):
        if (finding.check, finding.kind) in stored.get(unit_id, ()):
            made[unit_id].append(finding)
    return {
        unit_id: tuple(_order_contradictions(item, findings, stored[unit_id]))
        for unit_id, findings in made.items()
    }


def _order_contradictions(
    item: Item, findings: Collection[Finding], stored: Collection[tuple[str, str]]
) -> Iterator[Contradiction]:
    placed = [_build_contradiction(item, each) for each in dict.fromkeys(findings)]
    yield from sorted(placed, key=lambda each: each.words.start if each.words else 0)
    gone = set(stored) - {(each.check, each.kind) for each in findings}
    for check, kind in (key for key in CONTRADICTS if key in gone):
        title, told = CHECKS[check].title, AGAINST[check, kind]
        yield Contradiction(check=title, kind=told, clash=CONTRADICTS[check, kind], says=told)


def _build_contradiction(item: Item, finding: Finding) -> Contradiction:
    key = finding.check, finding.kind
    words, statement = place_of(finding, item), find_statement(finding, item)
    return Contradiction(
        check=CHECKS[finding.check].title,
        kind=AGAINST[key],
        clash=CONTRADICTS[key],
        says=finding.says,
        statement=Span(field=RESPONSE, start=statement.start, end=statement.end)
        if statement
        else None,
        words=Span(field=RESPONSE, start=words.start, end=words.end) if words else None,
        source=finding.source,
    )


def _run_checks(item: Item) -> Iterator[Finding]:
    for check in _READING:
        found = check.run(item)
        if isinstance(found, CannotCheck):
            continue
        for each in found:
            if each.certainty is Certainty.FOUND and (each.check, each.kind) in AGAINST:
                yield each

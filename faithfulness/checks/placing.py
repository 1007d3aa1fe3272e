"""Assign findings to units: the judged unit, the claims drawn from it, or the response."""

from collections.abc import Iterator, Sequence

from faithfulness.checks import CHECKS, Findings, addressed, run_all
from faithfulness.checks.check import (
    RESPONSE,
    CannotCheck,
    FindingRange,
    Statement,
    get_marked_words,
    list_statements,
)
from faithfulness.model.vocabulary import Finding, Item, Unit, UnitKind

LONGEST = 200_000  # characters of an item beyond which only the cheapest check is made
WHOLE = ""  # stands for a unit where a finding belongs to none that is judged


def look_at(item: Item) -> Findings:
    """All checks; of a very long item only whether it speaks to its judge."""
    if sum(len(each.text) for each in item.fields) <= LONGEST:
        return run_all(item)
    found = addressed.CHECK.run(item)
    why = CannotCheck(why=f"the texts of the item are longer than {LONGEST:,} characters")
    cannot = {key: why for key in CHECKS if key != addressed.KEY}
    return Findings(found if isinstance(found, tuple) else (), cannot)


def find_judged_units(each: Finding, item: Item, judged: Sequence[Unit]) -> Iterator[str]:
    """The judged units that a finding is about: itself, the claims drawn from it, or the whole."""
    if any(unit.id == each.unit_id for unit in judged):
        yield each.unit_id
        return
    words = place_of(each, item)
    inside = [
        unit.id
        for unit in judged
        if words is not None and unit.field == RESPONSE and unit.kind is not UnitKind.RESPONSE
        if unit.span and unit.span.start < words.end and words.start < unit.span.end
    ]
    whole = [unit.id for unit in judged if unit.kind is UnitKind.RESPONSE]
    # What speaks to the judge from a source stands in a notice of its own.
    yield from inside or whole or ([] if each.check == addressed.KEY else [WHOLE])


def place_of(each: Finding, item: Item) -> FindingRange | None:
    """Where the words stand in the response; some stand between its units."""
    if each.within and each.unit_id == RESPONSE:
        return FindingRange(*each.within)
    return get_marked_words(each, item)


def find_statement(each: Finding, item: Item) -> Statement | None:
    """The sentence of the response in which a finding's words begin."""
    words = place_of(each, item)
    if words is None:
        return None
    near = (told for told in list_statements(item) if told.start <= words.start < told.end)
    return next(near, None)

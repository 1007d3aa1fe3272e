"""What the lexical baseline can point out in a response without judging it."""

import re
from collections.abc import Iterator

from faithfulness.checks.figures import figures
from faithfulness.judging.offline.clash import Found
from faithfulness.judging.offline.decision import decide
from faithfulness.judging.offline.sources import Sources
from faithfulness.model.vocabulary import Finding, Item, Span, Tier, Unit, UnitKind, response_unit
from faithfulness.text.excerpts import place, prepare

_QUOTED = re.compile(r"“([^“”]{12,400})”|\"([^\"]{12,400})\"")
_WORDS_OF_QUOTE = 3  # shorter ones are names and turns of phrase
# Words that speak for customers in number: how many say so cannot be counted by words.
POPULAR = re.compile(
    r"\b(?:many|most|some|several|few|all|numerous|other|majority of(?: the)?)(?: of the)? "
    r"(?:customers?|users?|reviewers?|buyers?|people|owners?|shoppers?|reviews)\b"
    r"|\b(?:customers|users|reviewers|buyers|owners|shoppers|reviews) (?:\w+ly )?"
    r"(?:say|said|report|mention|find|found|praise|love|like|appreciate|complain|note|agree|"
    r"describe|are|were|have|consider|recommend|criticize|criticise)\b"
    r"|\baccording to (?:the |its |other )?"
    r"(?:customers|users|reviewers|buyers|people|owners|shoppers|reviews|those who)\b"
    r"|\bin (?:the |its |their )?reviews\b",
    re.IGNORECASE,
)


def reviewed_units(item: Item) -> tuple[Unit, ...]:
    """The sentences of the response, else the response as one unit."""
    found = [each for each in item.units_of(UnitKind.SENTENCE) if each.field == "response"]
    return tuple(found) or (response_unit("response", item.text_of("response")),)


def point_out(item: Item, sources: Sources) -> Iterator[Finding]:
    """Clashes, figures and quotations found in no source, sentences whose words stand nowhere."""
    for unit in reviewed_units(item):
        decision = decide(unit.text, sources)
        if decision.clash is not None:
            yield clash_finding(unit, decision.clash, sources)
        yield from _figures(unit, sources)
        yield from quotations(unit, sources)
        if decision.label == "unsupported":
            yield Finding(check="words", kind="missing", unit_id=unit.id, within=None,
                          source=None, says=decision.rationale)  # fmt: skip


def clash_finding(unit: Unit, clash: Found, sources: Sources) -> Finding:
    field = sources.fields[clash.passage.source].name
    return Finding(
        check="clash",
        kind=clash.kind.value,
        unit_id=unit.id,
        within=clash.within,
        source=Span(field=field, start=clash.source[0], end=clash.source[1]),
        says=f"{clash.says}; please check",
    )


def _figures(unit: Unit, sources: Sources) -> Iterator[Finding]:
    for each in figures(unit.text, sources.fields):
        if not each.found:
            said = unit.text[each.start : each.end]
            yield Finding(check="figure", kind=each.kind, unit_id=unit.id,
                          within=(each.start, each.end), source=None,
                          says=f"the {each.kind} {said} stands in no source")  # fmt: skip


def quotations(unit: Unit, sources: Sources) -> Iterator[Finding]:
    """Quoted words that no source has exactly so."""
    for found in _QUOTED.finditer(unit.text):
        group = 1 if found[1] else 2
        quoted = found[group].strip(" .,!?")
        if len(quoted.split()) < _WORDS_OF_QUOTE:
            continue
        placement = place(quoted, [prepare(field) for field in sources.fields])
        if placement.tier is Tier.VERBATIM:
            continue
        says = "the quotation stands in no source"
        if placement.tier is not Tier.ABSENT:
            says = "the quotation differs from the words of the source"
        yield Finding(check="quote", kind="quote", unit_id=unit.id, within=found.span(group),
                      source=placement.spans[0] if placement.spans else None,
                      says=says)  # fmt: skip

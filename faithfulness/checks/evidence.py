"""Check the excerpts quoted in an answer: clashes with the unit, misquotes, absent words."""

from collections.abc import Iterator, Mapping, Sequence

from faithfulness.model.protocol import EvidenceKind, Protocol
from faithfulness.model.scale import Tone
from faithfulness.model.vocabulary import Answer, Excerpt, Finding, Item, Span, Tier, Unit, UnitKind
from faithfulness.text.clashes import clashes

_BETWEEN = "\n"  # ends a clause, so that nothing is read across two places


def findings(
    item: Item, rules: Protocol, answers: Sequence[Answer]
) -> Iterator[tuple[int, Finding]]:
    """What the checks find on answers with placed excerpts, with the place of the answer.

    Only labels that support or contradict are looked at: the others claim nothing of an excerpt.
    """
    speaking: Mapping[str, frozenset[str]] = {}
    for place, answer in enumerate(answers):
        if not answer.excerpts or answer.value is None:
            continue
        if not speaking:
            speaking = _map_decisive_values(rules)
            units = {unit.id: unit for unit in item.units}
            texts = {field.name: field.text for field in item.fields}
        unit = units.get(answer.unit_id)
        if unit is None or answer.value not in speaking.get(answer.criterion, ()):
            continue
        for found in _check_answer(answer, unit, texts, rules):
            yield place, found


def _map_decisive_values(rules: Protocol) -> dict[str, frozenset[str]]:
    return {
        criterion.key: frozenset(
            label.value
            for label in criterion.scale.labels
            if label.contradicts or label.tone is Tone.GOOD
        )
        for criterion in rules.criteria
    }


def _check_answer(
    answer: Answer, unit: Unit, texts: Mapping[str, str], rules: Protocol
) -> Iterator[Finding]:
    # A whole response says so much that some number of it differs from any excerpt.
    if unit.kind is not UnitKind.RESPONSE:
        yield from _find_clashes(answer, unit, texts)
    needed = rules.evidence.kind is EvidenceKind.EXCERPT and (
        answer.value in rules.evidence.required_for
    )
    for excerpt in answer.excerpts:
        if excerpt.placement is None:
            continue
        if excerpt.placement.tier is Tier.NEAR:
            yield from _find_misquotes(excerpt, unit, texts)
        elif excerpt.placement.tier is Tier.ABSENT and needed:
            yield Finding(
                check="attribution",
                kind="quote",
                unit_id=unit.id,
                within=None,
                source=None,
                says=f"{answer.value} rests on words that are not in the source",
            )


def _find_clashes(answer: Answer, unit: Unit, texts: Mapping[str, str]) -> Iterator[Finding]:
    """The unit against all places of its excerpts: one may give what another lacks."""
    spans = [span for each in answer.excerpts if each.placement for span in each.placement.spans]
    if not spans:
        return
    if len(spans) > 1:
        spans = list(dict.fromkeys(spans))
    found = _BETWEEN.join([texts.get(each.field, "")[each.start : each.end] for each in spans])
    for clash in clashes(unit.text, found):
        yield Finding(
            check="clash",
            kind=clash.kind.value,
            unit_id=unit.id,
            within=clash.left,
            source=_map_to_source(clash.right, spans),
            says=clash.says,
        )


def _find_misquotes(excerpt: Excerpt, unit: Unit, texts: Mapping[str, str]) -> Iterator[Finding]:
    spans = excerpt.placement.spans if excerpt.placement else ()
    found = _BETWEEN.join(texts.get(each.field, "")[each.start : each.end] for each in spans)
    for clash in clashes(excerpt.text, found):
        yield Finding(
            check="quote",
            kind=clash.kind.value,
            unit_id=unit.id,
            within=None,
            source=_map_to_source(clash.right, spans),
            says=f"quoted as {clash.says}",
        )


def _map_to_source(place: tuple[int, int], spans: Sequence[Span]) -> Span | None:
    """A range of the joined places as a span of the source it lies in."""
    start, end = place
    for span in spans:
        length = span.end - span.start
        if start < length:
            return Span(
                field=span.field, start=span.start + start, end=min(span.end, span.start + end)
            )
        start, end = start - length - len(_BETWEEN), end - length - len(_BETWEEN)
    return None

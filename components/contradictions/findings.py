"""What checks found on a unit: each statement beside the words of a source against it."""

from collections.abc import Iterator, Sequence

from components.contradictions.evidence import (
    Quoted,
    ShownPassage,
    UnitEvidence,
    cut_around,
    field_title,
    neighbours,
    unit_passage,
)
from components.evidence.segments import TextMark
from faithfulness.model.contradiction import Contradiction, UnitCase
from faithfulness.model.vocabulary import Item, Span, UnitKind
from faithfulness.model.wording import begun

MOST_FINDINGS = 5  # on a card; a whole response may have many
_LONG = 200  # characters of a source above which its words are not marked one and all


def finding_rows(case: UnitCase) -> tuple[UnitEvidence, ...]:
    """Rows of a card: a statement, and what was found against it."""
    by_statement: dict[Span | None, list[Contradiction]] = {}
    for finding in case.contradictions[:MOST_FINDINGS]:
        statement = finding.statement if case.unit.kind is UnitKind.RESPONSE else None
        by_statement.setdefault(statement, []).append(finding)
    return tuple(
        UnitEvidence(
            unit=_statement(case, span, findings),
            quotes=tuple(_against(case.item, finding) for finding in findings),
        )
        for span, findings in by_statement.items()
    )


def _statement(
    case: UnitCase, span: Span | None, findings: Sequence[Contradiction]
) -> ShownPassage:
    """The sentence of a whole response that the findings are about, or the unit itself."""
    if span is None:
        place = case.unit.span
        # A claim is somebody's own words: a finding's place in the response is none in the claim.
        is_own = place and case.item.text_of(place.field)[place.start : place.end] == case.unit.text
        marks = list(_marks(place, findings)) if place and is_own else []
        return unit_passage(case.item, case.unit, marks)
    text = case.item.text_of(span.field)
    before, behind = neighbours(text, span.start, span.end)
    segments = cut_around(text[span.start : span.end], list(_marks(span, findings)))
    return ShownPassage(before=before, segments=segments, behind=behind)


def _marks(place: Span, findings: Sequence[Contradiction]) -> Iterator[TextMark]:
    """Where the words of the findings stand in this place of the response."""
    for finding in findings:
        words = finding.words
        if words and place.start < words.end and words.start < place.end:
            start = max(0, words.start - place.start)
            yield TextMark(start, words.end - place.start, finding.clash)


def _against(item: Item, finding: Contradiction) -> Quoted:
    passage, where = ShownPassage(), ""
    if finding.source:
        source = next(field for field in item.fields if field.name == finding.source.field)
        start, end = finding.source.start, finding.source.end
        before, behind = neighbours(source.text, start, end)
        marks = [TextMark(0, end - start, finding.clash)] if end - start <= _LONG else []
        segments = cut_around(source.text[start:end], marks)
        passage = ShownPassage(before=before, segments=segments, behind=behind)
        where = field_title(source.name, source.kind)
    return Quoted(
        passage=passage,
        found=finding.check,
        missing=False,
        where=where,
        by=(),
        clashes=(begun(finding.says),),
        kinds=(finding.clash,),
    )

"""Find answers that contradict their annotator's own marks and therefore need a reason.

The rating form, submission, imports, the reader and the list of inconsistencies share these rules:

- Response consistency: the marked statements imply certain answers (`rating_path.implied_answers`).
- Evidence links: an answer that takes no links has some.
- Scores with a checklist: a checked observation implies the level that it belongs to. The lowest
  of these levels is the highest score that needs no reason.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from faithfulness.intake import rating_path
from faithfulness.model.errors import ReviewError
from faithfulness.model.protocol import ChecklistItem, Criterion, EvidenceKind, Protocol
from faithfulness.model.vocabulary import Answer, Item
from faithfulness.protocols import PROTOCOLS
from faithfulness.protocols.response_consistency import CONSISTENCY, PARTS_UNVERIFIED, QUERY_TYPE


class DepartureKind(StrEnum):
    """What an answer departs from."""

    STATEMENTS = "statements"
    LINKS = "links"
    CHECKS = "checks"


@dataclass(frozen=True, kw_only=True, slots=True)
class Departure:
    """An answer that departs from what its author marked.

    Attributes:
        kind: What it departs from.
        answer: The answer.
        leaves: The best value that agrees with the marks.
        because: What was marked and what it implies, as sentences in the words of the scale.
    """

    kind: DepartureKind
    answer: Answer
    leaves: str
    because: str

    @property
    def has_reason(self) -> bool:
        return has_words(self.answer.rationale)

    @property
    def request(self) -> str:
        """What is asked of the author."""
        return f"{self.because} Give the reason, or change one of the two."


# The criteria whose answers can depart from something.
_ASKED: Mapping[str, tuple[Protocol, Criterion]] = {
    criterion.key: (protocol, criterion)
    for protocol in PROTOCOLS.values()
    for criterion in protocol.criteria
    if (criterion.scale.ordinal and criterion.checklist) or criterion.key == CONSISTENCY.key
}


def find_departures(item: Item, answers: Sequence[Answer]) -> list[Departure]:
    """Return the answers of one author on one item that depart from the author's own marks."""
    query_types = {
        each.unit_id: each.value or "" for each in answers if each.criterion == QUERY_TYPE.key
    }
    return [
        departure
        for answer in answers
        if answer.criterion in _ASKED and answer.value in _ASKED[answer.criterion][1].scale
        for departure in _find_departures(item, answer, query_types.get(answer.unit_id, ""))
    ]


def may_lack_reason(answers: Sequence[Answer]) -> bool:
    """Whether one of these answers may depart without a reason; spares reading the item."""
    return any(
        each.criterion in _ASKED
        and (each.pieces or each.links or each.checks)
        and not has_words(each.rationale)
        for each in answers
    )


def list_missing_reasons(item: Item, answers: Sequence[Answer]) -> list[str]:
    """Return a complaint for each departure without a reason, with its place in front."""
    return [
        f"{each.answer.unit_id}, {each.answer.criterion}: {each.request}"
        for each in find_departures(item, answers)
        if not each.has_reason
    ]


def require_reasons(item: Item, answers: Sequence[Answer]) -> None:
    """Refuse answers that depart from their author's own marks without a reason.

    Raises:
        ReviewError: there is such an answer.
    """
    missing = list_missing_reasons(item, answers)
    if missing:
        raise ReviewError(f"Not signed, because a reason is missing. {missing[0]}")


def has_words(text: str) -> bool:
    """Whether anything of a text can be seen; blanks and characters without width are no reason."""
    return any(each.isprintable() and not each.isspace() for each in text)


def forbids_links(protocol: Protocol, criterion: Criterion, value: str) -> bool:
    """Whether the protocol has evidence links for other answers only."""
    rule = protocol.evidence
    is_first = criterion.key == protocol.criteria[0].key
    return (
        rule.kind is EvidenceKind.LINKS
        and rule.only_there
        and is_first
        and value not in rule.required_for
    )


def _find_departures(item: Item, answer: Answer, query_type: str) -> Iterator[Departure]:
    protocol, criterion = _ASKED[answer.criterion]
    value = answer.value or ""
    if criterion.key == CONSISTENCY.key:
        yield from _from_statements(item, answer, query_type)
    if answer.links and forbids_links(protocol, criterion, value):
        yield Departure(
            kind=DepartureKind.LINKS,
            answer=answer,
            leaves=select_linked_answer(value),
            because=f"{_format_value(criterion, value)} takes no evidence links, and there are "
            "some.",
        )
    lowest = _find_lowest_check(criterion, answer.checks)
    if lowest is not None and _is_above(criterion, value, lowest.level):
        yield Departure(
            kind=DepartureKind.CHECKS,
            answer=answer,
            leaves=lowest.level,
            because=f"{_format_value(criterion, value)} is above what is checked: “{lowest.text}” "
            f"implies {lowest.level}.",
        )


def select_linked_answer(value: str) -> str:
    """Return the answer of the same sense that takes links, else the yes by evidence."""
    if value in CONSISTENCY.scale and CONSISTENCY.scale.label(value).contradicts:
        return "no_contrary_evidence"
    return "yes_evidence"


def _from_statements(item: Item, answer: Answer, query_type: str) -> Iterator[Departure]:
    verdicts, texts = _read_statements(item, answer)
    if PARTS_UNVERIFIED in answer.checks and answer.value == "yes_evidence":
        texts, verdicts = {**texts, "": ""}, {**verdicts, "": rating_path.UNVERIFIED}
    implied = rating_path.derive_implied_answers(query_type, verdicts, texts) if verdicts else None
    if implied is None or answer.value in implied.answers:
        return
    several = len(implied.answers) > 2
    named = [answer.value] if several else implied.answers
    titles = " or ".join(_format_value(CONSISTENCY, each or "") for each in named)
    yield Departure(
        kind=DepartureKind.STATEMENTS,
        answer=answer,
        leaves=implied.answers[0],
        because=f"{_format_value(CONSISTENCY, answer.value or '')} departs from the marked "
        "statements, "
        f"which {'rule out' if several else 'imply'} {titles}. {implied.why}",
    )


def _read_statements(item: Item, answer: Answer) -> tuple[dict[str, str], dict[str, str]]:
    """Return the marks by statement, and the words of all statements of the item.

    A file's marked part of another extent is a statement of its own.
    """
    text = item.text_of("response")
    statements = rating_path.list_statements(item)
    texts = {name: text[start:end] for name, start, end in statements}
    names = {start: name for name, start, _ in statements}
    verdicts = {}
    for number, piece in enumerate(answer.pieces):
        name = names.get(piece.span.start) if piece.span is not None else None
        if name is not None:
            verdicts[name] = piece.value or rating_path.UNVERIFIED
        elif piece.value is not None:
            verdicts[f"part {number}"] = piece.value
            texts[f"part {number}"] = piece.text
    return verdicts, texts


def _find_lowest_check(criterion: Criterion, checks: Collection[str]) -> ChecklistItem | None:
    """Return the checked observation of the lowest level; None where none limits a score."""
    if not criterion.scale.ordinal:
        return None
    checked = [each for each in criterion.checklist if each.key in checks]
    return min(checked, key=lambda each: criterion.scale.values.index(each.level), default=None)


def _is_above(criterion: Criterion, value: str, level: str) -> bool:
    values = criterion.scale.values
    return values.index(value) > values.index(level)


def _format_value(criterion: Criterion, value: str) -> str:
    """A value as people read it: a score with what it is a score of, or the title of a label."""
    if criterion.scale.ordinal:
        return f"{criterion.key.capitalize()} {value}"
    return f"“{criterion.scale.label(value).title}”"

"""Find answers about one item, under several protocols, that cannot all be right."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from faithfulness.intake.departures import find_departures
from faithfulness.model.vocabulary import Annotation, Author, AuthorKind, Item, Tier, UnitKind
from faithfulness.policies.inconsistency_rules import (
    AGAINST_SENTENCES,
    AUDIT_RULES,
    QUOTE_ABSENT,
    WITHOUT_LINK,
    AuditRule,
    describe_departure,
    get_departure_rule,
    says,
)
from faithfulness.protocols.response_consistency import QUERY_TYPE


@dataclass(frozen=True, kw_only=True, slots=True)
class Claimed:
    """One side of an inconsistency: who says what about which units."""

    author: Author
    run_id: str
    criterion: str
    values: tuple[str, ...]
    units: tuple[str, ...]
    annotations: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Inconsistency:
    """Answers that cannot all be right, why, and where the reader opens.

    Attributes:
        rule: The rule that they break.
        one: The answer that is ruled out.
        other: What rules it out; None where the answer lacks something of its own.
        says: Both sides in one sentence.
        item_id: Where the reader opens,
        run_id: in this run,
        unit_id: at this unit.
        leaves: The best value that the rule leaves.
    """

    rule: AuditRule
    one: Claimed
    other: Claimed | None
    says: str
    item_id: str
    run_id: str
    unit_id: str
    leaves: str

    @property
    def is_by_one_author(self) -> bool:
        """Whether somebody contradicts themselves, and not somebody else."""
        return self.other is None or self.other.author == self.one.author


def find_inconsistencies(
    item: Item, annotations: Sequence[Annotation]
) -> tuple[Inconsistency, ...]:
    """What on one item cannot all be right; an author's own contradictions first.

    The last readable answer of each author counts, and where an adjudicator settled a unit, only
    theirs.

    Args:
        item: What was answered about.
        annotations: All current ones, of every run and protocol.
    """
    sentences = {unit.id: at for at, unit in enumerate(item.units_of(UnitKind.SENTENCE))}
    said = _list_standing(each for each in annotations if each.item_id == item.id)
    wholes = [each for each in said if each.answer.unit_id == "response"]
    labels = [each for each in said if each.answer.unit_id in sentences]
    labels = [each for each in labels if each.answer.criterion == "label"]
    labels.sort(key=lambda each: sentences[each.answer.unit_id])
    found = [
        *_check_against_sentences(wholes, labels),
        *_check_against_own_marks(item, wholes),
        *(_make_inconsistency(WITHOUT_LINK, [each]) for each in wholes if _is_missing_link(each)),
        *(
            _make_inconsistency(QUOTE_ABSENT, said)
            for said in _group_by_author(filter(_is_absent, labels))
        ),
    ]
    return tuple(sorted(found, key=_get_sort_key))


def format_author(author: Author) -> str:
    return f"{author.kind.value} {author.name}"


def _list_standing(annotations: Iterable[Annotation]) -> list[Annotation]:
    """The answers that count, in the order of signing."""
    latest = {
        (each.author, each.answer.criterion, each.answer.unit_id): each
        for each in sorted(annotations, key=lambda each: each.number)
        if each.answer.value is not None
    }
    found = list(latest.values())
    settled = {
        _get_answer_place(each) for each in found if each.author.kind is AuthorKind.ADJUDICATOR
    }
    return [
        each
        for each in found
        if each.author.kind is AuthorKind.ADJUDICATOR or _get_answer_place(each) not in settled
    ]


def _get_answer_place(each: Annotation) -> tuple[str, str]:
    return each.answer.criterion, each.answer.unit_id


def _check_against_sentences(
    wholes: Sequence[Annotation], labels: Sequence[Annotation]
) -> Iterator[Inconsistency]:
    for rule in AGAINST_SENTENCES:
        against = _group_by_author(each for each in labels if each.answer.value in rule.labels)
        for one in wholes:
            if one.answer.criterion == rule.criterion and one.answer.value in rule.values:
                for said in against:
                    if len(said) >= rule.at_least:
                        yield _make_inconsistency(rule, [one], said)


def _group_by_author(annotations: Iterable[Annotation]) -> list[list[Annotation]]:
    found: dict[Author, list[Annotation]] = {}
    for each in annotations:
        found.setdefault(each.author, []).append(each)
    return list(found.values())


def _check_against_own_marks(item: Item, wholes: Sequence[Annotation]) -> Iterator[Inconsistency]:
    """Answers that depart from what their author marked, under the query type that counts.

    A decision is none of them: it always has a reason.
    """
    settled = [each for each in wholes if each.author.kind is AuthorKind.ADJUDICATOR]
    types = [each.answer for each in settled if each.answer.criterion == QUERY_TYPE.key]
    for own in _group_by_author(each for each in wholes if each not in settled):
        answers = [each.answer for each in own]
        for departure in find_departures(item, [*types, *answers]):
            signed = [each for each in own if each.answer is departure.answer]
            if signed:
                found = _make_inconsistency(get_departure_rule(departure), signed)
                told = describe_departure(format_author(signed[0].author), departure)
                yield replace(found, leaves=departure.leaves, says=told)


def _is_missing_link(each: Annotation) -> bool:
    """Whether links are missing; a decision takes none, its reason says where the evidence is."""
    answer = each.answer
    return (
        answer.criterion == WITHOUT_LINK.criterion
        and answer.value in WITHOUT_LINK.values
        and not answer.links
        and each.author.kind is not AuthorKind.ADJUDICATOR
    )


def _is_absent(each: Annotation) -> bool:
    """Whether it calls a sentence supported by words of which none stand in a source."""
    if each.answer.value not in QUOTE_ABSENT.values:
        return False
    tiers = [excerpt.placement.tier for excerpt in each.answer.excerpts if excerpt.placement]
    return bool(tiers) and all(tier is Tier.ABSENT for tier in tiers)


def _make_inconsistency(
    rule: AuditRule, ruled_out: Sequence[Annotation], against: Sequence[Annotation] = ()
) -> Inconsistency:
    one, other = _make_claimed(ruled_out), _make_claimed(against) if against else None
    opens = against[0] if against else ruled_out[0]
    sentences = other or one
    return Inconsistency(
        rule=rule,
        one=one,
        other=other,
        says=says(
            rule,
            format_author(one.author),
            one.values[0],
            format_author(other.author) if other else "",
            len(sentences.units),
            " or ".join(sentences.values),
        ),
        item_id=opens.item_id,
        run_id=opens.run_id,
        unit_id=opens.answer.unit_id,
        leaves=rule.leaves,
    )


def _make_claimed(said: Sequence[Annotation]) -> Claimed:
    first = said[0]
    return Claimed(
        author=first.author,
        run_id=first.run_id,
        criterion=first.answer.criterion,
        values=tuple(sorted({str(each.answer.value) for each in said})),
        units=tuple(each.answer.unit_id for each in said),
        annotations=tuple(each.number for each in said),
    )


def _get_sort_key(found: Inconsistency) -> tuple[bool, int, Author, Author]:
    other = found.other.author if found.other else found.one.author
    rules = list(AUDIT_RULES)
    return not found.is_by_one_author, rules.index(found.rule.key), found.one.author, other

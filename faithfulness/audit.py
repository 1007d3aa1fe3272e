"""Audit: answers about one item, under several protocols, that cannot all be right."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from faithfulness.audit_rules import (
    AGAINST_SENTENCES,
    AUDIT_RULES,
    ETHICS_TICKED,
    QUOTE_ABSENT,
    UNDISCLOSED,
    WITHOUT_LINK,
    AuditRule,
    says,
)
from faithfulness.vocabulary import Annotation, Author, AuthorKind, Item, Tier, UnitKind


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
    """

    rule: AuditRule
    one: Claimed
    other: Claimed | None
    says: str
    item_id: str
    run_id: str
    unit_id: str

    @property
    def is_by_one_author(self) -> bool:
        """Whether somebody contradicts themselves, and not somebody else."""
        return self.other is None or self.other.author == self.one.author


def audit(item: Item, annotations: Sequence[Annotation]) -> tuple[Inconsistency, ...]:
    """What on one item cannot all be right; an author's own contradictions first.

    The last readable answer of each author counts, and where an adjudicator settled a unit, only
    theirs.

    Args:
        item: What was answered about.
        annotations: All current ones, of every run and protocol.
    """
    sentences = {unit.id: at for at, unit in enumerate(item.units_of(UnitKind.SENTENCE))}
    said = _standing(each for each in annotations if each.item_id == item.id)
    wholes = [each for each in said if each.answer.unit_id == "response"]
    labels = [each for each in said if each.answer.unit_id in sentences]
    labels = [each for each in labels if each.answer.criterion == "label"]
    labels.sort(key=lambda each: sentences[each.answer.unit_id])
    found = [
        *_against_sentences(wholes, labels),
        *(_found(rule, [each]) for each in wholes for rule in _lacking(each)),
        *(_found(QUOTE_ABSENT, said) for said in _by_author(filter(_is_absent, labels))),
    ]
    return tuple(sorted(found, key=_place))


def name_of(author: Author) -> str:
    return f"{author.kind.value} {author.name}"


def _standing(annotations: Iterable[Annotation]) -> list[Annotation]:
    """The answers that count, in the order of signing."""
    latest = {
        (each.author, each.answer.criterion, each.answer.unit_id): each
        for each in sorted(annotations, key=lambda each: each.number)
        if each.answer.value is not None
    }
    found = list(latest.values())
    settled = {_about(each) for each in found if each.author.kind is AuthorKind.ADJUDICATOR}
    return [
        each
        for each in found
        if each.author.kind is AuthorKind.ADJUDICATOR or _about(each) not in settled
    ]


def _about(each: Annotation) -> tuple[str, str]:
    return each.answer.criterion, each.answer.unit_id


def _against_sentences(
    wholes: Sequence[Annotation], labels: Sequence[Annotation]
) -> Iterator[Inconsistency]:
    for rule in AGAINST_SENTENCES:
        against = _by_author(each for each in labels if each.answer.value in rule.labels)
        for one in wholes:
            if one.answer.criterion == rule.criterion and one.answer.value in rule.values:
                for said in against:
                    if len(said) >= rule.at_least:
                        yield _found(rule, [one], said)


def _by_author(annotations: Iterable[Annotation]) -> list[list[Annotation]]:
    found: dict[Author, list[Annotation]] = {}
    for each in annotations:
        found.setdefault(each.author, []).append(each)
    return list(found.values())


def _lacking(each: Annotation) -> Iterator[AuditRule]:
    """Rules that an answer about the whole response breaks by itself.

    A decision takes no links: its reason says where the evidence is.
    """
    answer = each.answer
    settles = each.author.kind is AuthorKind.ADJUDICATOR
    for rule, is_broken in (
        (WITHOUT_LINK, not answer.links and not settles),
        (ETHICS_TICKED, UNDISCLOSED in answer.checks),
    ):
        if answer.criterion == rule.criterion and answer.value in rule.values and is_broken:
            yield rule


def _is_absent(each: Annotation) -> bool:
    """Whether it calls a sentence supported by words of which none stand in a source."""
    if each.answer.value not in QUOTE_ABSENT.values:
        return False
    tiers = [excerpt.placement.tier for excerpt in each.answer.excerpts if excerpt.placement]
    return bool(tiers) and all(tier is Tier.ABSENT for tier in tiers)


def _found(
    rule: AuditRule, ruled_out: Sequence[Annotation], against: Sequence[Annotation] = ()
) -> Inconsistency:
    one, other = _claimed(ruled_out), _claimed(against) if against else None
    opens = against[0] if against else ruled_out[0]
    sentences = other or one
    return Inconsistency(
        rule=rule,
        one=one,
        other=other,
        says=says(
            rule,
            name_of(one.author),
            one.values[0],
            name_of(other.author) if other else "",
            len(sentences.units),
            " or ".join(sentences.values),
        ),
        item_id=opens.item_id,
        run_id=opens.run_id,
        unit_id=opens.answer.unit_id,
    )


def _claimed(said: Sequence[Annotation]) -> Claimed:
    first = said[0]
    return Claimed(
        author=first.author,
        run_id=first.run_id,
        criterion=first.answer.criterion,
        values=tuple(sorted({str(each.answer.value) for each in said})),
        units=tuple(each.answer.unit_id for each in said),
        annotations=tuple(each.number for each in said),
    )


def _place(found: Inconsistency) -> tuple[bool, int, Author, Author]:
    other = found.other.author if found.other else found.one.author
    rules = list(AUDIT_RULES)
    return not found.is_by_one_author, rules.index(found.rule.key), found.one.author, other

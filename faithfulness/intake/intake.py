"""Take a draft in: units built, replies read, sentences aligned, excerpts placed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from faithfulness.checks.evidence import findings
from faithfulness.intake.departures import list_missing_reasons
from faithfulness.intake.doubles import both_answers, both_places, double_of
from faithfulness.intake.own_cut import fit_to
from faithfulness.intake.units import build, sources_for
from faithfulness.model.drafts import Draft, Ruling, Said
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.summary import Summary
from faithfulness.model.vocabulary import (
    Answer,
    Author,
    Excerpt,
    Finding,
    Item,
    Piece,
    Placement,
    Span,
    UnitKind,
)
from faithfulness.protocols import protocol
from faithfulness.replies.matching import SentenceSaid, answer_on, land, nowhere
from faithfulness.text.excerpts import PreparedSource, place, prepare

Place = tuple[str, int]  # file, line
Told = tuple[str, int, str]  # a complaint: file, line, text


class Signed(NamedTuple):
    """An Answer with who gave it, in which of the draft's replies (if any), and the file's line."""

    author: Author
    answer: Answer
    reply_no: int | None
    line: int
    file: str = ""  # empty means the draft's
    decision: Ruling | None = None


class Taken(NamedTuple):
    """All that a draft says, ready to be stored."""

    item: Item
    signed: tuple[Signed, ...]
    notes: tuple[tuple[int, tuple[str, ...]], ...]  # one for each reply: its number, its notes
    summaries: tuple[tuple[Author, Summary, bool], ...]  # the last says whether the file gave it
    complaints: tuple[Told, ...]
    findings: tuple[tuple[int, Finding], ...] = ()  # the place in `signed`, what was found on it
    lost: tuple[Said, ...] = ()  # answers that no unit can carry
    is_cut_differently: bool = False  # than the stored item, whose sentences are used
    gained: int = 0  # sentences of the file that a stored item did not have in any form


def take_in(draft: Draft, known: Item | None = None) -> Taken:
    """Bring a draft to units; `known` is the stored item whose units must be used."""
    rules = protocol(draft.protocol)
    fitted = None if known is None else fit_to(draft, known)
    if fitted is not None:
        draft, known = fitted.draft, fitted.item
    item, unit_ids = build(draft, known)
    complaints: list[Told] = []
    lost: list[Said] = []
    signed = [
        *_from_sentences(draft, item, rules, complaints, lost),
        *_from_named(draft, item, rules, unit_ids, complaints),
    ]
    notes = []
    for number, reply in enumerate(draft.replies):
        reading = rules.parse(reply.text, item, "")
        notes.append((number, reading.notes))
        signed += [Signed(reply.author, each, number, reply.line) for each in reading.answers]
    placed = place_excerpts([each.answer for each in signed], item, rules)
    signed = [Signed(each[0], said, *each[2:]) for each, said in zip(signed, placed, strict=True)]
    by_author = _by_author(signed)
    for mine in by_author.values():
        complaints.extend(_complaints(draft, item, rules, mine))
    return Taken(
        item=item,
        signed=tuple(signed),
        notes=tuple(notes),
        summaries=tuple(_summaries(draft, item, rules, by_author)),
        complaints=tuple(sorted(complaints, key=lambda each: each[:2])),
        findings=tuple(findings(item, rules, [each.answer for each in signed])),
        lost=tuple(lost),
        is_cut_differently=fitted is not None and fitted.is_cut_differently,
        gained=0 if fitted is None else fitted.gained,
    )


def _from_sentences(
    draft: Draft, item: Item, rules: Protocol, complaints: list[Told], lost: list[Said]
) -> Iterator[Signed]:
    groups: dict[tuple[Author, str], list[Said]] = {}
    for each in draft.said:
        if each.unit is UnitKind.SENTENCE:
            groups.setdefault((each.author, each.criterion), []).append(each)
    for (author, _), rows in groups.items():
        criterion = _criterion(rules, draft, rows[0], complaints)
        if criterion is None:
            continue
        said = [_sentence_said(each) for each in rows]
        landed = land(item, said)
        problems = landed.doubts | {number: nowhere(item, said[number]) for number in landed.lost}
        complaints += [_told(draft, rows[number], text) for number, text in problems.items()]
        lost += [rows[number] for number in landed.lost]
        for unit in item.units_of(UnitKind.SENTENCE):
            landings = landed.by_unit.get(unit.id)
            if not landings:
                continue
            here = [rows[landing.said] for landing in landings]
            answer = answer_on(unit, criterion, said, landings)
            answer = _with_extras(answer, here, draft, item, complaints)
            double = double_of(here, landings)
            answer = _complained(answer, here, double, draft, complaints)
            yield Signed(author, answer, None, here[0].line, here[0].file, here[0].decision)


def _criterion(
    rules: Protocol, draft: Draft, row: Said, complaints: list[Told]
) -> Criterion | None:
    try:
        return rules.criterion(row.criterion)
    except KeyError:
        expected = ", ".join(each.key for each in rules.criteria)
        text = f"{rules.title} has no criterion {row.criterion!r}; expected {expected}"
        complaints.append(_told(draft, row, text))
        return None


def _told(draft: Draft, row: Said, text: str) -> Told:
    return row.file or draft.file, row.line, text


def _sentence_said(said: Said) -> SentenceSaid:
    return SentenceSaid(
        said.text,
        said.value,
        said.rationale,
        tuple(said.excerpts),
        said.unit_id,
        said.confidence,
        said.problem,
        said.start,
        said.end,
    )


def _with_extras(
    answer: Answer, rows: Sequence[Said], draft: Draft, item: Item, complaints: list[Told]
) -> Answer:
    """Add what sentences cannot carry: links, ticks, comments and marked parts."""
    if not any(each.links or each.checks or each.comment or each.parts for each in rows):
        return answer
    pieces = [piece for each in rows for piece in _pieces(each, draft, item, complaints)]
    return replace(
        answer,
        links=tuple(dict.fromkeys(link for each in rows for link in each.links)),
        checks=tuple(dict.fromkeys(check for each in rows for check in each.checks)),
        comment="\n".join(dict.fromkeys(each.comment for each in rows if each.comment)),
        pieces=(*answer.pieces, *pieces),
    )


def _pieces(said: Said, draft: Draft, item: Item, complaints: list[Told]) -> Iterator[Piece]:
    text = item.text_of(said.field)
    for start, end, value in said.parts:
        if not 0 <= start < end <= len(text):
            outside = f"a marked part from {start} to {end} is not inside the {said.field}"
            complaints.append(_told(draft, said, outside))
            continue
        span = Span(field=said.field, start=start, end=end)
        yield Piece(text=text[start:end], span=span, value=value, score=100.0)


def _from_named(
    draft: Draft,
    item: Item,
    rules: Protocol,
    unit_ids: Mapping[int, str],
    complaints: list[Told],
) -> Iterator[Signed]:
    """Answers on claims and on the whole response."""
    groups: dict[tuple[Author, str, str], list[Said]] = {}
    for position, unit_id in unit_ids.items():
        each = draft.said[position]
        groups.setdefault((each.author, each.criterion, unit_id), []).append(each)
    for (author, key, unit_id), rows in groups.items():
        criterion = _criterion(rules, draft, rows[0], complaints)
        if criterion is None:
            continue
        first = rows[0]
        problem = first.problem or _problem(criterion, first.value)
        answer = Answer(
            unit_id=unit_id,
            criterion=key,
            value=None if problem else first.value,
            rationale=first.rationale,
            excerpts=tuple(Excerpt(text=text) for text in first.excerpts),
            confidence=first.confidence,
            problem=problem,
        )
        answer = _with_extras(answer, rows, draft, item, complaints)
        answer = _complained(answer, rows, double_of(rows), draft, complaints)
        yield Signed(author, answer, None, first.line, first.file, first.decision)


def _complained(
    answer: Answer,
    rows: Sequence[Said],
    double: tuple[Said, Said] | None,
    draft: Draft,
    complaints: list[Told],
) -> Answer:
    """The answer as it can be kept; what a row says about itself is told with that row."""
    place = f"{answer.unit_id}, {answer.criterion}"
    if double:
        complaints.append(_told(draft, double[1], f"{place}: {both_places(double, draft)}"))
        return replace(answer, value=None, problem=both_answers(double))
    if answer.problem and not any(each.problem for each in rows):
        complaints.append(_told(draft, rows[-1], f"{place}: {answer.problem}"))
    return answer


def _problem(criterion: Criterion, value: str | None) -> str:
    if value is None:
        return "" if criterion.may_be_empty else "there is no value"
    if value not in criterion.scale:
        expected = ", ".join(criterion.scale.values)
        return f"{value!r} is not on the scale; expected {expected}"
    return ""


def place_excerpts(answers: Sequence[Answer], item: Item, rules: Protocol) -> list[Answer]:
    """Look for every excerpt where its unit's protocol allows quoting from."""
    fields = {unit.id: unit.field for unit in item.units}
    ready: dict[str, list[PreparedSource]] = {}
    found: dict[tuple[str, str], Placement] = {}
    placed = []
    for answer in answers:
        if not answer.excerpts:
            placed.append(answer)
            continue
        field = fields.get(answer.unit_id, "response")
        if field not in ready:
            kinds = rules.checked_against.get(field, ())
            ready[field] = [prepare(source) for source in sources_for(item, kinds, field)]
        excerpts = []
        for excerpt in answer.excerpts:
            key = field, excerpt.text
            if key not in found:
                found[key] = place(excerpt.text, ready[field])
            excerpts.append(Excerpt(text=excerpt.text, placement=found[key]))
        placed.append(_with_excerpts(answer, tuple(excerpts)))
    return placed


def _with_excerpts(answer: Answer, excerpts: tuple[Excerpt, ...]) -> Answer:
    """As dataclasses.replace would, which takes four times as long for every single answer."""
    return Answer(
        unit_id=answer.unit_id,
        criterion=answer.criterion,
        value=answer.value,
        rationale=answer.rationale,
        excerpts=excerpts,
        links=answer.links,
        checks=answer.checks,
        comment=answer.comment,
        confidence=answer.confidence,
        pieces=answer.pieces,
        problem=answer.problem,
    )


def _by_author(signed: Sequence[Signed]) -> dict[Author, list[Signed]]:
    """What counts for each author: the last answer on a unit, as a later one supersedes.

    Decisions are left out: they settle single units, so that no rule and no number is about them.
    """
    latest: dict[Author, dict[tuple[str, str], Signed]] = {}
    for each in signed:
        if each.decision is not None:
            continue
        mine = latest.setdefault(each.author, {})
        mine[each.answer.unit_id, each.answer.criterion] = each
    return {author: list(mine.values()) for author, mine in latest.items()}


def _complaints(
    draft: Draft, item: Item, rules: Protocol, mine: Sequence[Signed]
) -> Iterator[Told]:
    places = {each.answer.unit_id: (each.file, each.line) for each in mine if each.line}
    answers = [each.answer for each in mine]
    for text in (*rules.complaints(item, answers), *list_missing_reasons(item, answers)):
        unit_id = text.partition(":")[0].partition(",")[0]
        file, line = places.get(unit_id, ("", draft.line))
        yield file or draft.file, line, text


def _summaries(
    draft: Draft, item: Item, rules: Protocol, by_author: Mapping[Author, Sequence[Signed]]
) -> Iterator[tuple[Author, Summary, bool]]:
    for author, mine in by_author.items():
        yield author, rules.summarise(item, [each.answer for each in mine]), False
    for number in draft.numbers:
        counted = 0 if number.value is None else 1
        given = Summary(name=number.name, value=number.value, counted=counted, left_out=0)
        yield number.author, given, True

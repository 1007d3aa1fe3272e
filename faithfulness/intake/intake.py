"""Convert a draft to stored form: build units, parse replies, align sentences, place excerpts."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from faithfulness.checks.evidence import findings
from faithfulness.intake.departures import list_missing_reasons
from faithfulness.intake.units import build_item, build_sentence_units, select_sources
from faithfulness.model.drafts import Draft, DraftAnswer, DraftDecision
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
    Unit,
    UnitKind,
)
from faithfulness.protocols import protocol
from faithfulness.replies.matching import (
    Landing,
    SentenceSaid,
    build_answer,
    is_same_part,
    land_sentences,
    make_nowhere_note,
)
from faithfulness.text.excerpts import PreparedSource, place_excerpt, prepare_source
from faithfulness.text.normalise import fold_blanks
from faithfulness.text.sentences import CUTTER


class Fitted(NamedTuple):
    """A draft that speaks about the stored sentences of its item."""

    draft: Draft
    item: Item  # with the sentences that it gains
    is_cut_differently: bool  # whether the file has a sentence that is not stored as one
    gained: int


def fit_to(draft: Draft, known: Item) -> Fitted:
    """Bring a draft's own sentences to the stored ones; those on none of them are added."""
    stored = known.units_of(UnitKind.SENTENCE)
    own = _cut_own_sentences(draft, known)
    if _have_same_places(own, stored[: len(own)]):
        return Fitted(draft, known, False, 0)
    sentences = [
        SentenceSaid(unit.text, None, start=_get_start(unit), end=_get_end(unit)) for unit in own
    ]
    gained = [own[number] for number in land_sentences(known, sentences).lost]
    added = tuple(
        replace(unit, id=f"s{number}") for number, unit in enumerate(gained, start=len(stored) + 1)
    )
    item = replace(known, units=(*known.units, *added))
    places = {(unit.text, unit.span) for unit in stored}
    differs = any((unit.text, unit.span) not in places for unit in own)
    said = _add_offsets(draft.said, own, item)
    return Fitted(draft._replace(said=said), item, differs, len(added))


def _cut_own_sentences(draft: Draft, known: Item) -> Sequence[Unit]:
    """The sentences that the file would have brought; none where they must be the stored ones."""
    if draft.cut is None and known.cutter in (CUTTER, ""):
        return ()
    return tuple(build_sentence_units(draft, known.text_of("response")))


def _have_same_places(own: Sequence[Unit], stored: Sequence[Unit]) -> bool:
    return [(each.text, each.span) for each in own] == [(each.text, each.span) for each in stored]


def _add_offsets(said: Sequence[DraftAnswer], own: Sequence[Unit], item: Item) -> list[DraftAnswer]:
    """The labels with the places of their sentences; the file's numbers of sentences go.

    A sentence that stands twice is found by its number, else in the order in which one author
    answers one question about it.
    """
    by_id = {unit.id: unit for unit in own}
    by_text: defaultdict[str, list[Unit]] = defaultdict(list)
    for unit in own:
        by_text[fold_blanks(unit.text)].append(unit)
    turns: Counter[tuple[object, ...]] = Counter()
    placed = []
    for each in said:
        if each.unit is not UnitKind.SENTENCE:
            placed.append(each)
            continue
        meant = by_id.get(each.unit_id) if each.unit_id else None
        if meant is None and (twins := by_text.get(fold_blanks(each.text))):
            key = (each.author, each.criterion, fold_blanks(each.text))
            meant = twins[min(turns[key], len(twins) - 1)]
            turns[key] += 1
        placed.append(_move_to_unit(each, meant, item))
    return placed


def _move_to_unit(said: DraftAnswer, unit: Unit | None, item: Item) -> DraftAnswer:
    if unit is None:
        return said._replace(unit_id="")
    said = said._replace(text=said.text or unit.text, unit_id="")
    if unit.span is None or said.start is not None:
        return said
    words = item.text_of(unit.field)[unit.span.start : unit.span.end]
    if fold_blanks(words) != fold_blanks(said.text):
        return said
    return said._replace(start=unit.span.start, end=unit.span.end)


def _get_start(unit: Unit) -> int | None:
    return unit.span.start if unit.span else None


def _get_end(unit: Unit) -> int | None:
    return unit.span.end if unit.span else None


def find_double_answer(
    rows: Sequence[DraftAnswer], landings: Sequence[Landing] = ()
) -> tuple[DraftAnswer, DraftAnswer] | None:
    """The first two rows that differ; rows about different parts of a unit do not.

    Rows that say the same are none: some files have one for each excerpt.

    Args:
        rows: what one author answers to one question about one unit.
        landings: where each of them stands in a sentence; without them all are about the whole.
    """
    if len(rows) < 2 or len({_get_answer_key(each) for each in rows}) < 2:
        return None
    for one, other in combinations(range(len(rows)), 2):
        if _get_answer_key(rows[one]) == _get_answer_key(rows[other]):
            continue
        if not landings or is_same_part(landings[one], landings[other]):
            return rows[one], rows[other]
    return None


def format_double(double: tuple[DraftAnswer, DraftAnswer]) -> str:
    return "answered twice: " + " and ".join(_format_answer(each) for each in double)


def format_double_places(double: tuple[DraftAnswer, DraftAnswer], draft: Draft) -> str:
    """Both answers with their places: whoever mends the file has to find the two."""
    named = [
        f"{_format_answer(each)} ({each.file or draft.file} line {each.line})" for each in double
    ]
    return f"answered twice: {' and '.join(named)}; neither counts, keep one of them"


def _get_answer_key(said: DraftAnswer) -> tuple[str | None, str]:
    return said.value, said.problem


def _format_answer(said: DraftAnswer) -> str:
    return said.value or said.problem.partition(";")[0] or "no label"


Place = tuple[str, int]  # file, line
Told = tuple[str, int, str]  # a complaint: file, line, text


class SignedAnswer(NamedTuple):
    """An Answer with who gave it, in which of the draft's replies (if any), and the file's line."""

    author: Author
    answer: Answer
    reply_no: int | None
    line: int
    file: str = ""  # empty means the draft's
    decision: DraftDecision | None = None


class PreparedItem(NamedTuple):
    """All that a draft says, ready to be stored."""

    item: Item
    signed: tuple[SignedAnswer, ...]
    notes: tuple[tuple[int, tuple[str, ...]], ...]  # one for each reply: its number, its notes
    summaries: tuple[tuple[Author, Summary, bool], ...]  # the last says whether the file gave it
    complaints: tuple[Told, ...]
    findings: tuple[tuple[int, Finding], ...] = ()  # the place in `signed`, what was found on it
    lost: tuple[DraftAnswer, ...] = ()  # answers that no unit can carry
    is_cut_differently: bool = False  # than the stored item, whose sentences are used
    gained: int = 0  # sentences of the file that a stored item did not have in any form


def take_in(draft: Draft, known: Item | None = None) -> PreparedItem:
    """Bring a draft to units; `known` is the stored item whose units must be used."""
    rules = protocol(draft.protocol)
    fitted = None if known is None else fit_to(draft, known)
    if fitted is not None:
        draft, known = fitted.draft, fitted.item
    item, unit_ids = build_item(draft, known)
    complaints: list[Told] = []
    lost: list[DraftAnswer] = []
    signed = [
        *_from_sentences(draft, item, rules, complaints, lost),
        *_from_named(draft, item, rules, unit_ids, complaints),
    ]
    notes = []
    for number, reply in enumerate(draft.replies):
        reading = rules.parse(reply.text, item, "")
        notes.append((number, reading.notes))
        signed += [SignedAnswer(reply.author, each, number, reply.line) for each in reading.answers]
    placed = place_excerpts([each.answer for each in signed], item, rules)
    signed = [
        SignedAnswer(each[0], said, *each[2:]) for each, said in zip(signed, placed, strict=True)
    ]
    by_author = _group_by_author(signed)
    for mine in by_author.values():
        complaints.extend(_list_complaints(draft, item, rules, mine))
    return PreparedItem(
        item=item,
        signed=tuple(signed),
        notes=tuple(notes),
        summaries=tuple(_build_summaries(draft, item, rules, by_author)),
        complaints=tuple(sorted(complaints, key=lambda each: each[:2])),
        findings=tuple(findings(item, rules, [each.answer for each in signed])),
        lost=tuple(lost),
        is_cut_differently=fitted is not None and fitted.is_cut_differently,
        gained=0 if fitted is None else fitted.gained,
    )


def _from_sentences(
    draft: Draft, item: Item, rules: Protocol, complaints: list[Told], lost: list[DraftAnswer]
) -> Iterator[SignedAnswer]:
    groups: dict[tuple[Author, str], list[DraftAnswer]] = {}
    for each in draft.said:
        if each.unit is UnitKind.SENTENCE:
            groups.setdefault((each.author, each.criterion), []).append(each)
    for (author, _), rows in groups.items():
        criterion = _find_criterion(rules, draft, rows[0], complaints)
        if criterion is None:
            continue
        said = [_make_sentence_said(each) for each in rows]
        landed = land_sentences(item, said)
        problems = landed.doubts | {
            number: make_nowhere_note(item, said[number]) for number in landed.lost
        }
        complaints += [
            _make_complaint(draft, rows[number], text) for number, text in problems.items()
        ]
        lost += [rows[number] for number in landed.lost]
        for unit in item.units_of(UnitKind.SENTENCE):
            landings = landed.by_unit.get(unit.id)
            if not landings:
                continue
            here = [rows[landing.said] for landing in landings]
            answer = build_answer(unit, criterion, said, landings)
            answer = _add_extras(answer, here, draft, item, complaints)
            double = find_double_answer(here, landings)
            answer = _validate_answer(answer, here, double, draft, complaints)
            yield SignedAnswer(author, answer, None, here[0].line, here[0].file, here[0].decision)


def _find_criterion(
    rules: Protocol, draft: Draft, row: DraftAnswer, complaints: list[Told]
) -> Criterion | None:
    try:
        return rules.criterion(row.criterion)
    except KeyError:
        expected = ", ".join(each.key for each in rules.criteria)
        text = f"{rules.title} has no criterion {row.criterion!r}; expected {expected}"
        complaints.append(_make_complaint(draft, row, text))
        return None


def _make_complaint(draft: Draft, row: DraftAnswer, text: str) -> Told:
    return row.file or draft.file, row.line, text


def _make_sentence_said(said: DraftAnswer) -> SentenceSaid:
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


def _add_extras(
    answer: Answer, rows: Sequence[DraftAnswer], draft: Draft, item: Item, complaints: list[Told]
) -> Answer:
    """Add what sentences cannot carry: links, ticks, comments and marked parts."""
    if not any(each.links or each.checks or each.comment or each.parts for each in rows):
        return answer
    pieces = [piece for each in rows for piece in _build_pieces(each, draft, item, complaints)]
    return replace(
        answer,
        links=tuple(dict.fromkeys(link for each in rows for link in each.links)),
        checks=tuple(dict.fromkeys(check for each in rows for check in each.checks)),
        comment="\n".join(dict.fromkeys(each.comment for each in rows if each.comment)),
        pieces=(*answer.pieces, *pieces),
    )


def _build_pieces(
    said: DraftAnswer, draft: Draft, item: Item, complaints: list[Told]
) -> Iterator[Piece]:
    text = item.text_of(said.field)
    for start, end, value in said.parts:
        if not 0 <= start < end <= len(text):
            outside = f"a marked part from {start} to {end} is not inside the {said.field}"
            complaints.append(_make_complaint(draft, said, outside))
            continue
        span = Span(field=said.field, start=start, end=end)
        yield Piece(text=text[start:end], span=span, value=value, score=100.0)


def _from_named(
    draft: Draft,
    item: Item,
    rules: Protocol,
    unit_ids: Mapping[int, str],
    complaints: list[Told],
) -> Iterator[SignedAnswer]:
    """Answers on claims and on the whole response."""
    groups: dict[tuple[Author, str, str], list[DraftAnswer]] = {}
    for position, unit_id in unit_ids.items():
        each = draft.said[position]
        groups.setdefault((each.author, each.criterion, unit_id), []).append(each)
    for (author, key, unit_id), rows in groups.items():
        criterion = _find_criterion(rules, draft, rows[0], complaints)
        if criterion is None:
            continue
        first = rows[0]
        problem = first.problem or _find_value_problem(criterion, first.value)
        answer = Answer(
            unit_id=unit_id,
            criterion=key,
            value=None if problem else first.value,
            rationale=first.rationale,
            excerpts=tuple(Excerpt(text=text) for text in first.excerpts),
            confidence=first.confidence,
            problem=problem,
        )
        answer = _add_extras(answer, rows, draft, item, complaints)
        answer = _validate_answer(answer, rows, find_double_answer(rows), draft, complaints)
        yield SignedAnswer(author, answer, None, first.line, first.file, first.decision)


def _validate_answer(
    answer: Answer,
    rows: Sequence[DraftAnswer],
    double: tuple[DraftAnswer, DraftAnswer] | None,
    draft: Draft,
    complaints: list[Told],
) -> Answer:
    """The answer as it can be kept; what a row says about itself is told with that row."""
    place = f"{answer.unit_id}, {answer.criterion}"
    if double:
        complaints.append(
            _make_complaint(draft, double[1], f"{place}: {format_double_places(double, draft)}")
        )
        return replace(answer, value=None, problem=format_double(double))
    if answer.problem and not any(each.problem for each in rows):
        complaints.append(_make_complaint(draft, rows[-1], f"{place}: {answer.problem}"))
    return answer


def _find_value_problem(criterion: Criterion, value: str | None) -> str:
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
            ready[field] = [prepare_source(source) for source in select_sources(item, kinds, field)]
        excerpts = []
        for excerpt in answer.excerpts:
            key = field, excerpt.text
            if key not in found:
                found[key] = place_excerpt(excerpt.text, ready[field])
            excerpts.append(Excerpt(text=excerpt.text, placement=found[key]))
        placed.append(_replace_excerpts(answer, tuple(excerpts)))
    return placed


def _replace_excerpts(answer: Answer, excerpts: tuple[Excerpt, ...]) -> Answer:
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


def _group_by_author(signed: Sequence[SignedAnswer]) -> dict[Author, list[SignedAnswer]]:
    """What counts for each author: the last answer on a unit, as a later one supersedes.

    Decisions are left out: they settle single units, so that no rule and no number is about them.
    """
    latest: dict[Author, dict[tuple[str, str], SignedAnswer]] = {}
    for each in signed:
        if each.decision is not None:
            continue
        mine = latest.setdefault(each.author, {})
        mine[each.answer.unit_id, each.answer.criterion] = each
    return {author: list(mine.values()) for author, mine in latest.items()}


def _list_complaints(
    draft: Draft, item: Item, rules: Protocol, mine: Sequence[SignedAnswer]
) -> Iterator[Told]:
    places = {each.answer.unit_id: (each.file, each.line) for each in mine if each.line}
    answers = [each.answer for each in mine]
    for text in (*rules.complaints(item, answers), *list_missing_reasons(item, answers)):
        unit_id = text.partition(":")[0].partition(",")[0]
        file, line = places.get(unit_id, ("", draft.line))
        yield file or draft.file, line, text


def _build_summaries(
    draft: Draft, item: Item, rules: Protocol, by_author: Mapping[Author, Sequence[SignedAnswer]]
) -> Iterator[tuple[Author, Summary, bool]]:
    for author, mine in by_author.items():
        yield author, rules.summarise(item, [each.answer for each in mine]), False
    for number in draft.numbers:
        counted = 0 if number.value is None else 1
        given = Summary(name=number.name, value=number.value, counted=counted, left_out=0)
        yield number.author, given, True

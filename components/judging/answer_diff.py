"""Compare new judge answers with all stored ones: labels, quotes, reasons and sample votes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import streamlit as st

from components.contradictions.evidence import split_context
from components.distributions.score_spread import show_scores
from components.ui.label_colors import Look, badge, get_answer_look
from components.ui.numbers import format_count
from components.ui.plain import plain
from components.ui.table.table import Cell, Column, Group, TableRow, show_table
from faithfulness.judging import rerun
from faithfulness.judging.rerun import AnswerChange, ChangeKind, Drift, Place, Sample
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.vocabulary import Annotation, Answer, Author, AuthorKind, Item, UnitKind
from faithfulness.model.wording import capitalize_first, format_confidence
from faithfulness.text.altered import describe_placement, describe_worst_placement

SHOWN = 4  # authors beside the new answer, unless more are asked for
_ORDER = {AuthorKind.ADJUDICATOR: 0, AuthorKind.RATER: 1, AuthorKind.JUDGE: 2}
_UNITS = {UnitKind.SENTENCE: "Sentence", UnitKind.CLAIM: "Claim", UnitKind.RESPONSE: "Question"}
_DRIFTS = {
    Drift.WORDS: "quotes other words of the same place",
    Drift.PLACE: "quotes another place",
    Drift.ADDED: "with a quote",
    Drift.DROPPED: "without a quote",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Diff:
    """What was stored about an item beside the new samples, and what they say together."""

    item: Item
    protocol: Protocol
    before: Sequence[Annotation]
    samples: Sequence[Sample]
    judge: Author
    settled: Mapping[Place, Answer]
    counts: Mapping[Place, Counter[str]]
    changes: Sequence[AnswerChange]
    by_author: Mapping[tuple[Author, Place], AnswerChange]


def compare(
    item: Item,
    protocol: Protocol,
    before: Sequence[Annotation],
    samples: Sequence[Sample],
    judge: Author,
) -> Diff:
    settled = rerun.settle_samples(samples, protocol)
    changes = rerun.list_changes(before, settled)
    return Diff(
        item=item,
        protocol=protocol,
        before=before,
        samples=samples,
        judge=judge,
        settled={(each.unit_id, each.criterion): each for each in settled.answers},
        counts=rerun.count_outcomes(samples),
        changes=changes,
        by_author={
            (each.author, (each.unit_id, each.criterion)): each for each in changes if each.author
        },
    )


def show_diff(diff: Diff, *, key: str, unit: str = "") -> None:
    """Draw the comparison; a click on a unit opens all that was said about it.

    Args:
        diff: what is compared.
        key: the name of the comparison on the page.
        unit: the one that a person came from; it is marked and brought into view.
    """
    authors = sorted(
        {each.author for each in diff.before}, key=lambda each: _rank_author(each, diff)
    )
    shown = _choose_authors(authors, key)
    changes = diff.changes
    _show_change_count(changes, shown)
    places = _sort_places({(each.unit_id, each.criterion) for each in changes}, diff)
    if len(places) > 1 and st.toggle("Only what differs", key=f"{key}_changed"):
        places = [each for each in places if _is_changed(each, changes, shown)] or places
    clicked = show_table(
        _build_columns(diff, shown),
        _build_groups(places, diff, shown, unit),
        key=f"{key}_diff",
        label="New answers beside stored ones",
    )
    if clicked:
        _show_details([each for each in places if each[0] == clicked.row], diff, shown)
    for criterion in diff.protocol.criteria:
        if criterion.scale.ordinal:
            show_scores(criterion, diff.counts, diff.before, key=key)


def _rank_author(author: Author, diff: Diff) -> tuple[bool, int, str]:
    return author != diff.judge, _ORDER[author.kind], author.name


def _choose_authors(authors: Sequence[Author], key: str) -> Sequence[Author]:
    if len(authors) <= SHOWN:
        return authors
    names = [_format_author(each) for each in authors]
    picked = st.multiselect(
        "Compare with",
        range(len(authors)),
        default=range(SHOWN),
        format_func=names.__getitem__,
        key=f"{key}_authors",
    )
    return [authors[at] for at in picked]


def _format_author(author: Author) -> str:
    """With what they are, unless the name begins with it: Rater 1, where a meeting hides names."""
    kind = author.kind.value
    return author.name if author.name.lower().startswith(kind) else f"{author.name} ({kind})"


def _show_change_count(changes: Sequence[AnswerChange], shown: Sequence[Author]) -> None:
    if not shown:
        st.caption("Nobody has answered about this item yet: every answer is new.")
        return
    said = []
    for author in shown:
        mine = [each for each in changes if each.author == author]
        same = sum(each.kind is ChangeKind.SAME for each in mine)
        said.append(f"as {plain(author.name)} on **{same} of {len(mine)}**")
    st.markdown(f"The new answer gives the same label {', '.join(said)}.")


def _sort_places(places: Iterable[Place], diff: Diff) -> list[Place]:
    units = {each.id: at for at, each in enumerate(diff.item.units)}
    criteria = {each.key: at for at, each in enumerate(diff.protocol.criteria)}
    known = [each for each in places if each[0] in units and each[1] in criteria]
    return sorted(known, key=lambda each: (units[each[0]], criteria[each[1]]))


def _is_changed(place: Place, changes: Sequence[AnswerChange], shown: Sequence[Author]) -> bool:
    here = [each for each in changes if (each.unit_id, each.criterion) == place]
    return any(
        each.kind is not ChangeKind.SAME
        for each in here
        if each.author is None or each.author in shown
    )


def _build_columns(diff: Diff, shown: Sequence[Author]) -> list[Column]:
    first = _UNITS[diff.protocol.unit]
    new = "New answer" if len(diff.samples) == 1 else f"New, {len(diff.samples)} samples"
    names = [
        Column(
            title=f"{each.name}, before" if each == diff.judge else each.name,
            drop=at > 1,
            firm=True,
        )
        for at, each in enumerate(shown)
    ]
    return [Column(title=first, wide=len(shown) < 3), Column(title=new, firm=True), *names]


def _build_groups(
    places: Sequence[Place], diff: Diff, shown: Sequence[Author], unit: str
) -> list[Group]:
    """The rows; those of claims stand under the sentence that they were drawn from."""
    groups = []
    for sentence, together in groupby(places, key=lambda each: _get_claim_sentence(each, diff)):
        rows = [_build_row(each, diff, shown, unit) for each in together]
        note = f"“{sentence}”" if sentence else ""
        groups.append(Group(rows=rows, title="Claims of" if sentence else "", note=note))
    if len(groups) == 1:
        return groups
    return [each if each.title else replace(each, title="Without a sentence") for each in groups]


def _get_claim_sentence(place: Place, diff: Diff) -> str:
    """Of a claim, the sentence it was drawn from; empty where none is known."""
    unit = next(each for each in diff.item.units if each.id == place[0])
    if unit.kind is not UnitKind.CLAIM or unit.span is None:
        return ""
    return split_context(diff.item, unit.span)[1]


def _build_row(place: Place, diff: Diff, shown: Sequence[Author], unit: str) -> TableRow:
    criterion = diff.protocol.criterion(place[1])
    return TableRow(
        id=place[0],
        here=place[0] == unit,
        cells=[
            Cell(text=_get_place_text(place, diff), action="detail"),
            build_new_cell(place, criterion, diff),
            *(
                _build_old_cell(diff.by_author.get((each, place)), criterion, diff)
                for each in shown
            ),
        ],
    )


def _get_place_text(place: Place, diff: Diff) -> str:
    if diff.protocol.unit is UnitKind.RESPONSE:
        return diff.protocol.criterion(place[1]).question
    return next(each.text for each in diff.item.units if each.id == place[0])


def build_new_cell(place: Place, criterion: Criterion, diff: Diff) -> Cell:
    """The new label; below it what keeps it from being taken for sure."""
    after = diff.settled.get(place)
    if after is None:
        return Cell(text="No answer")
    shown = get_answer_look(after, criterion)
    has_tally = len(diff.samples) > 1 and not after.problem.startswith(rerun.TIED)
    votes = format_votes(diff.counts[place], criterion, after) if has_tally else ""
    note = " · ".join(
        each for each in (format_confidence(after.confidence), votes, after.problem) if each
    )
    return Cell(
        text=shown.title, glyph=_get_glyph(shown), color=shown.color, note=note, strong=True
    )


def _build_old_cell(change: AnswerChange | None, criterion: Criterion, diff: Diff) -> Cell:
    if change is None or change.before is None:
        return Cell(text="", note="no answer")
    shown = get_answer_look(change.before.answer, criterion)
    told = describe_change(change, criterion, diff.judge, diff.item)
    notes = (format_confidence(change.before.answer.confidence), told)
    return Cell(
        text=shown.title,
        glyph=_get_glyph(shown),
        color=shown.color,
        note=" · ".join(each for each in notes if each),
        strong=change.kind is not ChangeKind.SAME,
    )


def describe_change(change: AnswerChange, criterion: Criterion, judge: Author, item: Item) -> str:
    """How the new answer differs from a stored one; it stands under the name of who gave that.

    A reason can only have changed where the same judge gave one; others say it in their own words.
    """
    said = []
    if change.kind is not ChangeKind.SAME:
        new = get_answer_look(change.after, criterion).title if change.after else "none"
        said.append(new)
    if change.excerpts in _DRIFTS:
        said.append(_DRIFTS[change.excerpts])
    old, new = (
        describe_worst_placement(item, each.excerpts) if each else ""
        for each in (change.before and change.before.answer, change.after)
    )
    if old and new and old != new:
        said.append(f"quote {new} (here {old})")
    if change.rationale_changed and change.author == judge:
        said.append("other reason")
    return f"new answer: {' · '.join(said)}" if said else ""


def format_votes(counts: Counter[str], criterion: Criterion, settled: Answer) -> str:
    """How many samples gave what, and whether a median was taken.

    `5 samples: contradictory ×4, supported ×1`, `median of 5 samples: 2 ×2, 3 ×1, 4 ×1, 5 ×1`, or
    `median of 4 of 5 samples: 3 ×4, unread ×1`.
    """
    scale = criterion.scale
    samples = format_count(counts.total(), "sample")
    if scale.ordinal and settled.value is not None:
        scored = sum(counts[value] for value in scale.values)
        samples = f"median of {f'{scored} of ' * (scored < counts.total())}{samples}"
    tally = ", ".join(
        f"{_format_value(value, criterion)}\u00a0×{count}"
        for value, count in rerun.rank_outcomes(counts, scale)
    )
    return f"{samples}: {tally}"


def _format_value(value: str, criterion: Criterion) -> str:
    scale = criterion.scale
    return value if scale.ordinal or value not in scale else scale.label(value).title.lower()


def _get_glyph(shown: Look) -> str:
    return "" if shown.glyph == shown.title else shown.glyph


@st.dialog("Before and after", width="large")
def _show_details(places: Sequence[Place], diff: Diff, shown: Sequence[Author]) -> None:
    for place in places:
        criterion = diff.protocol.criterion(place[1])
        st.markdown(f"**{plain(_get_place_text(place, diff))}**")
        if sentence := _get_claim_sentence(place, diff):
            st.caption(f"A claim of “{plain(sentence)}”")
        said = [("New answer", diff.settled[place])] if place in diff.settled else []
        stored = [diff.by_author.get((each, place)) for each in shown]
        said += [
            (each.before.author.name, each.before.answer) for each in stored if each and each.before
        ]
        for start in range(0, len(said), 3):
            for column, (name, answer) in zip(st.columns(3), said[start : start + 3], strict=False):
                with column:
                    _show_answer(name, answer, criterion, diff.item)


def _show_answer(name: str, answer: Answer, criterion: Criterion, item: Item) -> None:
    st.markdown(f"{badge(get_answer_look(answer, criterion))} {plain(name)}")
    if words := format_confidence(answer.confidence):
        st.caption(capitalize_first(words))
    if answer.problem:
        st.caption(plain(answer.problem))
    st.markdown(plain(answer.rationale) or "No reason given.")
    for each in answer.excerpts:
        st.markdown(f"> {plain(each.text)}")
        st.caption(plain(capitalize_first(describe_placement(item, each))))

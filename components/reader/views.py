"""Annotator views of an item: labels, differences from others, segmentation and scores."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from components.reader.annotation_view import Opinion, Opinions, select_judged_units
from components.ui.address import format_author_key
from components.ui.as_data import as_data
from components.ui.label_colors import NOT_JUDGED, UNREAD, Look, get_answer_look
from components.ui.numbers import format_count, number
from faithfulness.model.protocol import Criterion, Protocol
from faithfulness.model.selection_sides import is_baseline
from faithfulness.model.vocabulary import Annotation, Author, AuthorKind, Item, Unit


def voices(protocol: Protocol, annotations: Sequence[Annotation]) -> dict[str, dict[str, Any]]:
    """Of every unit how much was said in all, and about the first criterion behind each label.

    A label goes by its value; what could not be read goes by the title of its look.
    """
    first, asked = protocol.criteria[0], {each.key for each in protocol.criteria}
    units: dict[str, list[Annotation]] = {}
    for each in annotations:
        if each.answer.criterion in asked:
            units.setdefault(each.answer.unit_id, []).append(each)
    return {
        unit: {"all": _format_totals(said), "of": _count_by_label(first, said)}
        for unit, said in units.items()
    }


def _is_decision(said: Annotation) -> bool:
    return said.author.kind is AuthorKind.ADJUDICATOR


def _format_totals(said: Sequence[Annotation]) -> str:
    decisions = sum(map(_is_decision, said))
    answers = len(said) - decisions
    told = ((answers, "answer"), (decisions, "decision"))
    return ", ".join(format_count(count, noun) for count, noun in told if count)


def _count_by_label(first: Criterion, said: Sequence[Annotation]) -> dict[str, str]:
    labels: dict[str, list[Annotation]] = {}
    for each in said:
        if each.answer.criterion == first.key:
            key = each.answer.value or get_answer_look(each.answer, first).title
            labels.setdefault(key, []).append(each)
    own = [each for group in labels.values() for each in group]
    total = sum(not _is_decision(each) for each in own)
    last = max(filter(_is_decision, own), key=lambda each: each.number, default=None)
    return {
        key: _format_vote_share(
            sum(not _is_decision(each) for each in group), total, decided=last in group
        )
        for key, group in labels.items()
        if len(own) > 1
    }


def _format_vote_share(so: int, total: int, *, decided: bool) -> str:
    if not decided:
        return f"{so} of {format_count(total, 'author')}"
    if not so:
        return f"the decision, none of {format_count(total, 'author')}" if total else "the decision"
    return f"{so} of {format_count(total, 'author')} and the decision"


Said = Mapping[str, Sequence[Opinion]]
_ORDER = {AuthorKind.ADJUDICATOR: 0, AuthorKind.RATER: 1, AuthorKind.JUDGE: 2}


def build_author_views(
    item: Item, protocol: Protocol, opinions: Opinions, said: Said
) -> list[dict[str, Any]]:
    """One view for each author, people before judges; a single empty one when nobody signed."""
    authors = sorted({each.author for each in opinions.annotations}, key=_rank_author)
    units = select_judged_units(item, protocol, opinions)
    return [_build_view(item, protocol, opinions, said, author, units) for author in authors] or [
        {"by": "", "author": "", "kind": "", "looks": {}, "differ": {}, "cuts": [], "numbers": []}
    ]


def make_label_key(value: str, look: Look) -> str:
    """Names a label in data and addresses; titles may change."""
    return {UNREAD: "unread", NOT_JUDGED: "not_judged"}.get(look, value)


def looks(protocol: Protocol, said: Said) -> dict[str, dict[str, Any]]:
    """Every look that occurs on the item under the first criterion, in the order of the scale."""
    first = protocol.criteria[0]
    found = {
        make_label_key(each.value, each.look): each.look
        for opinions in said.values()
        for each in opinions
        if each.criterion == first.key
    }
    found.setdefault(make_label_key("", NOT_JUDGED), NOT_JUDGED)
    ranked = [each for each in (*first.scale.values, "unread", "not_judged") if each in found]
    return {key: as_data(found[key]) for key in ranked}


def choose_default_author(signed: Sequence[Annotation], wanted: Sequence[Author]) -> Author | None:
    """The author asked for, else the judge, or else the person, who answered most units.

    Whoever settled one sentence leaves the others unmarked. The offline baseline comes last: it
    reads nothing. None when nobody signed.
    """
    answered = {(each.author, each.answer.unit_id) for each in signed if each.answer.value}
    units = Counter(author for author, _ in answered)
    known = {each.author for each in signed}

    def likely(author: Author) -> tuple[bool, bool, int, tuple[int, str]]:
        is_judge = author.kind is AuthorKind.JUDGE
        return is_baseline(author), not is_judge, -units[author], _rank_author(author)

    asked = [each for each in wanted if each in known]
    return next(iter([*asked, *sorted(known, key=likely)]), None)


def _rank_author(author: Author) -> tuple[int, str]:
    return _ORDER[author.kind], author.name


def _build_view(
    item: Item,
    protocol: Protocol,
    opinions: Opinions,
    said: Said,
    author: Author,
    units: Sequence[Unit],
) -> dict[str, Any]:
    by = format_author_key(author)
    first = protocol.criteria[0]
    mine = [each for each in opinions.annotations if each.author == author]
    labels = {
        each.answer.unit_id: make_label_key(
            each.answer.value or "", get_answer_look(each.answer, first)
        )
        for each in mine
        if each.answer.criterion == first.key
    }
    return {
        "by": by,
        "author": author.name,
        "kind": author.kind.value,
        "looks": labels,
        "differ": {
            unit.id: found
            for unit in units
            if (found := _describe_difference(said.get(unit.id, ()), first.key, by))
        },
        "cuts": _list_cuts(protocol, mine),
        **_build_numbers(item, protocol, mine, units),
    }


def _describe_difference(said: Sequence[Opinion], criterion: str, by: str) -> list[Any]:
    """How many others read the unit differently, of how many, who they are, and their look.

    Raters are the others that count; where none spoke, the other judges. A decision is no vote.
    What is unread says nothing, and nothing differs from it.
    """
    read = [each for each in said if each.criterion == criterion and each.value]
    read = [each for each in read if each.look != UNREAD]
    mine = next((each.value for each in read if each.by == by), None)
    others = [each for each in read if each.by != by]
    raters = [each for each in others if each.kind == AuthorKind.RATER]
    people = raters or [each for each in others if each.kind == AuthorKind.JUDGE]
    against = [each for each in people if each.value != mine]
    if mine is None or not against:
        return []
    ((common, _),) = Counter(each.value for each in against).most_common(1)
    return [len(against), len(people), "raters" if raters else "judges", common]


def _list_cuts(protocol: Protocol, mine: Sequence[Annotation]) -> list[dict[str, Any]]:
    """The pieces an author really labelled, where their cut is not ours."""
    first = protocol.criteria[0]
    found: dict[tuple[str, int, int], dict[str, Any]] = {}
    for each in mine:
        for piece in each.answer.pieces:
            if piece.span is None or each.answer.criterion != first.key:
                continue
            place = (piece.span.field, piece.span.start, piece.span.end)
            known = found.setdefault(
                place, {"id": make_cut_name(each.author, *place), "units": [], "look": {}}
            )
            known["units"].append(each.answer.unit_id)
            known["look"] = as_data(_get_piece_look(piece.value, each, protocol))
    return list(found.values())


def make_cut_name(author: Author, field: str, start: int, end: int) -> str:
    return f"cut {field} {start} {end} {format_author_key(author)}"


def _get_piece_look(value: str | None, said: Annotation, protocol: Protocol) -> Look:
    return get_answer_look(replace(said.answer, value=value), protocol.criteria[0])


def _build_numbers(
    item: Item, protocol: Protocol, mine: Sequence[Annotation], units: Sequence[Unit]
) -> dict[str, Any]:
    """Name, value and count of the author's numbers, a dash where undefined; what the first is."""
    summary = protocol.summarise(item, [each.answer for each in mine])
    settles = mine[0].author.kind is AuthorKind.ADJUDICATOR
    decided = {each.answer.unit_id for each in mine if each.answer.value}
    many = sum(unit.id in decided for unit in units)
    if settles and many < len(units):
        # Mostly what people differ on is decided: a share of that part says nothing of the item.
        part = f"{many} of {len(units)} decided"
        return {
            "numbers": [(summary.name, number(None), part)],
            "about": f"{summary.name}, {part}",
        }
    whole = summary.counted + summary.left_out
    is_plain = protocol.unit == "response" and whole == summary.counted == 1
    count = "" if is_plain else f"{summary.counted} of {whole}"
    parts = [
        (name, number(value), "")
        for name, value in summary.parts.items()
        if name in ("precision", "recall")
    ]
    return {
        "numbers": [(summary.name, number(summary.value), count), *parts],
        "about": f"{summary.name}, {count} counted" if count else summary.name,
    }
